"""Lines that a PDF draws in parts, in any order: their letters are read by place.

Some producers draw raised figures after the whole line, words in italics after all others, or each letter by
itself. MuPDF reads what is drawn in one go, and puts spaces where the other parts stand.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from lookup.text.scripts import UNSPACED
from pipeline.pdf.drawn_letters import Raw, text_of
from pipeline.pdf.logical_order import line_of
from pipeline.pdf.tight_gaps import text_blocks

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.
_OVERLAP = 0.06  # Em by which letters of different parts may overlap: kerning.
_SAME_BASELINE = 0.05  # Em by which the baselines of parts of one size may differ.
_SMALLER, _OFF = 0.92, 0.75  # A raised or lowered part: its size, and em off the baseline, at most.
_LEAST, _LARGEST = (
    0.45,
    1.1,
)  # Sizes of a part over that of its line: of a sum sign's limits, of another font.
_SPACE = 0.15  # Em: white that is a space, as MuPDF takes it.
_BESIDE = 0.8  # Em: the most white between two parts of one line that are letters.
_LETTERS, _TOGETHER = 6, 6
"""Parts, at least, of a line that is drawn letter by letter, and the most letters of one.

MuPDF goes back by a narrow letter, and gives a few as one part: "dlo" for "old".
"""

_UNSPACED = re.compile(f"[{UNSPACED}]")  # It may run downwards, in columns that share their baselines.
_LONGEST = 24  # Characters of a raised or lowered part, at most.

Place = tuple[int, int]
"""The place of a block, and of a line in it."""

Boxes = Mapping[Place, Sequence[tuple[float, float]]]
"""Where each word of a line begins and ends."""


def parts_of_lines(blocks: Sequence[Raw], words: Sequence[tuple[Any, ...]]) -> list[list[Place]]:
    """Return the lines of a page that are parts of one, in the order of their places.

    `blocks` and `words` are as `extractDICT` and `extractWORDS` give them.
    """
    lines = sorted(
        (line["spans"][0]["origin"][1], number, place)
        for number, block in enumerate(blocks)
        for place, line in enumerate(block.get("lines", ()))
        if line["spans"] and line["dir"] == _LEVEL
    )
    near = list(_near(blocks, lines))
    pairs = list(_letter_by_letter(blocks, lines))
    if not (near or pairs):
        return []
    boxes: defaultdict[Place, list[tuple[float, float]]] = defaultdict(list)
    of_text = text_blocks(blocks)
    for x0, _, x1, _, _, block, line, _ in words:
        boxes[of_text[block], line].append((x0, x1))
    together: dict[Place, list[Place]] = {}
    for one, other in [*pairs, *(pair for pair in near if _fit(blocks, boxes, *pair))]:
        joined = together.get(one, [one])
        if other not in joined:
            joined += together.get(other, [other])
        together.update(dict.fromkeys(joined, joined))
    groups = {id(group): sorted(group) for group in together.values()}
    return [group for group in groups.values() if _are_apart(group, boxes, _size(blocks, group))]


def _size(blocks: Sequence[Raw], lines: Sequence[Place]) -> float:
    spans = (span for number, place in lines for span in blocks[number]["lines"][place]["spans"])
    return float(max(span["size"] for span in spans))


def _are_apart(lines: Sequence[Place], boxes: Boxes, size: float) -> bool:
    """Whether no two words of these lines are at one place."""
    found = sorted(box for line in lines for box in boxes[line])
    return all(after[0] >= before[1] - _OVERLAP * size for before, after in pairwise(found))


def _near(blocks: Sequence[Raw], lines: Sequence[tuple[float, int, int]]) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of lines of which the second begins within the first, close to its baseline."""
    for at, (y, number, place) in enumerate(lines):
        x0, top, x1, foot = blocks[number]["lines"][place]["bbox"]
        for height, *other in lines[at + 1 :]:
            if height - y >= foot - top:
                break
            begin, _, end, _ = blocks[other[0]]["lines"][other[1]]["bbox"]
            if begin < x1 and x0 < end:
                pair = (number, place), (other[0], other[1])
                yield pair if x0 <= begin else pair[::-1]


