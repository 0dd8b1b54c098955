"""A paper as matching sees it: its paragraphs, and the runs of text in which a quote may stand."""

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from lookup.finding import Stretch
from lookup.folding import blind, fold, line_breaks

_RANK = {"caption": 1, "table": 1, "footnote": 1, "formula": 1, "front": 1, "reference": 2, "furniture": 2}
_RUNNING = {"title", "heading", "body", "list"}
_PROSE = {"body", "list"}


@dataclass(frozen=True)
class Paragraph:
    """A paragraph of a paper, without what only an answer needs; `row_number` is where the release has that."""

    paragraph: int
    page: int
    page_end: int
    kind: str
    text_norm: str
    row_number: int

    @property
    def rank(self) -> int:
        """0 for running text, 1 for captions, tables and footnotes, 2 for references and furniture."""
        return _RANK.get(self.kind, 0)


@dataclass(frozen=True)
class Flow:
    """Paragraphs that are read one after the other, as one string with a known way back to each."""

    text: str
    paragraphs: tuple[int, ...]
    borders: tuple[int, ...]

    def stretch(self, start: int, end: int) -> Stretch:
        """The stretch that `text[start:end]` covers; `start < end`."""
        first = bisect_right(self.borders, start) - 1
        last = bisect_right(self.borders, end - 1) - 1
        return Stretch(
            self.paragraphs[first],
            start - self.borders[first],
            self.paragraphs[last],
            end - self.borders[last],
        )


@dataclass(frozen=True)
class Paper:
    """A paper's paragraphs in reading order; their place in `paragraphs` is their `paragraph` number.

    `raw` gives a paragraph's `text_raw`, which few queries need.
    """

    key: str
    paragraphs: tuple[Paragraph, ...]
    raw: Callable[[Paragraph], str]

    @property
    def covered(self) -> bool:
        """Whether there is any text to judge a quote by."""
        return bool(self.paragraphs)

    @cached_property
    def last_page(self) -> int:
        """The last page with text; 0 where there is none."""
        return max((paragraph.page_end for paragraph in self.paragraphs), default=0)

    def line_breaks(self, paragraph: int) -> list[int]:
        """Where a paragraph prints a hyphen at a line's end, within or between words: offsets in its letters and digits."""
        raw = self.raw(self.paragraphs[paragraph])
        return [len(blind(fold(raw[:at]))) for at in line_breaks(raw)]

    @cached_property
    def characters(self) -> int:
        """Size of its folded text."""
        return sum(len(paragraph.text_norm) for paragraph in self.paragraphs)

    @cached_property
    def flows(self) -> tuple[Flow, ...]:
        """The orders in which a reader may read on from one paragraph to the next.

        As printed; then past the furniture, captions, tables and footnotes that stand between columns and pages; then
        past headings too.
        """
        everything = range(len(self.paragraphs))
        running = [i for i in everything if self.paragraphs[i].kind in _RUNNING]
        prose = [i for i in running if self.paragraphs[i].kind in _PROSE]
        return tuple(self._flow(order) for order in (everything, running, prose))

    @cached_property
    def blind_flows(self) -> tuple[Flow, ...]:
        """`flows` in letters and digits alone; offsets count those."""
        blinded = [blind(paragraph.text_norm) for paragraph in self.paragraphs]
        return tuple(
            _joined([blinded[i] for i in flow.paragraphs], flow.paragraphs, separator="")
            for flow in self.flows
        )

    def _flow(self, order: "range | list[int]") -> Flow:
        return _joined([self.paragraphs[i].text_norm for i in order], tuple(order), separator=" ")


def _joined(texts: list[str], paragraphs: tuple[int, ...], separator: str) -> Flow:
    borders, at = [], 0
    for text in texts:
        borders.append(at)
        at += len(text) + len(separator)
    return Flow(separator.join(texts), paragraphs, tuple(borders))
