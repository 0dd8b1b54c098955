"""Options and arguments that several commands share."""

import re
import sys
from collections.abc import Callable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.errors import PageQuoteError, QueryError, StorageError
from lookup.storage.object_path import ObjectPath, place
from pagequote.cli.printing import echo

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from lookup.results.papers import PageName

Command = Callable[..., Any]


class PathOrAddress(click.Path):
    """A path, or an address in object storage."""

    def convert(
        self, value: str | PathLike[str], param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path or address."""
        del param, ctx
        return place(value)


class TextOrStdin(click.ParamType[str]):
    """Words as given; "-" is standard input."""

    name = "words"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the words."""
        del param, ctx
        return standard_input().strip() if value == "-" else value


def page_name(text: str) -> "PageName":
    """Return the page that a text names. Raise ValueError."""
    name = text.strip()
    if not re.fullmatch(r"\w[\w.:-]*", name):
        raise ValueError(f"{text!r} is no page: give its number, or what is printed on it")
    return int(name) if name.isdecimal() else name


class PageType(click.ParamType["PageName"]):
    """A page: a number, or what is printed on it, such as iv."""

    name = "page"

    def convert(
        self, value: "PageName", param: click.Parameter | None, ctx: click.Context | None
    ) -> "PageName":
        """Return the number, or the text."""
        try:
            return page_name(str(value))
        except ValueError as error:
            self.fail(f"{error}.", param, ctx)


PLACE = PathOrAddress()
WORDS = TextOrStdin()
PAGE = PageType()

corpus_option = click.option(
    "--corpus",
    type=PLACE,
    help="The corpus, a folder or s3://BUCKET/NAME.  [default: $PAGEQUOTE_CORPUS, else data/corpus]",
)

json_option = click.option("--json", "as_json", is_flag=True, help="As JSON.")


def formats(*forms: str) -> Callable[[Command], Command]:
    """Add `--format` with these forms, the first being the default, and `--json`."""

    def with_format(command: Command) -> Command:
        command = click.option("--json", "form", flag_value="json", help="Short for --format json.")(command)
        return click.option(
            "--format", "form", type=click.Choice(forms), default=forms[0], show_default=True
        )(command)

    return with_format


def complete_keys(ctx: click.Context, param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Complete keys of the corpus, with their titles."""
    from click.shell_completion import CompletionItem

    del param
    try:
        with open_corpus(ctx.params.get("corpus")) as opened:
            papers = opened.papers()
    except PageQuoteError:
        return []
    return [
        CompletionItem(paper.key, help=paper.title) for paper in papers if paper.key.startswith(incomplete)
    ]


key_argument = click.argument("key", shell_complete=complete_keys)

key_unless_batch = click.argument("key", required=False, shell_complete=complete_keys)


def _joined(
    ctx: click.Context, param: click.Parameter, value: tuple[str, ...] | list[tuple[str, ...]]
) -> str | None:
    """Return words that were given without quotation marks as one text; None for no words."""
    if len(value) > 1 and (several := [one for one in value if len(str(one).split()) > 1]):
        raise click.BadParameter(
            f"{several[0]!r} has quotation marks around it, and there is more beside it. Put one pair around "
            "all words, or none.",
            ctx,
            param,
        )
    return " ".join(map(str, value)) if value else None


def words_argument(name: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Add an argument for words, which need no quotation marks around them."""
    return click.argument(
        name, nargs=-1, required=required, type=WORDS, callback=_joined, metavar=f"{name.upper()}..."
    )


words_unless_batch = words_argument("words", required=False)


_PAGE = f"{__name__}.page"


def _keep_page(ctx: click.Context, param: click.Parameter, value: "PageName | None") -> None:
    """Keep the page of the option for `_either_page`, which is called later."""
    del param
    ctx.meta[_PAGE] = value


def _either_page(ctx: click.Context, param: click.Parameter, value: "PageName | None") -> "PageName":
    named: PageName | None = ctx.meta.get(_PAGE)
    if value is not None and named is not None:
        raise click.BadParameter("It is given twice: as PAGE and as --page.", ctx, param)
    return next((one for one in (value, named) if one is not None), 1)


def page_to_read(command: Command) -> Command:
    """Add the page to read, which may be given as an option too; the first one if neither is."""
    command = click.argument("page", required=False, type=PAGE, callback=_either_page)(command)
    return click.option(
        "--page",
        "named_page",
        type=PAGE,
        is_eager=True,
        expose_value=False,
        callback=_keep_page,
        help="The page, counted from 1, or as printed: the same as PAGE.  [default: 1]",
    )(command)


def page_to_search(about: str) -> Callable[[Command], Command]:
    """Add the page that a search is restricted to; 0 for none."""
    return click.option("--page", type=PAGE, default=0, show_default=True, help=about)


keys_option = click.option(
    "--key",
    "keys",
    multiple=True,
    shell_complete=complete_keys,
    help="Only in this paper; may be given several times.",
)


def standard_input() -> str:
    """Return all of standard input. Raise QueryError if it is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise QueryError(
            f"Standard input is not UTF-8 ({error}). Convert it, for example with iconv."
        ) from error


def open_corpus(corpus: Path | None, paper: str | None = None) -> Any:
    """Return the corpus of a command; else that of the file `paper` alone ("-": a PDF on standard input)."""
    from lookup.corpus import open as opened
    from lookup.papers.original_pdf import FORMATS
    from pagequote.one_pdf import open_pdf

    if corpus is None and paper == "-":
        from tempfile import TemporaryDirectory

        with TemporaryDirectory() as folder:
            file = Path(folder) / "stdin.pdf"
            file.write_bytes(sys.stdin.buffer.read())
            return open_pdf(file)
    if corpus is None and paper and Path(paper).suffix.casefold() in FORMATS and Path(paper).is_file():
        return open_pdf(paper)
    return opened(corpus)


def key_of(corpus: Any, name: str) -> str:
    """Return the key of the one paper that `name` means, having said which; else `name` itself."""
    found = corpus.resolve(name)
    if len(found) == 1 and found[0].key != name and not Path(name).is_file():
        echo(found[0].named(name), err=True)
    return found[0].key if len(found) == 1 else name


def page_of(corpus: Any, key: str, page: "PageName") -> int:
    """Return the page of the PDF that `page` means, having said which if it is a printed number."""
    number: int = corpus.page_number(key, page)
    if number != page:
        echo(f"Page {page} is the printed number of the PDF's page {number}.", err=True)
    return number


def echo_json(value: Any) -> None:
    """Print a value as JSON."""
    from lookup.text.printable import json_text

    echo(json_text(value, indent=2))


def on_disk(corpus: Path) -> Path:
    """Return `corpus`. Raise StorageError if it is in object storage, and not on a disk."""
    if isinstance(corpus, ObjectPath):
        raise StorageError(
            f"{str(corpus)!r} is in object storage, and this command reads a corpus on a disk. "
            "Name the copy in `staged` in the work folder of the machine that builds it."
        )
    return corpus
