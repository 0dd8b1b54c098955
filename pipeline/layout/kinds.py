"""Kinds: what a paragraph is, by what it says, how it is set and where it stands."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from lookup.text.scripts import FULL_STOPS, letters
from pipeline.layout import boilerplate
from pipeline.layout import paragraph_features as features
from pipeline.layout.captions import is_label
from pipeline.layout.list_marks import counts_on, item_mark
from pipeline.layout.measures import FRONT_PAGES, SAME_PRINT
from pipeline.layout.printed_paragraph import CENTRED, SPOKEN, PrintedParagraph
from pipeline.layout.stitching import BETWEEN
from pipeline.layout.zones import has_word, is_prose, mostly_prose

_COUNTING = re.compile(r"\d+|\b[IVXLC]+\b|[一二三四五六七八九十百]+")
"""The number of one of many: "Article 5", "Canto IV", "第五条"."""

_COUNTED_LENGTH = 30  # Characters, at most, of a heading that counts.
_HEADING_LENGTH, _HEADING_LINES = 160, 3  # Characters and lines of a heading, at most; flat
_PLAIN_HEADING_LENGTH = 80  # Characters, at most, of a heading that its font does not tell; flat
_NARROW = 0.6  # Share of the usual line width: a paragraph of narrower lines is a column of a table; flat

_CELL_LETTERS = 100  # Letters of a cell, at most, where most words are in lower case.

_HEADING_SIZE = 0.88  # 0.8x: precision -.007, sections +.021; 1.25x: precision -.004, sections -.037
"""Times the body's size: what is set smaller is not a heading, whatever its font."""

_LARGE = 1.08  # 0.8x: exact -.010, precision -.006, sections -.043
"""Times the body's size: what is set larger stands out."""

_FOOTNOTE_SIZE = 0.92  # 0.8x: precision -.006; 1.25x: exact -.200, precision -.131, sections -.009
"""Times the body's size: text set smaller at the foot of a page, or below a table, is a footnote."""

_TITLE_SIZE = 1.15  # Times the body's size: a title is set larger; flat
_TITLE_LENGTH = (15, 400)  # Characters; flat


_FRONT_LENGTH = 150  # Characters: what is shorter before the text begins is front matter; flat
_USUAL_HEADINGS = 4  # Headings that are set alike, at least, for some to stand above short paragraphs.


_FOOT = 0.6  # Share of the page's height: footnotes stand below; 1.25x: precision -.003

_Look = tuple[float, str, bool]
"""Font size, font, and whether all is bold: how a paragraph is set."""


@dataclass(frozen=True)
class Body:
    """How a document's running text is set: font size and width of its lines in points, and font."""

    size: float
    font: str
    width: float


