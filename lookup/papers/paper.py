"""A paper as matching sees it: its paragraphs, and the runs of text in which a quote may stand."""

import re
from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, NamedTuple

from lookup.compare.sense_words import NEGATION
from lookup.papers.boxes import LineRow, row_starts
from lookup.text.folding import Folded, Span, blind, fold_with_offsets
from lookup.text.regex import regex
from lookup.text.scripts import WORD
from lookup.text.words import STOP_WORDS, WordIndex, index_of, words_in

if TYPE_CHECKING:
    from lookup.compare.letters import Letters

_RANK = dict.fromkeys(("caption", "table", "code", "footnote", "formula", "front", "field"), 1)
_RANK |= dict.fromkeys(("reference", "furniture", "struck"), 2)
_RUNNING = {"title", "heading", "body", "quote", "list"}
_PROSE = {"body", "quote", "list"}

_SQUARE = regex(r"\[\s*\d{1,3}\s*[],;-]")
_ROUND = regex(r"\s?\(\s*\d{1,3}\s*[),;-]")  # How citation marks in brackets of either kind begin.

_YEAR = regex(r"\([^\W\d_][^()\d]{1,80}\b(?:19|20)\d\d[a-z]?\b|\bet al\.?,? \((?:19|20)\d\d[a-z]?\)")
"""A citation mark by author and year."""

_LONGEST_REFERENCE = 400  # Characters from an author of a reference to its year, at most.

_HEADING_WORDS, _HEADING_CHARACTERS = 15, 200  # Words and characters of a heading, at most.

_MAY_BE_HEADINGS = {"body", "furniture", "footnote", "front"}
"""Kinds that a heading without a mark of its own may have been taken for."""

_DIGITS = dict.fromkeys(map(ord, "0123456789"))

_OTHERS_PER_ROUND = 3
"""Numbers in round brackets for each mark of another kind, up to which the former are values or labels."""


class PassageSpan(NamedTuple):
    """The words from one place of a paper to another.

    A place is a paragraph (its index) and an offset in its folded text.
    """

    first: int
    start: int
    last: int
    end: int


class Paragraph(NamedTuple):
    """A paragraph of a paper, without what only an answer needs; `row_number` is where the release has that.

    `superscripts` are the spans of `text` that are printed as superscripts: flat, start and end of each.
    """

    paragraph: int
    page: int
    page_end: int
    kind: str
    text_norm: str
    superscripts: Sequence[int]
    row_number: int

    @property
    def rank(self) -> int:
        """0 for running text, 1 for captions, tables and the like, 2 for references and furniture."""
        return _RANK.get(self.kind, 0)

    @property
    def running(self) -> bool:
        """Whether it is part of the text that is read from the beginning to the end."""
        return self.kind in _RUNNING

    @property
    def prose(self) -> bool:
        """Whether a reader goes from it to the next of its kind, past whatever stands between."""
        return self.kind in _PROSE


class PrintedText(NamedTuple):
    """The printed characters of a paragraph, and the way from its folded text to them."""

    text: str
    text_raw: str
    folded: Folded


@dataclass(eq=False, repr=False)
class ReadingOrder:
    """Paragraphs that are read one after the other, as one string with a known way back to each.

    `texts` are those of all paragraphs of the paper.
    """

    texts: Sequence[str]
    paragraphs: tuple[int, ...]
    separator: str

    def text(self) -> str:
        """Return all of it as one string: made at each call, in microseconds, to save memory."""
        return self.separator.join([self.texts[i] for i in self.paragraphs])

    @cached_property
    def borders(self) -> Sequence[int]:
        """Where in the text each paragraph begins."""
        sizes = (len(self.texts[i]) + len(self.separator) for i in self.paragraphs[:-1])
        return array("I", accumulate(sizes, initial=0))

    def span(self, start: int, end: int) -> PassageSpan:
        """Return the span that `text[start:end]` covers; `start < end`."""
        first = bisect_right(self.borders, start) - 1
        last = bisect_right(self.borders, end - 1) - 1
        return PassageSpan(
            self.paragraphs[first],
            start - self.borders[first],
            self.paragraphs[last],
            end - self.borders[last],
        )

    def reads(self, paragraphs: Sequence[int]) -> bool:
        """Return whether these paragraphs follow each other in it."""
        at = bisect_left(self.paragraphs, paragraphs[0])
        return self.paragraphs[at : at + len(paragraphs)] == tuple(paragraphs)

    def between(self, span: PassageSpan) -> tuple[int, ...]:
        """Return the paragraphs that the span reads through."""
        if span.first == span.last:
            return (span.first,)
        first, last = (bisect_left(self.paragraphs, i) for i in (span.first, span.last))
        return self.paragraphs[first : last + 1]


