"""The words of a span as one text over all its paragraphs, and what its letters alone do not tell."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lookup.papers.paper import Paper, PassageSpan, ReadingOrder
from lookup.text.folding import LINE_BREAK, Span

if TYPE_CHECKING:
    from lookup.compare.letters import Letters


class _Part(NamedTuple):
    """A paragraph's share of a passage: its folded text from `start` to `end`, at `at` in the passage."""

    paragraph: int
    start: int
    end: int
    at: int


@dataclass(eq=False, repr=False)
class PassageText:
    """The folded text of a span that reads through the paragraphs of `flow`; offsets count its `text`."""

    paper: Paper
    flow: ReadingOrder
    span: PassageSpan

    @cached_property
    def _parts(self) -> tuple[_Part, ...]:
        parts, at = [], 0
        for i in self.flow.between(self.span):
            start = self.span.start if i == self.span.first else 0
            end = self.span.end if i == self.span.last else len(self.paper.paragraphs[i].text_norm)
            parts.append(_Part(i, start, end, at))
            at += end - start + 1
        return tuple(parts)

    @cached_property
    def text(self) -> str:
        """Its folded text, with a space between paragraphs."""
        return " ".join(self.paper.paragraphs[p.paragraph].text_norm[p.start : p.end] for p in self._parts)

    @property
    def through(self) -> tuple[int, ...]:
        """The paragraphs that it reads."""
        return tuple(part.paragraph for part in self._parts)

    def prints_as_typed(self, asked: str, folded: str) -> bool:
        """Return whether it is `folded`, and `asked` wherever its paragraph has that, and nothing is raised.

        But for the case of the first, for spaces and for hyphens at line ends. Most are, and this is many
        times as fast as a comparison. What soft hyphens may part is left to that.
        """
        here = self.paper.paragraphs[self.span.first]
        if self.text != folded or len(self._parts) > 1:
            return False
        if raised := here.superscripts:
            printed = self.paper.printed(self.span.first).folded
            start, end = printed.source_span(self.span.start, self.span.end)
            if bisect_right(raised, start) % 2 or bisect_left(raised, start) != bisect_left(raised, end):
                return False
        text, wanted = self.paper.read(here)[0], here.text_norm.count(folded)
        asked = asked if "\u00ad" in asked else " ".join(LINE_BREAK.sub("", asked).split())
        forms = {asked, asked[:1].swapcase() + asked[1:]} if asked[:1].isascii() else {asked}
        return wanted == sum(map(text.count, forms))

    @property
    def whole_words(self) -> str:
        """`text` with the rest of words that its ends cut."""
        first, last = (self.paper.paragraphs[i].text_norm for i in (self.span.first, self.span.last))
        before = first[: self.span.start].rpartition(" ")[2]
        return f"{before}{self.text}{last[self.span.end :].partition(' ')[0]}"

    def in_text(self, span: PassageSpan) -> Span:
        """Return a span within it as a span of `text`."""
        first = next(p for p in self._parts if p.paragraph == span.first)
        last = next(p for p in self._parts if p.paragraph == span.last)
        return Span(span.start - first.start + first.at, span.end - last.start + last.at)

    def in_paper(self, span: Span) -> PassageSpan:
        """Return a span of `text` as a span of the paper."""
        first = next(p for p in reversed(self._parts) if p.at <= span.start)
        last = next(p for p in reversed(self._parts) if p.at < span.end)
        return PassageSpan(
            first.paragraph,
            span.start - first.at + first.start,
            last.paragraph,
            span.end - last.at + last.start,
        )

    def marks(self) -> Iterator[tuple[Span, int, Span]]:
        """Yield what may be a citation mark: its span in `text`, its paragraph, its span in that."""
        for part in self._parts:
            for mark in self.paper.marks(part.paragraph):
                if mark.start < part.end and mark.end > part.start:
                    inside = Span(max(mark.start, part.start), min(mark.end, part.end))
                    shift = part.at - part.start
                    yield Span(inside.start + shift, inside.end + shift), part.paragraph, mark

    def letters(self, omitted: Sequence[Span] = ()) -> "Letters":
        """Return its letters without those in `omitted`."""
        from lookup.compare.letters import joined  # what is printed as typed does without  # noqa: PLC0415

        kept = []
        for part in self._parts:
            shift, start = part.start - part.at, part.start
            for begin, end in omitted:
                if part.start <= begin + shift and end + shift <= part.end:
                    kept.append(self.paper.letters(part.paragraph, start, begin + shift))
                    start = end + shift
            kept.append(self.paper.letters(part.paragraph, start, part.end))
        return joined(kept)
