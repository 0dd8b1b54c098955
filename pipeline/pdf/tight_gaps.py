"""Spaces in tightly set lines: MuPDF takes a gap of less than .15 em for none, and words run together."""

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.

_LONG = 26
_RUN = re.compile(rf"(?:[^\W\d_]|[’',.;:-](?=[^\W\d_])){{{_LONG}}}")
"""Letters without a space that are hardly one word: addresses have signs between them."""

_UNCASED = re.compile("[^\u0000-\u058f\u1e00-\u20cf\ufb00-\ufb06]")
"""What is beyond the alphabets with case, their accents and signs."""

_TIGHT, _USUAL = 0.165, 0.18
"""Em: the least and the median gap between words of a line below which others may be no space for MuPDF."""

_SPACED_OUT = re.compile(r"\b[A-Z]{1,2} [A-Z] ")  # "TA B LE", which has wider gaps between its words.
_SPACE, _IN_RUN = 0.1, 0.08  # Em: the least gap that is a space between letters that touch; in a run of them.
_TOUCH = 0.03  # Em: the most by which the usual gap between the letters of such a line differs from none.
_AWAY = 0.25  # Em: a wider gap is a space for MuPDF, or none for another reason.

_BEFORE, _AFTER = re.compile(r"[^\W\d_]|[,.;:!?)\]”’»\d]"), re.compile(r"[^\W\d_]|[(\[“‘«]")
"""What stands before and after such a space: between digits a narrow one groups them."""

Gaps = Mapping[tuple[int, int, int], Sequence[int]]
"""Before which characters of a span a space is missing, by the places of its block, its line and itself."""


def text_blocks(blocks: Sequence[dict[str, Any]]) -> list[int]:
    """Return the places of the blocks of text; `extractWORDS` counts no others, such as drawings."""
    return [number for number, block in enumerate(blocks) if "lines" in block]


def tight_gaps(
    words: Sequence[tuple[Any, ...]],
    blocks: Sequence[dict[str, Any]],
    spans: Callable[[tuple[int, int]], Sequence[dict[str, Any]]],
) -> Gaps:
    """Return where the print has spaces that MuPDF does not give.

    `words` and `blocks` are as `extractWORDS` and `extractDICT` give them; `spans` returns those of a line as
    `extractRAWDICT` does, by the places of its block and of itself.
    """
    found: dict[tuple[int, int, int], list[int]] = {}
    for block, line, least in _suspects(words, blocks):
        for span, place in _missing(spans((block, line)), least):
            found.setdefault((block, line, span), []).append(place)
    return found


def with_gaps(blocks: list[dict[str, Any]], gaps: Gaps) -> list[dict[str, Any]]:
    """Return the blocks with these spaces put into their texts, or among their characters."""
    for (block, line, number), places in gaps.items():
        span = blocks[block]["lines"][line]["spans"][number]
        for place in reversed(places):
            if "text" in span:
                span["text"] = f"{span['text'][:place]} {span['text'][place:]}"
                continue
            before, after = span["chars"][place - 1 : place + 1]
            (_, y0, left, y1), right = before["bbox"], after["bbox"][0]
            space = {"c": " ", "origin": (left, before["origin"][1]), "bbox": (left, y0, right, y1)}
            span["chars"].insert(place, {**before, **space})
    return blocks


def _suspects(
    words: Sequence[tuple[Any, ...]], blocks: Sequence[dict[str, Any]]
) -> Iterator[tuple[int, int, float]]:
    """Return the places of lines whose words may have run together, and the least gap that is a space, em."""
    gaps = _gaps_between_words(words)
    for of_text, number in enumerate(text_blocks(blocks)):
        for place, line in enumerate(blocks[number]["lines"]):
            spans = line["spans"]
            if not spans or line["dir"] != _LEVEL:
                continue
            size = max([span["size"] for span in spans]) if len(spans) > 1 else spans[0]["size"]
            white = sorted(gaps.get((of_text, place), (size,)))
            text = "".join([span["text"] for span in spans])
            even = white[len(white) // 2] < _USUAL * size
            tight = white[0] < _TIGHT * size and (even or _SPACED_OUT.search(text))
            run = max(map(len, text.split()), default=0) >= _LONG and _RUN.search(text)
            if (tight or run) and not _UNCASED.search(text):
                yield number, place, _IN_RUN if run else _SPACE


def _gaps_between_words(words: Sequence[tuple[Any, ...]]) -> Mapping[tuple[int, int], Sequence[float]]:
    """Return the gaps between the words of each line, points, by block (of text) and line.

    Words that overlap have none.
    """
    found: defaultdict[tuple[int, int], list[float]] = defaultdict(list)
    number, right = (-1, -1), 0.0  # of the line, and where the last word of it ended
    for x0, _, x1, _, _, block, line, _ in words:
        at = block, line
        if at == number and x0 > right:
            found[at].append(x0 - right)
        number, right = at, x1
    return found


def _missing(spans: Sequence[dict[str, Any]], least: float) -> Iterator[tuple[int, int]]:
    """Return the places of spans, and of their characters before which a space is missing.

    None in a line whose letters do not touch: it is spaced out.
    """
    white = [
        (number, place, (after["bbox"][0] - before["bbox"][2]) / span["size"], before["c"], after["c"])
        for number, span in enumerate(spans)
        for place, (before, after) in enumerate(pairwise(span["chars"]), start=1)
        if not (before["c"].isspace() or after["c"].isspace())
    ]
    if not white or abs(median(gap for _, _, gap, _, _ in white)) > _TOUCH:
        return
    for number, place, gap, before, after in white:
        if least <= gap < _AWAY and _BEFORE.match(before) and _AFTER.match(after):
            yield number, place
