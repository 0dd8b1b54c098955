"""What a paragraph is, by what it says, how it is set and where it stands."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.layout import boilerplate
from pipeline.layout.captions import is_caption
from pipeline.layout.headings import BACK_MATTER, KNOWN, REFERENCES
from pipeline.layout.paragraph_breaks import LIST_MARK
from pipeline.layout.printed_paragraph import PrintedParagraph
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


def classify(
    paragraphs: Sequence[PrintedParagraph], body: Body, heights: Mapping[int, float]
) -> list[PrintedParagraph]:
    """`paragraphs` with their kinds; `heights` are those of the document's pages, points."""
    return list(_Classifier(paragraphs, body, heights))


class _Classifier:
    """Goes through a document's paragraphs in reading order, from the title page to the references."""

    def __init__(
        self, paragraphs: Sequence[PrintedParagraph], body: Body, heights: Mapping[int, float]
    ) -> None:
        self._paragraphs = paragraphs
        self._body = body
        self._heights = heights
        self._title = _title(paragraphs, body)
        self._started = False
        self._references: PrintedParagraph | None = None
        self._before: PrintedParagraph | None = None

    def __iter__(self) -> Iterator[PrintedParagraph]:
        for place, paragraph in enumerate(self._paragraphs):
            kind = paragraph.kind or self._kind(place, paragraph)
            if kind == "heading" and self._is_front_matter(paragraph):
                kind = "front"
            elif kind == "heading":
                self._started = True
                self._references = paragraph if REFERENCES.fullmatch(paragraph.plain) else None
            elif kind == "body" and place > max(self._title, default=-1):
                self._started = True
            out = replace(paragraph, kind=kind)
            if kind != "furniture":
                self._before = out
            yield out

    def _is_front_matter(self, paragraph: PrintedParagraph) -> bool:
        """Whether a heading of what usually ends a paper stands on the first of several pages: a statement beside the title."""
        return (
            paragraph.page == 1
            and max(self._heights) > 2
            and BACK_MATTER.fullmatch(paragraph.plain) is not None
        )

    def _kind(self, place: int, paragraph: PrintedParagraph) -> str:
        """The first kind whose test the paragraph passes; the surest tests are asked first."""
        text = paragraph.plain
        tests: tuple[tuple[str, Callable[[], bool]], ...] = (
            ("title", lambda: place in self._title),
            ("caption", lambda: is_caption(text)),
            ("footnote", lambda: bool(paragraph.zone) and _is_note(paragraph)),
            (paragraph.zone, lambda: bool(paragraph.zone)),
            ("front", lambda: boilerplate.is_front(text) or self._after_label()),
            (
                "reference",
                lambda: self._references is not None and not self._ends_references(paragraph, text),
            ),
            ("heading", lambda: self._is_heading(place, paragraph, text) or self._stands_alone(place, text)),
            ("reference", lambda: _is_entry(text)),
            (
                "front",
                lambda: not self._started and paragraph.page <= _FRONT_PAGES and self._is_front(paragraph),
            ),
            ("formula", lambda: _is_formula(text)),
            ("footnote", lambda: self._is_footnote(paragraph, text)),
            ("list", lambda: self._is_item(text)),
            ("table", lambda: _is_narrow(paragraph, self._body) and text[-1:] not in _STOPS),
            ("furniture", lambda: self._is_figure_label(paragraph, text)),
        )
        return next((kind for kind, holds in tests if holds()), "body")

    def _is_item(self, text: str) -> bool:
        """Whether a paragraph is an item of a list; "S. aureus" at the head of a column goes on with what was said before."""
        before = self._before
        goes_on = before is not None and before.kind == "body" and before.text[-1] not in _STOPS
        return LIST_MARK.match(text + " ") is not None and not (goes_on and text[:1].isupper())

    def _after_label(self) -> bool:
        """Whether a label like "Keywords", or a statement's heading beside the title, stands before: what it labels follows."""
        before = self._before
        if before is None or before.kind != "front":
            return False
        return boilerplate.is_label(before.plain) or self._is_front_matter(before)

    def _ends_references(self, paragraph: PrintedParagraph, text: str) -> bool:
        """Whether a heading follows the list of references: a usual one, or one set as the list's own is."""
        if KNOWN.fullmatch(text):
            return True
        like = self._references
        return (
            like is not None
            and abs(paragraph.size - like.size) < 0.2
            and paragraph.font == like.font
            and paragraph.bold == like.bold
            and (paragraph.bold or paragraph.size > 1.08 * self._body.size)
            and _is_heading(paragraph, text, self._body)
            and not _is_entry(text)
        )

    def _is_heading(self, place: int, paragraph: PrintedParagraph, text: str) -> bool:
        if not _is_heading(paragraph, text, self._body):
            return False
        if not KNOWN.fullmatch(text) and self._goes_on(place):
            return False
        if self._started or KNOWN.fullmatch(text) or _NUMBERED.fullmatch(text):
            return True
        return (
            not _UNLIKE_HEADINGS.search(text)
            and place + 1 < len(self._paragraphs)
            and _is_text(self._paragraphs[place + 1])
        )

    def _goes_on(self, place: int) -> bool:
        """Whether what follows on the page begins in the middle of a sentence."""
        following = self._paragraphs[place + 1] if place + 1 < len(self._paragraphs) else None
        return (
            following is not None
            and following.page == self._paragraphs[place].page
            and not following.kind
            and following.text[:1].islower()
        )

    def _stands_alone(self, place: int, text: str) -> bool:
        """Whether a short line has white above and below, and text follows: a heading set as the text is."""
        paragraph = self._paragraphs[place]
        if (
            not self._started
            or len(paragraph.lines) > 1
            or len(text) > 80
            or not paragraph.closes
            or not _ALONE.fullmatch(text)
            or boilerplate.is_note(text)
        ):
            return False
        line = paragraph.lines[0]
        if abs(line.size - self._body.size) > 0.6 or line.x1 - line.x0 > 0.8 * self._body.width:
            return False
        neighbours = [
            self._paragraphs[at] for at in (place - 1, place + 1) if 0 <= at < len(self._paragraphs)
        ]
        if len(neighbours) < 2 or any(other.zone or other.page != paragraph.page for other in neighbours):
            return False
        above, below = neighbours[0].lines[-1], neighbours[1].lines[0]
        over, under = line.y0 - above.y1, below.y0 - line.y1
        return (
            over > 0.6 * line.size
            and under > 0.4 * line.size
            and _is_text(neighbours[1])
            and over < 8 * line.size
        )

    def _is_figure_label(self, paragraph: PrintedParagraph, text: str) -> bool:
        """Whether a paragraph is too short for text, and set too small or in too few letters: words in a figure."""
        if not self._started or text[-1:] in ".!?:;" or any(map(is_prose, paragraph.lines)):
            return False
        small = paragraph.size < _FOOTNOTE_SIZE * self._body.size
        return small or not re.search(r"[^\W\d_]{3}", text)

    def _is_front(self, paragraph: PrintedParagraph) -> bool:
        """Whether a paragraph before the text begins is too short or too odd to be text."""
        text = paragraph.text
        words = text.split()
        lower = sum(word[:1].islower() for word in words)
        small = paragraph.size < 0.8 * self._body.size
        return len(text) < 150 or lower < 0.5 * len(words) or "@" in text or small

    def _is_footnote(self, paragraph: PrintedParagraph, text: str) -> bool:
        before = self._before
        below = (
            before is not None
            and before.page == paragraph.page
            and before.kind in ("table", "caption", "footnote")
        )
        if below and boilerplate.is_note(text):
            return True
        if paragraph.size >= _FOOTNOTE_SIZE * self._body.size:
            return False
        return below or paragraph.lines[0].y0 > _FOOT * self._heights[paragraph.page]


