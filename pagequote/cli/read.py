"""The commands that list the papers, and print what one says: a page, all, its headings, around a cursor."""

import sys
from pathlib import Path
from typing import Any

import click

from lookup.errors import NextStep
from lookup.limits import PageName
from lookup.results.answer import counted
from lookup.results.papers import PaperSummary, Section
from pagequote.calls.table import GetContextAtCursor, GetPage
from pagequote.cli import options
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import of_call
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo
from pagequote.reference_list import bibtex, csl_json


@click.command
@taking
def read(
    key: str = options.KEY,
    page: PageName | None = of_call(GetPage, "page", default="all pages"),
    cursor: int | None = of_call(GetContextAtCursor, "cursor", "--at"),
    chars_before: int | None = of_call(GetContextAtCursor, "chars_before", "--before"),
    chars_after: int | None = of_call(GetContextAtCursor, "chars_after", "--after"),
    outline: bool = option("The headings, each with its page."),
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
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
    ways = (page is not None) + (cursor is not None) + outline
    options.refuse(
        (ways > 1, "--page, --at and --outline exclude each other."),
        (cursor is None and not chars_before is chars_after is None, "--before and --after go with --at."),
    )
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
    options.say(said, [said["text"]], as_json=as_json)


def _outline(found: Any, key: str, named: str, *, as_json: bool) -> None:
    options.say(found, map(_heading, found), as_json=as_json)
    if not found:
        echo(with_command(f"No heading was found in {key!r}.", NextStep("get_page", key, 1), named), err=True)
        sys.exit(1)


def _heading(section: Section) -> str:
    label = f" ({section.page_label})" if section.page_label else ""
    title = section.section_title
    if section.section_number and not title.startswith(section.section_number):
        title = f"{section.section_number} {title}"
    place = click.style(f"{section.page}{label}", dim=True) if section.page else ""
    return f"{'  ' * (section.level - 1)}{title}  {place}".rstrip()


@click.command
@taking
def papers(
    words: tuple[str, ...] = argument(),
    count: int | None = option("Papers to show.  [default: all]", "-n", type=click.IntRange(1)),
    form: str = formats("text", "json", "bibtex", "csl"),
    corpus: Path | None = options.CORPUS,
) -> None:
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
    with options.open_corpus(corpus) as opened:
        found = opened.papers(" ".join(words), count)
    if form == "bibtex":
        echo(bibtex(found), nl=False)
    else:
        said = csl_json(found) if form == "csl" else found
        options.say(said, map(_listed, found), as_json=form != "text")
    if not found:
        echo("No paper has all of these words. Try fewer, or parts of words.", err=True)
        sys.exit(1)


def _listed(paper: PaperSummary) -> str:
    about = ", ".join(filter(None, (paper.cited, paper.title))) or "(no title)"
    no_text = "" if paper.covered else click.style(", no text", fg="magenta")
    return f"{click.style(paper.key, bold=True)}: {about} ({counted(paper.pages, 'page')}{no_text})"
