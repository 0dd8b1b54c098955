"""The result of the layout: paragraphs as printed lines, with their kinds."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from lookup.release.schema import OF_PAGE, PUT_ON
from pipeline.cleaning.clean import MAY_BE_SPACED, SPACED_OUT
from pipeline.layout.headings import level
from pipeline.layout.line_features import Label
from pipeline.layout.measures import characters_by_font
from pipeline.pdf.reading import Line, PdfPage
from retrieval.raw_text.cleaning import LIGATURES

_LIGATURES = str.maketrans(LIGATURES)
_HAS_LIGATURES = re.compile(f"[{''.join(LIGATURES)}]")

SPOKEN = "verse or speech"  # The rule of paragraphs that are lines of verse, or a speech of a play.
CENTRED = "centred"  # That of those whose lines stand in the middle of their column, set in at both sides.

BEGINS_COLUMN = "begins a paragraph", "column"  # Name and value of the label of the first of a column.

_HIDDEN = dict.fromkeys(PUT_ON, "covered") | dict.fromkeys(OF_PAGE, "furniture")
_NOT_PRINTED = {"note", *_HIDDEN}
_ASIDE = {"struck": "struck", "field": "field", "note": "note"} | _HIDDEN
"""The kinds of what stands aside from a page's text, by why it does; hidden ones last."""


def plain(text: str) -> str:
    """Return the text with ligatures expanded and letterspaced words closed up, spaces between them too."""
    expanded = (text.translate(_LIGATURES) if _HAS_LIGATURES.search(text) else text).strip()
    if not MAY_BE_SPACED.search(expanded):
        return expanded
    return SPACED_OUT.sub(lambda match: match.group().replace(" ", ""), expanded)


@dataclass(frozen=True)
class PrintedParagraph:
    """A paragraph as printed: its lines in reading order, and its kind (lookup.release.schema.KINDS).

    The kind is '' while it is unknown. `zone` is the kind of text of the table or figure around it, '' for
    running text. `opens` and `closes` tell whether the first line is set as the first of a paragraph, and the
    last line as the last. `boxed` tells whether
    it is running text in a box, such as a side bar. `rule` is the name of the one that gave it its kind.
    `labels` are those of its lines, and its own: kind, zone, how it begins, the marks that lines begin with.
    """

    kind: str
    lines: tuple[Line, ...]
    zone: str = ""
    opens: bool = True
    closes: bool = True
    boxed: bool = False
    rule: str = ""
    labels: tuple[Label, ...] = ()
    known: dict[str, Any] = field(init=False, repr=False, compare=False, default_factory=dict)
    """Its features that were asked for, by their names (`pipeline.layout.paragraph_features`)."""

    @cached_property
    def text(self) -> str:
        """Its lines, separated by spaces."""
        return " ".join([line.text for line in self.lines])

    @cached_property
    def plain(self) -> str:
        """Its text with ligatures expanded and letterspaced words closed up, to find its kind."""
        return plain(self.text)

    def of_kind(self, kind: str, rule: str) -> "PrintedParagraph":
        """Return the same paragraph with a kind, and the rule that gave it, and what is known of its text."""
        known = object.__new__(PrintedParagraph)
        labels = [Label("kind", kind, rule or kind), *self.labels]  # the step has the name of furniture
        if kind == "heading" and (depth := level(self.lines[0])):
            labels.append(Label("heading level", str(depth), "headings"))
        known.__dict__.update(self.__dict__, kind=kind, rule=rule, labels=tuple(labels))
        return known

    def followed_by(self, rest: "PrintedParagraph") -> "PrintedParagraph":
        """Return the paragraph with the lines of its other half, and their labels."""
        marks = [one._replace(line=one.line + len(self.lines)) for one in rest.labels if one.name != "kind"]
        return replace(self, lines=self.lines + rest.lines, closes=rest.closes, labels=(*self.labels, *marks))

    @property
    def begins_column(self) -> bool:
        """Whether it is the first of a column: whether it goes on with what is above was not asked."""
        return any(label[:2] == BEGINS_COLUMN for label in self.labels)

    @property
    def page(self) -> int:
        """The page on which it begins."""
        return self.lines[0].page

    @cached_property
    def hidden(self) -> bool:
        """Whether no reader sees it, or it is a reader's own."""
        return self.lines[0].aside in _NOT_PRINTED

    @property
    def hidden_by(self) -> str | None:
        """What hides it, as a release calls it; None where it is seen, and of a note."""
        return why if (why := self.lines[0].aside) in _HIDDEN else None

    @cached_property
    def size(self) -> float:
        """The font size of its longest line."""
        return max(self.lines, key=lambda line: line.width).size

    @cached_property
    def font(self) -> str:
        """The font of all its words; '' where they have several."""
        fonts = {line.font for line in self.lines}
        return fonts.pop() if len(fonts) == 1 else ""

    @cached_property
    def main_font(self) -> str:
        """The font of most of its characters."""
        return characters_by_font(self.lines).most_common(1)[0][0]

    @cached_property
    def bold(self) -> bool:
        """Whether all its lines are set in bold."""
        return all(line.bold for line in self.lines)


def set_aside(pages: Sequence[PdfPage]) -> Iterator[PrintedParagraph]:
    """Yield what stands aside from the text of each page, one paragraph of a kind."""
    for aside, kind in _ASIDE.items():
        for page in pages:
            if lines := tuple(line for line in page.aside if line.aside == aside):
                yield PrintedParagraph(kind, lines)
