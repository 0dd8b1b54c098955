"""Spaces in tightly set lines: MuPDF takes a gap of less than .15 em for none, and words run together."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import median
from typing import Any

_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.

_LONG = 26
_UNSPACED = re.compile(rf"\S{{{_LONG}}}")
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

Gaps = Mapping[tuple[int, int], Sequence[int]]
"""Before which characters of a span a space is missing, by the numbers of its line and itself."""


def tight_gaps(
    lines: Sequence[dict[str, Any]],
    texts: Sequence[str],
    words: Sequence[Sequence[tuple[Any, ...]]],
    characters_of: Callable[[int], dict[str, Any]],
) -> Gaps:
    """Return where the print has spaces that MuPDF does not give.

    `lines`, with their `texts`, and the `words` of each are as `extractDICT` and `extractWORDS` give them;
    `characters_of` returns a line by its number as `extractRAWDICT` does.
    """
    found: dict[tuple[int, int], list[int]] = {}
    for number, least in _suspects(lines, texts, words):
        for span, place in _missing(characters_of(number)["spans"], least):
            found.setdefault((number, span), []).append(place)
    return found


def with_gaps(lines: Sequence[dict[str, Any]], gaps: Gaps) -> Sequence[dict[str, Any]]:
    """Return the lines with these spaces put into their texts, or among their characters."""
    for (line, number), places in gaps.items():
        span = lines[line]["spans"][number]
        for place in reversed(places):
            if "text" in span:
                span["text"] = f"{span['text'][:place]} {span['text'][place:]}"
                continue
            before, after = span["chars"][place - 1 : place + 1]
            (_, y0, left, y1), right = before["bbox"], after["bbox"][0]
            space = {"c": " ", "origin": (left, before["origin"][1]), "bbox": (left, y0, right, y1)}
            span["chars"].insert(place, {**before, **space})
    return lines


def _suspects(
    lines: Sequence[dict[str, Any]], texts: Sequence[str], words: Sequence[Sequence[tuple[Any, ...]]]
) -> Iterator[tuple[int, float]]:
    """Return the numbers of lines whose words may have run together, and what gap is a space at least, em."""
    has_long = _UNSPACED.search("\n".join(texts))
    for number, (line, text, of_line) in enumerate(zip(lines, texts, words, strict=True)):
        if not line["spans"] or line["dir"] != _LEVEL:
            continue
        size = max([span["size"] for span in line["spans"]])
        white = [gap for before, word in pairwise(of_line) if (gap := word[0] - before[2]) > 0]
        tight = white and min(white) < _TIGHT * size
        tight = tight and (sorted(white)[len(white) // 2] < _USUAL * size or _SPACED_OUT.search(text))
        run = has_long and _UNSPACED.search(text) and _RUN.search(text)
        if (tight or run) and not _UNCASED.search(text):
            yield number, _IN_RUN if run else _SPACE


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
