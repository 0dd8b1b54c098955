"""A manuscript: its files, in the order of their inclusion, and the quotations in each."""

import os
import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from lookup.errors import QueryError
from lookup.results.quote_answer import Box
from lookup.storage import untrusted_files
from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.document_text import Landmark, ManuscriptParagraph, landmark_at
from pagequote.check.latex_definitions import Definition, definitions
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.quotation import NOT_UTF8, Citation, Quotation
from pagequote.check.quoting import ManuscriptText
from pagequote.check.running_text import MOST_CHARACTERS

LATEX, MARKDOWN, TYPST, ORG, REST = "latex", "markdown", "typst", "org", "rest"
WORD, OPEN_DOCUMENT, RECORDS, PDF = "word", "opendocument", "records", "pdf"

SUFFIXES = {
    ".tex": LATEX,
    ".ltx": LATEX,
    ".latex": LATEX,
    ".sty": LATEX,
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".qmd": MARKDOWN,
    ".rmd": MARKDOWN,
    ".typ": TYPST,
    ".org": ORG,
    ".rst": REST,
    ".rest": REST,
    ".docx": WORD,
    ".docm": WORD,
    ".odt": OPEN_DOCUMENT,
    ".pdf": PDF,
    **dict.fromkeys((".yaml", ".yml", ".json", ".jsonl", ".ndjson", ".tsv", ".csv"), RECORDS),
}


