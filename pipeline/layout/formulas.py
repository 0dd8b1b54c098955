"""Displayed formulas: rows, limits, parts of fractions and the number of one formula become one block."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pipeline.layout.line_features import line_says
from pipeline.layout.measures import TOUCH
from pipeline.layout.zones import Zone, around, is_of_formula, is_prose, united
from pipeline.pdf.reading import Line, Rectangle

_ASIDE, _DOWN = 0.75, 0.3
"""Em: half of the white between parts of a formula beside each other and above each other, at most."""

_MOST_PARTS = 300  # Parts of formulas on a page that are looked at: a page with more is a drawing or a table.
_NEAR = 3.0  # Em from a displayed formula to running text above or below it, at most.
_TIGHT = 0.5  # Em: text so close above and below, or at the same left edge, is of the same paragraph.

_SHARED = 0.3  # flat
"""Share of a line's height that a part of a formula within running text has in common with that line."""

_OFF = 0.15  # flat
"""Em from the middle of a line, at least, to that of a part which is raised or lowered at a word of it."""

_AT_END = (0.3, 2.0)
"""Em from the end of a line to a part of a formula raised or lowered there, and its width, at most."""

_OVER = 0.2  # flat; of other documents: 0.8x: exact -.001, precision -.003
"""Share of its width by which a part of a formula may reach into the words beside it."""

_LEVEL = 0.8  # flat; of other documents: 1.25x: exact -.001, precision -.003
"""Share of their height that a line and words that belong into a gap of it have in common, at least."""

_RELATION = re.compile("[=<>≤≥≈≡∈→∝≪≫∼≃≅⇒⇔]")
_NUMBER = re.compile(r"\(\s?(?:[A-Z]\.?)?\d{1,3}(?:\.\d{1,3})?[a-z]?\s?\)")


is_formula_number = line_says("number of a formula", _NUMBER.fullmatch)
"""Whether a line is a number in parentheses."""

has_relation = line_says("relation", _RELATION.search)
"""Whether a line has a sign of equality, of order or the like."""


def set_formulas_apart(lines: Sequence[Line]) -> tuple[list[Zone], list[Line]]:
    """Return the displayed formulas of a page as blocks, and the lines of running text, which are in none."""
    lines = _with_parts(lines)
    signs = is_of_formula.of_each(lines)
    if not 0 < sum(signs) <= _MOST_PARTS:
        return [], lines
    parts = [line for line, sign in zip(lines, signs, strict=True) if sign]
    text = [line for line, sign in zip(lines, signs, strict=True) if not sign]
    numbers = [line for line in parts if is_formula_number(line)]
    rows = [line for line in parts if not is_formula_number(line)]
    found: list[Zone] = []
    taken: set[Line] = set()
    near = [*rows, *(line for line in text if not is_prose(line))]
    for box in united(map(_with_white, rows), 0.0):
        inside = [line for line in near if _touches(box, line) and line not in taken]
        number = _number_of(box, [line for line in numbers if line not in taken])
        block = sorted((*inside, *number), key=lambda line: (line.y0, line.x0))
        if _is_displayed(block, inside, text):
            found.append(Zone(around(block), tuple(block), "formula"))
            taken.update(block)
    return found, [line for line in lines if line not in taken]


def _with_white(line: Line) -> Rectangle:
    aside, down = _ASIDE * line.size, _DOWN * line.size
    return Rectangle(line.x0 - aside, line.y0 - down, line.x1 + aside, line.y1 + down)


def _touches(box: Rectangle, line: Line) -> bool:
    """Whether a line stands within the height of a formula with the white around it, in it or beside it."""
    return box.y0 <= line.middle <= box.y1 and box.x0 <= line.x1 and line.x0 <= box.x1


