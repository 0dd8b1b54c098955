"""A paragraph of a manuscript in PDF, and where its pages print it."""

from typing import NamedTuple

from lookup.papers.boxes import LineRow, boxes
from lookup.results.quote_answer import Box


class ManuscriptParagraph(NamedTuple):
    """A paragraph of the PDF: where it begins in the source, its text, superscripts and printed lines."""

    start: int
    text: str
    superscripts: tuple[int, ...]
    lines: tuple[LineRow, ...]

    def boxes(self, start: int, end: int) -> tuple[Box, ...]:
        """Return the boxes of the characters from `start` to `end` of the source, as far as it has them."""
        first, last = max(0, start - self.start), min(len(self.text), end - self.start)
        return boxes(self.lines, self.text, self.superscripts, first, last) if first < last else ()
