"""Furniture: what a page prints beside its text: running heads and feet, page numbers, stamps, ruby.

Ruby are readings in small kana (or Bopomofo) above the characters that they explain.
"""

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise, takewhile
from operator import attrgetter
from statistics import median

from lookup.text.scripts import count_unspaced
from pipeline.layout import measures
from pipeline.layout.captions import is_label
from pipeline.layout.line_features import is_finished, is_small, line_says, of_line
from pipeline.layout.measures import is_beside, rows
from pipeline.pdf.reading import Line, PdfPage

_REPEATED = 0.3  # flat
"""Share of the pages on which a line must come back to be furniture: heads may be on odd pages only."""

_RUN, _IN_RUN = 12, 3  # Pages, and how many of those of one side have the head of a chapter, at least.

_SAME_PLACE = 6.0  # Points by which the height of a running head may differ between pages; flat

_APART = 0.8  # Times its height: the least white between a running head and the text; flat

_APART_OTHERS = 4  # One of so many steps, at most, is as far: a page may set all its paragraphs apart.

_PAGE_NUMBER = re.compile(
    r"(?:page|p\.|s)?\s*(\d{1,5}|[ivxlc]{1,6})(?:\s*(?:of|/)\s*\d{1,5})?", re.IGNORECASE
)

_COUNTED_WORDS = 4  # Words, at most, of such a heading.

_READING = re.compile(r"[\u3040-\u30ff\u3100-\u312f\u02c7\u02ca\u02cb\u02d9\s]+")
"""Kana, Bopomofo and the tones of it."""

_READING_SIZE = 0.65  # Times the size of the text below: readings are set in half of it.
_READING_ABOVE = (-0.35, 0.35)  # Em of the text below between it and the foot of its reading.
_READING_BESIDE = 1.0  # Em of the text by which a long reading may reach beyond it.


