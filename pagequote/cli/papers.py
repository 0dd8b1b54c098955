"""The commands about papers: their list, the headings of a paper, its PDF."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.next_step import NextStep
from lookup.results.showing import counted
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import (
    corpus_option,
    echo_json,
    formats,
    json_option,
    key_argument,
    key_of,
    open_corpus,
    page_of,
    page_to_read,
)
from pagequote.cli.printing import echo, style

if TYPE_CHECKING:
    from lookup.results.papers import PageName


@click.command
@click.argument("words", nargs=-1)
@click.option("-n", "count", type=click.IntRange(1), help="Papers to show, at most.  [default: all]")
@formats("text", "json", "bibtex", "csl")
@corpus_option
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

    with open_corpus(corpus) as opened:
        found = opened.papers(" ".join(words), count)
    if form == "json":
        echo_json([paper.to_dict() for paper in found])
    elif form == "csl":
        echo_json(csl_json(found))
    elif form == "bibtex":
        echo(bibtex(found), nl=False)
    else:
        for paper in found:
            echo(_as_line(paper))
    if not found:
        echo("No paper has all of these words. Try fewer, or parts of words.", err=True)
        sys.exit(1)


@click.command
@key_argument
@json_option
@corpus_option
def outline(key: str, as_json: bool, corpus: Path | None) -> None:
    """Print the headings of the paper KEY, each with its page.

    Exit status: 0 found, 1 the paper has no headings, 2 an error.

    \b
    Examples:
      pagequote outline feng2022
      pagequote outline feng2022 --json
    """
    with open_corpus(corpus, key) as opened:
        named, key = key, key_of(opened, key)
        found = opened.outline(key)
    if as_json:
        echo_json([section.to_dict() for section in found])
    else:
        for section in found:
            label = f" ({section.page_label})" if section.page_label else ""
            title = section.section_title
            if section.section_number and not title.startswith(section.section_number):
                title = f"{section.section_number} {title}"
            place = style(f"{section.page}{label}", dim=True) if section.page else ""
            echo(f"{'  ' * (section.level - 1)}{title}  {place}".rstrip())
    if not found:
        echo(with_command(f"No heading was found in {key!r}.", NextStep("get_page", key, 1), named), err=True)
        sys.exit(1)


@click.command("open")
@key_argument
@page_to_read
@click.option("--print", "only_print", is_flag=True, help="Print the command instead of running it.")
@click.option("--json", "as_json", is_flag=True, help="With --print: as JSON.")
@corpus_option
def open_paper(key: str, page: "PageName", only_print: bool, as_json: bool, corpus: Path | None) -> None:
    """Open the PDF of the paper KEY at PAGE, in the viewer of this machine.

    $PAGEQUOTE_VIEWER names the viewer: a program such as evince, okular, zathura or SumatraPDF, or a
    command with {path} and {page}. Without it, the first installed viewer is used; on macOS Skim or Preview.
    If the PDF has changed since the build, it is opened with a warning.

    \b
    Examples:
      pagequote open feng2022 6
      pagequote open feng2022 6 --print
      PAGEQUOTE_VIEWER="zathura -P {page} {path}" pagequote open feng2022 6
    """
    import os

    from lookup.errors import QueryError
    from pagequote.cli.viewers import VARIABLE, check_display, in_shell, on_this_machine, run_apart, viewing

    if as_json and not only_print:
        raise click.UsageError("--json goes with --print.")
    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        number = page_of(opened, key, page)
        pdf = opened.original(key)
    place = on_this_machine(pdf)
    unchanged = pdf.is_unchanged()
    if not unchanged:
        echo(
            f"The PDF of {key!r} has changed since the build: its pages may differ. Build the corpus again.",
            err=True,
        )
    try:
        command = viewing(place, number)
    except QueryError:
        if not only_print or os.environ.get(VARIABLE):
            raise
        command = [str(place)]  # no viewer is installed
    if as_json:
        echo_json({"key": key, "page": number, "path": pdf.path, "unchanged": unchanged, "command": command})
    elif only_print:
        echo(" ".join(map(in_shell, command)))
    else:
        check_display()
        run_apart(command)


def _as_line(paper: Any) -> str:
    about = ", ".join(filter(None, (paper.cited, paper.title)))
    no_text = "" if paper.covered else style(", no text", fg="magenta")
    return f"{style(paper.key, bold=True)}: {about or '(no title)'} ({counted(paper.pages, 'page')}{no_text})"
