"""A manuscript: its files, in the order of their inclusion, and the quotations in each."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from lookup.check.latex_macros import Vocabulary
from lookup.check.quotation import Quotation
from lookup.errors import QueryError

LATEX, MARKDOWN, TYPST = "latex", "markdown", "typst"

SUFFIXES = {
    ".tex": LATEX, ".ltx": LATEX, ".latex": LATEX, ".sty": LATEX, ".md": MARKDOWN, ".markdown": MARKDOWN,
    ".qmd": MARKDOWN,
    ".rmd": MARKDOWN, ".typ": TYPST,
}  # fmt: skip


@dataclass(frozen=True)
class Manuscript:
    """A file of a manuscript: its text, which keeps every byte, and its quotations."""

    path: Path
    markup: str
    source: str
    quotations: tuple[Quotation, ...]
    missing: tuple[str, ...] = ()

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(at + 1 for at, char in enumerate(self.source) if char == "\n")]

    def place(self, offset: int) -> tuple[int, int]:
        """Line and column of a character of the source, both counted from 1."""
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1


def read_manuscripts(
    paths: list[Path], vocabulary: Vocabulary, contents: Mapping[Path, bytes] | None = None
) -> Iterator[Manuscript]:
    """Return the files at `paths` and those that they include, each once.

    A path included is taken from the folder of the file at which reading began, as LaTeX does, else from that
    of the file that names it. `contents` stands in for what a file holds. Raise QueryError for a path that is
    not a manuscript.
    """
    seen: set[Path] = set()
    for path in paths:
        waiting = [path]
        while waiting:
            one = waiting.pop(0)
            if one.resolve() in seen:
                continue
            seen.add(one.resolve())
            content = (contents or {}).get(one)
            manuscript, files = read_manuscript(one, vocabulary, content)
            found = [(name, _included(name, one, path)) for name in files]
            waiting = [included for _, included in found if included] + waiting
            missing = tuple(name for name, included in found if included is None)
            yield Manuscript(one, manuscript.markup, manuscript.source, manuscript.quotations, missing)


def read_manuscript(
    path: Path, vocabulary: Vocabulary, content: bytes | None = None
) -> tuple[Manuscript, list[str]]:
    """One file, and the names of those that it includes."""
    markup = SUFFIXES.get(path.suffix.lower())
    if markup is None:
        known = ", ".join(sorted(SUFFIXES))
        raise QueryError(
            f"{str(path)!r} is not a known kind of manuscript: its name must end in one of {known}."
        )
    if content is None:
        try:
            content = path.read_bytes()
        except OSError as error:
            raise QueryError(f"The manuscript {str(path)!r} cannot be read: {error.strerror}.") from error
    source = decode(content)
    try:
        found, files = _read(source, markup, vocabulary)
    except RecursionError as error:
        raise QueryError(f"{str(path)!r} cannot be read: its brackets are nested too deeply.") from error
    return Manuscript(path, markup, source, tuple(found)), files


def _read(source: str, markup: str, vocabulary: Vocabulary) -> tuple[list[Quotation], list[str]]:
    if markup == LATEX:
        from lookup.check.latex import read_latex  # one reader is enough for most calls  # noqa: PLC0415

        return read_latex(source, vocabulary)
    if markup == MARKDOWN:
        from lookup.check.markdown import read_markdown  # noqa: PLC0415

        return read_markdown(source)
    from lookup.check.typst import read_typst  # noqa: PLC0415

    return read_typst(source)


def decode(content: bytes) -> str:
    """Return any bytes as text from which `encode` makes the same bytes again."""
    return content.decode("utf-8", "surrogateescape")


def encode(source: str) -> bytes:
    """Return the bytes that `decode` read."""
    return source.encode("utf-8", "surrogateescape")


def _included(name: str, by: Path, root: Path) -> Path | None:
    for folder in dict.fromkeys((root.parent, by.parent)):
        for candidate in (folder / name, folder / f"{name}{by.suffix}"):
            with suppress(OSError):  # a name that no file can have
                if candidate.is_file() and candidate.suffix.lower() in SUFFIXES:
                    return candidate
    return None
