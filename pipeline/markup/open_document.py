"""Documents of LibreOffice and others in .odt (OpenDocument)."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
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

_CONTENT, _STYLES, _ABOUT = "content.xml", "styles.xml", "meta.xml"
_INDEXES = (
    "table-of-content", "illustration-index", "table-index", "object-index", "user-index",
    "alphabetical-index",
)  # fmt: skip
_SKIPPED = frozenset({
    "tracked-changes", "annotation", "ruby-text", "hidden-text", "script",
    *(f"{index}-source" for index in (*_INDEXES, "bibliography")),
})  # fmt: skip
"""Elements whose text is no longer there, or says how the rest is made."""

_APART = frozenset({"note", "frame", "custom-shape"})
"""Elements within a paragraph whose text is read after it."""

_SPACES = frozenset({"s", "tab", "line-break"})
_KINDS = {"list": "list", "bibliography": "reference"} | dict.fromkeys(_INDEXES, "furniture")
"""The kind of the paragraphs within an element."""

_RAISED = re.compile(r"super|[1-9]")
"""How the position of raised text begins: "super 58%", "33% 58%"."""

_DEEPEST = 12
"""Styles that are based on one another, which are looked at."""


@dataclass(frozen=True)
class _Style:
    """A style: what it is based on, and whether its text is raised or hidden."""

    parent: str
    raised: bool
    hidden: bool


def read_open_document(data: bytes) -> Marked:
    """Return the text of a document. Raise UnreadableError."""
    with opened_archive(data, ".odt") as archive:
        content = read_xml(archive.read(_CONTENT), ".odt")
        styles = _styles(content)
        if _STYLES in archive.names:
            styles = _styles(read_xml(archive.read(_STYLES), ".odt")) | styles
        reader = _Reader(styles)
        body = next(descendants(content, "body"), content)
        reader.read(body)
        reader.read_notes()
        return Marked(tuple(reader.story.paragraphs), _metadata(archive))


class _Reader:
    def __init__(self, styles: Mapping[str, _Style]) -> None:
        self.story = Story()
        self._styles = styles
        self._within: list[tuple[int, SectionHeading]] = []
        self._anchors = Anchors()
        self._notes: list[Any] = []

    def read(self, element: Any, usual: str = "body") -> None:
        """Read all paragraphs and tables of an element; `usual` is the kind of those without a style."""
        for one in children(element):
            name = local_name(one)
            if name == "h":
                self._heading(one)
            elif name == "p":
                kind = self._kind(attribute(one, "style-name"))
                self.story.add(kind or usual, self._runs(one), self._anchors.of(one), self._section)
            elif name == "table":
                for row in outermost(one, "table-row"):  # a table in a cell is text of its row
                    self.story.add("table", self._runs(row), self._anchors.of(row), self._section)
            elif name not in _SKIPPED:
                self.read(one, _KINDS.get(name, usual))
            if name in {"h", "p", "table"}:
                self._read_apart(one)

    def read_notes(self) -> None:
        """Read the notes at the foot or the end, which hang on what was read."""
        for note in self._notes:
            for paragraph in outermost(note, "p", "h"):
                self.story.add("footnote", self._runs(paragraph), self._anchors.of(paragraph))

    @property
    def _section(self) -> SectionHeading:
        return self._within[-1][1] if self._within else NOWHERE

    def _heading(self, heading: Any) -> None:
        said = attribute(heading, "outline-level")
        level = int(said) if said in set("123456789") else 1
        while self._within and self._within[-1][0] >= level:
            self._within.pop()
        section = self.story.begin(self._runs(heading), self._anchors.of(heading), self._section)
        self._within.append((level, section))

    def _read_apart(self, element: Any) -> None:
        """Read the boxes that hang on a paragraph or a table, each once, and keep its notes for later."""
        for one in children(element):
            name = local_name(one)
            if name == "note":
                self._notes.append(one)
            elif name in _APART:
                self.read(one)
            elif name not in _SKIPPED:
                self._read_apart(one)

    def _kind(self, style: str) -> str:
        """Return the kind of paragraph that a style says, or one that it is based on; '' if none does."""
        for _ in range(_DEEPEST):
            if kind := kind_of_style(style.replace("_20_", " ").casefold()):
                return kind
            if style not in self._styles:
                break
            style = self._styles[style].parent
        return ""

    def _runs(self, element: Any, *, raised: bool = False) -> Iterator[Run]:
        yield element.text or "", raised
        for one in element:
            name = local_name(one)
            style = self._styles.get(attribute(one, "style-name")) if name == "span" else None
            if name in _SPACES:
                yield " ", raised
            elif name and name not in _SKIPPED | _APART and not (style and style.hidden):
                yield from self._runs(one, raised=raised or (style is not None and style.raised))
                if name in {"p", "h"}:  # of a cell
                    yield " ", False
            yield one.tail or "", raised


def _styles(root: Any) -> dict[str, _Style]:
    """Return the styles by their names."""
    found = {}
    for style in descendants(root, "style"):
        looks = child(style, "text-properties")
        raised = looks is not None and _RAISED.match(attribute(looks, "text-position")) is not None
        hidden = looks is not None and attribute(looks, "display") == "none"
        found[attribute(style, "name")] = _Style(attribute(style, "parent-style-name"), raised, hidden)
    return found


def _metadata(archive: Archive) -> Metadata:
    """Return what the document says of itself; its day is the last on which it was saved, and no year."""
    if _ABOUT not in archive.names:
        return dublin_core(())
    about = next(descendants(read_xml(archive.read(_ABOUT), ".odt"), "meta"), ())
    return dublin_core(one for one in about if local_name(one) != "date")
