"""Zones: tables, figures and boxes, which stand apart from a page's running text; found by what is drawn."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from unicodedata import category

from lookup.text.scripts import FULL_STOPS, has_syllables, letters
from pipeline.layout import measures
from pipeline.layout.captions import begins_caption
from pipeline.layout.line_features import line_says, of_line
from pipeline.pdf.reading import Line, PdfPage, Rectangle

_LEAST_WIDTH = 40.0  # Points: the least length of a table's rule, and the least width of a figure; flat
_LEAST_HEIGHT = 20.0  # Points: the least height of a figure; flat

_MOST_STICK_OUT = 1 / 3  # flat
"""Share of the lines that may reach further: where more do, something is drawn behind running text."""

_HOLDS = (2.0, 1.0)  # flat
"""Points, across and down, by which the middle of a line may be outside the box that holds it; down, if it is
no prose: the caption's last line may stand that close."""

_CAPTION_AWAY = 4.0  # Em between a zone and its caption, at most; flat
_NEAR = 5.0  # Points: drawings closer than this are of one figure; flat
_WHOLE_PAGE = 0.7  # Share of the page's area: what covers more is the page's background or frame; flat
_BESIDE_HEAD = 12.0  # Points: rules closer than this to a running head or foot belong to it; flat

_BEHIND_HEAD = 18.0
"""Points: what is drawn behind a running head or foot, and reaches no further from it, belongs to it: a logo
may reach down beside the first line of the text."""

_BLEEDS = 2  # Edges of the page that a bar reaches, at least.

_MOST_DRAWINGS = 2000  # flat
"""Drawings of a page that are looked at, the largest first: maps have tens of thousands."""

_BOX_LINES, _BOX_WORDS, _BOX_WHITE = 2, 3, 2.0
"""Lines of a box of running text, and words of most of them, at least, and points of white around them: words
that are marked in colour have none."""

_BOX_TITLE = 1  # of other documents: a title of 2 lines: precision -.001
"""Share of its lines, at most, that are broken on purpose, and the line that may be: its title."""

_BAR, _BAR_LINES, _BAR_PRINT = 4.0, 2, 1.15
"""Of a bar behind a heading: its width, times its height, at least; its lines, at most; and their size, times
that of the page's text, at least."""

_FORMULA_LETTERS = 0.35  # Share of a formula's characters in words, at most; flat

_OPERATOR = 3  # Letters of the name of an operator.
_OPERATORS = re.compile(r"\b(?:lim|sin|cos|tan|log|exp|max|min|sup|inf|det|dim|ker|arg|mod|gcd)\b")
"""Names of operators, which are letters of formulas, not words."""

_SHORTEST = 3  # Letters of a word, at least.
_WORD = re.compile(rf"[^\W\d_]{{{_SHORTEST},}}")
_UNCASED = re.compile("[\u0590-\u10ff\u1200-\u139f\u1700-\u1c7f]")
"""Letters of scripts without case, from Hebrew to Khmer."""

_PROSE_WORDS, _PROSE_LETTERS = 6, 30  # 1.25x: exact -.008, precision -.004
"""Words and characters of a line of running text, at least; cells and labels have fewer."""


@dataclass(frozen=True)
class Zone:
    """A part of a page that is read by itself, and the kind of what it holds: table, code, furniture ...

    The kind is '' for running text in a box.
    """

    box: Rectangle
    lines: tuple[Line, ...]
    kind: str


@of_line("prose")
def is_prose(line: Line) -> bool:
    """Whether a line has as many words as one of running text; what has no spaces has more letters."""
    if len(line.words) >= _PROSE_WORDS:
        return line.letters >= _PROSE_LETTERS or _is_dense(line.text)
    return _is_dense(line.text)


def is_formula(text: str) -> bool:
    """Whether few of a text's characters are in words."""
    least = _FORMULA_LETTERS * len(text)
    if sum([len(word) for word in text.split(" ") if len(word) > _OPERATOR and word.isalpha()]) >= least:
        return False  # as of most lines, and faster
    if has_syllables(text) or is_uncased(text):
        return False
    text = _OPERATORS.sub("", _without_marks(text))
    return sum(map(len, _WORD.findall(text))) < _FORMULA_LETTERS * len(text.replace(" ", ""))


