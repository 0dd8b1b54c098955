"""Documents of LibreOffice and others in .odt (OpenDocument)."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from pipeline.office.archive import Archive, DocumentError
from pipeline.office.listener import DEEPEST, MOST_STYLES, Listener, ParagraphForm, kind_of_style, named_apart
from pipeline.office.xml_events import Steps, XmlReader, read_xml

CONTENT, STYLES = "content.xml", "styles.xml"
_INDEXES = frozenset(
    """
    table-of-content illustration-index table-index object-index user-index alphabetical-index
    """.split()
)
_SKIPPED = frozenset(
    {
        "text:tracked-changes",
        "office:annotation",
        "text:note-citation",
        "text:ruby-text",
        "text:hidden-text",
        "text:script",
        "script:script",
        *(f"text:{index}-source" for index in (*_INDEXES, "bibliography")),
    }
)
"""Elements whose text is no longer there, or says how the rest is made."""

_KINDS = {"text:list": "list", "text:bibliography": "reference"} | {
    f"text:{index}": "furniture" for index in _INDEXES
}
"""The kind of the paragraphs within an element."""

_APART = frozenset({"text:p", "text:h", "draw:frame", "draw:custom-shape", "text:note"})
"""Elements whose characters are not those of the paragraph around them."""

_MILLIMETRES = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}
_SET_IN = 6.0
"""Millimetres from the left margin, from which a paragraph is set in: about a quarter of an inch."""

_SMALLEST = 4 * 25.4 / 72  # Millimetres: text under 4 points is not read by people.
_DIGITS = 9  # Digits of a number of spaces that are read: with more there are too many anyway.
_SPACES = 100  # Spaces in a row that are kept.


def read_open_document(archive: Archive, listener: Listener) -> str:
    """Tell of a document, and return its source, content.xml.

    Raise DocumentError without that; see `read_xml` for others.
    """
    content = archive.text(CONTENT)
    if content is None:
        raise DocumentError(f"it has no {CONTENT}")
    styles = _Walk(Listener())
    read_xml(archive.text(STYLES) or "<none/>", 0, styles)
    read_xml(content, 0, _Walk(listener, styles.styles))
    return content


@dataclass
class _Style:
    parent: str
    indent: float = 0.0
    looks: frozenset[str] = frozenset()


@dataclass
class _Walk(XmlReader):
    """A reader of content.xml, or of the styles in styles.xml."""

    out: Listener
    styles: dict[str, _Style] = field(default_factory=dict)
    _steps: Steps = field(default_factory=Steps)
    _style: _Style | None = None
    _skipped: int = 0
    _apart: list[str] = field(default_factory=list)
    _forms: list[ParagraphForm] = field(default_factory=list)
    _usual: list[str] = field(default_factory=lambda: ["body"])
    _spans: list[frozenset[str]] = field(default_factory=list)
    _told: bool = False
    _marks: dict[str, tuple[int, int]] = field(default_factory=dict)
    _entries: list[tuple[int, int, str]] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        self._steps.enter(attributes)
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
            return
        if name in _APART:
            self._apart.append(name)
        if name in _KINDS:
            self._usual.append(_KINDS[name])
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
        self._style = _Style(attributes.get("style:parent-style-name", ""))
        self.styles[attributes.get("style:name", "")] = self._style
        if len(self.styles) > MOST_STYLES:
            raise DocumentError(f"it has over {MOST_STYLES:,} styles")

    def _paragraph(self, attributes: dict[str, str], at: int) -> None:
        self._forms.append(self._form(attributes.get("text:style-name", "")))
        self.out.begin_paragraph(at, self._steps.anchor())

    def _heading(self, attributes: dict[str, str], at: int) -> None:
        level = attributes.get("text:outline-level", "")
        self._forms.append(ParagraphForm("heading", int(level) if re.fullmatch("[1-9]", level) else 1))
        self.out.begin_paragraph(at, self._steps.anchor())

    def _span(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        style = self.styles.get(attributes.get("text:style-name", ""))
        self._spans.append(style.looks if style else frozenset())
        self._told = False

    def _spaces(self, attributes: dict[str, str], at: int) -> None:
        count = attributes.get("text:c", "1")
        count = count[:_DIGITS]  # Python makes no number of thousands of digits
        self.out.text(" " * min(int(count) if count.isdecimal() else 1, _SPACES), at, at)

    def _note(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out = self.out.begin_note("")

    def _end_mark(self, attributes: dict[str, str], at: int) -> None:
        name = attributes.get("text:name", "")
        began, mark = self._marks.pop(name, (self.out.length, at))
        self.out.cited(began, "mark", name, mark, at)

    def end(self, name: str, at: int) -> None:
        self._steps.leave()
        if self._skipped:
            self._skipped -= 1
            return
        if name in _APART:
            self._apart.pop()
        if name in _KINDS:
            self._usual.pop()
        if name == "style:style":
            self._style = None
        elif name in ("text:p", "text:h"):
            self.out.end_paragraph(at, self._forms.pop())
        elif name == "table:table-row":
            self.out.end_row()
        elif name == "text:span":
            self._spans.pop()
        elif name == "text:note-body":
            self.out.end_note()
        elif name == "text:bibliography-mark":
            began, mark, key = self._entries.pop()
            self.out.cited(began, "entry", key, mark, at)

    def text(self, text: str, start: int, end: int) -> None:
        looks = frozenset().union(*self._spans)
        if self._skipped or self._apart[-1:] not in (["text:p"], ["text:h"]) or "hidden" in looks:
            return
        if "unread" in looks:
            if not self._told:
                self.out.unread(start, end)
            self._told = True
            return
        self.out.text(
            text, start, end, "raised" if "raised" in looks else "lowered" if "lowered" in looks else ""
        )

    def _picture(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if self._forms:
            self.out.unread(at, at + 1)

    def _form(self, name: str) -> ParagraphForm:
        """Return what a style makes of a paragraph: it tells, or one that it is based on."""
        indented, apart = False, ""
        for _ in range(DEEPEST):
            shown = name.replace("_20_", " ").casefold()
            apart = apart or named_apart(shown)
            if kind := kind_of_style(shown):
                return ParagraphForm(kind, indented=indented)
            style = self.styles.get(name)
            if style is None:
                break
            indented = indented or style.indent >= _SET_IN
            name = style.parent
        return ParagraphForm(self._usual[-1], indented=indented, apart=apart)

    _BEGINS: ClassVar[Mapping[str, Callable[["_Walk", dict[str, str], int], None]]] = {
        "style:style": _begin_style,
        "text:p": _paragraph,
        "text:h": _heading,
        "text:span": _span,
        "text:s": _spaces,
        "text:note-body": _note,
        "text:reference-mark-end": _end_mark,
        "draw:image": _picture,
        "draw:object": _picture,
        "text:tab": lambda self, _, at: self.out.text(" ", at, at),
        "text:line-break": lambda self, _, at: self.out.text(" ", at, at),
        "text:soft-page-break": lambda self, _, __: self.out.break_page(),
        "table:table-row": lambda self, _, __: self.out.begin_row(self._steps.anchor()),
        "text:reference-mark-start": lambda self, said, at: self._marks.update(
            {said.get("text:name", ""): (self.out.length, at)}
        ),
        "text:bibliography-mark": lambda self, said, at: self._entries.append(
            (self.out.length, at, said.get("text:identifier", ""))
        ),
    }
    """What the beginning of an element does, by its name."""


_RAISED, _LOWERED = re.compile(r"super|[1-9]"), re.compile(r"sub|-[1-9]")
"""How the position of moved text begins: "super 58%", "33% 58%"."""


def _looks(attributes: Mapping[str, str]) -> Iterator[str]:
    """Yield what a style makes of characters: raised, lowered, hidden, or unread if not plainly seen."""
    position = attributes.get("style:text-position", "")
    if _RAISED.match(position):
        yield "raised"
    elif _LOWERED.match(position):
        yield "lowered"
    if attributes.get("text:display") == "none":
        yield "hidden"
    struck = attributes.get("style:text-line-through-style", "none") != "none"
    white = attributes.get("fo:color", "").lower() == "#ffffff" and "fo:background-color" not in attributes
    size = attributes.get("fo:font-size", "")
    tiny = size.endswith("pt") and 0 < _millimetres(size) < _SMALLEST
    if struck or white or tiny:
        yield "unread"


def _millimetres(length: str) -> float:
    match = re.fullmatch(r"(\d{1,4}(?:\.\d{1,6})?)(mm|cm|in|pt|pc)", length)
    return float(match[1]) * _MILLIMETRES[match[2]] if match else 0.0