class _Page:
    """A page, and what is asked of it again and again.

    `down` and `up` are the lines that are not rotated, by their upper edges from the top, and by their lower
    edges from the foot. `pitch` and `size` are the usual ones.
    """

    def __init__(self, page: PdfPage) -> None:
        self.page, self.lines = page, page.lines
        self.down = sorted([one for one in page.lines if one.upright], key=attrgetter("y0"))
        self.up = sorted(self.down, key=attrgetter("y1"), reverse=True)
        self.pitch = measures.pitch(page.lines)
        self.size = measures.body_size(page.lines)
        steps = [below.y1 - one.y1 for one, below in pairwise(self.down)]
        steps = sorted([step for step in steps if step > self.pitch / 2])
        usual = steps[-1 - len(steps) // _APART_OTHERS] if len(steps) >= 2 * _APART_OTHERS else 0.0
        self.apart = max(measures.GAP * self.pitch, usual + 1.0)


def find_furniture(printed: Sequence[PdfPage]) -> set[Line]:
    """Return the lines of pages that are no part of their text."""
    pages = list(map(_Page, printed))
    usual = median([page.size for page in pages]) if pages else 0.0
    for page in pages:  # one may hold small print alone
        page.size = max(page.size, usual)
    found = {one for page in pages for one in page.lines if not one.upright}
    alike: dict[str, list[Line]] = defaultdict(list)
    margins = [(page, [one for one in page.page.in_margins if not is_label(one)]) for page in pages]
    for _, lines in margins:
        for one in lines:
            alike[pattern(one)].append(one)
    counted = {one for text in _headings_that_count(pages, alike) for one in alike.pop(text)}
    margins = [(page, [one for one in lines if one not in counted]) for page, lines in margins]
    enough = max(2, round(_REPEATED * len(pages)))
    sizes = {page.page.number: page.size + measures.SAME_SIZE for page in pages}
    for text, lines in alike.items():
        small = [one for one in lines if one.size <= sizes[one.page] and not is_page_number(one)]
        many = "#" in text and not is_page_number(lines[0])  # "Article 3" in large print is a heading
        found |= _at_one_height(small if many else lines, _SAME_PLACE, enough)
        for first in {one.page for one in small}:  # the head of a chapter comes back for a while
            run = [one for one in small if one.page in range(first, first + _RUN, 2)]
            found |= _at_one_height(run, _SAME_PLACE, _IN_RUN)
    found |= _in_their_place(margins)
    for row in (row for _, lines in margins for row in rows(lines)):
        again = sum(one.letters for one in row if one in found)
        if len(row) > 1 and 2 * again < sum(one.letters for one in row):  # words of a line of text
            found.difference_update(row)
    for page in pages:
        found.update(_readings(page.lines))
    return found


def _headings_that_count(pages: Sequence[_Page], alike: Mapping[str, Sequence[Line]]) -> set[str]:
    """Return the patterns of lines in margins, `alike`, that as many lines elsewhere have: "Article 3"."""
    able = {text for text in alike if "#" in text != "#"}
    short = (one for page in pages for one in page.lines if len(one.words) <= _COUNTED_WORDS)
    found = Counter(text for line in short if (text := pattern(line)) in able) if able else {}
    return {text for text, count in found.items() if count >= 2 * len(alike[text])}


def _in_their_place(margins: Sequence[tuple[_Page, Sequence[Line]]]) -> set[Line]:
    """Return the lines that differ from page to page, but stand apart at the same height on most pages.

    The rest of a sentence does not.
    """
    apart = [
        one
        for page, lines in margins
        for one in lines
        if one.size < page.size + measures.SAME_SIZE
        and not (is_small(one) and is_finished(one))
        and not page.page.is_foot(one)
        and _stands_apart(one, page)
    ]
    enough = max(2, round(measures.MOST * (len(margins) - 1)))  # the first page is often set otherwise
    return _at_one_height(apart, measures.SAME_PLACE, enough)


def _at_one_height(lines: Sequence[Line], tolerance: float, enough: int) -> set[Line]:
    """Return those of the lines that stand at one height on `enough` pages, their own included."""
    ordered = sorted(lines, key=lambda one: one.y0)
    pages: Counter[int] = Counter()  # of the lines from `low` to `high`
    low = high = 0
    found: set[Line] = set()
    for line in ordered:
        while high < len(ordered) and ordered[high].y0 <= line.y0 + tolerance:
            pages[ordered[high].page] += 1
            high += 1
        while ordered[low].y0 < line.y0 - tolerance:
            number = ordered[low].page
            pages[number] -= 1
            if not pages[number]:
                del pages[number]
            low += 1
        if len(pages) >= enough:
            found.add(line)
    return found


def _stands_apart(line: Line, page: _Page) -> bool:
    """Whether nothing stands beyond the line, and the text is further away than its lines are."""
    away = max(_APART * line.height, page.apart - line.height)
    below, above = line.y1 + away, line.y0 - away
    over = takewhile(lambda one: one.y0 < below, page.down)  # the first ends it for most lines
    under = takewhile(lambda one: one.y1 > above, page.up)
    return line.upright and any(all(is_beside(one, line) for one in lines) for lines in (over, under))


is_page_number = line_says("page number", _PAGE_NUMBER.fullmatch)
"""Whether a line is a number of a page, or says so: "Page 3 of 9"."""


@of_line("pattern")
def pattern(line: Line) -> str:
    """Return the text of a line without what changes from page to page."""
    return re.sub(r"\s+", " ", re.sub(r"\d+|\b[ivxlc]+\b", "#", line.text.casefold())).strip()


is_reading = line_says("reading", _READING.fullmatch)
"""Whether a line has kana alone, or Bopomofo."""


def _readings(lines: Sequence[Line]) -> Iterator[Line]:
    """Return the lines that say how the characters right below them are read."""
    small = [line for line in lines if line.text >= "\u02c7" and is_reading(line)]  # no Latin letter does
    if not small:
        return
    texts = sorted((line for line in lines if count_unspaced(line.text)), key=lambda line: line.y0)
    tops = [line.y0 for line in texts]
    for reading in small:
        near = range(
            bisect_left(tops, reading.y1 - reading.size), bisect_right(tops, reading.y1 + reading.size)
        )
        if any(_explains(reading, texts[at]) for at in near):
            yield reading


def _explains(reading: Line, text: Line) -> bool:
    least, most = _READING_ABOVE
    return (
        reading.size <= _READING_SIZE * text.size
        and least * text.size <= text.y0 - reading.y1 <= most * text.size
        and reading.x0 >= text.x0 - _READING_BESIDE * text.size
        and reading.x1 <= text.x1 + _READING_BESIDE * text.size
    )