is_of_formula = line_says("formula", is_formula)
"""Whether few of a line's characters are in words."""


def has_word(text: str) -> bool:
    """Whether a text has three letters side by side, which formulas and labels in figures often lack."""
    return has_syllables(text) or is_uncased(text) or _WORD.search(_without_marks(text)) is not None


def _without_marks(text: str) -> str:
    """Return the text without the marks that belong to a letter: vowel signs, points, accents."""
    if not _MAY_BE_MARKS.search(text):
        return text
    return "".join([one for one in text if category(one)[0] != "M"])


_MAY_BE_MARKS = re.compile("[\u0300-\u1fff\u20d0-\u20ff\u2c00-\U0010ffff]")
"""Where Unicode has such marks; none is among the quotation marks and dashes of a Latin text."""


def is_uncased(text: str) -> bool:
    """Whether a text has letters of a script without case."""
    return not text.isascii() and _UNCASED.search(text) is not None


def _is_dense(text: str) -> bool:
    return has_syllables(text) and letters(text) >= _PROSE_LETTERS


def around(lines: Sequence[Line]) -> Rectangle:
    """Return the box around the lines."""
    x0, y0, x1, y1 = zip(*[(line.x0, line.y0, line.x1, line.y1) for line in lines], strict=True)
    return Rectangle(min(x0), min(y0), max(x1), max(y1))


def find_zones(
    page: PdfPage, lines: Sequence[Line], furniture: Sequence[Line] = ()
) -> tuple[list[Zone], list[Line]]:
    """Return the zones of a page with their lines, and the lines of its running text, which are in none.

    `lines` are the page's printed lines, but for its `furniture`.
    """
    area = page.width * page.height
    heads = [line for line in furniture if page.in_margin(line)]
    upper = max((line.y1 for line in heads if line.y1 < page.height / 2), default=0.0)
    lower = min((line.y0 for line in heads if line.y1 >= page.height / 2), default=page.height)
    drawn = [
        box
        for box in page.drawings
        if box.width * box.height < _WHOLE_PAGE * area
        and not (
            (box.y1 <= upper + _BEHIND_HEAD or box.y0 >= lower - _BEHIND_HEAD)
            and any(_touch(box, around([line]), 0.0) for line in heads)
        )
    ]
    drawn = sorted(drawn, key=lambda box: -box.width - box.height)[:_MOST_DRAWINGS]
    inner = [box for box in drawn if box.y0 > upper + _BESIDE_HEAD and box.y1 < lower - _BESIDE_HEAD]
    found: list[Zone] = []
    text = list(lines)
    tables = _tables(inner, text)
    bars = [box for box in _large(drawn) if _bleeds(box, page)]
    figures = _large(united([box for box in drawn if box not in bars], _NEAR))
    for box in [*united([*tables, *figures], 0.0), *bars]:
        inside = tuple(line for line in text if _holds(box, line))
        kind = _kind(box, inside, lines, tables)
        if kind is not None:
            found.append(Zone(box, inside, kind))
            held = set(inside)
            text = [line for line in text if line not in held]
    return found, text


def _kind(
    box: Rectangle, inside: Sequence[Line], lines: Sequence[Line], tables: Sequence[Rectangle]
) -> str | None:
    """Return the kind of what stands in a box; None where it is text of the page."""
    ruled = any(_touch(box, table, 0.0) for table in tables)
    if not ruled and 2 * len(inside) < len(lines) and _is_text_box(box, inside):
        return ""
    if not inside or mostly_prose(inside) or _sticks_out(inside, box) or _is_bar(box, inside, lines):
        return None
    if kind := _captioned(box, lines):
        return kind
    return "table" if ruled else "furniture"


