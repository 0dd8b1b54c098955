"""Paragraphs as markup gives them, and how a reader of a format collects them."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pipeline.layout.sections import NOWHERE, SectionHeading, section_of
from pipeline.libraries.entries import Metadata
from pipeline.office.archive import MOST_PARAGRAPHS
from pipeline.pdf.opening import UnreadableError
from pipeline.pdf.superscripts import superscript_runs
from retrieval.raw_text.cleaning import CLEAN

Run = tuple[str, bool | None]
"""Characters, and whether they are superscripts; None where they are struck out."""


@dataclass(frozen=True)
class MarkupParagraph:
    """A paragraph: its kind, text, start and end of each superscript, place in the source, and section.

    `raw` are its characters as the source gives them where their lines mean something (code), or zero-width
    joiners that part words of a script; else ''.
    """

    kind: str
    text: str
    superscripts: tuple[int, ...]
    anchor: str
    section: SectionHeading
    raw: str = ""


@dataclass(frozen=True)
class MarkupText:
    """What a source says: its paragraphs in reading order, no more than any book has, and its metadata."""

    paragraphs: tuple[MarkupParagraph, ...]
    metadata: Metadata

    def __post_init__(self) -> None:
        if len(self.paragraphs) > MOST_PARAGRAPHS:
            raise UnreadableError("damaged", f"It has over {MOST_PARAGRAPHS:,} paragraphs. Part it.")


@dataclass
class Story:
    """Collects paragraphs in reading order."""

    paragraphs: list[MarkupParagraph] = field(default_factory=list)
    _sections: int = 0

    def add(self, kind: str, runs: Iterable[Run], anchor: str, section: SectionHeading = NOWHERE) -> None:
        """Add a paragraph, unless it has no visible character; what is struck out of it follows it."""
        runs = list(runs)
        text, superscripts = clean_runs(runs)
        if text:
            raw = "".join([part for part, raised in runs if raised is not None])
            if kind != "code":
                raw = " ".join(raw.split()) if _JOINER in raw else ""
            raw = raw.strip("\n")
            self.paragraphs.append(MarkupParagraph(kind, text, superscripts, anchor, section, raw))
        if struck := plain([(f"{part} ", False) for part, raised in runs if raised is None]):
            self.paragraphs.append(MarkupParagraph("struck", struck, (), anchor, section))

    def begin(self, runs: Iterable[Run], anchor: str, around: SectionHeading) -> SectionHeading:
        """Add a heading; return the section that it begins, that around it where it says nothing."""
        text, superscripts = clean_runs(runs)
        if not text:
            return around
        self._sections += 1
        section = section_of(self._sections, text)
        self.paragraphs.append(MarkupParagraph("heading", text, superscripts, anchor, section))
        return section

    def unnamed(self, title: str) -> SectionHeading:
        """Return a section without a heading of its own."""
        self._sections += 1
        return SectionHeading(self._sections, None, title)


_SPACES = re.compile(r"(\s+)")
_JOINER = "\u200c"  # Between letters of a word of Persian and others, for which many type a space.


def clean_runs(runs: Iterable[Run]) -> tuple[str, tuple[int, ...]]:
    """Return text that is ready to paste, with single spaces, and start and end of each superscript.

    Spaces within brackets, at their ends, are of the markup: no style prints them. What is struck out is left
    out.
    """
    pieces: list[str] = []
    raised: list[tuple[int, int]] = []
    at = 0
    for run, is_raised in runs:
        if is_raised is None:
            continue
        for piece in _pieces(run.translate(CLEAN)):
            if piece != " ":
                if piece[0] in ")]" and pieces[-1:] == [" "]:
                    pieces.pop()
                    at -= 1
                if is_raised:
                    raised.append((at, at + len(piece)))
            elif not at or pieces[-1][-1] in " ([":
                continue
            pieces.append(piece)
            at += len(piece)
    text = "".join(pieces).rstrip(" ")
    return text, superscript_runs(text, raised)


def _pieces(text: str) -> Iterator[str]:
    """Yield the words of the text and the white space between them, each as one space."""
    for place, piece in enumerate(_SPACES.split(text)):
        if piece:
            yield " " if place % 2 else piece


def plain(runs: Iterable[Run]) -> str:
    """Return the text alone."""
    return clean_runs(runs)[0]
