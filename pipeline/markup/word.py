"""Documents of Word and others in .docx (Office Open XML)."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.libraries.entries import Metadata
from pipeline.markup.archive import Archive, opened_archive
from pipeline.markup.elements import (
    Anchors,
    attribute,
    child,
    children,
    descendants,
    local_name,
    outermost,
    read_xml,
)
from pipeline.markup.marked import Marked, Run, Story
from pipeline.markup.styles import kind_of_style
from pipeline.markup.web_page import dublin_core

_DOCUMENT = "word/document.xml"
_STYLES = "word/styles.xml"
_NOTES = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_ABOUT = "docProps/core.xml"
_SKIPPED = frozenset({"Fallback", "del", "moveFrom", "pPr", "rPr", "instrText", "fldData", "txbxContent"})
"""Elements whose text is written twice, is no longer there, is read apart, or says how the rest looks."""

_SIGNS = {"tab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-"}
_LEVELS = frozenset("012345678")
"""Outline levels of headings; 9 is running text, and others are no levels."""

_OFF = frozenset({"0", "false", "off"})


def read_word(data: bytes) -> Marked:
    """Return the text of a document. Raise UnreadableError."""
    with opened_archive(data, ".docx") as archive:
        document = read_xml(archive.read(_DOCUMENT), ".docx")
        reader = _Reader(_styles(archive))
        body = next(descendants(document, "body"), document)
        reader.read(body, Anchors())
        for name, member in _NOTES.items():
            if member in archive.names:
                reader.read_notes(read_xml(archive.read(member), ".docx"), name, Anchors(f"{name}s#"))
        return Marked(tuple(reader.story.paragraphs), _metadata(archive))


class _Reader:
    def __init__(self, styles: Mapping[str, str]) -> None:
        self.story = Story()
        self._styles = styles
        self._within: list[tuple[int, SectionHeading]] = []

    def read(self, body: Any, anchors: Anchors) -> None:
        """Read all paragraphs and tables of an element."""
        for one in children(body):
            name = local_name(one)
            if name == "p":
                self._paragraph(one, anchors)
                for box in _boxes(one):
                    self.read(box, anchors)
            elif name == "tbl":
                for row in outermost(one, "tr"):  # a table in a cell is text of its row
                    cells = (run for cell in children(row, "tc") for run in (*_runs(cell), (" ", False)))
                    self.story.add("table", cells, anchors.of(row), self._section)
            elif name not in _SKIPPED:
                self.read(one, anchors)

    def read_notes(self, notes: Any, name: str, anchors: Anchors) -> None:
        """Read the notes at the foot or the end."""
        for note in children(notes, name):
            if not attribute(note, "type"):  # others are rules between notes
                for paragraph in outermost(note, "p"):
                    self.story.add("footnote", _runs(paragraph), anchors.of(paragraph))

    @property
    def _section(self) -> SectionHeading:
        return self._within[-1][1] if self._within else NOWHERE

    def _paragraph(self, paragraph: Any, anchors: Anchors) -> None:
        style = child(paragraph, "pPr")
        named = next(descendants(style, "pStyle"), None) if style is not None else None
        kind = self._styles.get(attribute(named, "val"), "body") if named is not None else "body"
        listed = style is not None and next(descendants(style, "numPr"), None) is not None
        if kind.startswith("heading"):
            level = int(kind[-1])
            while self._within and self._within[-1][0] >= level:
                self._within.pop()
            section = self.story.begin(_runs(paragraph), anchors.of(paragraph), self._section)
            self._within.append((level, section))
        else:
            usual = "list" if listed and kind == "body" else kind
            self.story.add(usual, _runs(paragraph), anchors.of(paragraph), self._section)


def _styles(archive: Archive) -> dict[str, str]:
    """Return the kind of paragraph that each style says: 'heading 1', 'title', 'quote', 'caption', ..."""
    if _STYLES not in archive.names:
        return {}
    kinds = {}
    for style in descendants(read_xml(archive.read(_STYLES), ".docx"), "style"):
        named = child(style, "name")
        name = attribute(named, "val").casefold() if named is not None else ""
        level = next((attribute(one, "val") for one in descendants(style, "outlineLvl")), "9")
        if level in _LEVELS or (name.startswith("heading ") and name[-1] in "123456789"):
            kinds[attribute(style, "styleId")] = f"heading {int(level) + 1 if level in _LEVELS else name[-1]}"
        elif kind := kind_of_style(name):
            kinds[attribute(style, "styleId")] = kind
    return kinds


def _runs(element: Any, *, raised: bool = False) -> Iterator[Run]:
    for one in children(element):
        name = local_name(one)
        if name == "t":
            yield one.text or "", raised
        elif name in _SIGNS:
            yield _SIGNS[name], raised
        elif name == "r":
            looks = child(one, "rPr")
            up = child(looks, "vertAlign") if looks is not None else None
            gone = child(looks, "vanish") if looks is not None else None
            if gone is None or attribute(gone, "val") in _OFF:
                yield from _runs(one, raised=up is not None and attribute(up, "val") == "superscript")
        elif name not in _SKIPPED:
            yield from _runs(one, raised=raised)
            if name == "p":  # of a cell
                yield " ", False


def _boxes(element: Any) -> Iterator[Any]:
    """Yield the text boxes that hang on a paragraph, each once."""
    for one in children(element):
        name = local_name(one)
        if name == "txbxContent":
            yield one
        elif name not in _SKIPPED:
            yield from _boxes(one)


def _metadata(archive: Archive) -> Metadata:
    about = children(read_xml(archive.read(_ABOUT), ".docx")) if _ABOUT in archive.names else ()
    return dublin_core(about)
