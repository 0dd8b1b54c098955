"""Quotations of .docx files: text, styles, footnotes, and citations in fields and content controls."""

import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar
from xml.etree import ElementTree as ET

from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.citation_fields import is_citation, read_field, read_tag
from pagequote.check.documents.document_text import DocumentText, ParagraphForm
from pagequote.check.documents.symbol_font import symbol
from pagequote.check.documents.zipped_xml import member, read_xml
from pagequote.check.quotation import UNREAD
from pagequote.check.superscript_text import as_subscripts, as_superscripts

DOCUMENT = "word/document.xml"
_NONE = "<none/>"
_NOTES = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_SKIPPED = frozenset({"mc:Fallback", "w:del", "w:moveFrom", "w:rt"})
"""Elements whose text is written twice, is no longer there, or is a reading beside its word."""

_UNKNOWN = frozenset(
    {"wp:inline", "w:pict", "w:object", "m:d", "m:nary", "m:rad", "m:m", "m:eqArr", "m:acc", "m:bar"}
)
"""Pictures, and formulas that are more than their characters in a row."""

_CHARACTERS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_SMALLEST = 8
"""Half-points: text under 4 points is not read by people."""

_MOVED = 4
"""Half-points by which a text is raised or lowered that is a superscript or subscript."""

_SET_IN = 360
"""Twips (1/20 point) from the left margin, from which a paragraph is set in: a quarter of an inch."""

_OFF = frozenset({"0", "false", "off", "none"})
_RIGHT_TO_LEFT, _RIGHT_TO_LEFT_OVERRIDE = "\u202b", "\u202e"


@dataclass
class _Field:
    """A field that is open: its instruction and data, and where it and its result begin."""

    at: int
    instruction: str = ""
    data: str = ""
    shown: int | None = None


@dataclass
class _Control:
    """A content control that is open."""

    at: int
    began: int
    tag: str = ""


@dataclass
class _Paragraph:
    began: int
    style: str = ""
    level: str = ""
    indent: int = 0
    listed: bool = False


@dataclass(frozen=True)
class _Style:
    name: str = ""
    based_on: str = ""
    heading: bool = False
    indent: int = 0
    looks: Mapping[str, bool] = field(default_factory=dict)


def _look(name: str, value: str) -> tuple[str, bool] | None:
    """Return what a property of characters makes of them, and whether it does or takes it back."""
    on = value not in _OFF
    if name in ("w:strike", "w:dstrike", "w:webHidden"):
        return "unread", on
    if name in ("w:vanish", "w:specVanish"):
        return "hidden", on
    if name == "w:vertAlign":
        return ("lowered" if value == "subscript" else "raised"), value in ("superscript", "subscript")
    if name == "w:position":
        moved = int(value) if re.fullmatch(r"-?\d{1,4}", value) else 0
        return ("lowered" if moved < 0 else "raised"), abs(moved) >= _MOVED
    if name == "w:color":
        return "white", value.upper() == "FFFFFF"
    if name in ("w:highlight", "w:shd"):
        return "shaded", True
    if name == "w:sz":
        return "tiny", value.isdecimal() and int(value[:_DIGITS]) < _SMALLEST
    return {"w:caps": ("caps", on), "w:rtl": ("rtl", on)}.get(name)


_DIGITS = 9
"""Digits of a size that are read."""


@dataclass
class _Styles:
    """A reader of word/styles.xml."""

    by_id: dict[str, _Style] = field(default_factory=dict)
    _id: str = ""

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if name == "w:style":
            self._id = attributes.get("w:styleId", "")
            self.by_id[self._id] = _Style()
            return
        now = self.by_id.get(self._id)
        value = attributes.get("w:val", "")
        if now is None:
            return
        if name == "w:name":
            folded = value.casefold()
            now = replace(now, name=folded, heading=folded.startswith("heading"))
        elif name == "w:basedOn":
            now = replace(now, based_on=value)
        elif name == "w:outlineLvl":
            now = replace(now, heading=value != _BODY_LEVEL)
        elif name == "w:ind":
            now = replace(now, indent=_indent(attributes))
        elif look := _look(name, value):
            now = replace(now, looks={**now.looks, look[0]: look[1]})
        self.by_id[self._id] = now

    def end(self, name: str, at: int) -> None:  # noqa: ARG002
        if name == "w:style":
            self._id = ""

    def text(self, text: str, start: int, end: int) -> None:
        """Take characters: styles have none."""

    def looks(self, style: str) -> dict[str, bool]:
        """Return what a style of characters makes of them."""
        found: dict[str, bool] = {}
        for _ in range(_DEEPEST):
            one = self.by_id.get(style, _Style())
            found = {**one.looks, **found}
            style = one.based_on
        return found

    def form(self, style: str) -> ParagraphForm:
        """Return what a style makes of a paragraph: its name tells, or that of one that it is based on."""
        for _ in range(_DEEPEST):
            one = self.by_id.get(style, _Style())
            if one.heading:
                return "heading"
            if "quot" in one.name or one.name == "block text":
                return "quote"
            if one.indent >= _SET_IN and "list" not in one.name:
                return "indented"
            style = one.based_on
        return ""