class Classifier:
    """Goes through a document's paragraphs in reading order, from the title page to the references.

    It yields them with their kinds.
    """

    def __init__(
        self, paragraphs: Sequence[PrintedParagraph], body: Body, heights: Mapping[int, float]
    ) -> None:
        """Take paragraphs of unknown kinds, and the heights of the document's pages, points."""
        self._paragraphs, self._body, self._heights = paragraphs, body, heights
        self._title = _title(paragraphs, body)
        able = [one for one in paragraphs if not one.kind and not one.zone]
        self._looks = Counter(_look(one) for one in able if _looks_like_heading(one, body))
        self._usual = {_look(one) for one in able if features.is_usual_heading(one)}
        self._alike = {look for look, count in self._looks.items() if count > 1 and look[1] != body.font}
        self._counted = _counted(paragraphs)
        self._started = False
        self._references: PrintedParagraph | None = None
        self._before: PrintedParagraph | None = None
        self._text: PrintedParagraph | None = None  # the last that no note or figure

    def __iter__(self) -> Iterator[PrintedParagraph]:
        for place, paragraph in enumerate(self._paragraphs):
            kind, rule = paragraph.kind, paragraph.rule
            if not kind:
                tests = self._tests(place, paragraph)
                kind, rule = next(
                    ((one, by) for one, by, holds in tests if holds), ("body", rule or "no other")
                )
            if kind == "heading" and not paragraph.boxed:
                self._started = True
                self._references = paragraph if features.heads_references(paragraph) else None
            elif place > max(self._title, default=-1) and (
                kind == "body" or (kind == "list" and features.is_text(paragraph))
            ):
                self._started = True
            out = paragraph.of_kind(kind, rule)
            if kind != "furniture":
                self._before = out
            if kind not in BETWEEN:
                self._text = out
            yield out

    def _tests(self, place: int, paragraph: PrintedParagraph) -> Iterator[tuple[str, str, bool]]:
        """Yield each kind, its rule, and whether this holds; the surest rules come first."""
        zone, boxed = paragraph.zone, paragraph.boxed
        yield "title", "title", place in self._title
        yield "caption", "caption", features.begins_caption(paragraph)
        if zone:
            yield "footnote", "prose in a figure", zone == "furniture" and mostly_prose(paragraph.lines)
            yield zone, "zone", True
        yield "furniture", "leaders", features.has_leaders(paragraph)
        yield "furniture", "numbers", features.are_numbers(paragraph)
        yield "front", "boilerplate", boilerplate.is_front(paragraph)
        yield "reference", "in references", self._in_references(paragraph)
        yield "heading", "one of many", place in self._counted
        if paragraph.rule == SPOKEN:
            return
        yield "heading", "heading", self._is_heading(place, paragraph)
        yield "reference", "entry", features.is_entry(paragraph)
        yield "front", "before the text", self._is_front(paragraph)
        yield "formula", "formula", features.is_displayed_formula(paragraph)
        yield "footnote", "small at the foot", not boxed and self._is_footnote(paragraph)
        yield "list", "item", self._is_item(paragraph)
        yield "table", "narrow", self._is_cell(paragraph)
        yield "furniture", "label in a figure", not boxed and self._is_figure_label(paragraph)

    def _is_item(self, paragraph: PrintedParagraph) -> bool:
        """Whether a paragraph is an item of a list; "S. aureus" in the middle of a sentence is not."""
        before = self._text
        goes_on = before is not None and before.kind == "body" and not features.ends_with_stop(before)
        first = paragraph.lines[0]
        return item_mark(first) != "" and not (goes_on and paragraph.text[:1].isupper())

    def _in_references(self, paragraph: PrintedParagraph) -> bool:
        """Whether a paragraph is in the list of references, up to a usual heading or one set alike."""
        heading = self._references
        alike = heading is not None and heading.bold and _look(paragraph) == _look(heading)
        return heading is not None and not alike and not features.is_usual_heading(paragraph)

    def _is_heading(self, place: int, paragraph: PrintedParagraph) -> bool:
        looks = self._alike if self._started and paragraph.closes else ()
        if not _looks_like_heading(paragraph, self._body, self._usual, looks):
            return False
        number = features.heading_number(paragraph)
        large = paragraph.bold or paragraph.size > _LARGE * self._body.size
        if number and not large and self._counts_on(place):
            return False
        sure = features.is_usual_heading(paragraph) or (number != "" and large and not number[:-1].isalpha())
        alike = self._looks[_look(paragraph)] >= _USUAL_HEADINGS
        if self._started or sure or number[:1].isdigit():
            return True
        below = alike and place > max(self._title, default=-1)
        following = self._paragraphs[place + 1 : place + 2]
        return not features.is_unlike_headings(paragraph) and (below or any(map(features.is_text, following)))

    def _counts_on(self, place: int) -> bool:
        """Whether the next number follows, or the one before is above: between headings there is text."""
        near = [one.lines[0] for one in self._paragraphs[max(place - 1, 0) : place + 2]]
        return any(line.size == before.size and counts_on(line, before) for before, line in pairwise(near))

    def _is_cell(self, paragraph: PrintedParagraph) -> bool:
        """Whether a few words stand in several lines so short that they are a cell of a table."""
        narrow = max(line.width for line in paragraph.lines) < _NARROW * self._body.width
        wordy = features.ends_with_stop(paragraph) or (
            letters(paragraph.text) >= _CELL_LETTERS and features.is_in_lower_case(paragraph)
        )
        return len(paragraph.lines) > 1 and narrow and not wordy

    def _is_figure_label(self, paragraph: PrintedParagraph) -> bool:
        """Whether a paragraph is a figure's label: short, and in small print or with few letters."""
        if not self._started or features.ends_with_stop(paragraph) or any(map(is_prose, paragraph.lines)):
            return False
        return paragraph.size < _FOOTNOTE_SIZE * self._body.size or not has_word(paragraph.plain)

    def _is_front(self, paragraph: PrintedParagraph) -> bool:
        """Whether a paragraph stands before the text, and is too short or too odd to be text."""
        if self._started or paragraph.page > FRONT_PAGES:
            return False
        return letters(paragraph.text) < _FRONT_LENGTH or not features.is_in_lower_case(paragraph)

    def _is_footnote(self, paragraph: PrintedParagraph) -> bool:
        before = self._before
        below = (
            before is not None
            and before.page == paragraph.page
            and before.kind in ("table", "caption", "footnote")
        )
        if paragraph.size >= _FOOTNOTE_SIZE * self._body.size or (
            not self._started and features.is_text(paragraph)
        ):
            return False
        at_foot = paragraph.lines[0].y0 > _FOOT * self._heights[paragraph.page]
        return below or at_foot