@dataclass(eq=False, repr=False)
class Paper:
    """A paper's paragraphs in reading order; their place in `paragraphs` is their `paragraph` number.

    `read` gives a paragraph's `text` and `text_raw`, `read_lines` its printed lines; `read_ahead` prepares
    several to be read. `hidden` are the paragraphs after these, which no reader sees.
    """

    key: str
    paragraphs: tuple[Paragraph, ...]
    read: Callable[[Paragraph], tuple[str, str]]
    read_ahead: Callable[[Sequence[Paragraph]], object] = tuple
    hidden: tuple[Paragraph, ...] = ()
    read_lines: Callable[[Paragraph], Iterable[LineRow]] = lambda _: ()
    _marks: dict[int, list[Span]] = field(default_factory=dict, init=False, repr=False, compare=False)

    @cached_property
    def unseen(self) -> "Paper":
        """What no reader sees of it, as a paper of its own."""
        numbered = tuple(one._replace(paragraph=at) for at, one in enumerate(self.hidden))
        return Paper(self.key, numbered, self.read)

    def printed(self, paragraph: int) -> PrintedText:
        """Return the printed characters of a paragraph."""
        text, text_raw = self.read(self.paragraphs[paragraph])
        return PrintedText(text, text_raw, fold_with_offsets(text))

    def row_starts(self, paragraph: int) -> list[int]:
        """Return where in the folded text of a paragraph rows begin within, if it is of a table."""
        if self.paragraphs[paragraph].kind != "table":
            return []
        starts = self.printed(paragraph).folded.starts
        return [bisect_left(starts, at) for at in row_starts(self.read_lines(self.paragraphs[paragraph]))]

    def page_ends(self, paragraph: int) -> list[int]:
        """Return where in the folded text of a paragraph pages begin within."""
        here = self.paragraphs[paragraph]
        lines = list(self.read_lines(here)) if here.page < here.page_end else []
        starts = self.printed(paragraph).folded.starts
        return [
            bisect_left(starts, line["start"])
            for last, line in pairwise(lines)
            if line["page"] != last["page"]
        ]

    def has_furniture(self, gap: PassageSpan, words: str) -> bool:
        """Return whether folded words are heads, feet or numbers of the pages between which a gap stands."""
        here, left = self.paragraphs[gap.first], f" {words} "
        if gap.first != gap.last or not any(gap.start <= at <= gap.end for at in self.page_ends(gap.first)):
            return False
        beside = [one for one in self.paragraphs if here.page <= one.page <= here.page_end]
        for one in sorted(beside, key=lambda other: -len(other.text_norm)):
            if one.kind == "furniture":
                left = left.replace(f" {one.text_norm} ", " ", 1)
        return not blind(left)

    def letters(self, paragraph: int, start: int, end: int) -> "Letters":
        """Return the letters of a part of a paragraph's folded text, with their facts."""
        from lookup.compare.letters import read  # what is printed as typed does without  # noqa: PLC0415

        here, printed = self.paragraphs[paragraph], self.printed(paragraph)
        marks = (mark for mark in self.marks(paragraph) if mark.start < end and mark.end > start)
        cited = tuple(mark for mark in marks if self.is_mark(paragraph, mark))
        return read(printed.text, tuple(here.superscripts), printed.text_raw, cited, Span(start, end))

    def is_mark(self, paragraph: int, mark: Span) -> bool:
        """Return whether what may be a citation mark, a span of the paragraph's folded text, is one."""
        here, printed = self.paragraphs[paragraph], self.printed(paragraph)
        if _ROUND.match(here.text_norm, mark.start) and self._cites_otherwise:
            return False
        from lookup.compare.citation_marks import is_mark, may_be_power  # noqa: PLC0415

        span = Span(*printed.folded.source_span(*mark))
        return is_mark(printed.text, span, here.superscripts, self._lists) and (
            not may_be_power(printed.text, span) or self._cites_by_superscripts
        )

    def are_works(self, span: PassageSpan) -> bool:
        """Return whether words of one paragraph are authors with their years, as in "Smith et al., 2010"."""
        from lookup.compare.citation_marks import are_works  # noqa: PLC0415

        printed = self.printed(span.first)
        return are_works(printed.text[slice(*printed.folded.source_span(span.start, span.end))], self._lists)

    def _lists(self, name: str, year: str) -> bool:
        """Return whether a reference names an author so, before others or a first name, and the year."""
        named = rf"(?<!\w){re.escape(name)}(?!\w)[.,]?\s+(?:[^\W\d_a-z]|et al|and\b|&|\(?{year})"
        return any(
            year in text[one.start() : one.end() + _LONGEST_REFERENCE]
            for text in self._references
            for one in re.finditer(named, text)
        )

    @cached_property
    def _references(self) -> list[str]:
        listed = [one for one in self.paragraphs if one.kind == "reference"]
        self.read_ahead(listed)
        return [self.read(one)[0] for one in listed]

    def has_word(self, word: str) -> bool:
        """Return whether a folded word stands in the paper."""
        texts = (paragraph.text_norm for paragraph in self.paragraphs)
        return any(word in text and word in words_in(text) for text in texts)

    def follows_label(self, paragraph: int, at: int) -> bool:
        """Return whether the word at `at` of a note stands right after its raised label, as in "bSee"."""
        here = self.paragraphs[paragraph]
        if here.running or not here.superscripts or not here.text_norm[at : at + 2].isalpha():
            return False
        printed = self.printed(paragraph)
        start = printed.folded.starts[at]
        run = bisect_left(here.superscripts, start)
        if (
            run % 2 == 0
            or here.superscripts[run] != start
            or not printed.text[start + 1 : start + 2].islower()
        ):
            return False  # "13C" is no label with its word
        before = printed.text[: here.superscripts[run - 1]]
        return not before or before[-1].isspace()

    @cached_property
    def _cites_by_superscripts(self) -> bool:
        """Whether the paper has raised citation marks, of which a raised 2 after a word is one, too."""
        from lookup.compare.citation_marks import cites_by_superscripts  # noqa: PLC0415

        raised = [one for one in self.paragraphs if one.running and one.superscripts]
        self.read_ahead(raised)
        return any(cites_by_superscripts(self.read(one)[0], one.superscripts) for one in raised)

    @cached_property
    def _cites_otherwise(self) -> bool:
        """Whether the paper cites as "[4]" or "(Wu, 2010)", so that "(4)" is not a citation."""
        text = " ".join(paragraph.text_norm for paragraph in self.paragraphs if paragraph.prose)
        others = max(len(_SQUARE.findall(text)), len(_YEAR.findall(text)))
        return others > 0 and _OTHERS_PER_ROUND * others >= len(_ROUND.findall(text))

    def touches(self, span: PassageSpan, page: int) -> bool:
        """Return whether the paragraphs of the span touch the page; True where `page` is 0."""
        return not page or self.paragraphs[span.first].page <= page <= self.paragraphs[span.last].page_end

    @cached_property
    def flows(self) -> tuple[ReadingOrder, ...]:
        """The orders in which a reader may read on from one paragraph to the next.

        As printed; past the furniture, captions, tables and footnotes that stand between columns and pages;
        past headings too, and what may be one; and past headings alone, whatever the paragraphs around
        them are.
        """
        return self._flows([paragraph.text_norm for paragraph in self.paragraphs], " ")

    @cached_property
    def blind_flows(self) -> tuple[ReadingOrder, ...]:
        """`flows` in letters and digits alone; offsets count those."""
        return self._flows([blind(paragraph.text_norm) for paragraph in self.paragraphs], "")

    def marks(self, paragraph: int) -> list[Span]:
        """Return what may be a citation mark in a paragraph: spans of its folded text."""
        if paragraph not in self._marks:
            from lookup.compare.citation_marks import candidates  # noqa: PLC0415

            self._marks[paragraph] = candidates(self.paragraphs[paragraph].text_norm)
        return self._marks[paragraph]

    @cached_property
    def unmarked_flows(self) -> tuple[ReadingOrder, ...]:
        """`blind_flows` without what may be a citation mark."""
        return self._flows(
            [blind(without(p.text_norm, self.marks(p.paragraph))) for p in self.paragraphs], ""
        )

    @cached_property
    def reading(self) -> tuple[int, ...]:
        """All paragraphs, running text first, so that what is read without a break is together."""
        running = self._orders[1]
        return (*running, *(p.paragraph for p in self.paragraphs if not p.running))

    @cached_property
    def words(self) -> WordIndex:
        """The words of the paragraphs in the order of `reading`."""
        return index_of([self.paragraphs[i].text_norm for i in self.reading])

    def _flows(self, texts: Sequence[str], separator: str) -> tuple[ReadingOrder, ...]:
        return tuple(ReadingOrder(texts, order, separator) for order in self._orders)

    @cached_property
    def _orders(self) -> tuple[tuple[int, ...], ...]:
        everything = self.paragraphs
        orders = (
            everything,
            [p for p in everything if p.running],
            [p for p in everything if p.prose and not self.may_be_heading(p.paragraph)],
            [p for p in everything if p.kind != "heading"],
        )
        return tuple(tuple(p.paragraph for p in order) for order in orders)

    def may_be_heading(self, i: int) -> bool:
        """Return whether paragraph `i`, taken for something else, has the form of a heading.

        It is short and no sentence, it does not recur as running heads do, and the text before it has ended.
        Prose that may go on, or that denies something, is none.
        """
        text = self.paragraphs[i].text_norm
        if (
            self.paragraphs[i].kind not in _MAY_BE_HEADINGS
            or len(text) > _HEADING_CHARACTERS
            or not text[:1].isalnum()
            or text[-1] in ".,;:!?-"
            or not any(map(str.isalpha, text))
            or not self.has_ended(i)
            or self._short_texts[_unnumbered(text)] > 1
        ):
            return False
        if self.paragraphs[i].prose and (text.split()[-1] in STOP_WORDS or NEGATION.search(text)):
            return False
        return len(text) <= _HEADING_WORDS or len(WORD.findall(text)) <= _HEADING_WORDS

    def has_ended(self, i: int) -> bool:
        """Return whether the prose before paragraph `i` ends with a sentence; False where there is none."""
        before = next((self.paragraphs[j] for j in range(i - 1, -1, -1) if self.paragraphs[j].prose), None)
        return before is not None and before.text_norm.endswith((".", "!", "?", ".)", "]"))

    @cached_property
    def _short_texts(self) -> Counter[str]:
        """How often each text that is no longer than a heading stands in the paper, whatever its numbers."""
        texts = [paragraph.text_norm for paragraph in self.paragraphs]
        return Counter(_unnumbered(text) for text in texts if len(text) <= _HEADING_CHARACTERS)


def _unnumbered(text: str) -> str:
    return text.translate(_DIGITS)


def without(text: str, spans: Sequence[Span]) -> str:
    """Return `text` with each of `spans`, in order and apart, replaced by a space."""
    parts, at = [], 0
    for start, end in spans:
        parts.append(text[at:start])
        at = end
    return " ".join([*parts, text[at:]])
