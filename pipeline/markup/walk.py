"""Elements to paragraphs: one walker for all vocabularies."""

import re
from collections.abc import Iterator
from typing import Any

from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.markup.elements import Anchors, attribute, child, entity_text, local_name
from pipeline.markup.markup_text import Run, Story
from pipeline.markup.vocabulary import FIELDS, MarkupVocabulary

_NO_KIND = frozenset({"", "block", "heading", "label", "line end", "struck", "silent"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_NOTES = frozenset({"endnote", "endnotes", "footnote", "footnotes", "note", "rearnote", "rearnotes"})
"""What elements say that they are, if their text is notes (EPUB's vocabulary, and that of DPUB-ARIA)."""

_CITATIONS = ("mixed-citation", "element-citation", "nlm-citation", "citation")
_FORMS = {
    "alternatives": ("math", "textual-form", "table", "graphic"),
    "citation-alternatives": _CITATIONS,
    "ref": _CITATIONS,
}
"""Elements that may hold one text in several forms: of these, the first that is there is read."""


class Walker:
    """Tells a story what the elements of a vocabulary print, in reading order."""

    def __init__(self, vocabulary: MarkupVocabulary, story: Story, anchors: Anchors) -> None:
        self.story = story
        self._vocabulary = vocabulary
        self._anchors = anchors
        self._within: list[tuple[int, SectionHeading]] = []
        self._label: list[Run] = []

    @property
    def section(self) -> SectionHeading:
        """Return the section that has what is told next."""
        return self._within[-1][1] if self._within else NOWHERE

    def walk(self, element: Any, kind: str = "body", section: SectionHeading | None = None) -> None:
        """Tell what an element prints: of this kind where it says no other; in this section, if given."""
        around = [*self._within]
        if section is not None:
            self._within.append((0, section))
        name, role = local_name(element), self._role(element)
        if kind != "footnote" and role not in _NO_KIND:
            kind = role
        runs: list[Run] = []
        floats = []
        for part in self._parts(element, line=name in self._vocabulary.lines):
            if isinstance(part, tuple):
                runs.append(part)
            elif local_name(part) in self._vocabulary.floats and name in self._vocabulary.lines:
                floats.append(part)
            else:
                self._tell(kind, runs, element)
                runs = []
                self._block(part, element, kind)
        self._tell(kind, runs, element)
        for part in floats:
            self.walk(part, kind)
        self._label = []
        if name == "aside" or (self._vocabulary.nested and name != "caption"):  # it heads what is around it
            self._within = around

    def tell(self, kind: str, element: Any) -> None:
        """Tell all text of an element as one paragraph; nothing for None."""
        self._tell(kind, self.runs(element), element)

    def add(self, kind: str, text: str, element: Any) -> None:
        """Tell a paragraph that an element stands for."""
        self._tell(kind, [(text, False)], element)

    def begin(self, heading: Any, level: int | None = None) -> None:
        """End the sections of this level and of those below it; begin that of the heading, unless None."""
        runs = [*self._label, *self.runs(heading)]
        self._label = []
        level = len(self._within) if level is None else level
        while self._within and self._within[-1][0] >= level:
            self._within.pop()
        if heading is not None:
            section = self.story.begin(runs, self._anchors.of(heading), self.section)
            self._within.append((level, section))

    def runs(self, element: Any) -> list[Run]:
        """Return all text of an element; [] of None."""
        if element is None:
            return []
        return [part for part in self._parts(element, whole=True) if isinstance(part, tuple)]

    def _tell(self, kind: str, runs: list[Run], element: Any) -> None:
        if any(text.strip() for text, _ in runs):
            self.story.add(kind, [*self._label, *runs], self._anchors.of(element), self.section)
            self._label = []

    def _block(self, element: Any, around: Any, kind: str) -> None:
        role = self._role(element)
        captioned = local_name(around) in self._vocabulary.captioned
        if role == "label" and not (captioned and child(around, "caption") is None):
            self._label = [*self.runs(element), (" ", False)]
        elif captioned and (role in {"heading", "label"} or local_name(element) == "caption"):
            self.tell("caption", element)
        elif role == "heading":
            self._heading(element)
        else:
            self.walk(element, kind)

    def _heading(self, element: Any) -> None:
        name = local_name(element)
        if name == "h1" and not self.story.paragraphs:
            self.tell("title", element)
        elif self._vocabulary.nested:
            self.begin(element)
        else:
            self.begin(element, int(name[1]))

    def _role(self, element: Any) -> str:
        """Return the role of an element, by its name and by what it says that it is and how it looks."""
        name = local_name(element)
        roles = (one[4:] for one in element.get("role", "").split() if one.startswith("doc-"))
        said = {*element.get("epub:type", "").split(), *roles}  # {"footnote"}, {"sidebar"}, ...
        if said & _NOTES:  # reading systems hide notes until they are called
            return "footnote"
        style = attribute(element, "style")
        if element.get("hidden") is not None or _HIDDEN.search(style) or (name == "aside" and not said):
            return "silent"
        if "line-through" in style.lower():
            return "struck"
        return self._vocabulary.roles.get(name, "")

    def _parts(
        self, element: Any, *, line: bool = False, whole: bool = False, raised: bool = False
    ) -> Iterator[Any]:
        """Yield the runs of an element's text, and the blocks within it; if `whole`, the text of these."""
        name = local_name(element)
        whole = whole or name in self._vocabulary.rows
        fields = name in FIELDS and not any((one.tail or "").strip() for one in element)
        repeated = _other_forms(element)
        yield element.text or "", raised
        for one in element:
            role = self._role(one) if local_name(one) else "silent"
            if not local_name(one):
                yield entity_text(one), raised
            elif role == "line end":
                yield "\n", raised
            elif role == "struck":
                yield from ((text, None) for text, _ in self.runs(one))
            elif role not in {"", "silent"} and not (whole or (line and role in {"heading", "label"})):
                yield one
            elif local_name(one) not in repeated and (role != "silent" or fields):
                yield from self._parts(one, line=line, whole=whole, raised=raised or _is_raised(one))
            if fields or (whole and role not in {"", "silent", "line end", "struck"}):
                yield " ", False
            if one.tail:
                joins = _JOINT.fullmatch(one.tail) and _is_raised_mark(one.getnext())
                yield one.tail, raised or bool(joins)


def _other_forms(element: Any) -> frozenset[str]:
    """Return the names of those children that repeat the text of another child in another form."""
    forms = _FORMS.get(local_name(element), ())
    there = {local_name(one) for one in element} if forms else set()
    read = next((one for one in forms if one in there), "")
    return frozenset(forms) - {read}


def _is_raised(element: Any) -> bool:
    power = local_name(element.getparent()) in {"msup", "msubsup"} and element.getnext() is None
    return power or local_name(element) == "sup" or _is_raised_mark(element)


_MARK = re.compile(r"\d{1,3}(?:[,–-]\d{1,3})*")
_JOINT = re.compile(r"[,–-]+ ?")
_MARKS = 50  # Marks in a row that are looked through for the word before them.


def _is_raised_mark(xref: Any) -> bool:
    """Return whether an element has numbers of cited works that are superscripts by the journal's style.

    The markup does not say so: they stand close to the word before them, in no bracket.
    """
    for _ in range(_MARKS):
        if xref is None or local_name(xref) != "xref" or xref.get("ref-type") != "bibr":
            return False
        if not _MARK.fullmatch(xref.text or ""):
            return False
        other = xref.getprevious()
        before = (xref.getparent().text if other is None else other.tail) or ""
        if other is None or not _JOINT.fullmatch(before):
            is_open = max(before.rfind("["), before.rfind("(")) > max(before.rfind("]"), before.rfind(")"))
            return bool(before) and not is_open and (before[-1].isalnum() or before[-1] in ".,;:)]%'’\"”")
        xref = other
    return False
