"""Articles and books in TEI P5, also as GROBID writes them."""

from collections.abc import Iterator
from typing import Any

from lookup.text.printable import on_one_line
from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import (
    Anchors,
    attribute,
    child,
    children,
    descendants,
    entity_text,
    is_struck,
    local_name,
)
from pipeline.markup.markup_text import MarkupText, Run, Story, plain

_KINDS = {
    "note": "footnote",
    "item": "list",
    "quote": "quote",
    "lg": "quote",
    "code": "code",
    "eg": "code",
    "formula": "formula",
    "figDesc": "caption",
    "row": "table",
    "bibl": "reference",
    "biblStruct": "reference",
    "byline": "front",
    "docDate": "front",
    "docTitle": "title",
}
_BLOCKS = frozenset(
    """
    argument back body castList cit closer div div1 div2 div3 div4 docTitle epigraph figDesc figure
    floatingText front group head item l lg list listBibl note opener p row sp table text titlePage
    """.split()
)
_DISPLAYED = frozenset({"bibl", "biblStruct", "code", "eg", "formula", "quote"})
"""Blocks where they are children of a division or list, else parts of a line."""

_SILENT = frozenset({"fw", "graphic", "index", "lb", "pb", "cb", "gb", "teiHeader"})
_REPLACED = frozenset({"orig", "sic", "abbr"})
"""Within a choice, which has another form beside them; elsewhere they are the text."""

_PARTED = frozenset({"row", "biblStruct", "lg"})


def read_tei(root: Any) -> MarkupText:
    """Return the text of a TEI document."""
    reader = _Reader()
    header = next(descendants(root, "teiHeader"), None)
    abstract = next(descendants(header, "abstract"), None)
    if abstract is not None:
        reader.walk(abstract, reader.story.unnamed("Abstract"), "body")
    for text in children(root, "text"):
        reader.walk(text, NOWHERE, "body")
    return MarkupText(tuple(reader.story.paragraphs), _metadata(header))


class _Reader:
    def __init__(self) -> None:
        self.story = Story()
        self._anchors = Anchors()

    def walk(self, element: Any, section: SectionHeading, kind: str) -> None:
        """Read an element whose text is of this kind where nothing within it says more."""
        kind = _KINDS.get(local_name(element), kind)
        runs: list[Run] = []
        floats = []
        for part in _parts(element, raised=False):
            if isinstance(part, tuple):
                runs.append(part)
            elif local_name(part) == "note":  # it stands elsewhere, and the text goes on
                floats.append(part)
            else:
                self.story.add(kind, runs, self._anchors.of(element), section)
                runs = []
                if local_name(part) == "head":
                    section = self._head(part, element, section)
                else:
                    self.walk(part, section, kind)
        self.story.add(kind, runs, self._anchors.of(element), section)
        for part in floats:
            self.walk(part, section, kind)

    def _head(self, head: Any, around: Any, section: SectionHeading) -> SectionHeading:
        number = attribute(head, "n")
        runs = [(f"{number} " if number else "", False), *_runs(head)]
        if local_name(around) in {"figure", "table", "list"}:
            self.story.add("caption", runs, self._anchors.of(head), section)
            return section
        return self.story.begin(runs, self._anchors.of(head), section)


def _runs(element: Any) -> list[Run]:
    if element is None:
        return []
    return [part for part in _parts(element, raised=False) if isinstance(part, tuple)]


def _parts(element: Any, *, raised: bool) -> Iterator[Any]:
    """Yield the runs of an element's text, and the blocks that stand within it."""
    parted = local_name(element) in _PARTED
    inline = local_name(element) in {"p", "head", "item", "note", "quote"}
    if element.text:
        yield element.text, raised
    for one in element:
        name = local_name(one)
        if not name:
            yield entity_text(one), raised
        elif name in {"lb", "pb", "cb"}:
            yield "" if attribute(one, "break") == "no" else " ", raised
        elif name in _SILENT or (name in _REPLACED and local_name(element) == "choice"):
            pass
        elif is_struck(one, "tei"):
            yield from ((text, None) for text, _ in _runs(one))
        elif not parted and (name in _BLOCKS or (name in _DISPLAYED and not inline)):
            yield one
        else:
            yield from _parts(one, raised=raised or attribute(one, "rend") in {"sup", "superscript"})
        if parted:
            yield " ", raised
        if one.tail:
            yield one.tail, raised


def _metadata(header: Any) -> Metadata:
    title = child(next(descendants(header, "titleStmt"), None), "title")
    source = next(descendants(header, "sourceDesc"), header)
    names = [one for author in descendants(source, "author") for one in children(author, "persName")]
    dates = [attribute(one, "when") or one.text or "" for one in descendants(header, "date")]
    numbers = [
        one.text or "" for one in descendants(header, "idno") if attribute(one, "type").upper() == "DOI"
    ]
    journal = next((one for one in descendants(source, "title") if attribute(one, "level") == "j"), None)
    return Metadata(
        title=plain(_runs(title)) or None,
        authors=tuple(filter(None, map(_author, names))),
        year=next(filter(None, map(year_in, dates)), None),
        doi=next(filter(None, map(normalised_doi, numbers)), None),
        venue=plain(_runs(journal)) or None,
    )


def _author(name: Any) -> str:
    family = " ".join(plain(_runs(one)) for one in children(name, "surname"))
    given = " ".join(plain(_runs(one)) for one in children(name, "forename"))
    return on_one_line(", ".join(filter(None, (family, given))) or plain(_runs(name)))