def _title(paragraphs: Sequence[PrintedParagraph], body: Body) -> range:
    """The places of the paragraphs of the title: the largest print of the first pages, if it is larger than the text."""
    shortest, longest = _TITLE_LENGTH
    first = next((paragraph.page for paragraph in paragraphs if not paragraph.kind), 1)
    able = [
        (paragraph.size, -place)
        for place, paragraph in enumerate(paragraphs)
        if paragraph.page <= first + 1
        and not paragraph.kind
        and not paragraph.zone
        and shortest <= len(paragraph.text) <= longest
        and paragraph.size > _TITLE_SIZE * body.size
        and not KNOWN.fullmatch(paragraph.plain)
    ]
    if not able:
        return range(0)
    size, place = max(able)
    begin = end = -place
    page = paragraphs[begin].page
    while end + 1 < len(paragraphs) and _is_more(paragraphs[end + 1], size, page):
        end += 1
    return range(begin, end + 1)


def _is_more(paragraph: PrintedParagraph, size: float, page: int) -> bool:
    return not paragraph.kind and paragraph.page == page and paragraph.size >= size - 0.3


def _is_text(paragraph: PrintedParagraph) -> bool:
    """Whether a paragraph is long enough, and has words enough, to be a paragraph of text."""
    words = paragraph.text.split()
    lower = sum(word[:1].islower() for word in words)
    return len(paragraph.text) >= _PROSE_LENGTH and lower >= 0.5 * len(words)


def _is_note(paragraph: PrintedParagraph) -> bool:
    """Whether a paragraph in a table or a figure is said in sentences, as its notes are."""
    return sum(map(is_prose, paragraph.lines)) > 0.5 * len(paragraph.lines)


def _is_heading(paragraph: PrintedParagraph, text: str, body: Body) -> bool:
    if KNOWN.fullmatch(text):
        return True
    if len(text) > _LONGEST_HEADING or len(paragraph.lines) > 3 or len({c for c in text if c.isalpha()}) < 3:
        return False
    if text[0].islower() or text[-1:] in ",;" or not re.search(r"[^\W\d_]{3}", text):
        return False
    stands_out = paragraph.bold or paragraph.size > 1.08 * body.size or paragraph.font not in ("", body.font)
    if _NUMBERED.fullmatch(text):
        return stands_out or (len(paragraph.lines) == 1 and text[-1:] != "." and len(text) < 80)
    return stands_out and paragraph.size >= _HEADING_SIZE * body.size and text[-1:] != "."


def _is_narrow(paragraph: PrintedParagraph, body: Body) -> bool:
    """Whether several lines are all so short that they stand in a column of a table, or in a figure."""
    widest = max(line.x1 - line.x0 for line in paragraph.lines)
    return len(paragraph.lines) > 1 and widest < _NARROW * body.width


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
