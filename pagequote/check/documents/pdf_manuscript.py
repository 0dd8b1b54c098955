"""Manuscripts in PDF, read as papers are: paragraphs, notes where they are cited, the list of references."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from lookup.errors import QueryError, SourceError
from lookup.papers.locators import Locator, parse_locator
from lookup.quote.typed import moved
from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.document_text import DocumentText
from pagequote.check.manuscript import Landmark, Manuscript
from pagequote.check.quotation import Citation, Name
from pagequote.one_pdf import paragraphs_of
from pipeline.libraries.entries import normalised_doi


def read(content: bytes, path: Path, _: object) -> Manuscript:
    """Return what a PDF quotes. Raise QueryError for one without text."""
    name = repr(str(path))
    try:
        rows = paragraphs_of(content)
    except SourceError as error:
        raise QueryError(f"{name} cannot be read: {error}") from error
    rows = [row for row in rows if not row["hidden"]]
    document = _PdfText(source="\n\n".join(row["text"] for row in rows), paged=True)
    start = 0
    for number, row in enumerate(rows, 1):
        printed = row["text"], tuple(row["superscripts"] or ()), tuple(row["lines"])
        one = Landmark(start, number, row["page"] or None, row["section_title"] or "", *printed)
        document.landmarks.append(one)
        document.sort(one, row)
        start += len(one.text) + 2
    if not document.running:
        raise QueryError(f"{name} has no text to read: recognise its text first (OCR), or send a .docx.")
    document.read()
    return replace(document.finish(), source=document.source)


_RUNNING = frozenset({"body", "quote", "list", "caption", "title", "front", "heading"})
"""Kinds of paragraph in which a manuscript may quote; a short one is all front, to the reader of papers."""

_NOTES = re.compile(
    r"(?:[\d.]+\s+)?(?:end\s?)?(?:notes|anmerkungen|endnoten|notes de fin|notas|note)", re.IGNORECASE
)
_NUMBERED = re.compile(r"\s*\[?(?P<number>\d{1,3})(?:[\]).]\s*|\s+|(?=[^\W\d]))")
_BRACKETS = re.compile(
    r"\s?\[(?P<numbers>\d{1,3}(?:\s?[,;–-]\s?\d{1,3})*)(?:[,:;]\s(?P<pages>[^\[\]\d]{1,12}\d[^\[\]]{0,40}))?\]"
)
_NUMBERS = re.compile(r"(?P<first>\d{1,3})(?:\s?[–-]\s?(?P<last>\d{1,3}))?")
_REFERS = r"(?:(?<=[\"”’'»“)\]])|(?<=[^\W\d_]{{3}})|(?<=[^\W\d_]{{3}}[.,;:!?])){}(?!\w)"
"""A number, where it refers to a note: at a closing mark or a word, not at a digit or the sign of a unit."""

_MOST_WORKS = 30  # Works that one range of numbers cites.


class _Mark(NamedTuple):
    """What cites in a paragraph, from `start` to `end` of its text: a note, or works of the list."""

    start: int
    end: int
    note: Landmark | None = None
    each: tuple[tuple[Name, Locator | None], ...] = ()


@dataclass
class _PdfText(DocumentText):
    """The paragraphs of a PDF by what they are. Notes have their page, or 0 for those at the end."""

    source: str = ""
    running: list[tuple[Landmark, Mapping[str, Any]]] = field(default_factory=list)
    numbered: dict[tuple[int, int], Landmark] = field(default_factory=dict)
    loose: list[Landmark] = field(default_factory=list)
    entries: dict[int, Name] = field(default_factory=dict)

    def sort(self, one: Landmark, row: Mapping[str, Any]) -> None:
        """Keep a paragraph as what it is: running text, a note, or an entry of the list of references."""
        numbered = _NUMBERED.match(one.text)
        at_end = bool(row["section_title"]) and _NOTES.fullmatch(row["section_title"].strip())
        if row["kind"] == "footnote" or (at_end and numbered and row["kind"] != "heading"):
            if numbered:
                place = (0 if at_end else row["page"], int(numbered["number"]))
                after = numbered.end()  # without its number
                raised = tuple(
                    at - after for pair in _pairs(one.superscripts) if pair[0] >= after for at in pair
                )
                note = one._replace(start=one.start + after, text=one.text[after:], superscripts=raised)
                self.numbered.setdefault(place, note)
            else:
                self.loose.append(one)
        elif row["kind"] == "reference":
            entry = Name(one.text[numbered.end() if numbered else 0 :])
            self.works[entry] = CitedWork(entry, doi=normalised_doi(entry) or "")
            if numbered:
                self.entries.setdefault(int(numbered["number"]), entry)
        elif row["kind"] in _RUNNING:
            self.running.append((one, row))

    def read(self) -> None:
        """Add the paragraphs, each note where it is cited, to the flow."""
        for one, row in self.running:
            begins = self.length
            self._add(one, sorted(self._marks(one, row)))
            if row["kind"] == "quote":
                self.flow.contain(begins, "block quote")
            self.flow.add("\n\n", one.start + len(one.text), one.start + len(one.text))
        for one in (*self.numbered.values(), *self.loose):
            self._add_note(one)

    def _marks(self, one: Landmark, row: Mapping[str, Any]) -> Iterator[_Mark]:
        """Yield what cites in a paragraph, in any order."""
        for match in _BRACKETS.finditer(one.text):
            pages = match["pages"] and parse_locator(match["pages"], 0, len(match["pages"]))
            placed = pages.moved(one.start + match.start("pages")) if pages else None
            if works := self._works(match["numbers"]):
                yield _Mark(*match.span(), each=tuple((work, placed) for work in works))
        on = range(row["page"], row["page_end"] + 1)
        for start, end in _pairs(one.superscripts):
            numbers = one.text[start:end]
            noted = any((page, number) in self.numbered for page in (*on, 0) for number in _numbers(numbers))
            raised = re.compile(_REFERS.format(re.escape(numbers))).match(one.text, start)
            if raised and not noted and (works := self._works(numbers)):
                yield _Mark(start, end, each=tuple((work, None) for work in works))
        at = 0
        for page, number in sorted(place for place in self.numbered if place[0] in (*on, 0)):
            refers = re.compile(_REFERS.format(number)).finditer(one.text, at)
            places = [found.span() for found in refers if page or found.span() in _pairs(one.superscripts)]
            if places:
                at = places[0][1]
                yield _Mark(places[0][0], at, self.numbered.pop((page, number)))

    def _works(self, numbers: str) -> list[Name]:
        return [self.entries[number] for number in _numbers(numbers) if number in self.entries]

    def _add(self, one: Landmark, marks: Sequence[_Mark]) -> None:
        done = 0
        for mark in marks:
            if mark.start < done:
                continue
            self._copy(one, done, mark.start)
            start, end = one.start + mark.start, one.start + mark.end
            if mark.note is not None:
                self._add_note(mark.note)
            else:
                self.flow.cite(Citation(mark.each, start, end))
            done = mark.end
        self._copy(one, done, len(one.text))

    def _copy(self, one: Landmark, start: int, end: int) -> None:
        """Add characters of a paragraph, its superscripts as such."""
        for first, last in _pairs(one.superscripts):
            if start <= first and last <= end:
                self.flow.copy(self.source, one.start + start, one.start + first)
                self.flow.add_each(moved(one.text[first:last], "^"), one.start + first)
                start = last
        self.flow.copy(self.source, one.start + start, one.start + end)

    def _add_note(self, note: Landmark) -> None:
        with self.flow.noting(note.start, note.start + len(note.text)):
            self._copy(note, 0, len(note.text))


def _pairs(superscripts: Sequence[int]) -> list[tuple[int, int]]:
    return [*zip(superscripts[::2], superscripts[1::2], strict=True)]


def _numbers(text: str) -> Iterator[int]:
    for match in _NUMBERS.finditer(text):
        first, last = int(match["first"]), int(match["last"] or match["first"])
        yield from range(first, min(last, first + _MOST_WORKS) + 1)
