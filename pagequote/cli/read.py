"""The commands that list the papers, and print what one says: a page, all, its headings, around a cursor."""

import sys
from pathlib import Path
from typing import Any

import click

from lookup.errors import NextStep
from lookup.limits import PageName
from lookup.results.answer import counted
from pagequote.calls.table import GetContextAtCursor, GetPage
from pagequote.cli import options
from pagequote.cli.next_steps import with_command
from pagequote.cli.printing import echo


@click.command
@options.key
@options.of_call(GetPage, "page", page="all pages")
@options.of_call(GetContextAtCursor, "--at cursor", "--before chars_before", "--after chars_after")
@options.flag("--outline", "The headings, each with its page.")
@options.as_json
@options.corpus
def read(
    key: str,
    page: PageName | None,
    cursor: int | None,
    chars_before: int | None,
    chars_after: int | None,
    outline: bool,
    as_json: bool,
    corpus: Path | None,
) -> None:
    """Print the paper KEY in reading order: all of it, a page, the text around a cursor, or its headings.

    Exit status: 0 printed, 1 with --outline: the paper has no headings, 2 an error.

    \b
    Examples:
      pagequote read feng2022 > feng2022.txt
      pagequote read feng2022 --page 6
      pagequote read feng2022 --page iv
      pagequote read papers/feng2022.pdf --page 6
      pagequote read feng2022 --at 5234 --after 4000
      pagequote read feng2022 --outline
    """
    if sum(map(bool, (page is not None, cursor is not None, outline))) > 1:
        raise click.UsageError("--page, --at and --outline exclude each other.")
    if cursor is None and not chars_before is chars_after is None:
        raise click.UsageError("--before and --after go with --at.")
    said: dict[str, Any]
    with options.open_corpus(corpus, key) as opened:
        named, key = key, options.key_of(opened, key)
        if outline:
            _outline(opened.outline(key), key, named, as_json=as_json)
            return
        if cursor is not None:
            around = (1000 if chars is None else chars for chars in (chars_before, chars_after))
            said = {"key": key, "cursor": cursor, "text": opened.context(key, cursor, *around)}
        elif page is not None:
            number = options.page_of(opened, key, page)
            text = opened.page(key, number)
            label = opened.pages(key)[number - 1].page_label if as_json else None
            said = {"key": key, "page": number, "page_label": label, "text": text}
        else:
            said = {"key": key, "text": opened.document(key)}
    options.say(said, said["text"], as_json=as_json)


def _outline(found: Any, key: str, named: str, *, as_json: bool) -> None:
    if as_json:
        options.echo_json([section.to_dict() for section in found])
    for section in found if not as_json else ():
        label = f" ({section.page_label})" if section.page_label else ""
        title = section.section_title
        if section.section_number and not title.startswith(section.section_number):
            title = f"{section.section_number} {title}"
        place = click.style(f"{section.page}{label}", dim=True) if section.page else ""
        echo(f"{'  ' * (section.level - 1)}{title}  {place}".rstrip())
    if not found:
        echo(with_command(f"No heading was found in {key!r}.", NextStep("get_page", key, 1), named), err=True)
        sys.exit(1)


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
