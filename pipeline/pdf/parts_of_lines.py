"""Lines that a PDF draws in parts, in any order: their letters are read by place.

Some producers draw raised figures after the whole line, words in italics after all others, or each letter by
itself. MuPDF reads what is drawn in one go, and puts spaces where the other parts stand.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from lookup.text.scripts import UNSPACED
from pipeline.pdf.drawn_letters import Raw, text_of
from pipeline.pdf.logical_order import line_of

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.
_OVERLAP = 0.06  # Em by which letters of different parts may overlap: kerning.
_SAME_BASELINE = 0.05  # Em by which the baselines of parts of one size may differ.
_SMALLER, _OFF = 0.92, 0.75  # A raised or lowered part: its size, and em off the baseline, at most.
_LEAST, _LARGEST = 0.45, 1.1  # Sizes of a part over that of its line: of a sum's limits, of another font.
_SPACE = 0.15  # Em: white that is a space, as MuPDF takes it.
_BESIDE = 0.8  # Em: the most white between two parts of one line that are letters.
_LETTERS, _TOGETHER = 6, 6
"""Parts, at least, of a line that is drawn letter by letter, and the most letters of one.

MuPDF goes back by a narrow letter, and gives a few as one part: "dlo" for "old".
"""

_UNSPACED = re.compile(f"[{UNSPACED}]")  # It may run downwards, in columns that share their baselines.
_LONGEST = 24  # Characters of a raised or lowered part, at most.

Words = Sequence[tuple[Any, ...]]


def parts_of_lines(lines: Sequence[Raw], words: Sequence[Words]) -> list[list[int]]:
    """Return the numbers of the lines of a page that are parts of one, in ascending order.

    `lines` and the `words` of each are as `extractDICT` and `extractWORDS` give them.
    """
    level = sorted(
        (line["spans"][0]["origin"][1], number)
        for number, line in enumerate(lines)
        if line["spans"] and line["dir"] == _LEVEL
    )
    near = [
        (one, other)
        for one, other in _near(lines, level)
        if _fit(lines[one], lines[other], words[one], words[other])
    ]
    pairs = [*_letter_by_letter(lines, level), *near]
    together: dict[int, list[int]] = {}
    for one, other in pairs:
        joined = together.get(one, [one])
        if other not in joined:
            joined += together.get(other, [other])
        together.update(dict.fromkeys(joined, joined))
    groups = {id(group): sorted(group) for group in together.values()}
    return [
        group
        for group in groups.values()
        if _are_apart([words[at] for at in group], max(_size(lines[at]) for at in group))
    ]


def _size(line: Raw) -> float:
    return float(max(span["size"] for span in line["spans"]))


def _are_apart(words: Sequence[Words], size: float) -> bool:
    """Whether no two words of lines are at one place."""
    found = sorted((word[0], word[2]) for of_line in words for word in of_line)
    return all(after[0] >= before[1] - _OVERLAP * size for before, after in pairwise(found))


def _near(lines: Sequence[Raw], level: Sequence[tuple[float, int]]) -> Iterator[tuple[int, int]]:
    """Yield pairs of lines of which the second begins within the first, close to its baseline."""
    for at, (y, number) in enumerate(level):
        x0, top, x1, foot = lines[number]["bbox"]
        for height, other in level[at + 1 :]:
            if height - y >= foot - top:
                break
            begin, _, end, _ = lines[other]["bbox"]
            if begin < x1 and x0 < end:
                yield (number, other) if x0 <= begin else (other, number)


def _fit(one: Raw, other: Raw, words: Words, others: Words) -> bool:
    """Whether the words of the second line stand in the white between those of the first."""
    first, second, size, small = one["spans"], other["spans"], _size(one), _size(other)
    off = abs(first[0]["origin"][1] - second[0]["origin"][1])
    level = off < _SAME_BASELINE * size and small <= _LARGEST * size
    raised = small < _SMALLER * size and off < _OFF * size
    if small < _LEAST * size or not (level or (raised and len(second[0]["text"]) <= _LONGEST)):
        return False
    if not (words and others) or _UNSPACED.search(first[0]["text"] + second[0]["text"]):
        return False
    within = others[0][0] < words[-1][2] - _OVERLAP * size
    return within and _are_apart([words, others], size)


def _letter_by_letter(lines: Sequence[Raw], level: Sequence[tuple[float, int]]) -> Iterator[tuple[int, int]]:
    """Yield pairs of neighbours in lines whose letters are drawn one by one, but not from left to right."""
    short: defaultdict[float, list[tuple[float, float, float, int, int]]] = defaultdict(list)
    for y, number in level:
        line = lines[number]
        text, size = line["spans"][0]["text"], line["spans"][0]["size"]
        if len(text) <= _TOGETHER and len(line["spans"]) == 1 and not _UNSPACED.search(text):
            x0, _, x1, _ = line["bbox"]
            short[round(y, 1)].append((x0, x1, size, len(text), number))
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


def put_together(blocks: Sequence[Raw], groups: Sequence[Sequence[int]]) -> list[Raw]:
    """Return the blocks of `extractRAWDICT` with the parts of each group as one line, where its first was."""
    lines = [line for block in blocks for line in block.get("lines", ())]
    whole: dict[int, Raw | None] = {}
    for group in groups:
        parts = [lines[number] for number in group]
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
