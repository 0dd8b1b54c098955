"""The command that shows a page of a paper, for which it needs its PDF: drawn, or in a viewer."""

import os
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from lookup.errors import PageQuoteError, QueryError
from lookup.limits import PageName
from lookup.results.quote_answer import Match
from pagequote.calls.table import ShowPage
from pagequote.check.report import as_proof
from pagequote.cli import options, printing
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import of_call
from pagequote.cli.parameters import option, taking
from pagequote.cli.printing import echo
from pagequote.cli.viewers import VARIABLE, check_display, in_shell, on_this_machine, run_apart, viewing
from pipeline.files.atomic import write_atomically
from pipeline.files.original_file import is_unchanged
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from pipeline.pictures.page_drawers import PageDrawers
from pipeline.processes.operating_system import file_name


@click.command
@taking
def show(
    key: str = options.KEY,
    words: str | None = options.OPTIONAL_WORDS,
    page: PageName | None = of_call(ShowPage, "page"),
    paragraphs: bool = option("Draw its paragraphs over it instead, with their kinds."),
    out: Path | None = option("The picture.  [default: KEY-pageN.png]", "-o --out"),
    html: bool = option("Write the quote, its source and the strip of its print as HTML to embed instead."),
    in_viewer: bool = option("Open the PDF at the page instead, in a viewer.", "--open"),
    only_print: bool = option("With --open: print the command, and run nothing.", "--print"),
    as_json: bool = options.AS_JSON,
    corpus: Path | None = options.CORPUS,
) -> None:
    """Draw the page of the paper KEY that prints WORDS, with the words marked, or a page with its paragraphs.

    A quote on several pages has a picture of each. With --paragraphs, each line is outlined in the colour of
    its kind, the margin has number, kind and section, and arrows show the reading order. $PAGEQUOTE_VIEWER
    names the viewer of --open: evince, okular, zathura, SumatraPDF, or a command with {path} and {page};
    else it is the first that is installed.

    Exit status: 0 shown, 1 WORDS are not found, 2 an error.

    \b
    Examples:
      pagequote show feng2022 "electrochemically switchable states"
      pagequote show feng2022 "electrochemically switchable states" --page 6 --out proof.png
      pagequote show feng2022 "electrochemically switchable states" --html --out proof.html
      pagequote show feng2022 --page 6 --paragraphs
      pagequote show feng2022 --page 6 --open
    """
    wanted = ".html" if html else ".png"
    other = out.name if out is not None and out.suffix.lower() != wanted else ""
    options.refuse(
        (only_print and not in_viewer, "--print goes with --open."),
        (as_json and in_viewer and not only_print, "With --open, --json goes with --print."),
        (other, f"{other!r} must end in {wanted}: what is written is {wanted[1:].upper()}."),
        (html and (words is None or in_viewer), "--html goes with WORDS, and without --open."),
        (words and paragraphs, "--paragraphs takes the place of WORDS: name the page by --page."),
    )
    with options.open_corpus(corpus, key) as opened:
        named, key = key, options.key_of(opened, key)
        match = _match(opened, named, key, words, page or 0, as_json=as_json) if words else None
        number = match.page if match else options.page_of(opened, key, page or 1)
        if html and match:
            _write_proof(opened, match, out, as_json=as_json)
            return
        if in_viewer:
            _open(opened, key, number or 1, only_print=only_print, as_json=as_json)
            return
        pictures = _pictures(opened, key, number, match, paragraphs=paragraphs)
    written = {}
    for drawn, picture in pictures.items():
        path = out or Path(f"{file_name(key)}-page{drawn}{'-quote' if match else ''}.png")
        if out is not None and drawn != number:
            path = out.with_stem(f"{out.stem}-page{drawn}")
        _write(path, picture)
        written[drawn] = str(path)
    if match:
        listed = [{"page": drawn, "picture": path} for drawn, path in written.items()]
        said = {"key": key, "page": number, "verdict": match.verdict, "pictures": listed}
    else:
        said = {"key": key, "page": number, "picture": written[number]}
    head = [f"{key}, page {match.page}: {printing.verdict(match.verdict)}"] if match else []
    options.say(said, [*head, *written.values()], as_json=as_json)


def _write_proof(corpus: Any, match: Match, out: Path | None, *, as_json: bool) -> None:
    """Write the quote with its proof as HTML."""
    path = out or Path(f"{file_name(match.key)}-quote.html")
    with closing(PageDrawers(processes=1)) as drawers:
        _write(path, as_proof(corpus, match, drawers).encode())
    said = {"key": match.key, "page": match.page, "verdict": match.verdict, "html": str(path)}
    options.say(said, [str(path)], as_json=as_json)


def _match(corpus: Any, named: str, key: str, words: str, page: PageName, *, as_json: bool) -> Match:
    """Return where the paper prints the words; ends the command where it does not."""
    answer = corpus.quote(key, words, page)
    if answer:
        found: Match = answer.matches[0]
        return found
    options.say({"key": key, "page": None, "verdict": None, "pictures": []}, (), as_json=as_json)
    echo(with_command(answer.hint, answer.next_step, named), err=True)
    raise SystemExit(1)


def _pictures(corpus: Any, key: str, page: int, match: Match | None, *, paragraphs: bool) -> dict[int, bytes]:
    """Return the pictures by page. Raise QueryError where the paper has no pages."""
    skip_pymupdf_layout()
    from pipeline.pictures.inspection import inspect_page, show_quote

    if match is None:
        return {page: inspect_page(corpus, key, page, paragraphs=paragraphs)}
    if not match.boxes:
        raise QueryError(
            f"{key!r} has no pages that could be drawn. The words are at {match.anchor!r} of "
            f"{corpus.original(key).path!r}."
        )
    return show_quote(corpus, match)


def _open(corpus: Any, key: str, page: int, *, only_print: bool, as_json: bool) -> None:
    """Open the PDF in the viewer of this machine, with a warning if it has changed since the build."""
    pdf = corpus.original(key)
    place = on_this_machine(pdf)
    unchanged = is_unchanged(pdf)
    if not unchanged:
        echo(
            f"The PDF of {key!r} has changed since the build: its pages may differ. Build the corpus again.",
            err=True,
        )
    try:
        command = viewing(place, page)
    except QueryError:
        if not only_print or os.environ.get(VARIABLE):
            raise
        command = [str(place)]  # no viewer is installed
    if only_print:
        said = {"key": key, "page": page, "path": pdf.path, "unchanged": unchanged, "command": command}
        options.say(said, [" ".join(map(in_shell, command))], as_json=as_json)
    else:
        check_display()
        run_apart(command)


def _write(path: Path, picture: bytes) -> None:
    try:
        write_atomically(path, picture, path.parent)
    except OSError as error:
        raise PageQuoteError(
            f"{str(path)!r} cannot be written ({error.strerror}). Name another file with --out."
        ) from error
