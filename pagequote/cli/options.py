"""Options and arguments that several commands share."""

import os
import re
import shlex
import sys
from collections.abc import Iterable
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

import click

from lookup import errors
from lookup.limits import PageName
from lookup.release.current import CORPUS_VARIABLE, default_corpus, new_corpus
from lookup.storage.object_path import place
from lookup.text.printable import json_text
from pagequote.cli.parameters import argument, option
from pagequote.cli.printing import echo
from pagequote.nearest_settings import nearest_settings

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem


class PathOrAddress(click.Path):
    """A path, or an address in object storage."""

    def convert(self, value: str | PathLike[str], *_: object) -> Path:
        """Return the path or address."""
        return place(value)


PLACE = PathOrAddress()
FILE = click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)


def of_call(request: type, argument: str, names: str = "", default: Any = None) -> Any:
    """Return an option for an argument of a call, of which its record in `calls.table` has type and prose.

    Without it the argument is None; what the call takes then is told, as the record or `default` has it.
    """
    kind = request.__annotations__[argument].__origin__
    about, least, *_ = request.__annotations__[argument].__metadata__[0]
    told = getattr(request, argument, None) if default is None else default
    more: dict[str, Any] = {}
    if get_origin(kind) is tuple:
        about = f"{about.rstrip('.')}; repeatable."
        more = {"shell_complete": complete_keys, "metavar": "KEY"}
    elif get_origin(kind) is Literal:
        more = {"type": click.Choice(get_args(kind))}
    elif kind is int:
        more = {"type": click.IntRange(least)}
    elif kind is not str:
        more = {"type": page_given, "metavar": "PAGE"}
    return option(f"{about}  [default: {told}]" if told else about, names, **more)


def words_given(value: str) -> str:
    """Return the words, of "-" those of standard input."""
    return standard_input().strip() if value == "-" else value


def page_name(text: str) -> PageName:
    """Return the page that a text names, a number as such. Raise ValueError for what names none."""
    name = text.strip()
    if not re.match(r"\w", name):
        raise ValueError(f"{text!r} is no page: give its number, or what is printed on it")
    if name.isdecimal() and not int(name):
        raise ValueError("There is no page 0: pages are counted from 1")
    return int(name) if name.isdecimal() else name


def page_given(text: PageName) -> PageName:
    """Return the page that a text names. Anything else is a usage error."""
    if isinstance(text, int):
        return text  # no page was named
    try:
        return page_name(text)
    except ValueError as error:
        raise click.BadParameter(f"{error}.") from None