@dataclass(frozen=True)
class Manuscript:
    """A file of a manuscript: its text, which keeps every byte, and its quotations.

    That of a word processor has its XML as text, its paragraphs as `landmarks`, and cites `works` by name. So
    has a PDF, whose text is that of its paragraphs, and which knows where they are `printed`.
    """

    path: Path
    markup: str
    source: str
    quotations: tuple[Quotation, ...]
    cited: tuple[Citation, ...] = ()
    missing: tuple[str, ...] = ()
    landmarks: tuple[Landmark, ...] = ()
    works: Mapping[str, CitedWork] = field(default_factory=dict)
    defined: Mapping[str, Definition] = field(default_factory=dict, repr=False)
    """The macros of its own that it was read with."""
    printed: tuple[ManuscriptParagraph, ...] = field(default=(), repr=False)

    @cached_property
    def _lines(self) -> list[int]:
        return [0, *(end.end() for end in re.finditer("\n", self.source))]

    @property
    def not_utf8(self) -> int | None:
        """Return where the first character stands that is not UTF-8; None where there is none."""
        found = NOT_UTF8.search(self.source)
        return found and found.start()

    def place(self, offset: int) -> tuple[int, int]:
        """Line (of a document: paragraph) and column of a character of the source, both counted from 1."""
        if self.landmarks:
            return landmark_at(self.landmarks, offset).paragraph, 1
        line = bisect_right(self._lines, offset)
        return line, offset - self._lines[line - 1] + 1

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return where the pages of a PDF print these characters of the source; none for other files."""
        return tuple(box for one in self.printed for box in one.boxes(start, end))

    def where(self, offset: int) -> str:
        """Page and heading of a character of a document, as far as they are known; '' for other files."""
        return str(landmark_at(self.landmarks, offset)) if self.landmarks else ""


Read = Callable[[Path, Vocabulary, bytes | None], tuple[Manuscript, list[str]]]


def read_manuscripts(
    paths: Sequence[Path],
    vocabulary: Vocabulary,
    contents: Mapping[Path, bytes] | None = None,
    read: Read | None = None,
) -> Iterator[Manuscript]:
    """Return the files at `paths` and those that they include, each once.

    A path included is taken from the folder of the file at which reading began, as LaTeX does, else from that
    of the file that names it. `contents` stands in for what a file holds, `read` for `read_manuscript`. Raise
    QueryError for a path that is not a manuscript.
    """
    read = read or read_manuscript
    seen: set[str] = set()
    for path in paths:
        waiting, known = [path], vocabulary
        while waiting:
            one = waiting.pop(0)
            if (real := os.path.realpath(one)) in seen:  # it never raises, for a link to itself either
                continue
            seen.add(real)
            content = (contents or {}).get(one)
            manuscript, files = read(one, known, content)
            known = replace(known, defined={**known.defined, **manuscript.defined})
            found = [(name, _included(name, one, path)) for name in files]
            waiting = [included for _, included in found if included] + waiting
            missing = tuple(name for name, included in found if included is None)
            yield replace(manuscript, missing=missing)


def read_manuscript(
    path: Path, vocabulary: Vocabulary, content: bytes | None = None
) -> tuple[Manuscript, list[str]]:
    """Return one file, and the names of those that it includes."""
    markup = SUFFIXES.get(path.suffix.lower())
    if markup is None:
        known = ", ".join(sorted(SUFFIXES))
        raise QueryError(
            f"{str(path)!r} is not a known kind of manuscript: its name must end in one of {known}."
        )
    if content is None:
        content = content_of(path)
    if markup in (WORD, OPEN_DOCUMENT, PDF):
        return _document(path, markup, content), []
    source = decode(content)
    if (whole := _whole(path, markup, source, vocabulary)) is not None:
        return whole, []
    if markup == LATEX:
        vocabulary = replace(vocabulary, defined={**_defined_beside(path, source), **vocabulary.defined})
    try:
        read = _read(source, markup, vocabulary)
    except RecursionError as error:
        raise QueryError(f"{str(path)!r} cannot be read: its brackets are nested too deeply.") from error
    made = Manuscript(path, markup, source, read.quotations, read.citations, defined=vocabulary.defined)
    included = _INCLUDED.findall(source) if markup in (ORG, REST) else []
    return made, [*included, *read.files]


_INCLUDED = re.compile(r"(?im:^(?:#\+include:[ \t]*+\"?|\.\.[ \t]++include::[ \t]*+)([^\"\s]++))")
"""The files that Org and reStructuredText include."""


def _whole(path: Path, markup: str, source: str, vocabulary: Vocabulary) -> Manuscript | None:
    """Return the manuscript of records, or of highlights that a program exported; None for other texts."""
    if markup not in (RECORDS, MARKDOWN):
        return None
    from pagequote.check.records import read_export, read_records  # noqa: PLC0415

    exported = markup == MARKDOWN
    whole = read_export(source) if exported else read_records(source, path.suffix.lower(), vocabulary.fields)
    return whole and Manuscript(path, markup, source, whole.quotations, works=whole.works)


def content_of(path: Path) -> bytes:
    """Return the bytes of a manuscript. Raise QueryError for what is no file, or too large."""
    return untrusted_files.content(path, _LARGEST_DOCUMENT if is_document(path) else MOST_CHARACTERS)


def is_document(path: Path) -> bool:
    """Return whether it is a file of a word processor or a PDF, by its name."""
    return SUFFIXES.get(path.suffix.lower()) in (WORD, OPEN_DOCUMENT, PDF)


_LARGEST_DOCUMENT = 1 << 29  # Bytes of a file of a word processor: nearly all of them are pictures.

_OWN_FILES = re.compile(
    r"^(?:%\s*+!\s*+TEX\s++root\s*+=\s*+(?P<root>[^\r\n]++)"
    r"|[^%\n]*?\\(?:input|include|usepackage|RequirePackage)\s*+(?:\[[^\[\]]*+\])?\{(?P<names>[^{}]++)\})",
    re.MULTILINE | re.IGNORECASE,
)
_MOST_FILES = 50  # Files beside a manuscript whose macros are read.
_LARGEST = 2**20  # Bytes of a file whose macros are read.


def _defined_beside(path: Path, source: str) -> dict[str, Definition]:
    """Return the macros that a LaTeX source defines, or a file that it names: its root, its own packages."""
    found = definitions(source)
    waiting, seen = [source], {path}
    while waiting:
        for named in _OWN_FILES.finditer(waiting.pop()):
            for name in (named["root"] or named["names"]).split(","):
                for suffix in ("", ".tex", ".sty"):
                    beside = path.parent / f"{name.strip()}{suffix}"
                    if beside in seen or len(seen) > _MOST_FILES or beside.suffix not in (".tex", ".sty"):
                        continue
                    with suppress(QueryError):
                        text = decode(untrusted_files.content(beside, _LARGEST))
                        seen.add(beside)
                        found = {**definitions(text), **found}
                        waiting.append(text)
    return found


def _document(path: Path, markup: str, content: bytes) -> Manuscript:
    if markup == PDF:
        from pagequote.check.documents.pdf_manuscript import read_pdf_manuscript  # noqa: PLC0415

        return Manuscript(path, markup, **read_pdf_manuscript(content, str(path))._asdict())
    from pagequote.check.documents.reading import archive, read_document  # noqa: PLC0415

    with archive(content, str(path)) as opened:
        source, text = read_document(opened, word=markup == WORD)
    read, landmarks, works = text.finish()
    return Manuscript(path, markup, source, read.quotations, landmarks=tuple(landmarks), works=works)


def _read(source: str, markup: str, vocabulary: Vocabulary) -> ManuscriptText:
    """Return what a source quotes and cites; one reader is enough for most calls."""
    if markup == LATEX:
        from pagequote.check.latex import read_latex  # noqa: PLC0415

        return read_latex(source, vocabulary)
    if markup == TYPST:
        from pagequote.check.typst import read_typst  # noqa: PLC0415

        return read_typst(source)
    from pagequote.check.markdown import read_markdown  # noqa: PLC0415
    from pagequote.check.org import org_as_markdown  # noqa: PLC0415
    from pagequote.check.rest import rest_as_markdown  # noqa: PLC0415

    source = {ORG: org_as_markdown, REST: rest_as_markdown}.get(markup, str)(source)
    return read_markdown(source)


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
