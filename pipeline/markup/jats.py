"""Articles in JATS (ANSI/NISO Z39.96) and in the NLM markup before it."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from lookup.text.printable import on_one_line
from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import (
    Anchors,
    child,
    children,
    descendants,
    entity_text,
    is_struck,
    local_name,
    outermost,
)
from pipeline.markup.markup_text import MarkupText, Run, Story, plain

_FLOATS = frozenset(
    """
    boxed-text fig fig-group fn media supplementary-material table-wrap table-wrap-group
    """.split()
)
"""Blocks that the text around them runs past."""

_BLOCKS = _FLOATS | {
    "ack",
    "app",
    "app-group",
    "array",
    "code",
    "def-item",
    "def-list",
    "disp-formula",
    "disp-formula-group",
    "disp-quote",
    "fn-group",
    "glossary",
    "list",
    "list-item",
    "notes",
    "p",
    "preformat",
    "ref-list",
    "sec",
    "speech",
    "statement",
    "tr",
    "verse-group",
}
_SILENT = frozenset(
    """
    abstract-type alt-text alt-title annotation graphic index-term inline-graphic label long-desc media
    object-id permissions sec-meta tex-math title
    """.split()
)
"""Elements that print nothing, or nothing where they stand."""

_WITHIN = _SILENT - {"label", "title"}
_KINDS = {"disp-quote": "quote", "verse-group": "quote", "list": "list", "def-list": "list", "fn": "footnote"}
"""The kind of what stands within a block."""

_REFERENCES = ("mixed-citation", "element-citation", "citation", "nlm-citation")


def read_jats(root: Any) -> MarkupText:
    """Return the article of a JATS document."""
    article = next(descendants(root, "article"), root)
    front = child(article, "front")
    meta = child(front, "article-meta")
    reader = _Reader()
    reader.front(meta)
    reader.article(article)
    return MarkupText(tuple(reader.story.paragraphs), _metadata(front, meta))


class _Reader:
    def __init__(self) -> None:
        self.story = Story()
        self._anchors = Anchors()

    def front(self, meta: Any) -> None:
        """Read what stands before the text."""
        for title in descendants(meta, "article-title", "subtitle"):
            if local_name(title.getparent()) == "title-group":
                self._add("title", title)
        authors = list(_authors(meta))
        if authors:
            self.story.add("front", [(", ".join(authors), False)], self._anchors.of(meta))
        for part in descendants(meta, "aff", "corresp", "copyright-statement", "license-p"):
            self._add("front", part)
        for abstract in children(meta, "abstract", "trans-abstract"):
            section = self._begin(child(abstract, "title"), NOWHERE)
            self._walk_all(abstract, self.story.unnamed("Abstract") if section == NOWHERE else section)
        for group in children(meta, "kwd-group"):
            words = ", ".join(plain(_runs(word)) for word in descendants(group, "kwd"))
            title = child(group, "title")
            before = plain(_runs(title)).rstrip(":") if title is not None else "Keywords"
            self.story.add("front", [(f"{before}: {words}" if words else "", False)], self._anchors.of(group))

    def article(self, article: Any) -> None:
        """Read the text of an article, and of those within it."""
        for part in children(article, "body", "back", "floats-group", "sub-article", "response"):
            if local_name(part) in {"sub-article", "response"}:
                self._begin(next(descendants(part, "article-title"), None), NOWHERE)
                self.article(part)
            else:
                self._walk_all(part, NOWHERE)

    def _walk_all(self, element: Any, section: SectionHeading, kind: str = "body") -> None:
        for part in children(element):
            self._walk(part, section, kind)

    def _walk(self, element: Any, section: SectionHeading, kind: str) -> None:
        name = local_name(element)
        kind = _KINDS.get(name, kind)
        if name in _SILENT:
            return
        if name in {"fig", "table-wrap", "supplementary-material"}:
            self._float(element, section)
        elif name == "ref-list":
            self._references(element, section)
        elif name in {"disp-formula", "code", "preformat"}:
            self._add("formula" if name == "disp-formula" else "code", element, section)
        elif name == "list-item":
            self._item(element, section)
        elif name == "def-item":
            self._add("list", element, section)
        elif name == "tr":
            self._add("table", element, section)
        elif name == "p" or (
            (title := child(element, "title")) is None
            and not any(local_name(one) in _BLOCKS for one in element.iterdescendants())
        ):
            self._paragraph(element, section, kind)
        else:
            section = self._begin(title, section, _label(element))
            self._walk_all(element, section, kind)

    def _paragraph(self, element: Any, section: SectionHeading, kind: str) -> None:
        """Read a paragraph; blocks within it part it, but for floats, which stand after it."""
        floats = []
        runs: list[Run] = []
        for part in _parts(element):
            if isinstance(part, tuple):
                runs.append(part)
            elif local_name(part) in _FLOATS:
                floats.append(part)
            else:
                self.story.add(kind, runs, self._anchors.of(element), section)
                runs = []
                self._walk(part, section, kind)
        self.story.add(kind, runs, self._anchors.of(element), section)
        for part in floats:
            self._walk(part, section, kind)

    def _item(self, item: Any, section: SectionHeading) -> None:
        before = _label(item)
        for part in children(item):
            if before and local_name(part) == "p":
                self.story.add("list", [*before, *_runs(part)], self._anchors.of(part), section)
                before = []
                for block in children(part):
                    if local_name(block) in _BLOCKS:
                        self._walk(block, section, "list")
            else:
                self._walk(part, section, "list")

    def _float(self, element: Any, section: SectionHeading) -> None:
        """Read a figure or table: label and caption are one paragraph, as they are printed."""
        caption = child(element, "caption")
        runs = _label(element) + [run for part in children(caption) for run in [*_runs(part), (" ", False)]]
        self.story.add("caption", runs, self._anchors.of(element if caption is None else caption), section)
        for part in children(element):
            if local_name(part) in {"table-wrap-foot", "attrib"}:
                self._walk(part, section, "footnote")
            elif local_name(part) not in {"label", "caption", *_SILENT}:
                self._walk_all(part, section, "table")

    def _references(self, element: Any, section: SectionHeading) -> None:
        section = self._begin(child(element, "title"), section)
        for part in children(element):
            if local_name(part) == "ref":
                for entry in outermost(part, *_REFERENCES):
                    runs = [*_label(part), *_entry(entry)]
                    self.story.add("reference", runs, self._anchors.of(part), section)
            else:
                self._walk(part, section, "body")

    def _begin(self, title: Any, around: SectionHeading, label: Sequence[Run] = ()) -> SectionHeading:
        """Begin the section of a title; without one, go on in that around it."""
        if title is None:
            return around
        return self.story.begin([*label, *_runs(title)], self._anchors.of(title), around)

    def _add(self, kind: str, element: Any, section: SectionHeading = NOWHERE) -> None:
        self.story.add(kind, _runs(element), self._anchors.of(element), section)


def _label(element: Any) -> list[Run]:
    """Return the label of an element, parted from what follows; [] without one."""
    return [run for label in list(children(element, "label"))[:1] for run in [*_runs(label), (" ", False)]]


def _runs(element: Any) -> list[Run]:
    """Return the text of an element without the blocks within it; of cells and terms with them."""
    if element is None:
        return []
    whole = local_name(element) in {"tr", "def-item", "title"}
    return [part for part in _parts(element, whole=whole) if isinstance(part, tuple)]


def _parts(element: Any, *, raised: bool = False, whole: bool = False) -> Iterator[Any]:
    """Yield the runs of an element's text, and the blocks that stand within it; if `whole`, their text."""
    if element.text:
        yield element.text, raised
    parted = whole or local_name(element) in {"mfrac", "mtr", "name"}
    power = local_name(element) in {"msup", "msubsup"}
    for number, one in enumerate(element):
        name = local_name(one)
        if not name:
            yield entity_text(one), raised
        elif name == "alternatives":
            best = child(one, "math", "textual-form")
            yield from _parts(one if best is None else best, raised=raised, whole=whole)
        elif name in _BLOCKS and not whole:
            yield one
        elif name == "break":
            yield " ", False
        elif name not in _WITHIN:
            last = power and number == len(element) - 1
            up = raised or last or name == "sup" or _is_raised_mark(one)
            struck = is_struck(one, "jats")
            parts = _parts(one, raised=up, whole=struck or (whole and name not in _INLINE))
            yield from ((text, None) for text, _ in parts) if struck else parts
        if parted and name not in _INLINE:
            yield " ", False
        if one.tail:
            joins = _JOINT.fullmatch(one.tail) and _is_raised_mark(one.getnext())
            yield one.tail, raised or bool(joins)


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