def _is_text_box(box: Rectangle, inside: Sequence[Line]) -> bool:
    """Whether a box holds sentences in full lines, with white around them, and no table or code."""
    if len(inside) < _BOX_LINES:
        return False
    text = around(inside)
    white = min(text.x0 - box.x0, box.x1 - text.x1, text.y0 - box.y0, box.y1 - text.y1)
    at_edge = measures.flush([line.x0 for line in inside], len(inside) / 2)
    flush = [line for line, is_flush in zip(inside, at_edge, strict=True) if is_flush]
    wordy = sum(len(line.words) >= _BOX_WORDS for line in flush)
    return (
        white >= _BOX_WHITE
        and _are_sentences(inside)
        and (mostly_prose(inside) or (2 * len(flush) > len(inside) and 2 * wordy >= len(flush)))
        and _broken_on_purpose(inside, text.x1) <= max(_BOX_TITLE, measures.BROKEN * len(inside))
    )


def _are_sentences(lines: Sequence[Line]) -> bool:
    """Whether most words begin in lower case, and a line ends with a full stop."""
    words = [word.text for line in lines for word in line.words]
    lower = sum(word[0].islower() for word in words)
    return lower > len(words) / 2 and any(line.text.endswith(tuple(FULL_STOPS)) for line in lines)


def _broken_on_purpose(lines: Sequence[Line], right: float) -> int:
    """Return how many lines end within a sentence though the next word has room, as those of code do."""
    return sum(
        not before.text.endswith(tuple(FULL_STOPS)) and measures.next_word_fits(before, line, right)
        for before, line in pairwise(lines)
        if line.y0 > before.middle
    )


def _is_bar(box: Rectangle, inside: Sequence[Line], lines: Iterable[Line]) -> bool:
    """Whether a box is a bar with larger print than that of the page: a heading."""
    if len(inside) > _BAR_LINES or box.width < _BAR * box.height:
        return False
    return min(line.size for line in inside) >= _BAR_PRINT * measures.body_size(lines)


def _captioned(box: Rectangle, lines: Iterable[Line]) -> str:
    """Return the kind that the nearest caption gives to a zone; '' where there is no caption."""
    found: list[tuple[float, str]] = []
    for line in lines:
        if line.x0 < box.x1 and line.x1 > box.x0 and (caption := begins_caption(line)):
            away = max(0.0, box.y0 - line.y1, line.y0 - box.y1)
            if away <= _CAPTION_AWAY * line.size:
                found.append((away, caption.lastgroup or "furniture"))
    return min(found, default=(0.0, ""))[1]


def _bleeds(box: Rectangle, page: PdfPage) -> bool:
    """Whether a box reaches edges of its page: a bar behind a slide's title, or beside its text."""
    ends = box.x0, box.y0, page.width - box.x1, page.height - box.y1
    return sum(white <= measures.SAME_EDGE for white in ends) >= _BLEEDS


def _large(boxes: Iterable[Rectangle]) -> list[Rectangle]:
    return [box for box in boxes if box.width >= _LEAST_WIDTH and box.height >= _LEAST_HEIGHT]


def _tables(drawn: Iterable[Rectangle], lines: Sequence[Line]) -> list[Rectangle]:
    """Return the boxes from the first to the last rule of each table.

    Its rules begin and end at the same x, with no running text between.
    """
    found: list[Rectangle] = []
    groups = _ruled(drawn)
    for rules in groups:
        open_box: Rectangle | None = None
        for upper, lower in pairwise(rules):
            strip = Rectangle(upper.x0, upper.y0, upper.x1, lower.y1)
            inside = [line for line in lines if _holds(strip, line)]
            if inside and not _is_text(inside) and not _ruled_within(strip, groups):
                open_box = strip if open_box is None else _union(open_box, strip)
            elif open_box and inside:
                found.append(open_box)
                open_box = None
        if open_box:
            found.append(open_box)
    return found


def _is_text(lines: Sequence[Line]) -> bool:
    """Whether the lines between two rules are running text or a notice, of no cells."""
    alone = all(len(row) == 1 for row in measures.rows(lines))
    return mostly_prose(lines) or (alone and _are_sentences(lines))


