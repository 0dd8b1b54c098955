"""What a passage is, by what it says, how it is set and where it stands."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.layout import statements
from pipeline.layout.captions import is_caption
from pipeline.layout.headings import BACK_MATTER, KNOWN, REFERENCES
from pipeline.layout.paragraph_breaks import LIST_MARK
from pipeline.layout.passage import Passage
from pipeline.layout.zones import is_prose

_ENTRY = re.compile(
    r"(?:\[?\d{1,3}[\].]{1,2}\s*)?"  # its number
    r"(?:(?:de|van|von|der|den|del|da|dos|di|la|le|el|al|St\.)[\s-])*"
    r"[^\W\d_][\w'’‐-]+(?:\s[^\W\d_][\w'’‐-]+){0,2},?\s+(?:[A-Z]\.?[\s-]?){1,4}(?:[,.;&(]|and\b|et\b|$)"  # the first author
)
_YEAR = re.compile(r"\b(?:18|19|20)\d\d[a-z]?\b")
_NUMBERED = re.compile(
    r"(?:\d{1,2}(?:\.\d{1,2}){0,3}|[IVX]{2,4}|[A-Z]\.(?:\d{1,2})?|[IVX]\.)\.?\s+(?:\|\s+)?[A-Z(].*"
)
_UNLIKE_HEADINGS = re.compile(r"[\d*†‡§@,;&]|\b(?:and|e|y|et|und)\b")
"""What lists of authors and addresses have, and a paper's first heading has not."""

_ALONE = re.compile(r"[A-Z][^=]*[^\W_][)]?")
"""A heading that its font does not tell: it begins with a capital and ends without a stop."""

_STOPS = ".!?:;"
"""What a finished paragraph ends with."""

_LONGEST_HEADING = 160
"""Characters."""

_NARROW = 0.6
"""Of the width of the text's lines."""

_HEADING_SIZE = 0.88
"""Of the body's size: what is set smaller is no heading, whatever its font."""

_FOOTNOTE_SIZE = 0.92
"""Of the body's size: text set smaller than this at the foot of a page, or below a table, is a footnote."""

_TITLE_SIZE = 1.15
"""Of the body's size: a title is set larger than this."""

_TITLE_LENGTH = (15, 400)
"""Characters."""

_PROSE_LENGTH = 200
"""Characters: a paragraph as long as this, in sentences, begins the text where no heading does."""

_FRONT_PAGES = 2
"""Pages on which what comes before the text may stand: the first is a cover at times."""

_FOOT = 0.6
"""Of the page's height: footnotes stand below."""


@dataclass(frozen=True)
class Body:
    """How a document's running text is set: font size and width of its lines in points, and font."""

    size: float
    font: str
    width: float


def classify(passages: Sequence[Passage], body: Body, heights: Mapping[int, float]) -> list[Passage]:
    """`passages` with their kinds; `heights` are those of the document's pages, points."""
    return list(_Classifier(passages, body, heights))