_BODY_LEVEL = "9"
_DEEPEST = 12
"""Styles that are based on one another, which are looked at."""


def _indent(attributes: Mapping[str, str]) -> int:
    """Return by how much a paragraph is set in; 0 for a hanging one, as in lists of references."""
    left = attributes.get("w:left") or attributes.get("w:start") or ""
    return int(left) if re.fullmatch(r"\d{1,6}", left) and "w:hanging" not in attributes else 0


def read_word(opened: zipfile.ZipFile) -> tuple[str, DocumentText]:
    """Return the source (the XML of text and notes, one after the other) and what it says."""
    styles = _Styles()
    read_xml(member(opened, "word/styles.xml") or _NONE, 0, styles)
    sources = _sources(opened)
    document, *others = parts(opened)
    notes: dict[tuple[str, str], DocumentText] = {}
    begin = len(document)
    for kind, xml in zip(_NOTES, others, strict=True):
        story = _Story(styles, sources, {})
        read_xml(xml, begin, story)
        notes |= {(kind, number): text for number, text in story.separate.items()}
        begin += len(xml)
    story = _Story(styles, sources, notes)
    read_xml(document, 0, story)
    return "".join((document, *others)), story.out


def parts(opened: zipfile.ZipFile) -> list[str]:
    """Return the XML of the text, the footnotes and the endnotes: one after the other they are the source."""
    document = member(opened, DOCUMENT)
    if document is None:
        raise zipfile.BadZipFile(f"it has no {DOCUMENT}")
    return [document, *(member(opened, name) or _NONE for name in _NOTES.values())]