def _ruled_within(strip: Rectangle, groups: Iterable[Sequence[Rectangle]]) -> bool:
    """Whether a longer rule divides the strip: its own rules may be those below headings of columns."""
    return any(
        rule.width > strip.width + measures.SAME_EDGE
        and strip.y0 + measures.TOUCH < rule.y0 < strip.y1 - measures.TOUCH
        and min(rule.x1, strip.x1) - max(rule.x0, strip.x0) > 0
        for group in groups
        for rule in group
    )


def _ruled(drawn: Iterable[Rectangle]) -> list[list[Rectangle]]:
    """Return the long horizontal rules in groups that begin and end at the same x, from top to bottom."""
    groups: list[list[Rectangle]] = []
    for rule in sorted(long_rules(drawn), key=lambda rule: rule.y0):
        for group in groups:
            if (
                abs(group[0].x0 - rule.x0) <= measures.SAME_EDGE
                and abs(group[0].x1 - rule.x1) <= measures.SAME_EDGE
            ):
                group.append(rule)
                break
        else:
            groups.append([rule])
    return groups


def long_rules(drawn: Iterable[Rectangle]) -> list[Rectangle]:
    """Return the long horizontal rules, whole where they are drawn cell by cell."""
    segments = [box for box in drawn if box.height <= measures.RULE_HEIGHT]
    rules: list[Rectangle] = []
    for box in sorted(segments, key=lambda box: (round(box.y0), box.x0)):
        if (
            rules
            and abs(rules[-1].y0 - box.y0) <= measures.TOUCH
            and box.x0 - rules[-1].x1 <= measures.SAME_EDGE
        ):
            rules[-1] = _union(rules[-1], box)
        else:
            rules.append(box)
    return [rule for rule in rules if rule.width >= _LEAST_WIDTH]


def mostly_prose(lines: Sequence[Line]) -> bool:
    """Whether more lines are running text than cells, labels or parts of formulas; numbers may count them."""
    others = (line for line in lines if not line.text.isdecimal())
    return 2 * sum(is_prose.of_each(lines)) > sum(1 for _ in others)


def _sticks_out(lines: Sequence[Line], box: Rectangle) -> bool:
    """Whether the lines go on beyond the box: something is drawn behind running text."""
    beyond = sum(max(box.x0 - line.x0, line.x1 - box.x1) > measures.INDENT[0] * line.size for line in lines)
    return beyond > _MOST_STICK_OUT * len(lines)


def _holds(box: Rectangle, line: Line) -> bool:
    across, down = _HOLDS
    return (
        box.y0 - down <= line.middle <= box.y1 + down
        and box.x0 - across <= (line.x0 + line.x1) / 2 <= box.x1 + across
        and (box.y0 <= line.middle <= box.y1 or not is_prose(line))
    )


def united(boxes: Iterable[Rectangle], near: float) -> list[Rectangle]:
    """Return the boxes, with those that overlap or are closer than `near` united."""
    out: list[Rectangle] = []
    for box in sorted(boxes, key=lambda box: box.y0):
        merged = box
        again = True
        while again:
            x0, y0, x1, y1 = merged
            touching = [
                other
                for other in out
                if y0 - near <= other[3] and other[1] - near <= y1
                if x0 - near <= other[2] and other[0] - near <= x1
            ]
            again = bool(touching)
            for other in touching:
                merged = _union(merged, other)
                out.remove(other)
        out.append(merged)
    return out


def _touch(a: Rectangle, b: Rectangle, near: float) -> bool:
    return a.x0 - near <= b.x1 and b.x0 - near <= a.x1 and a.y0 - near <= b.y1 and b.y0 - near <= a.y1


def _union(a: Rectangle, b: Rectangle) -> Rectangle:
    return Rectangle(min(a.x0, b.x0), min(a.y0, b.y0), max(a.x1, b.x1), max(a.y1, b.y1))