class _Classifier:
    """Goes through a document's passages in reading order, from the title page to the references."""

    def __init__(self, passages: Sequence[Passage], body: Body, heights: Mapping[int, float]) -> None:
        self._passages = passages
        self._body = body
        self._heights = heights
        self._title = _title(passages, body)
        self._started = False
        self._references: Passage | None = None
        self._before: Passage | None = None

    def __iter__(self) -> Iterator[Passage]:
        for place, passage in enumerate(self._passages):
            kind = passage.kind or self._kind(place, passage)
            if kind == "heading" and self._is_front_matter(passage):
                kind = "front"
            elif kind == "heading":
                self._started = True
                self._references = passage if REFERENCES.fullmatch(passage.plain) else None
            elif kind == "body" and place > max(self._title, default=-1):
                self._started = True
            out = replace(passage, kind=kind)
            if kind != "furniture":
                self._before = out
            yield out

    def _is_front_matter(self, passage: Passage) -> bool:
        """Whether a heading of what usually ends a paper stands on the first of several pages: a statement beside the title."""
        return (
            passage.page == 1 and max(self._heights) > 2 and BACK_MATTER.fullmatch(passage.plain) is not None
        )

    def _kind(self, place: int, passage: Passage) -> str:
        """The first kind whose test the passage passes; the surest tests are asked first."""
        text = passage.plain
        tests: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("title", lambda: place in self._title),
            ("caption", lambda: is_caption(text)),
            ("footnote", lambda: bool(passage.zone) and _is_note(passage)),
            (passage.zone, lambda: bool(passage.zone)),
            ("front", lambda: statements.is_front(text) or self._after_label()),
            ("reference", lambda: self._references is not None and not self._ends_references(passage, text)),
            ("heading", lambda: self._is_heading(place, passage, text) or self._stands_alone(place, text)),
            ("reference", lambda: _is_entry(text)),
            ("front", lambda: not self._started and passage.page <= _FRONT_PAGES and self._is_front(passage)),
            ("formula", lambda: _is_formula(text)),
            ("footnote", lambda: self._is_footnote(passage, text)),
            ("list", lambda: self._is_item(text)),
            ("table", lambda: _is_narrow(passage, self._body) and text[-1:] not in _STOPS),
            ("furniture", lambda: self._is_figure_label(passage, text)),
        )
        return next((kind for kind, holds in tests if holds()), "body")

    def _is_item(self, text: str) -> bool:
        """Whether a passage is an item of a list; "S. aureus" at the head of a column goes on with what was said before."""
        before = self._before
        goes_on = before is not None and before.kind == "body" and before.text[-1] not in _STOPS
        return LIST_MARK.match(text + " ") is not None and not (goes_on and text[:1].isupper())

    def _after_label(self) -> bool:
        """Whether a label like "Keywords", or a statement's heading beside the title, stands before: what it labels follows."""
        before = self._before
        if before is None or before.kind != "front":
            return False
        return statements.is_label(before.plain) or self._is_front_matter(before)

    def _ends_references(self, passage: Passage, text: str) -> bool:
        """Whether a heading follows the list of references: a usual one, or one set as the list's own is."""
        if KNOWN.fullmatch(text):
            return True
        like = self._references
        return (
            like is not None
            and abs(passage.size - like.size) < 0.2
            and passage.font == like.font
            and passage.bold == like.bold
            and (passage.bold or passage.size > 1.08 * self._body.size)
            and _is_heading(passage, text, self._body)
            and not _is_entry(text)
        )

    def _is_heading(self, place: int, passage: Passage, text: str) -> bool:
        if not _is_heading(passage, text, self._body):
            return False
        if not KNOWN.fullmatch(text) and self._goes_on(place):
            return False
        if self._started or KNOWN.fullmatch(text) or _NUMBERED.fullmatch(text):
            return True
        return (
            not _UNLIKE_HEADINGS.search(text)
            and place + 1 < len(self._passages)
            and _is_text(self._passages[place + 1])
        )

    def _goes_on(self, place: int) -> bool:
        """Whether what follows on the page begins in the middle of a sentence."""
        following = self._passages[place + 1] if place + 1 < len(self._passages) else None
        return (
            following is not None
            and following.page == self._passages[place].page
            and not following.kind
            and following.text[:1].islower()
        )

    def _stands_alone(self, place: int, text: str) -> bool:
        """Whether a short line has white above and below, and text follows: a heading set as the text is."""
        passage = self._passages[place]
        if (
            not self._started
            or len(passage.lines) > 1
            or len(text) > 80
            or not passage.closes
            or not _ALONE.fullmatch(text)
            or statements.is_note(text)
        ):
            return False
        line = passage.lines[0]
        if abs(line.size - self._body.size) > 0.6 or line.x1 - line.x0 > 0.8 * self._body.width:
            return False
        neighbours = [self._passages[at] for at in (place - 1, place + 1) if 0 <= at < len(self._passages)]
        if len(neighbours) < 2 or any(other.zone or other.page != passage.page for other in neighbours):
            return False
        above, below = neighbours[0].lines[-1], neighbours[1].lines[0]
        over, under = line.y0 - above.y1, below.y0 - line.y1
        return (
            over > 0.6 * line.size
            and under > 0.4 * line.size
            and _is_text(neighbours[1])
            and over < 8 * line.size
        )

    def _is_figure_label(self, passage: Passage, text: str) -> bool:
        """Whether a passage is too short for text, and set too small or in too few letters: words in a figure."""
        if not self._started or text[-1:] in ".!?:;" or any(map(is_prose, passage.lines)):
            return False
        small = passage.size < _FOOTNOTE_SIZE * self._body.size
        return small or not re.search(r"[^\W\d_]{3}", text)

    def _is_front(self, passage: Passage) -> bool:
        """Whether a passage before the text begins is too short or too odd to be text."""
        text = passage.text
        words = text.split()
        lower = sum(word[:1].islower() for word in words)
        small = passage.size < 0.8 * self._body.size
        return len(text) < 150 or lower < 0.5 * len(words) or "@" in text or small

    def _is_footnote(self, passage: Passage, text: str) -> bool:
        before = self._before
        below = (
            before is not None
            and before.page == passage.page
            and before.kind in ("table", "caption", "footnote")
        )
        if below and statements.is_note(text):
            return True
        if passage.size >= _FOOTNOTE_SIZE * self._body.size:
            return False
        return below or passage.lines[0].y0 > _FOOT * self._heights[passage.page]


