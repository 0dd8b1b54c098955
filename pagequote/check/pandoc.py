"""Quotations of a document that Pandoc or Quarto renders: its tree, read and marked with verdicts."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import groupby
from typing import Any, NamedTuple

from lookup.papers.locators import parse_locator
from pagequote.check.latex import read_within
from pagequote.check.markdown_blocks import contain_named
from pagequote.check.quotation import Citation, Quotation
from pagequote.check.quoting import quoting
from pagequote.check.running_text import RunningText

Element = dict[str, Any]  # An element of Pandoc's tree: its type `t`, and its content `c`.

_SPACES = frozenset({"Space", "SoftBreak", "LineBreak"})
_MARKS = {"DoubleQuote": ("“", "”"), "SingleQuote": ("‘", "’")}
_APART = frozenset({"Para", "Plain", "Header", "LineBlock"})
_NOT_TEXT = frozenset({"Code", "CodeBlock", "RawInline", "RawBlock", "Image"})
_NOT_IN_LINKS = frozenset({"Cite", "Link", "Note"})
_BLOCKS = frozenset(
    """
    Plain Para LineBlock CodeBlock RawBlock BlockQuote OrderedList BulletList DefinitionList Header
    HorizontalRule Table Figure Div
    """.split()
)


class VerdictMark(NamedTuple):
    """What is put around a quotation: its verdict and explanation, and a link if there is an `address`."""

    start: int
    end: int
    verdict: str
    told: str
    address: str = ""

    def around(self, inlines: list[Element]) -> Element:
        """Return the elements in a link or a span of the class `pagequote`."""
        classes = ["pagequote", self.verdict.replace(" ", "-")]
        if self.address:
            return {"t": "Link", "c": [["", classes, []], inlines, [self.address, self.told]]}
        return {"t": "Span", "c": [["", classes, [["title", self.told]]], inlines]}


class Tree:
    """The blocks of a document. Places of its quotations are numbers of its elements, in their order."""

    def __init__(self, blocks: list[Any]) -> None:
        self._blocks = blocks
        self._flow = RunningText()
        self._count = 0
        self._places: dict[int, tuple[int, int]] = {}
        self._read(blocks)

    def quotations(self) -> list[Quotation]:
        """Return the quotations, each with its citation if it has one."""
        return list(quoting(self._flow).quotations)

    def mark(self, marks: Sequence[VerdictMark]) -> None:
        """Put the marks around their quotations."""
        self._marks = sorted(marks, key=lambda one: one.start)
        self._mark(self._blocks)

    def _read(self, node: Any) -> None:
        if isinstance(node, list):
            for one in node:
                self._read(one)
        elif kind := _kind(node):
            start = self._count
            self._element(kind, node.get("c"))
            self._places[id(node)] = (start, self._count)

    def _add(self, text: str) -> None:
        self._flow.add(text, self._count, self._count + 1)
        self._count += 1

    def _element(self, kind: str, content: Any) -> None:
        if kind == "Str":
            self._add(content)
        elif kind in _SPACES:
            self._add(" ")
        elif kind == "Quoted":
            opening, closing = _MARKS[content[0]["t"]]
            self._add(opening)
            self._read(content[1])
            self._add(closing)
        elif kind == "Cite":
            self._flow.cite(_citation(content[0], self._count))
            self._count += 1
        elif kind == "Math":
            self._add(read_within(content[1], math=True).words().text)
        elif kind == "Note":
            with self._flow.noting(self._count, self._count + 1):
                self._read(content)
        elif kind not in _NOT_TEXT:
            self._nested(kind, content)

    def _nested(self, kind: str, content: Any) -> None:
        flow, begins = self._flow, self._flow.length
        self._read(content)
        if kind == "Superscript":
            flow.move("^", begins)
        elif kind in _APART:
            self._add("\n\n")
        elif kind == "BlockQuote":
            flow.contain(begins, "block quote")
        elif kind in ("Div", "Span") and (classes := " ".join(content[0][1])):
            contain_named(flow, begins, classes)

    def _mark(self, node: Any) -> None:
        if isinstance(node, dict):
            self._mark(node.get("c"))
        elif isinstance(node, list):
            marked = []
            for mark, run in groupby(node, key=self._mark_of):
                elements = [*run]
                if mark is None:
                    for one in elements:
                        self._mark(one)
                    marked += elements
                else:
                    marked.append(mark.around(elements))
            node[:] = marked

    def _mark_of(self, node: Any) -> VerdictMark | None:
        """Return the mark of the quotation that holds all of an element, if a link may be around it."""
        if _kind(node) in {"", *_BLOCKS} or _holds(node, _NOT_IN_LINKS):
            return None
        start, end = self._places.get(id(node), (0, 0))
        before = bisect_right(self._marks, start, key=lambda one: one.start)
        mark = self._marks[before - 1] if before else None
        return mark if mark and start < end <= mark.end else None


def _holds(node: Any, kinds: frozenset[str]) -> bool:
    if isinstance(node, list):
        return any(_holds(one, kinds) for one in node)
    return isinstance(node, dict) and (_kind(node) in kinds or _holds(node.get("c"), kinds))


def _kind(node: Any) -> str:
    """Return the kind of an element; "" of what is none."""
    kind = node.get("t") if isinstance(node, dict) else None
    return kind if isinstance(kind, str) else ""


def plain(node: Any) -> str:
    """Return the text of elements, of metadata too, without markup."""
    if isinstance(node, list):
        return "".join(map(plain, node))
    if not isinstance(node, dict):
        return ""
    content = node.get("c")
    if isinstance(content, str):
        return content
    return " " if node.get("t") in _SPACES else plain(content)


def _citation(cited: list[Any], place: int) -> Citation:
    """Return a citation with the pages in what is written after each key; the first has those of all."""
    each = []
    for one in cited:
        note = plain(one["citationSuffix"]).lstrip(", \xa0")
        if not isinstance(one["citationId"], str):
            raise TypeError(one["citationId"])
        each.append((one["citationId"], parse_locator(note, 0, len(note))))
    locator = next((one for _, one in each if one), None)
    textual = cited[0]["citationMode"]["t"] == "AuthorInText"
    return Citation(tuple((key, locator) for key, _ in each), place, place + 1, textual)
