"""Options and arguments that several commands share."""

import os
import re
import shlex
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.errors import CorpusNotFoundError, PageQuoteError, QueryError, SourceError, StorageError
from lookup.next_step import NextStep
from lookup.storage.object_path import ObjectPath, place
from pagequote.cli.printing import echo
from pagequote.nearest_settings import nearest_settings

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
    help="The corpus, a folder or s3://BUCKET/NAME.  [default: $PAGEQUOTE_CORPUS, else that of the nearest "
    "pagequote.toml, else data/corpus here or above]",
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


def one_text(words: tuple[str, ...]) -> str:
    """Return words that were given without quotation marks as one text. Raise UsageError."""
    if len(words) > 1 and (several := [one for one in words if len(str(one).split()) > 1]):
        raise click.UsageError(
            f"{several[0]!r} has quotation marks around it, and there is more beside it. Put one pair around "
            "all words, or none."
        )
    return " ".join(words)


def _joined(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> str | None:
    """Return the words as one text; None for no words."""
    del ctx, param
    return one_text(value) if value else None


def words_argument(name: str, *, required: bool = True) -> Callable[[Command], Command]:
    """Add an argument for words, which need no quotation marks around them."""
    return click.argument(
        name, nargs=-1, required=required, type=WORDS, callback=_joined, metavar=f"{name.upper()}..."
    )


words_unless_batch = words_argument("words", required=False)


def page_to_read(about: str) -> Callable[[Command], Command]:
    """Add the page to read; None for none."""
    return click.option("--page", type=PAGE, help=about)


def page_to_search(about: str) -> Callable[[Command], Command]:
    """Add the page that a search is restricted to; 0 for none."""
    return click.option("--page", type=PAGE, default=0, show_default=True, help=about)


keys_option = click.option(
    "--key",
    "keys",
    multiple=True,
    shell_complete=complete_keys,
    help="Only in this paper; repeatable.",
)


def count_option(about: str, default: int | None = 1) -> Callable[[Command], Command]:
    """Add the number of things to show."""
    shown = default is not None
    return click.option(
        "-n", "count", type=click.IntRange(1), default=default, show_default=shown, help=about
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
    if corpus is None and paper and Path(paper).suffix.casefold() in FORMATS:
        if Path(paper).is_file():
            return open_pdf(paper)
        if os.path.basename(paper) != paper:  # noqa: PTH119  # as typed
            raise SourceError(f"There is no file {paper!r}.")
    if corpus is None and paper and os.sep in paper and Path(paper).is_dir():
        raise SourceError(
            f"{paper!r} is a folder. Build a corpus of it: pagequote build {shlex.quote(paper)}"
        )
    return opened(chosen_corpus(corpus))


def named_corpus(named: Path | None) -> Path | None:
    """Return the corpus that is named, else that of the environment, or of the nearest pagequote.toml."""
    from lookup.release.current import CORPUS_VARIABLE, new_corpus

    if named is not None or os.environ.get(CORPUS_VARIABLE):
        return named or new_corpus()
    if (settings := nearest_settings(Path.cwd())) is None:
        return None
    from pagequote.check.configuration import read_configuration

    return read_configuration(None, settings).corpus


def chosen_corpus(named: Path | None) -> Path:
    """Return the corpus of a command: that of `named_corpus`, else data/corpus here or in a folder above.

    Raise CorpusNotFoundError, QueryError.
    """
    from lookup.release.current import CORPUS_VARIABLE, default_corpus

    if configured := named_corpus(named):
        return configured
    found = default_corpus()
    if not found.exists():
        settings = nearest_settings(Path.cwd())
        toml = f"{str(settings)!r} names none" if settings else "there is no pagequote.toml"
        raise CorpusNotFoundError(
            f"No corpus was found: ${CORPUS_VARIABLE} is not set, {toml}, and neither here nor in a folder "
            f"above is {str(found)!r}. Name one by --corpus, or build one.",
            next_step=NextStep("build", path=str(found)),
        )
    return found


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


_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def span(_ctx: click.Context, _param: click.Parameter, value: str | None) -> timedelta | None:
    """Parse a number with a unit: 90m, 36h, 7d, 2w. Anything else is a usage error."""
    if value is None:
        return None
    if (found := _span(value)) is None:
        raise click.BadParameter(f"{value!r} is not a span of time. Write 90m, 36h, 7d or 2w.")
    return found


def moment(_ctx: click.Context, _param: click.Parameter, value: str | None) -> datetime | None:
    """Parse a date or time in ISO 8601 (by default in local time), or a span before now, to UTC.

    Anything else is a usage error.
    """
    if value is None:
        return None
    if found := _span(value):
        return datetime.now(UTC) - found
    try:
        return datetime.fromisoformat(value).astimezone(UTC)
    except ValueError:
        raise click.BadParameter(
            f"{value!r} is not a date or time. Write 2026-11-20, 2026-11-20T02:15 or 36h (ago)."
        ) from None


def share(_ctx: click.Context, _param: click.Parameter, value: str | None) -> float | None:
    """Parse a percentage, 0% to 100%, to a share. Anything else is a usage error."""
    if value is None:
        return None
    match = re.fullmatch(r"(\d{1,3}(?:\.\d+)?)\s?%", value)
    if match is None or float(match[1]) > 100:
        raise click.BadParameter(f"{value!r} is not a percentage. Write 10%, 2.5% or 100%.")
    return float(match[1]) / 100


def _span(value: str) -> timedelta | None:
    match = re.fullmatch(r"(\d{1,6})([mhdw])", value)
    return timedelta(**{_UNITS[match[2]]: int(match[1])}) if match else None