class _Story:
    """A reader of the document, or of its notes: then each note is a text of its own, in `separate`.

    Each of `notes` is taken out where it is first referred to, so that none is read a thousand times.
    """

    def __init__(
        self,
        styles: _Styles,
        sources: Mapping[str, CitedWork],
        notes: dict[tuple[str, str], DocumentText],
    ) -> None:
        self.out = DocumentText()
        self.separate: dict[str, DocumentText] = {}
        self._styles, self._sources, self._notes = styles, sources, notes
        self._skipped = 0
        self._inside: list[str] = []
        self._paragraphs: list[_Paragraph] = []
        self._fields: list[_Field] = []
        self._controls: list[_Control] = []
        self._looks: dict[str, bool] = {}
        self._told = False

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        if self._skipped or name in _SKIPPED:
            self._skipped += 1
            return
        self._inside.append(name)
        begin = self._BEGINS.get(name)
        if begin is not None:
            begin(self, attributes, at)
        elif name in _CHARACTERS and self._inside[-2:-1] == ["w:r"] and "w:type" not in attributes:
            self.out.add(_CHARACTERS[name], at, at)
        elif name in _UNKNOWN:
            self.out.flow.unread(at, at + 1)
        elif name == "m:den":
            self.out.add("/", at, at)
        elif self._inside[-3:-1] == ["w:r", "w:rPr"] and (look := _look(name, attributes.get("w:val", ""))):
            self._looks[look[0]] = look[1]
        elif self._paragraphs and "w:pPr" in self._inside[-4:]:
            self._property(self._paragraphs[-1], name, attributes)

    def _page(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out.break_page()

    def _note(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self.out = self.separate.setdefault(attributes.get("w:id", ""), DocumentText())

    def _reference(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        kind = self._inside[-1][2:].removesuffix("Reference")
        note = self._notes.pop((kind, attributes.get("w:id", "")), None)
        if note is not None:
            self.out.note(note)

    def _paragraph(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._paragraphs.append(_Paragraph(self.out.length))
        self.out.begin_paragraph(at)

    def _run(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._looks = {}
        self._told = False

    def _run_style(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._looks = {**self._styles.looks(attributes.get("w:val", "")), **self._looks}

    def _symbol(self, attributes: dict[str, str], at: int) -> None:
        char = symbol(attributes.get("w:font", ""), attributes.get("w:char", ""))
        self._add(UNREAD if char is None else char, at, at + 1)

    def _override(self, attributes: dict[str, str], at: int) -> None:
        if attributes.get("w:val") == "rtl":
            self.out.add(_RIGHT_TO_LEFT_OVERRIDE, at, at)

    def _add(self, text: str, start: int, end: int) -> None:
        """Add characters of a run as a reader sees them."""
        looks = {look for look, on in self._looks.items() if on}
        if "hidden" in looks:
            return
        if looks & {"unread", "tiny"} or ("white" in looks and "shaded" not in looks):
            if not self._told:
                self.out.flow.unread(start, end)
            self._told = True
            return
        if "rtl" in looks and not self._told:
            self.out.add(_RIGHT_TO_LEFT, start, start)
            self._told = True
        raised = "raised" in looks or "m:sup" in self._inside
        lowered = "lowered" in looks or "m:sub" in self._inside
        moved = as_superscripts(text) if raised else as_subscripts(text) if lowered else text
        for char in moved:
            self.out.add(char.upper() if "caps" in looks else char, start, end)

    def _control(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._controls.append(_Control(at, self.out.length))

    def _tag(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if self._controls:
            self._controls[-1].tag = attributes.get("w:val", "")

    def _simple_field(self, attributes: dict[str, str], at: int) -> None:
        self._fields.append(_Field(at, attributes.get("w:instr", ""), shown=self.out.length))

    def _property(self, paragraph: _Paragraph, name: str, attributes: dict[str, str]) -> None:
        if name == "w:pStyle":
            paragraph.style = attributes.get("w:val", "")
        elif name == "w:outlineLvl":
            paragraph.level = attributes.get("w:val", "")
        elif name == "w:numPr":
            paragraph.listed = True
        elif name == "w:ind":
            paragraph.indent = _indent(attributes)

    def _field(self, attributes: dict[str, str], at: int) -> None:
        what = attributes.get("w:fldCharType")
        if what == "begin":
            self._fields.append(_Field(at))
        elif what == "separate" and self._fields:
            self._fields[-1].shown = self.out.length
        elif what == "end" and self._fields:
            self._end_field(at)

    def _end_field(self, at: int) -> None:
        one = self._fields.pop()
        if one.shown is not None and is_citation(one.instruction):
            cited = read_field(one.instruction, one.data, self._sources)
            self.out.cite(min(one.shown, self.out.length), cited, one.at, at)
        elif self._fields and self._fields[-1].shown is None:
            self._fields[-1].data += one.data  # EndNote keeps its data in a field of their own

    def end(self, name: str, at: int) -> None:
        if self._skipped:
            self._skipped -= 1
            return
        self._inside.pop()
        if name == "w:p" and self._paragraphs:
            paragraph = self._paragraphs.pop()
            self.out.end_paragraph(min(paragraph.began, self.out.length), at, self._form(paragraph))
        elif name == "w:fldSimple" and self._fields:
            self._end_field(at)
        elif name == "w:sdt" and self._controls:
            control = self._controls.pop()
            self.out.cite(min(control.began, self.out.length), read_tag(control.tag), control.at, at)

    def _form(self, paragraph: _Paragraph) -> ParagraphForm:
        if re.fullmatch("[0-8]", paragraph.level):
            return "heading"
        if form := self._styles.form(paragraph.style):
            return "" if form == "indented" and paragraph.listed else form
        return "indented" if paragraph.indent >= _SET_IN and not paragraph.listed else ""

    def text(self, text: str, start: int, end: int) -> None:
        if self._skipped or not self._inside:
            return
        within = self._inside[-1]
        if within in ("w:t", "m:t"):
            self._add(text, start, end)
        elif within == "w:instrText" and self._fields:
            self._fields[-1].instruction += text
        elif within == "w:fldData" and self._fields:
            self._fields[-1].data += text

    _BEGINS: ClassVar[Mapping[str, Callable[["_Story", dict[str, str], int], None]]] = {
        "w:lastRenderedPageBreak": _page, "w:footnote": _note, "w:endnote": _note,
        "w:footnoteReference": _reference, "w:endnoteReference": _reference,
        "w:p": _paragraph, "w:r": _run, "m:r": _run, "w:rStyle": _run_style, "w:sym": _symbol,
        "w:bdo": _override,
        "w:sdt": _control, "w:tag": _tag, "w:fldSimple": _simple_field,
        "w:fldChar": _field,
    }  # fmt: skip
    """What the beginning of an element does, by its name."""


def _sources(opened: zipfile.ZipFile) -> dict[str, CitedWork]:
    """Return the sources that Word keeps in a document, by their tags."""
    found: dict[str, CitedWork] = {}
    for name in opened.namelist():
        if re.fullmatch(r"customXml/item\d{1,4}\.xml", name):
            xml = member(opened, name) or ""
            if "bibliography" in xml and "<!DOCTYPE" not in xml:
                root = ET.fromstring(xml)  # noqa: S314  # without a document type there are no entities
                for source in root.iterfind("{*}Source"):
                    tag = source.findtext("{*}Tag") or ""
                    found[tag] = CitedWork.of(
                        tag,
                        source.findtext("{*}DOI"),
                        source.findtext("{*}Title"),
                        source.findtext(".//{*}Last") or source.findtext(".//{*}Corporate") or "",
                        source.findtext("{*}Year") or "",
                    )
    return found
