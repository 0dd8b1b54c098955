"""The commands that print the text of a paper: a page, all of it, or what is around a cursor."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

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
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from lookup.results.papers import PageName


@click.command
@key_argument
@page_to_read
@json_option
@corpus_option
def page(key: str, page: "PageName", as_json: bool, corpus: Path | None) -> None:
    """Print PAGE (of the PDF, counted from 1, or as printed) of the paper KEY in reading order.

    \b
    Examples:
      pagequote page feng2022 6
      pagequote page feng2022 iv
      pagequote page papers/feng2022.pdf 6
      pagequote page feng2022 6 --json
    """
    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        number = page_of(opened, key, page)
        text = opened.page(key, number)
        label = opened.pages(key)[number - 1].page_label if as_json else None
    if as_json:
        echo_json({"key": key, "page": number, "page_label": label, "text": text})
    else:
        echo(text)


@click.command
@key_argument
@json_option
@corpus_option
def document(key: str, as_json: bool, corpus: Path | None) -> None:
    """Print the whole text of the paper KEY in reading order.

    \b
    Examples:
      pagequote document feng2022 > feng2022.txt
      pagequote document feng2022 --json
    """
    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        text = opened.document(key)
    if as_json:
        echo_json({"key": key, "text": text})
    else:
        echo(text)


@click.command
@key_argument
@click.argument("cursor", type=int)
@click.option("--before", default=1000, show_default=True, help="Characters before the cursor.")
@click.option("--after", default=1000, show_default=True, help="Characters after it.")
@formats("text", "json")
@corpus_option
def around(key: str, cursor: int, before: int, after: int, form: str, corpus: Path | None) -> None:
    """Print the text of the paper KEY around CURSOR, an offset in its document text as answers give it.

    \b
    Examples:
      pagequote around feng2022 5234
      pagequote around feng2022 5234 --before 0 --after 4000
    """
    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        text = opened.context(key, cursor, before, after)
    if form == "json":
        echo_json({"key": key, "cursor": cursor, "text": text})
    else:
        echo(text)
