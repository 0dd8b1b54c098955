"""Quotations of .odt files: text, styles, notes, and citations in Zotero's marks and LibreOffice's own."""

import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.citation_fields import read_mark
from pagequote.check.documents.document_text import DocumentText, ParagraphForm
from pagequote.check.documents.zipped_xml import member, read_xml
from pagequote.check.superscript_text import as_subscripts, as_superscripts

_CONTENT = "content.xml"
_SKIPPED = frozenset({"text:tracked-changes", "office:annotation", "text:note-citation", "text:ruby-text"})
_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}
_SET_IN = 6.0
"""Millimetres from the left margin, from which a paragraph is set in: about a quarter of an inch."""

_DEEPEST = 12
"""Styles that are based on one another, which are looked at."""


@dataclass
class _Style:
    name: str
    parent: str
    indent: float = 0.0
    looks: frozenset[str] = frozenset()


def read_open_document(opened: zipfile.ZipFile) -> tuple[str, DocumentText]:
    """Return the source (content.xml) and what it says."""
    content = member(opened, _CONTENT)
    if content is None:
        raise zipfile.BadZipFile(f"it has no {_CONTENT}")
    story = _Story()
    styles = _Story()
    read_xml(member(opened, "styles.xml") or "<none/>", 0, styles)
    story.styles |= styles.styles
    read_xml(content, 0, story)
    return content, story.out


@dataclass
class _Story:
    """A reader of content.xml, or of the styles in styles.xml."""

    out: DocumentText = field(default_factory=DocumentText)
    styles: dict[str, _Style] = field(default_factory=dict)
    _style: _Style | None = None
    _skipped: int = 0
    _paragraphs: list[tuple[int, ParagraphForm]] = field(default_factory=list)
    _spans: list[frozenset[str]] = field(default_factory=list)
    _told: bool = False
    _marks: dict[str, tuple[int, int]] = field(default_factory=dict)
    _entries: list[tuple[int, int, str]] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
            return
        begin = self._BEGINS.get(name)
        if begin is not None:
            begin(self, attributes, at)
        elif self._style is not None:
            self._property(self._style, name, attributes)

    def _property(self, style: _Style, name: str, attributes: dict[str, str]) -> None:
        if name == "style:paragraph-properties":
            hanging = attributes.get("fo:text-indent", "").startswith("-")
            style.indent = 0.0 if hanging else _millimetres(attributes.get("fo:margin-left", ""))
        elif name == "style:text-properties":
            style.looks = frozenset(_looks(attributes))

    def _begin_style(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._style = _Style(attributes.get("style:name", ""), attributes.get("style:parent-style-name", ""))
        self.styles[self._style.name] = self._style

    def _paragraph(self, attributes: dict[str, str], at: int) -> None:
        self._paragraphs.append((self.out.length, self._form(attributes.get("text:style-name", ""))))
        self.out.begin_paragraph(at)

    def _heading(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._paragraphs.append((self.out.length, "heading"))
        self.out.begin_paragraph(at)

    def _span(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        style = self.styles.get(attributes.get("text:style-name", ""))
        self._spans.append(style.looks if style else frozenset())
        self._told = False

    def _spaces(self, attributes: dict[str, str], at: int) -> None:
        count = attributes.get("text:c", "1")
        count = count[:_DIGITS]  # Python makes no number of thousands of digits
        self.out.add(" " * min(int(count) if count.isdecimal() else 1, _SPACES), at, at)

    def _space(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out.add(" ", at, at)

    def _page(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out.break_page()

    def _note(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out.flow.aside = True

    def _begin_mark(self, attributes: dict[str, str], at: int) -> None:
        self._marks[attributes.get("text:name", "")] = (self.out.length, at)

    def _end_mark(self, attributes: dict[str, str], at: int) -> None:
        name = attributes.get("text:name", "")
        began, mark = self._marks.pop(name, (self.out.length, at))
        self.out.cite(min(began, self.out.length), read_mark(name), mark, at)

    def _entry(self, attributes: dict[str, str], at: int) -> None:
        self._entries.append((self.out.length, at, attributes.get("text:identifier", "")))

    def end(self, name: str, at: int) -> None:
        if self._skipped:
            self._skipped -= 1
        elif name == "style:style":
            self._style = None
        elif name in ("text:p", "text:h") and self._paragraphs:
            began, form = self._paragraphs.pop()
            self.out.end_paragraph(min(began, self.out.length), at, form)
        elif name == "text:span" and self._spans:
            self._spans.pop()
        elif name == "text:note-body":
            self.out.flow.aside = False
        elif name == "text:bibliography-mark" and self._entries:
            began, mark, key = self._entries.pop()
            self.out.cite(min(began, self.out.length), [(CitedWork(key), None)] if key else [], mark, at)

    def text(self, text: str, start: int, end: int) -> None:
        looks = frozenset().union(*self._spans)
        if not self._paragraphs or self._skipped or "hidden" in looks:
            return
        if "unread" in looks:
            if not self._told:
                self.out.flow.unread(start, end)
            self._told = True
            return
        moved = (
            as_superscripts(text)
            if "raised" in looks
            else as_subscripts(text)
            if "lowered" in looks
            else text
        )
        for char in moved:
            self.out.add(char, start, end)

    def _picture(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if self._paragraphs:
            self.out.flow.unread(at, at + 1)

    def _form(self, style: str) -> ParagraphForm:
        for _ in range(_DEEPEST):
            one = self.styles.get(style)
            if "quot" in style.casefold():
                return "quote"
            if one is None or "list" in style.casefold():
                return ""
            if one.indent >= _SET_IN:
                return "indented"
            style = one.parent
        return ""

    _BEGINS: ClassVar[Mapping[str, Callable[["_Story", dict[str, str], int], None]]] = {
        "style:style": _begin_style, "text:p": _paragraph, "text:h": _heading,
        "text:span": _span, "text:s": _spaces, "text:tab": _space,
        "text:line-break": _space, "text:soft-page-break": _page, "text:note-body": _note,
        "text:reference-mark-start": _begin_mark, "text:reference-mark-end": _end_mark,
        "text:bibliography-mark": _entry, "draw:image": _picture, "draw:object": _picture,
    }  # fmt: skip
    """What the beginning of an element does, by its name."""


def _looks(attributes: Mapping[str, str]) -> Iterator[str]:
    """Yield what a style makes of characters: raised, lowered, hidden, or unread if not plainly seen."""
    position = attributes.get("style:text-position", "")
    if position.startswith(("super", "sub")):
        yield "raised" if position.startswith("super") else "lowered"
    if attributes.get("text:display") == "none":
        yield "hidden"
    struck = attributes.get("style:text-line-through-style", "none") != "none"
    white = attributes.get("fo:color", "").lower() == "#ffffff" and "fo:background-color" not in attributes
    size = attributes.get("fo:font-size", "")
    tiny = size.endswith("pt") and 0 < _millimetres(size) < _SMALLEST
    if struck or white or tiny:
        yield "unread"


_SMALLEST = 4 * 25.4 / 72
"""Millimetres: text under 4 points is not read by people."""

_DIGITS = 9
"""Digits of a number of spaces that are read: with more there are too many anyway."""

_SPACES = 100
"""Spaces in a row that are kept."""


def _millimetres(length: str) -> float:
    match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,6})?)(mm|cm|in|pt|pc)", length)
    return float(match[1]) * _MILLIMETRES[match[2]] if match else 0.0
