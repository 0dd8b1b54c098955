"""A manuscript: its files, in the order of their inclusion, and the quotations in each."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, TypeVar

from lookup.errors import QueryError
from lookup.papers.boxes import LineRow, boxes
from lookup.results.quote_answer import Box
from lookup.storage import untrusted_files
from pagequote.check.cited_works import CitedWork
from pagequote.check.latex_macros import Definition, Vocabulary
from pagequote.check.quotation import Citation, Quotation
from pagequote.check.running_text import MOST_CHARACTERS

T = TypeVar("T")

LATEX, MARKDOWN, TYPST, ORG, REST = "latex", "markdown", "typst", "org", "rest"
WORD, OPEN_DOCUMENT, RECORDS, PDF = "word", "opendocument", "records", "pdf"

SUFFIXES = {
    suffix: markup
    for markup, suffixes in (
        (LATEX, ".tex .ltx .latex .sty"),
        (MARKDOWN, ".md .markdown .qmd .rmd"),
        (TYPST, ".typ"),
        (ORG, ".org"),
        (REST, ".rst .rest"),
        (WORD, ".docx .docm"),
        (OPEN_DOCUMENT, ".odt"),
        (PDF, ".pdf"),
        (RECORDS, ".yaml .yml .json .jsonl .ndjson .tsv .csv"),
    )
    for suffix in suffixes.split()
}


class Landmark(NamedTuple):
    """A paragraph of a document: where it begins, its number, page (None: not known) and heading.

    That of a PDF has its text, too, with the superscripts and the printed lines.
    """

    start: int
    paragraph: int
    page: int | None
    heading: str
    text: str = ""
    superscripts: tuple[int, ...] = ()
    lines: tuple[LineRow, ...] = ()


@dataclass(frozen=True)
class Manuscript:
    """A file, read: its quotations, the names of files that it includes, and all that it cites.

    `source` is its text, which keeps every byte. That of a word processor is its XML; it has its paragraphs
    as `landmarks`, and cites `works` by name. So has a PDF, whose text is that of its paragraphs. Of the
    files that it includes, those in `missing` are not there.
    """

    quotations: tuple[Quotation, ...]
    files: tuple[str, ...] = ()
    cited: tuple[Citation, ...] = ()
    source: str = ""
    landmarks: tuple[Landmark, ...] = field(default=(), repr=False)
    works: Mapping[str, CitedWork] = field(default_factory=dict)
    defined: Mapping[str, Definition] = field(default_factory=dict, repr=False)
    """The macros of its own that it was read with."""
    path: Path = Path()
    markup: str = ""
    missing: tuple[str, ...] = ()

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.source))]

    def place(self, offset: int) -> tuple[int, int]:
        """Line (of a document: paragraph) and column of a character of the source, both counted from 1."""
        if paragraph := self._paragraph(offset):
            return paragraph.paragraph, 1
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return where the pages of a PDF print these characters of the source; none for other files."""
        found: list[Box] = []
        for one in self.landmarks[self._number(start) : self._number(end - 1) + 1]:
            first, last = max(0, start - one.start), min(len(one.text), end - one.start)
            found += boxes(one.lines, one.text, one.superscripts, first, last) if first < last else ()
        return tuple(found)

    def where(self, offset: int) -> str:
        """Page and heading of a character of a document, as far as they are known; '' for other files."""
        paragraph = self._paragraph(offset)
        page = f"page {paragraph.page}" if paragraph and paragraph.page else ""
        heading = f"“{paragraph.heading}”" if paragraph and paragraph.heading else ""
        return ", ".join(filter(None, (page, heading)))

    def _paragraph(self, offset: int) -> Landmark | None:
        """Return the paragraph of a document in which a character of the source is."""
        return self.landmarks[self._number(offset)] if self.landmarks else None

    def _number(self, offset: int) -> int:
        return max(0, bisect_right(self.landmarks, offset, key=lambda one: one.start) - 1)


