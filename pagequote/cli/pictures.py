"""The commands that draw a page of a paper, for which they need its PDF."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lookup.errors import PageQuoteError
from pagequote.cli import styles
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import (
    corpus_option,
    echo_json,
    json_option,
    key_argument,
    key_of,
    open_corpus,
    page_of,
    page_to_read,
    page_to_search,
    words_argument,
)
from pagequote.cli.printing import echo
from pipeline.pdf.unasked import leave_out_layout

if TYPE_CHECKING:
    from lookup.results.papers import PageName


@click.command
@key_argument
@page_to_read
@click.option(
    "--out", type=click.Path(path_type=Path), help="The picture, as PNG.  [default: KEY-pageN.png, here]"
)
@json_option
@corpus_option
def inspect(key: str, page: "PageName", out: Path | None, as_json: bool, corpus: Path | None) -> None:
    """Draw PAGE of the paper KEY with its paragraphs over it.

    Each line is outlined in the colour of its paragraph's kind. The margin has number, kind and section, and
    "< p. 3" or "> p. 5" where the paragraph comes from or continues on another page. Grey arrows show the
    reading order. The command needs the PDF that the paper was read from.

    \b
    Examples:
      pagequote inspect feng2022 6
      pagequote inspect feng2022 6 --out page6.png
    """
    leave_out_layout()
    from pipeline.pictures.inspection import inspect_page

    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        number = page_of(opened, key, page)
        picture = inspect_page(opened, key, number)
    if out is None:
        name = re.sub(r"[^\w.-]", "_", key)  # a key may have slashes
        out = Path(f"{name}-page{number}.png")
    _write_picture(out, picture)
    if as_json:
        echo_json({"key": key, "page": number, "picture": str(out)})
    else:
        echo(out)


@click.command
@key_argument
@words_argument("words")
@page_to_search("Search this page only, counted from 1, or as printed; 0 searches all.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The picture, as PNG.  [default: KEY-pageN-quote.png, here]",
)
@json_option
@corpus_option
def show(
    key: str, words: str, page: "PageName", out: Path | None, as_json: bool, corpus: Path | None
) -> None:
    """Draw the page of the paper KEY that prints WORDS, with the words marked.

    The command needs the PDF that the paper was read from. A quote on several pages has a picture of each.
    Exit status: 0 found, 1 nothing found, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote show feng2022 "electrochemically switchable states"
      pagequote show feng2022 "electrochemically switchable states" --page 6 --out proof.png
    """
    leave_out_layout()
    from pipeline.pictures.inspection import show_quote

    with open_corpus(corpus, key) as opened:
        named, key = key, key_of(opened, key)
        answer = opened.quote(key, words, page)
        if not answer:
            if as_json:
                echo_json({"key": key, "page": None, "verdict": None, "pictures": []})
            echo(with_command(answer.hint, answer.next_step, named), err=True)
            raise SystemExit(1)
        pictures = show_quote(opened, answer.matches[0])
    match = answer.matches[0]
    name = re.sub(r"[^\w.-]", "_", key)  # a key may have slashes
    written = {}
    for number, picture in pictures.items():
        path = out or Path(f"{name}-page{number}-quote.png")
        if out is not None and number != match.page:
            path = out.with_stem(f"{out.stem}-page{number}")
        _write_picture(path, picture)
        written[number] = str(path)
    if as_json:
        pictures_of = [{"page": number, "picture": path} for number, path in written.items()]
        echo_json({"key": key, "page": match.page, "verdict": match.verdict, "pictures": pictures_of})
    else:
        echo(f"{key}, page {match.page}: {styles.verdict(match.verdict)}")
        echo("\n".join(written.values()))


def _write_picture(path: Path, picture: bytes) -> None:
    from pipeline.atomic_files import write_atomically

    try:
        write_atomically(path, picture)
    except OSError as error:
        raise PageQuoteError(
            f"{str(path)!r} cannot be written ({error.strerror}). Name another file with --out."
        ) from error
