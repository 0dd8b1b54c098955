"""The words of a stretch as one text over all its paragraphs, and what its letters alone do not tell."""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, TypeVar

from lookup.compare.citation_marks import Span
from lookup.compare.exactness import Known
from lookup.papers.paper import Flow, Paper, Stretch
from lookup.text.sentences import ANY_STOP, stops

_Said = TypeVar("_Said")


class _Part(NamedTuple):
    """A paragraph's share of a passage: its folded text from `start` to `end`, at `at` in the passage."""

    paragraph: int
    start: int
    end: int
    at: int


@dataclass(frozen=True)
class StretchText:
    """The folded text of a stretch that reads through the paragraphs of `flow`; offsets count its `text`."""

    paper: Paper
    flow: Flow
    stretch: Stretch

    @cached_property
    def _parts(self) -> tuple[_Part, ...]:
        parts, at = [], 0
        for i in self.flow.between(self.stretch):
            start = self.stretch.start if i == self.stretch.first else 0
            end = self.stretch.end if i == self.stretch.last else len(self.paper.paragraphs[i].text_norm)
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

    @property
    def written(self) -> str:
        """`text` with its capitals."""
        return " ".join(self.paper.written(p.paragraph, p.start, p.end) for p in self._parts)

    def prints_as_typed(self, asked: str, folded: str) -> bool:
        """Return whether its paragraph prints `asked` in this case wherever it has `folded`, its folded text.

        But for the first letter. Most do, and this is many times as fast as a comparison.
        """
        if len(self._parts) > 1:
            return False
        paragraph = self.stretch.first
        text, wanted = self.paper.text(paragraph), self.paper.paragraphs[paragraph].text_norm.count(folded)
        forms = {asked, asked[:1].swapcase() + asked[1:]} if asked[:1].isascii() else {asked}
        return 0 < wanted == sum(map(text.count, forms))

    @property
    def after(self) -> str:
        """The folded text that follows it in its last paragraph."""
        return self.paper.paragraphs[self.stretch.last].text_norm[self.stretch.end :]

    @property
    def whole_words(self) -> str:
        """`text` with the rest of words that its ends cut."""
        first, last = (self.paper.paragraphs[i].text_norm for i in (self.stretch.first, self.stretch.last))
        before = first[: self.stretch.start].rpartition(" ")[2]
        return f"{before}{self.text}{last[self.stretch.end :].partition(' ')[0]}"

    def span_of(self, stretch: Stretch) -> Span:
        """Return a stretch within it as a span of `text`."""
        first = next(p for p in self._parts if p.paragraph == stretch.first)
        last = next(p for p in self._parts if p.paragraph == stretch.last)
        return Span(stretch.start - first.start + first.at, stretch.end - last.start + last.at)

    def stretch_of(self, span: Span) -> Stretch:
        """Return a span of `text` as a stretch of the paper."""
        first = next(p for p in reversed(self._parts) if p.at <= span.start)
        last = next(p for p in reversed(self._parts) if p.at < span.end)
        return Stretch(
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

    def exponents(self, omitted: Sequence[Span]) -> dict[int, bool]:
        """Return where exponents begin, and whether a copy may have lowered them.

        Offsets count the letters and digits of `text` without `omitted`.
        """
        found = self._counted(self.paper.exponents, omitted)
        return {at: lowered for at, lowered in found.items() if at}

    def raised(self, omitted: Sequence[Span]) -> Collection[int]:
        """Return where superscripts are, in letters and digits of `text` without `omitted`."""
        return self._counted(self.paper.raised, omitted).keys()

    def letter_forms(self, omitted: Sequence[Span]) -> dict[int, str]:
        """Return what folding made another letter, by letters and digits of `text` without `omitted`."""
        return self._counted(self.paper.letter_forms, omitted)

    def line_breaks(self, omitted: Sequence[Span]) -> frozenset[int]:
        """Return where the print parts a word at a line's end.

        Offsets count the letters and digits of `text` without `omitted`. Whether such a hyphen is the word's
        own is a guess in the text and cannot be seen in the print: either reading is right.
        """
        found = set()
        for part in self._parts:
            text = self.paper.paragraphs[part.paragraph].text_norm
            offsets = [i for i, char in enumerate(text) if char.isalnum()]
            for count in self.paper.line_breaks(part.paragraph):
                at = offsets[count] if count < len(offsets) else len(text)
                if part.start < at < part.end:
                    found.add(self._letters(at - part.start + part.at, omitted))
        return frozenset(found)

    def sentence_ends(self, omitted: Sequence[Span]) -> dict[int, str]:
        """Return where sentences end within it, in letters and digits of `text` without `omitted`.

        Each with its stop; the end of a paragraph without one with ANY_STOP.
        """
        found: dict[int, str] = {}
        for part in self._parts:
            printed = self.paper.printed(part.paragraph)
            for end, stop in stops(printed.text):
                at = bisect_left(printed.folded.starts, end)
                if part.start <= at < part.end or (at == part.end and part is not self._parts[-1]):
                    found[self._letters(at - part.start + part.at, omitted)] = stop or ANY_STOP
        letters = self._letters(len(self.text), omitted)
        return {at: stop for at, stop in found.items() if 0 < at < letters}

    def known(self, omitted: Sequence[Span], breaks: frozenset[int]) -> Known:
        """Return what is known of the print, with the `breaks` of a query.

        Places count letters and digits of `text` without `omitted`.
        """
        marks = [span for span, paragraph, mark in self.marks() if self.paper.is_mark(paragraph, mark)]
        marks = [span for span in marks if not any(start <= span.start < end for start, end in omitted)]
        begun = [self._letters(span.start, omitted) for span in marks]
        shown = [self.text[slice(*span)].lstrip() for span in marks]
        return Known(
            breaks=self.line_breaks(omitted) | breaks,
            signs=frozenset(self._counted(self.paper.signs, omitted)),
            commas=frozenset(at for at, text in zip(begun, shown, strict=True) if text.startswith(",")),
            primes=frozenset(self._counted(self.paper.primes, omitted)),
            raised=frozenset(
                at
                for at, span in zip(begun, marks, strict=True)
                if self.text[span.start].isdigit() and self.text[: span.start][-1:].isalpha()
            ),
        )

    def _counted(
        self, places: Callable[[int], Mapping[int, _Said]], omitted: Sequence[Span]
    ) -> dict[int, _Said]:
        """Return what is said of places of paragraphs, by letters and digits of `text` without `omitted`."""
        found = {}
        for part in self._parts:
            for at, said in places(part.paragraph).items():
                here = at - part.start + part.at
                if part.start <= at < part.end and not any(start <= here < end for start, end in omitted):
                    found[self._letters(here, omitted)] = said
        return found

    @cached_property
    def _counts(self) -> Sequence[int]:
        """How many letters and digits stand before each offset of `text`."""
        return list(accumulate(map(str.isalnum, self.text), initial=0))

    def _letters(self, at: int, omitted: Sequence[Span]) -> int:
        """Return the number of letters and digits of `text` before `at` that are not in `omitted`."""
        gone = (self._counts[min(end, at)] - self._counts[start] for start, end in omitted if start < at)
        return self._counts[at] - sum(gone)