def _title(passages: Sequence[Passage], body: Body) -> range:
    """The places of the passages of the title: the largest print of the first pages, if it is larger than the text."""
    shortest, longest = _TITLE_LENGTH
    first = next((passage.page for passage in passages if not passage.kind), 1)
    able = [
        (passage.size, -place)
        for place, passage in enumerate(passages)
        if passage.page <= first + 1
        and not passage.kind
        and not passage.zone
        and shortest <= len(passage.text) <= longest
        and passage.size > _TITLE_SIZE * body.size
        and not KNOWN.fullmatch(passage.plain)
    ]
    if not able:
        return range(0)
    size, place = max(able)
    begin = end = -place
    page = passages[begin].page
    while end + 1 < len(passages) and _is_more(passages[end + 1], size, page):
        end += 1
    return range(begin, end + 1)


def _is_more(passage: Passage, size: float, page: int) -> bool:
    return not passage.kind and passage.page == page and passage.size >= size - 0.3


def _is_text(passage: Passage) -> bool:
    """Whether a passage is long enough, and has words enough, to be a paragraph of text."""
    words = passage.text.split()
    lower = sum(word[:1].islower() for word in words)
    return len(passage.text) >= _PROSE_LENGTH and lower >= 0.5 * len(words)


def _is_note(passage: Passage) -> bool:
    """Whether a passage in a table or a figure is said in sentences, as its notes are."""
    return sum(map(is_prose, passage.lines)) > 0.5 * len(passage.lines)


def _is_heading(passage: Passage, text: str, body: Body) -> bool:
    if KNOWN.fullmatch(text):
        return True
    if len(text) > _LONGEST_HEADING or len(passage.lines) > 3 or len({c for c in text if c.isalpha()}) < 3:
        return False
    if text[0].islower() or text[-1:] in ",;" or not re.search(r"[^\W\d_]{3}", text):
        return False
    stands_out = passage.bold or passage.size > 1.08 * body.size or passage.font not in ("", body.font)
    if _NUMBERED.fullmatch(text):
        return stands_out or (len(passage.lines) == 1 and text[-1:] != "." and len(text) < 80)
    return stands_out and passage.size >= _HEADING_SIZE * body.size and text[-1:] != "."


def _is_narrow(passage: Passage, body: Body) -> bool:
    """Whether several lines are all so short that they stand in a column of a table, or in a figure."""
    widest = max(line.x1 - line.x0 for line in passage.lines)
    return len(passage.lines) > 1 and widest < _NARROW * body.width


def _is_entry(text: str) -> bool:
    """Whether the text begins with an author's name and initials, as entries of reference lists do, and gives a year."""
    return (
        _ENTRY.match(text) is not None
        and _YEAR.search(text) is not None
        and len(re.findall(r"\b[A-Z]\b", text)) >= 2
    )


def _is_formula(text: str) -> bool:
    words = re.findall(r"[^\W\d_]{3,}", text)
    return len(text) > 1 and sum(map(len, words)) < 0.35 * len(text.replace(" ", ""))