_INLINE = frozenset(
    {
        "bold",
        "email",
        "ext-link",
        "fixed-case",
        "inline-formula",
        "italic",
        "math",
        "monospace",
        "named-content",
        "overline",
        "roman",
        "sans-serif",
        "sc",
        "styled-content",
        "sub",
        "sup",
        "underline",
        "uri",
        "xref",
        "",
    }
)
"""Elements within a line of text: nothing parts them from what stands beside them."""


def _entry(entry: Any) -> Iterator[Run]:
    """Yield the text of an entry of the list of references; fields without text between them are parted."""
    if any((one.tail or "").strip() for one in entry):
        yield from _runs(entry)
        return
    for one in entry:
        yield from _joined_fields(one)
        yield " ", False


def _joined_fields(element: Any) -> Iterator[Run]:
    if local_name(element) in {"person-group", "name"}:
        for one in element:
            yield from _joined_fields(one)
            yield " ", False
    elif local_name(element):
        yield from _runs(element)


def _metadata(front: Any, meta: Any) -> Metadata:
    title = child(child(meta, "title-group"), "article-title")
    journal = next(descendants(front, "journal-title"), None)
    years = [
        year
        for date in children(meta, "pub-date")
        if (of := child(date, "year")) is not None and (year := year_in(of.text or ""))
    ]
    numbers = [one.text for one in children(meta, "article-id") if one.get("pub-id-type") == "doi"]
    abstract = next((one for one in children(meta, "abstract") if not one.get("abstract-type")), None)
    parts = [plain(_runs(one)) for one in descendants(abstract, "p")]
    return Metadata(
        title=plain(_runs(title)) or None,
        authors=tuple(_authors(meta)),
        year=min(years, default=None),
        doi=normalised_doi(numbers[0] or "") if numbers else None,
        venue=plain(_runs(journal)) or None,
        abstract="\n\n".join(parts) or None,
    )


def _authors(meta: Any) -> Iterator[str]:
    """Yield "Family, Given" of each author."""
    for group in children(meta, "contrib-group"):
        for one in children(group, "contrib"):
            if one.get("contrib-type", "author") != "author":
                continue
            name = next(descendants(one, "name", "string-name", "collab"), None)
            if name is not None:
                surname, given = child(name, "surname"), child(name, "given-names")
                parts = [surname, given] if surname is not None else [name]
                yield on_one_line(", ".join(plain(_runs(part)) for part in parts if part is not None))
