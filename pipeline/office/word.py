"""Documents of Word and others in .docx (Office Open XML)."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import ClassVar

from pipeline.office.archive import Archive, DocumentError
from pipeline.office.listener import (
    DEEPEST,
    MOST_STYLES,
    Listener,
    Moved,
    ParagraphForm,
    kind_of_style,
    named_apart,
    symbol,
)
from pipeline.office.xml_events import Steps, XmlReader, read_xml

DOCUMENT, STYLES = "word/document.xml", "word/styles.xml"
NOTES = {"footnote": "word/footnotes.xml", "endnote": "word/endnotes.xml"}
_NONE = "<none/>"
_SKIPPED = frozenset({"mc:Fallback", "w:del", "w:moveFrom", "w:rt"})
"""Elements whose text is written twice, is no longer there, or is a reading beside its word."""

_UNKNOWN = frozenset(
    {"wp:inline", "w:pict", "w:object", "m:d", "m:nary", "m:rad", "m:m", "m:eqArr", "m:acc", "m:bar"}
)
"""Pictures, and formulas that are more than their characters in a row."""

_CHARACTERS = {"w:tab": "\t", "w:br": "\n", "w:cr": "\n", "w:noBreakHyphen": "-"}
_SMALLEST = 8  # Half-points: text under 4 points is not read by people.
_MOVED = 4  # Half-points by which a text is raised or lowered that is a superscript or subscript.

_SET_IN = 360
"""Twips (1/20 point) from the left margin, from which a paragraph is set in: a quarter of an inch."""

_DIGITS = 9  # Digits of a size that are read.

_OFF = frozenset({"0", "false", "off", "none"})
_RIGHT_TO_LEFT, _RIGHT_TO_LEFT_OVERRIDE = "\u202b", "\u202e"


class WordDocument:
    """A .docx: its `source` is the XML of text, footnotes and endnotes, one after the other.

    Raise DocumentError without a text; see `read_xml` for others.
    """

    def __init__(self, archive: Archive) -> None:
        text = archive.text(DOCUMENT)
        if text is None:
            raise DocumentError(f"it has no {DOCUMENT}")
        self.parts = {"": text, **{kind: archive.text(name) or _NONE for kind, name in NOTES.items()}}
        self._styles = _Styles()
        read_xml(archive.text(STYLES) or _NONE, 0, self._styles)

    @property
    def source(self) -> str:
        """Return the XML of all parts, one after the other."""
        return "".join(self.parts.values())

    def tell(self, part: str, listener: Listener) -> None:
        """Tell of a part: '' for the text, 'footnote' or 'endnote'."""
        kinds = list(self.parts)
        begin = sum(len(self.parts[kind]) for kind in kinds[: kinds.index(part)])
        steps = Steps(f"{part}s#" if part else "")
        read_xml(self.parts[part], begin, _Walk(self._styles, steps, listener))


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
    style: str = ""
    level: str = ""
    indent: int = 0
    listed: bool = False
    shaded: bool = False
    framed: bool = False


@dataclass(frozen=True)
class _Style:
    name: str = ""
    based_on: str = ""
    level: int = 0
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


@dataclass
class _Styles(XmlReader):
    """A reader of word/styles.xml."""

    by_id: dict[str, _Style] = field(default_factory=dict)
    _id: str = ""

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if name == "w:style":
            self._id = attributes.get("w:styleId", "")
            self.by_id[self._id] = _Style()
            if len(self.by_id) > MOST_STYLES:
                raise DocumentError(f"it has over {MOST_STYLES:,} styles")
            return
        now = self.by_id.get(self._id)
        value = attributes.get("w:val", "")
        if now is None:
            return
        if name == "w:name":
            named = re.fullmatch(r"heading( [1-9])?.{0,200}", value.casefold())
            level = int(named[1] or 1) if named else 0
            now = replace(now, name=value.casefold(), level=now.level or level)
        elif name == "w:basedOn":
            now = replace(now, based_on=value)
        elif name == "w:outlineLvl":
            now = replace(now, level=_level(value) or now.level)
        elif name == "w:ind":
            now = replace(now, indent=_indent(attributes))
        elif look := _look(name, value):
            now = replace(now, looks={**now.looks, look[0]: look[1]})
        self.by_id[self._id] = now

    def end(self, name: str, at: int) -> None:  # noqa: ARG002
        if name == "w:style":
            self._id = ""

    def looks(self, style: str) -> dict[str, bool]:
        """Return what a style of characters makes of them."""
        found: dict[str, bool] = {}
        for _ in range(DEEPEST):
            one = self.by_id.get(style, _Style())
            found = {**one.looks, **found}
            style = one.based_on
        return found

    def form(self, style: str) -> ParagraphForm:
        """Return what a style makes of a paragraph: it tells, or one that it is based on."""
        indented, apart = False, named_apart(self.by_id.get(style, _Style()).name)
        for _ in range(DEEPEST):
            one = self.by_id.get(style, _Style())
            if one.level:
                return ParagraphForm("heading", one.level)
            indented = indented or one.indent >= _SET_IN
            if kind := kind_of_style(one.name):
                return ParagraphForm(kind, indented=indented)
            style = one.based_on
        return ParagraphForm(indented=indented, apart=apart)


def _level(value: str) -> int:
    """Return the level, from 1, that an outline level says; 9 is running text, and others are none."""
    return int(value) + 1 if re.fullmatch("[0-8]", value) else 0


def _indent(attributes: Mapping[str, str]) -> int:
    """Return by how much a paragraph is set in; 0 for a hanging one, as in lists of references."""
    left = attributes.get("w:left") or attributes.get("w:start") or ""
    return int(left) if re.fullmatch(r"\d{1,6}", left) and "w:hanging" not in attributes else 0


class _Walk(XmlReader):
    """A reader of the text, or of notes."""

    def __init__(self, styles: _Styles, steps: Steps, out: Listener) -> None:
        self._styles, self._steps, self._out = styles, steps, out
        self._around: list[Listener] = []
        self._skipped = 0
        self._inside: list[str] = []
        self._paragraphs: list[_Paragraph] = []
        self._shaded_cells: list[bool] = []
        self._fields: list[_Field] = []
        self._controls: list[_Control] = []
        self._looks: dict[str, bool] = {}
        self._told = False

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        self._steps.enter(attributes)
        rule_between_notes = name in ("w:footnote", "w:endnote") and "w:type" in attributes
        if self._skipped or name in _SKIPPED or rule_between_notes:
            self._skipped += 1
            return
        self._inside.append(name)
        begin = self._BEGINS.get(name)
        if begin is not None:
            begin(self, attributes, at)
        elif name in _CHARACTERS and self._inside[-2:-1] == ["w:r"] and "w:type" not in attributes:
            self._out.text(_CHARACTERS[name], at, at)
        elif name in _UNKNOWN:
            self._out.unread(at, at + 1)
        elif name == "m:den":
            self._out.text("/", at, at)
        elif self._inside[-3:-1] == ["w:r", "w:rPr"] and (look := _look(name, attributes.get("w:val", ""))):
            self._looks[look[0]] = look[1]
        elif name == "w:shd" and self._inside[-2:-1] == ["w:tcPr"] and self._shaded_cells:
            self._shaded_cells[-1] = True
        elif self._paragraphs and "w:pPr" in self._inside[-4:]:
            self._property(self._paragraphs[-1], name, attributes)

    def _note(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._around.append(self._out)
        self._out = self._out.begin_note(_reference(self._inside[-1][2:], attributes))

    def _paragraph(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._paragraphs.append(_Paragraph())
        self._out.begin_paragraph(at, self._steps.anchor())

    def _run(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._looks = {}
        self._told = False

    def _run_style(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        self._looks = {**self._styles.looks(attributes.get("w:val", "")), **self._looks}

    def _symbol(self, attributes: dict[str, str], at: int) -> None:
        char = symbol(attributes.get("w:font", ""), attributes.get("w:char", ""))
        if char is None:
            self._show(lambda _: self._out.unread(at, at + 1), at, at + 1)
        else:
            self._show(partial(self._out.text, char, at, at + 1), at, at + 1)

    def _override(self, attributes: dict[str, str], at: int) -> None:
        if attributes.get("w:val") == "rtl":
            self._out.turn(_RIGHT_TO_LEFT_OVERRIDE, at)

    def _show(self, tell: Callable[[Moved], None], start: int, end: int) -> None:
        """Tell of characters of a run, by how they are moved, if a reader sees them as text."""
        looks = {look for look, on in self._looks.items() if on}
        if "hidden" in looks:
            return
        shaded = "shaded" in looks or any(one.shaded for one in self._paragraphs) or any(self._shaded_cells)
        if looks & {"unread", "tiny"} or ("white" in looks and not shaded):
            if not self._told:
                self._out.unread(start, end)
            self._told = True
            return
        if "rtl" in looks and not self._told:
            self._out.turn(_RIGHT_TO_LEFT, start)
            self._told = True
        raised = "raised" in looks or "m:sup" in self._inside
        lowered = "lowered" in looks or "m:sub" in self._inside
        tell("raised" if raised else "lowered" if lowered else "")

    def _tag(self, attributes: dict[str, str], at: int) -> None:  # noqa: ARG002
        if self._controls:
            self._controls[-1].tag = attributes.get("w:val", "")

    def _property(self, paragraph: _Paragraph, name: str, attributes: dict[str, str]) -> None:
        if name == "w:pStyle":
            paragraph.style = attributes.get("w:val", "")
        elif name == "w:outlineLvl":
            paragraph.level = attributes.get("w:val", "")
        elif name == "w:numPr":
            paragraph.listed = True
        elif name == "w:ind":
            paragraph.indent = _indent(attributes)
        elif name == "w:shd":
            paragraph.shaded = True
        elif name == "w:pBdr":
            paragraph.framed = True

    def _field(self, attributes: dict[str, str], at: int) -> None:
        what = attributes.get("w:fldCharType")
        if what == "begin":
            self._fields.append(_Field(at))
        elif what == "separate" and self._fields:
            self._fields[-1].shown = self._out.length
        elif what == "end" and self._fields:
            self._end_field(at)

    def _end_field(self, at: int) -> None:
        one = self._fields.pop()
        if one.shown is not None:
            self._out.cited(one.shown, "field", one.instruction, one.at, at, one.data)
        if self._fields and self._fields[-1].shown is None:
            self._fields[-1].data += one.data  # EndNote keeps its data in a field of their own

    def end(self, name: str, at: int) -> None:
        self._steps.leave()
        if self._skipped:
            self._skipped -= 1
            return
        self._inside.pop()
        if name == "w:p" and self._paragraphs:
            self._out.end_paragraph(at, self._form(self._paragraphs.pop()))
        elif name == "w:tr":
            self._out.end_row()
        elif name == "w:tc":
            self._shaded_cells.pop()
        elif name in ("w:footnote", "w:endnote"):
            self._out.end_note()
            self._out = self._around.pop()
        elif name == "w:fldSimple" and self._fields:
            self._end_field(at)
        elif name == "w:sdt" and self._controls:
            control = self._controls.pop()
            self._out.cited(control.began, "control", control.tag, control.at, at)

    def _form(self, paragraph: _Paragraph) -> ParagraphForm:
        if level := _level(paragraph.level):
            return ParagraphForm("heading", level)
        form = self._styles.form(paragraph.style)
        if paragraph.listed:
            return replace(form, kind="list" if form.kind == "body" else form.kind, indented=False)
        apart = form.apart or ("a frame" if paragraph.framed or paragraph.shaded else "")
        return replace(form, indented=form.indented or paragraph.indent >= _SET_IN, apart=apart)

    def text(self, text: str, start: int, end: int) -> None:
        if self._skipped or not self._inside:
            return
        within = self._inside[-1]
        if within in ("w:t", "m:t"):
            self._shown(text, start, end)
        elif within == "w:instrText" and self._fields:
            self._fields[-1].instruction += text
        elif within == "w:fldData" and self._fields:
            self._fields[-1].data += text

    def _shown(self, text: str, start: int, end: int) -> None:
        capitals = text.upper() if self._looks.get("caps") else text
        if len(capitals) == len(text):
            self._show(partial(self._out.text, capitals, start, end), start, end)
            return
        for at, char in enumerate(text, start):  # the capitals of "ß" are two
            self._show(partial(self._out.text, char.upper(), at, at + 1), at, at + 1)

    _BEGINS: ClassVar[Mapping[str, Callable[["_Walk", dict[str, str], int], None]]] = {
        "w:p": _paragraph,
        "w:r": _run,
        "m:r": _run,
        "w:rStyle": _run_style,
        "w:sym": _symbol,
        "w:bdo": _override,
        "w:footnote": _note,
        "w:endnote": _note,
        "w:tag": _tag,
        "w:fldChar": _field,
        "w:lastRenderedPageBreak": lambda self, _, __: self._out.break_page(),
        "w:tr": lambda self, _, __: self._out.begin_row(self._steps.anchor()),
        "w:tc": lambda self, _, __: self._shaded_cells.append(False),
        "w:footnoteReference": lambda self, said, _: self._out.refer(_reference("footnote", said)),
        "w:endnoteReference": lambda self, said, _: self._out.refer(_reference("endnote", said)),
        "w:sdt": lambda self, _, at: self._controls.append(_Control(at, self._out.length)),
        "w:fldSimple": lambda self, said, at: self._fields.append(
            _Field(at, said.get("w:instr", ""), shown=self._out.length)
        ),
    }
    """What the beginning of an element does, by its name."""


def _reference(name: str, attributes: Mapping[str, str]) -> str:
    return f"{name} {attributes.get('w:id', '')}"