def read_manuscripts(
    paths: Sequence[Path],
    vocabulary: Vocabulary,
    contents: Mapping[Path, bytes] | None = None,
    *,
    apart: bool = False,
) -> Iterator[Manuscript]:
    """Return the files at `paths` and those that they include, each once.

    A path included is taken from the folder of the file at which reading began, as LaTeX does, else from that
    of the file that names it. `contents` stands in for what a file holds; `apart`, documents and long texts
    are read where it can be killed. Raise QueryError for a path that is not a manuscript.
    """
    read = read_in_sandbox if apart else read_manuscript
    seen: set[str] = set()
    for path in paths:
        waiting, known = [path], vocabulary
        while waiting:
            one = waiting.pop(0)
            if (real := os.path.realpath(one)) in seen:  # it never raises, for a link to itself either
                continue
            seen.add(real)
            content = (contents or {}).get(one)
            manuscript = read(one, known, content)
            known = replace(known, defined={**known.defined, **manuscript.defined})
            found = [(name, _included(name, one, path)) for name in manuscript.files]
            waiting = [included for _, included in found if included] + waiting
            missing = tuple(name for name, included in found if included is None)
            yield replace(manuscript, missing=missing)


_READERS = {
    WORD: "documents.document_text",
    OPEN_DOCUMENT: "documents.document_text",
    PDF: "documents.pdf_manuscript",
}
"""The modules with the readers of markups, where these have other names."""


def read_manuscript(path: Path, vocabulary: Vocabulary, content: bytes | None = None) -> Manuscript:
    """Return one file, as the reader of its markup reads it."""
    markup = SUFFIXES.get(path.suffix.lower())
    if markup is None:
        known = ", ".join(sorted(SUFFIXES))
        raise QueryError(
            f"{str(path)!r} is not a known kind of manuscript: its name must end in one of {known}."
        )
    content = content_of(path) if content is None else content
    given = content if is_document(path) else decode(content)
    reader = import_module(f"{__package__}.{_READERS.get(markup, markup)}")  # one is enough for most calls
    try:
        read: Manuscript = reader.read(given, path, vocabulary)
    except RecursionError as error:
        raise QueryError(f"{str(path)!r} cannot be read: its brackets are nested too deeply.") from error
    return replace(read, source=given if isinstance(given, str) else read.source, path=path, markup=markup)


SECONDS = 60.0
"""Seconds for a manuscript. A text of 8 million characters takes 2; a copy of 300 MB of photographs, 12."""

_MEMORY = 3 << 29  # Bytes beside those of the program: a document of 512 MiB is held whole.

_HERE = 1 << 18
"""Characters of a text that are read in this process: what was made to take long takes 2.5 s of processor,
a chapter of 100,000 characters 0.06 s. A process of its own takes 0.3 s."""


def read_in_sandbox(path: Path, vocabulary: Vocabulary, content: bytes | None = None) -> Manuscript:
    """Return what `read_manuscript` does. Raise QueryError, too, for what takes too long or much memory."""
    document = is_document(path)
    if content is None and not document:
        content = content_of(path)
    if not document and len(content or b"") <= _HERE:
        return read_manuscript(path, vocabulary, content)
    return in_sandbox(path, read_manuscript, path, vocabulary, content)


def in_sandbox(path: Path, work: Callable[..., T], *given: object) -> T:
    """Return what `work` makes of the arguments, in a process that can be killed. Raise QueryError."""
    from pagequote.sandbox import run_in_sandbox  # noqa: PLC0415  # settings of a quote need none

    what, less = repr(str(path)), "Check it in parts."
    return run_in_sandbox(work, *given, label=what, seconds=SECONDS, memory=_MEMORY, advice=less)


def content_of(path: Path) -> bytes:
    """Return the bytes of a manuscript. Raise QueryError for what is no file, or too large."""
    return untrusted_files.content(path, _LARGEST_DOCUMENT if is_document(path) else MOST_CHARACTERS)


def is_document(path: Path) -> bool:
    """Return whether it is a file of a word processor or a PDF, by its name."""
    return SUFFIXES.get(path.suffix.lower()) in (WORD, OPEN_DOCUMENT, PDF)


_LARGEST_DOCUMENT = 1 << 29  # Bytes of a file of a word processor: nearly all of them are pictures.


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