def _with_parts(lines: Sequence[Line]) -> list[Line]:
    """Return the lines, with what stands within lines of text in these.

    It is the part of a formula: a limit, half of a fraction, or a root sign, whose box may be above its line.
    Words with such a sign at their edge may overlap the words before them.
    """
    out = list(lines)
    prose = [
        (place, line)
        for place, (line, is_text) in enumerate(zip(lines, is_prose.of_each(lines), strict=True))
        if is_text
    ]
    text = {place for place, _ in prose}
    taken: set[Line] = set()
    for part in (line for place, line in enumerate(lines) if place not in text):
        beside = [place for place, line in prose if line.y0 < part.y1 and part.y0 < line.y1]
        within = [place for place in beside if _is_within(part, out[place])]
        if within:
            place = max(within, key=lambda place: (_is_in_gap(part, out[place]), _shared(part, out[place])))
            out[place] = _with_words(out[place], part)
            taken.add(part)
    return [line for line in out if line not in taken]


def _is_within(part: Line, line: Line) -> bool:
    """Whether a part of a formula stands in a line: in a gap between words, or raised or lowered there."""
    first, last = line.words[0], line.words[-1]
    if not first.x1 - TOUCH <= part.x0 <= part.x1 <= last.x1 + TOUCH:
        near = line.x0 - line.size < part.x1 and part.x0 < line.x1 + line.size
        return near and _is_at_end(part, line) and _shared(part, line) > _SHARED
    shared = _shared(part, line)
    if _is_in_gap(part, line):
        return shared > (0.0 if is_of_formula(part) else _LEVEL)
    return is_of_formula(part) and shared > _SHARED and abs(part.middle - line.middle) > _OFF * line.size


def _is_at_end(part: Line, line: Line) -> bool:
    """Whether a part of a formula is raised or lowered at the first or the last word of a line."""
    near, reach = _AT_END[0] * line.size, _AT_END[1] * line.size
    at_edge = line.x0 - near <= part.x1 < line.x0 + reach or line.x1 - reach < part.x0 <= line.x1 + near
    within = line.x0 - reach < part.x0 and part.x1 < line.x1 + reach
    off = abs(part.middle - line.middle) > _OFF * line.size
    return at_edge and within and off and is_of_formula(part)


def _shared(part: Line, line: Line) -> float:
    """Return the share of the height of the lower one that is common to both."""
    return (min(part.y1, line.y1) - max(part.y0, line.y0)) / min(part.height, line.height)


def _is_in_gap(part: Line, line: Line) -> bool:
    over = sum(max(0.0, min(word.x1, part.x1) - max(word.x0, part.x0)) for word in line.words)
    return over <= max(TOUCH, _OVER * part.width)


def _with_words(line: Line, part: Line) -> Line:
    """Return a line with the words of a part of a formula where they stand from left to right."""
    words = list(line.words)
    for word in part.words:
        place = next((at for at, other in enumerate(words) if other.x0 > word.x0), len(words))
        words.insert(place, word)
    return replace(line, words=tuple(words))


def _number_of(box: Rectangle, numbers: Sequence[Line]) -> list[Line]:
    """Return the number at the right of a formula."""
    beside = [line for line in numbers if line.x0 >= box.x0 and box.y0 <= line.middle <= box.y1]
    number = min(beside, key=lambda line: line.x0, default=None)
    return [number] if number else []


def _is_displayed(block: Sequence[Line], inside: Sequence[Line], text: Sequence[Line]) -> bool:
    """Whether a block says something, stands below or above running text, and is no wider than it."""
    numbered = len(block) > len(inside)
    if not numbered and not any(has_relation(line) for line in block):
        return False
    box = around(block)
    em = max(line.size for line in block)
    over = [line for line in text if line.x0 < box.x1 and line.x1 > box.x0 and line not in block]
    prose = [line for line in over if is_prose(line)]
    if not any(line.x0 - em <= box.x0 and box.x1 <= line.x1 + em for line in prose):
        return False
    if not any(_white(line, box) < _NEAR * em for line in prose):
        return False
    box = around([line for line in block if len(line.text) > 1] or block)  # signs may hang below their boxes
    tight = [line for line in over if _white(line, box) < _TIGHT * em]
    between = len({line.middle < box.y0 for line in tight}) > 1
    return not between and all(abs(line.x0 - box.x0) >= em for line in tight)


def _white(line: Line, box: Rectangle) -> float:
    return max(line.y0 - box.y1, box.y0 - line.y1)