def _title(paragraphs: Sequence[PrintedParagraph], body: Body) -> range:
    """Return the places of the title's paragraphs: the largest print of the first pages, if it is large."""
    shortest, longest = _TITLE_LENGTH
    top = next((place for place, paragraph in enumerate(paragraphs) if not paragraph.kind), None)
    if top is None:
        return range(0)
    able = [
        (paragraph.size, place)
        for place, paragraph in enumerate(paragraphs)
        if paragraph.page < paragraphs[top].page + FRONT_PAGES
        and not paragraph.kind
        and not paragraph.zone
        and (place == top or len(paragraph.text) >= shortest)
        and letters(paragraph.text) <= longest
        and paragraph.size > body.size * (_LARGE if _is_in_bold_lines(paragraph) else _TITLE_SIZE)
        and not features.is_usual_heading(paragraph)
    ]
    if able and letters(paragraphs[able[0][1]].text) < shortest:
        as_large = sum(one.size >= (1 - SAME_PRINT) * able[0][0] for one in paragraphs)
        if len(able) > 1 or as_large >= _USUAL_HEADINGS:
            del able[0]  # the name of a journal, or a heading
    if not able:
        return range(0)
    largest = max(size for size, _ in able)
    size, begin = next(one for one in able if one[0] >= (1 - SAME_PRINT) * largest)
    end, page = begin, paragraphs[begin].page
    bold = paragraphs[begin].bold
    while end + 1 < len(paragraphs) and _is_more(paragraphs[end + 1], size, page, bold=bold):
        end += 1
    return range(begin, end + 1)


def _counted(paragraphs: Sequence[PrintedParagraph]) -> set[int]:
    """Return the places of single lines above longer paragraphs, alike but for a number of their own."""
    found: dict[tuple[str, float], dict[str, int]] = defaultdict(dict)
    for place, (one, below) in enumerate(pairwise(paragraphs)):
        line = one.lines[0]
        numbers = _COUNTING.findall(line.text) if len(line.text) <= _COUNTED_LENGTH else ()
        if (
            len(numbers) == len(one.lines) == 1
            and not (one.kind or one.zone or is_label(line) or item_mark(line))
            and features.has_letters(one)
            and len(below.text) > len(line.text)
        ):
            found[_COUNTING.sub("#", line.text), line.size].setdefault(numbers[0], place)
    return {place for many in found.values() if len(many) >= _USUAL_HEADINGS for place in many.values()}


def _is_in_bold_lines(paragraph: PrintedParagraph) -> bool:
    """Whether a paragraph is several lines in bold, which a heading seldom is, and no sentence."""
    return paragraph.bold and len(paragraph.lines) > 1 and paragraph.text[-1] not in FULL_STOPS


def _is_more(paragraph: PrintedParagraph, size: float, page: int, *, bold: bool) -> bool:
    alike = paragraph.size >= (1 - SAME_PRINT) * size and (paragraph.bold or not bold)
    return not paragraph.kind and paragraph.page == page and alike


def _look(paragraph: PrintedParagraph) -> _Look:
    """Return how a paragraph is set, to find others that are set alike: names of species are in italics."""
    return paragraph.size, paragraph.main_font, paragraph.bold


def _looks_like_heading(
    paragraph: PrintedParagraph,
    body: Body,
    usual: Collection[_Look] = (),
    alike: Collection[_Look] = (),
) -> bool:
    """Whether a paragraph is a usual heading, or is as short as one and stands out or is numbered.

    One that stands out is as large as the text, or is set as a usual heading is: a font with large small
    letters is set smaller. So does one in several fonts, as one that names a species is, that is set as those
    in `alike`. In a box text may be smaller, and in another font.
    """
    text = paragraph.plain
    if features.is_usual_heading(paragraph):
        return True
    if letters(text) > _HEADING_LENGTH or len(paragraph.lines) > _HEADING_LINES:
        return False
    if not features.may_be_heading(paragraph):
        return False
    large = paragraph.size > _LARGE * body.size
    like_others = text[:1].isalnum() and _look(paragraph) in alike  # no item behind its mark
    stands_out = paragraph.bold or large or paragraph.font not in ("", body.font) or like_others
    if paragraph.rule == CENTRED and len(paragraph.lines) == 1 and text[:1].isalpha():
        stands_out = stands_out or len(text) <= _COUNTED_LENGTH or not features.is_in_lower_case(paragraph)
    stops = text[-1:] in features.SENTENCE_ENDS
    if features.heading_number(paragraph):
        short = len(paragraph.lines) == 1 or text.isupper()
        alone = short and letters(text) < _PLAIN_HEADING_LENGTH and not stops
        return stands_out or alone
    if stops and not (large and paragraph.bold and len(paragraph.lines) == 1):
        return False
    if paragraph.boxed:
        return paragraph.bold or large
    return stands_out and (paragraph.size >= _HEADING_SIZE * body.size or _look(paragraph) in usual)
