"""Measures: the font size, font, line width and line pitch that are usual in a document."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from unicodedata import east_asian_width

from lookup.text.scripts import parts_no_words
from pipeline.pdf.reading import Line

SAME_SIZE = 0.6
"""Points by which the font sizes of one text may differ: of a column, its notes, a block of a title page."""

SAME_PRINT = 0.02  # Share by which the font sizes of what is set alike may differ; flat
SAME_PLACE = 2.0  # Points by which edges of lines of one column, and heights of running heads, may differ.
TOUCH = 1.0  # Points by which what touches may overlap or be apart: blocks, segments of a rule; flat
SAME_EDGE = 4.0  # Points by which edges of lines, of rules, and of what they frame may differ; flat
SAME_ROW = 0.5  # Share of the lower one's height that what stands in one row has in common, at least; flat
INDENT = (0.6, 4.5)  # Em: a line that begins so far right of the column's edge is indented; flat
NO_INDENT = 0.4  # Em: one that begins nearer to it is not; flat
FLUSH = 0.2  # Em by which a line may miss the edge at which, or below which, it stands; flat
WIDE_SPACE = 0.7  # Em, at least, between a tag, or heading, and its text: a monospaced space is .6.
MOST, MAINLY, NEARLY_ALL = 0.6, 0.8, 0.9  # Shares of several lines, words or pages that are alike.
BROKEN = 0.2  # Share of the lines of prose, at most, that had room for the next word; of verse .28 to .71.
LEAST_SIZE = 0.1  # Points: text of no size at all is as this, which no reader sees.
RULE_HEIGHT = 2.5  # Points: what is drawn no higher than this is a horizontal rule; flat
FRONT_PAGES = 2  # Pages on which front matter may stand: the first may be a cover; flat

GAP = 1.35  # 0.8x: exact -.157, precision -.250; 1.25x: precision -.013, captions -.091
"""Line pitches: a larger step from baseline to baseline separates paragraphs. 1.2 after a full stop in
running text: precision -.002 of papers as of other documents, exact -.001 and +.002."""

_MANY_LETTERS = 30  # flat
"""Letters, at least, of a line that is probably text, not a label or a cell."""

_PITCHES = (4.0, 40.0)  # flat
"""Points: pitches of running text; other steps are within formulas, or over figures."""

_LOWER_PART = 4  # One step in so many is shorter than one that is certainly between two lines of a paragraph.

_DEFAULT_PITCH = 1.2  # flat
"""Em: the line pitch of a document without two lines."""

SPACE = 0.3  # flat
"""Em: a usual space between words."""

NOT_LATIN = "\u0300"  # Words of Latin letters are less.
_UNPARTED_WORD = 3.0  # Em: a long word of Thai, of which lines have no spaces between words.

FULL_WIDTH = ("W", "F")
"""Classes of characters as wide as high: Han, kana, Hangul, and their brackets and stops."""

_DEFAULT_SIZE = 10.0  # flat
"""Points: the font size of a document without characters."""


def body_size(lines: Iterable[Line]) -> float:
    """Return the font size of most characters, points."""
    measured: Counter[float] = Counter()
    for line in lines:
        measured[line.size] += line.letters
    characters: Counter[float] = Counter()
    for size, letters in measured.items():
        characters[round(size * 2) / 2] += letters
    return max(characters, key=lambda size: (characters[size], size), default=_DEFAULT_SIZE)


def characters_by_font(lines: Iterable[Line]) -> Counter[str]:
    """Return how many characters there are of each font, in the order in which fonts come."""
    characters: Counter[str] = Counter()
    for line in lines:
        if line.font:
            characters[line.font] += line.letters
        else:
            for word in line.words:
                characters[word.font] += len(word.text)
    return characters


def body_font(lines: Iterable[Line]) -> str:
    """Return the font of most characters."""
    characters = characters_by_font(lines)
    return max(characters, key=lambda font: (characters[font], font), default="")


def line_width(lines: Iterable[Line]) -> float:
    """Return the median width of lines with many letters, points."""
    widths = [line.width for line in lines if line.letters >= _MANY_LETTERS]
    return median(widths) if widths else 0.0


def pitch(lines: Iterable[Line]) -> float:
    """Return the median distance from one line's lower edge to the next one's, points, in reading order.

    Those between paragraphs are not counted: where most have one or two lines, they are the median.
    """
    steps = [after.y1 - before.y1 for before, after in pairwise(lines) if after.page == before.page]
    steps = sorted([step for step in steps if _PITCHES[0] <= step <= _PITCHES[1]])
    if not steps:
        return _DEFAULT_PITCH * _DEFAULT_SIZE
    within = GAP * steps[len(steps) // _LOWER_PART]
    return median(steps[: bisect_right(steps, within)])


def first_width(line: Line) -> float:
    """Return the width of what a line may not be broken within, from its beginning, points: its first word.

    Chinese, Japanese and Korean, and what is written around them, are broken anywhere; Thai and the like
    between words that no space parts.
    """
    word = line.words[0]
    width, text = word.x1 - word.x0, word.text
    if text < NOT_LATIN:
        return width
    if east_asian_width(text[0]) in FULL_WIDTH:
        return line.size
    unparted = parts_no_words(text[0], text[1:2])
    return min(width, _UNPARTED_WORD * line.size) if unparted else width


def next_word_fits(before: Line, line: Line, right: float) -> bool:
    """Whether the line's first word would fit on the line before, whose column ends at `right`.

    If so, that line was broken for another reason.
    """
    word = line.words[0]
    width = word.x1 - word.x0
    room = right - before.x1 - SPACE * line.size
    return width < room or (word.text > NOT_LATIN and first_width(line) < room)


def rows(lines: Iterable[Line]) -> Iterator[list[Line]]:
    """Return lines from top to bottom, in rows: those that stand beside the first of their row."""
    row: list[Line] = []
    for one in sorted(lines, key=lambda line: line.y0):
        if row and not is_beside(one, row[0]):
            yield row
            row = []
        row.append(one)
    if row:
        yield row


def is_beside(other: Line, line: Line) -> bool:
    """Whether two lines stand side by side, or are one."""
    shared = min(other.y1, line.y1) - max(other.y0, line.y0)
    return shared > SAME_ROW * min(other.height, line.height)


def flush(edges: Sequence[float], enough: float) -> list[bool]:
    """Return whether each edge is one that so many of them have, at least."""
    ordered = sorted(edges)
    return [
        bisect_right(ordered, edge + SAME_EDGE) - bisect_left(ordered, edge - SAME_EDGE) >= enough
        for edge in edges
    ]
