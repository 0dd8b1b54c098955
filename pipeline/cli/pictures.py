"""The commands that draw a page of a paper, for which they need its PDF."""

import re
from pathlib import Path

import click

from lookup.cli import styles
from lookup.cli.options import (
    WORDS,
    corpus_option,
    echo_json,
    json_option,
    key_argument,
    key_of,
    open_corpus,
    page_of,
)
from lookup.cli.printing import echo
from lookup.errors import PageQuoteError


@click.command
@key_argument
@click.option("--page", default=1, show_default=True, help="The page, counted from 1, or printed.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The picture, as PNG.  [default: KEY-pageN.png, here]"
)
@json_option
@corpus_option
def inspect(key: str, page: int, out: Path | None, as_json: bool, corpus: Path | None) -> None:
    """Draw a page of the paper KEY with its paragraphs over it.

    Each line is outlined in the colour of its paragraph's kind. The margin has number, kind and section, and
    "< p. 3" or "> p. 5" where the paragraph comes from or continues on another page. Grey arrows show the
    reading order. The command needs the PDF that the paper was read from.

    \b
    Examples:
      pagequote inspect feng2022 --page 6
      pagequote inspect feng2022 --page 6 --out page6.png
    """
    from pipeline.pictures.inspection import inspect_page

    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        page = page_of(opened, key, page)
        picture = inspect_page(opened, key, page)
    if out is None:
        name = re.sub(r"[^\w.-]", "_", key)  # a key may have slashes
        out = Path(f"{name}-page{page}.png")
    _write_picture(out, picture)
    if as_json:
        echo_json({"key": key, "page": page, "picture": str(out)})
    else:
        echo(out)


@click.command
@key_argument
@click.argument("words", type=WORDS)
@click.option("--page", default=0, show_default=True, help="Search this page only; 0 searches all.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The picture, as PNG.  [default: KEY-pageN-quote.png, here]",
)
@json_option
@corpus_option
def show(key: str, words: str, page: int, out: Path | None, as_json: bool, corpus: Path | None) -> None:
    """Draw the page of the paper KEY that prints WORDS, with the words marked.

    The command needs the PDF that the paper was read from. A quote on several pages has a picture of each.
    Exit status: 0 found, 1 nothing found, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote show feng2022 "electrochemically switchable states"
      pagequote show feng2022 "electrochemically switchable states" --page 6 --out proof.png
    """
    from pipeline.pictures.inspection import show_quote

    with open_corpus(corpus, key) as opened:
        key = key_of(opened, key)
        answer = opened.quote(key, words, page)
        if not answer:
            if as_json:
                echo_json({"key": key, "page": None, "verdict": None, "pictures": []})
            echo(answer.hint, err=True)
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