def _fit(blocks: Sequence[Raw], boxes: Boxes, one: Place, other: Place) -> bool:
    """Whether the words of the second line stand in the white between those of the first."""
    first, second = (blocks[number]["lines"][place]["spans"] for number, place in (one, other))
    size, small = _size(blocks, [one]), _size(blocks, [other])
    off = abs(first[0]["origin"][1] - second[0]["origin"][1])
    level = off < _SAME_BASELINE * size and small <= _LARGEST * size
    raised = small < _SMALLER * size and off < _OFF * size
    if small < _LEAST * size or not (level or (raised and len(second[0]["text"]) <= _LONGEST)):
        return False
    if not (boxes[one] and boxes[other]) or _UNSPACED.search(first[0]["text"] + second[0]["text"]):
        return False
    within = boxes[other][0][0] < boxes[one][-1][1] - _OVERLAP * size
    return within and _are_apart([one, other], boxes, size)


def _letter_by_letter(
    blocks: Sequence[Raw], lines: Sequence[tuple[float, int, int]]
) -> Iterator[tuple[Place, Place]]:
    """Yield pairs of neighbours in lines whose letters are drawn one by one, but not from left to right."""
    short: defaultdict[float, list[tuple[float, float, float, int, Place]]] = defaultdict(list)
    for y, number, place in lines:
        line = blocks[number]["lines"][place]
        text, size = line["spans"][0]["text"], line["spans"][0]["size"]
        if len(text) <= _TOGETHER and len(line["spans"]) == 1 and not _UNSPACED.search(text):
            x0, _, x1, _ = line["bbox"]
            short[round(y, 1)].append((x0, x1, size, len(text), (number, place)))
    for row in short.values():
        if len(row) < _LETTERS or sum(letters for *_, letters, _ in row) > 2 * len(row):
            continue
        beside = [
            (left[-1], right[-1])
            for left, right in pairwise(sorted(row))
            if right[0] - left[1] < _BESIDE * left[2]
        ]
        if sum(left > right for left, right in beside) >= _LETTERS // 2:
            yield from beside


def put_together(blocks: Sequence[Raw], groups: Sequence[Sequence[Place]]) -> list[Raw]:
    """Return the blocks of `extractRAWDICT` with the parts of each group as one line, where its first was."""
    whole: dict[int, Raw | None] = {}
    for group in groups:
        parts = [blocks[number]["lines"][place] for number, place in group]
        whole |= dict.fromkeys(map(id, parts))
        longest = max(parts, key=lambda line: len(text_of(line)))
        whole[id(parts[0])] = line_of(longest, list(_by_place(parts)))
    return [
        block | {"lines": [line for one in block["lines"] if (line := whole.get(id(one), one))]}
        if "lines" in block
        else block
        for block in blocks
    ]


def _by_place(parts: Sequence[Raw]) -> Iterator[tuple[Raw, Raw]]:
    """Yield the characters of all parts with their spans, from left to right, and spaces between."""
    drawn = [
        (char, span)
        for line in parts
        for span in line["spans"]
        for char in span["chars"]
        if not char.get("synthetic")
    ]
    seen = [char["bbox"] for char, _ in drawn if not char["c"].isspace()]
    drawn = [(char, span) for char, span in drawn if not (char["c"].isspace() and _is_filled(char, seen))]
    drawn.sort(key=lambda one: one[0]["origin"][0])
    yield drawn[0]
    for (before, of_before), (char, span) in pairwise(drawn):
        right, left = before["bbox"][2], char["bbox"][0]
        size = max(of_before["size"], span["size"])
        if left - right > _SPACE * size and not (before["c"].isspace() or char["c"].isspace()):
            box = (right, before["bbox"][1], left, before["bbox"][3])
            origin = (right, before["origin"][1])
            yield before | {"c": " ", "bbox": box, "origin": origin, "synthetic": True}, of_before
        yield char, span


def _is_filled(space: Raw, boxes: Sequence[Sequence[float]]) -> bool:
    """Whether a letter is drawn where a space is."""
    middle = (space["bbox"][0] + space["bbox"][2]) / 2
    return any(box[0] < middle < box[2] for box in boxes)
