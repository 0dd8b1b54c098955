"""The command that lists the papers."""

import sys
from pathlib import Path

import click

from lookup.results.showing import counted
from pagequote.cli import options
from pagequote.cli.printing import echo


@click.command
@click.argument("words", nargs=-1)
@options.count("Papers to show.  [default: all]", default=None)
@options.formats("text", "json", "bibtex", "csl")
@options.corpus
def papers(words: tuple[str, ...], count: int | None, form: str, corpus: Path | None) -> None:
    """List the papers whose key, title, authors, year, DOI and venue together hold WORDS, or all papers.

    WORDS may be parts of words; case and accents do not count. Papers that WORDS name, as "Fan et al." does,
    come first. A PDF without text is marked "no text".

    Exit status: 0 found, 1 no such paper, 2 an error.

    \b
    Examples:
      pagequote papers
      pagequote papers okafor marsh
      pagequote papers 2019 --json
      pagequote papers --format bibtex > refs.bib
    """
    from pagequote.reference_list import bibtex, csl_json

    with options.open_corpus(corpus) as opened:
        found = opened.papers(" ".join(words), count)
    if form == "json":
        options.echo_json([paper.to_dict() for paper in found])
    elif form == "csl":
        options.echo_json(csl_json(found))
    elif form == "bibtex":
        echo(bibtex(found), nl=False)
    else:
        for paper in found:
            about = ", ".join(filter(None, (paper.cited, paper.title))) or "(no title)"
            no_text = "" if paper.covered else click.style(", no text", fg="magenta")
            echo(f"{click.style(paper.key, bold=True)}: {about} ({counted(paper.pages, 'page')}{no_text})")
    if not found:
        echo("No paper has all of these words. Try fewer, or parts of words.", err=True)
        sys.exit(1)