def complete_keys(ctx: click.Context, _: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    """Complete keys of the corpus, with their titles."""
    from click.shell_completion import CompletionItem

    try:
        with open_corpus(ctx.params.get("corpus")) as opened:
            papers = opened.papers()
    except errors.PageQuoteError:
        return []
    return [
        CompletionItem(paper.key, help=paper.title) for paper in papers if paper.key.startswith(incomplete)
    ]


def refuse(*wrong: tuple[object, str]) -> None:
    """Raise UsageError with the first sentence beside something true."""
    for is_wrong, sentence in wrong:
        if is_wrong:
            raise click.UsageError(sentence)


def one_text(words: tuple[str, ...]) -> str:
    """Return words that were given without quotation marks as one text. Raise UsageError."""
    if len(words) > 1 and (several := [one for one in words if len(str(one).split()) > 1]):
        raise click.UsageError(
            f"{several[0]!r} has quotation marks around it, and there is more beside it. Put one pair around "
            "all words, or none."
        )
    return " ".join(words)


CORPUS = option(
    "The corpus, a folder or s3://BUCKET/NAME.  [default: $PAGEQUOTE_CORPUS, else that of the nearest "
    "pagequote.toml, else data/corpus here or above]",
    type=PLACE,
)
"""The corpus that is named."""

AS_JSON = option("As JSON.", "--json")
KEY = argument(shell_complete=complete_keys)
OPTIONAL_KEY = argument(shell_complete=complete_keys)
OPTIONAL_WORDS = argument(
    nargs=-1,
    type=words_given,
    callback=lambda _, __, words: one_text(words) if words else None,
    metavar="WORDS...",
)
"""Words, which need no quotation marks around them."""


def standard_input() -> str:
    """Return all of standard input. Raise QueryError if it is closed, or not UTF-8."""
    if sys.stdin is None:
        raise errors.QueryError("Standard input is closed, so nothing can be read from it.")
    try:
        return sys.stdin.buffer.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.QueryError(
            f"Standard input is not UTF-8 ({error}). Convert it, for example with iconv."
        ) from error


def open_corpus(corpus: Path | None, paper: str | None = None) -> Any:
    """Return the corpus of a command; else that of the file `paper` alone ("-": a PDF on standard input)."""
    from lookup.corpus import open as opened

    if corpus is None and paper:
        from pagequote.one_pdf import open_pdf
        from pipeline.formats import FORMATS

        if paper == "-":
            from tempfile import TemporaryDirectory

            with TemporaryDirectory() as folder:
                file = Path(folder) / "stdin.pdf"
                file.write_bytes(sys.stdin.buffer.read())
                return open_pdf(file)
        if Path(paper).suffix.casefold() in FORMATS:
            if Path(paper).is_file():
                return open_pdf(paper)
            if os.path.basename(paper) != paper:  # noqa: PTH119  # as typed
                raise errors.SourceError(f"There is no file {paper!r}.")
            return _of_paper_called(paper)
        if os.sep in paper:
            _refuse_folder(paper)
    return opened(chosen_corpus(corpus))


def _of_paper_called(file: str) -> Any:
    """Return the corpus if it has a paper whose file is called so; raise SourceError where there is none."""
    from lookup.corpus import open as opened

    try:
        found = opened(chosen_corpus(None))
        found.paper(file)
    except (errors.CorpusNotFoundError, errors.UnknownKeyError) as error:
        raise errors.SourceError(f"There is no file {file!r}. {error}", next_step=error.next_step) from error
    return found


def _refuse_folder(paper: str) -> None:
    """Raise SourceError for a folder in place of a paper."""
    if Path(paper).is_dir():
        raise errors.SourceError(
            f"{paper!r} is a folder. Build a corpus of it: pagequote build {shlex.quote(paper)}"
        )


def named_corpus(named: Path | None) -> Path | None:
    """Return the corpus that is named, else that of the environment, or of the nearest pagequote.toml."""
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
    if configured := named_corpus(named):
        return configured
    found = default_corpus()
    if not found.exists():
        settings = nearest_settings(Path.cwd())
        toml = f"{str(settings)!r} names none" if settings else "there is no pagequote.toml"
        raise errors.CorpusNotFoundError(
            f"No corpus was found: ${CORPUS_VARIABLE} is not set, {toml}, and neither here nor in a folder "
            f"above is {str(found)!r}. Name one by --corpus, or build one.",
            next_step=errors.NextStep("build", path=str(found)),
        )
    return found


def key_of(corpus: Any, name: str) -> str:
    """Return the key of the one paper that `name` means, having said which; else `name` itself."""
    if name in corpus:
        return name
    from pagequote.calls.arguments import key_meant

    key, said = key_meant(corpus, name)
    if not key:
        _refuse_folder(name)  # no paper is called so
    if said and not Path(name).is_file():
        echo(said, err=True)
    return key or name


def page_of(corpus: Any, key: str, page: PageName) -> int:
    """Return the page of the PDF that `page` means, having said which if it is a printed number."""
    number: int = corpus.page_number(key, page)
    if number != page and str(page).isalnum():
        echo(f"Page {page} is the printed number of the PDF's page {number}.", err=True)
    return number


def say(value: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print what a command has to say: a value as JSON, which may hold answers, or its lines."""
    for text in [json_text(value, 2, lambda answer: answer.to_dict())] if as_json else lines:
        echo(text)
