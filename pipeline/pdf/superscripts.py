"""Superscripts: characters that are smaller and higher than those beside them."""

import re
from collections.abc import Iterable

_SMALLEST, SMALLER = 0.45, 0.92
"""Font size of a superscript over that beside it. Lines beside a drop cap are below, text is above."""

_RISE = (0.12, 0.75)  # Em of the characters beside it by which a superscript's baseline is higher.

_LONGEST = 24
"""Characters of a superscript, at most: longer ones are text beside a large sign, or cells of a figure."""

_UNICODE = re.compile("[\u00b2\u00b3\u00b9\u2070-\u207f]+")
"""Characters that are superscripts in Unicode."""


def is_superscript(
    characters: int, size: float, baseline: float, size_beside: float, baseline_beside: float
) -> bool:
    """Whether characters are a superscript of those beside; points, baselines growing downwards."""
    return (
        characters <= _LONGEST
        and _SMALLEST * size_beside < size < SMALLER * size_beside
        and _RISE[0] * size_beside < baseline_beside - baseline < _RISE[1] * size_beside
    )


def superscript_runs(text: str, raised: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """Return start and end of each run of superscripts in `text`, ascending in one flat tuple.

    `raised` are the spans that are printed higher; characters such as "²" are added. A space does not end a
    run: "12, 13".
    """
    spans = sorted([*raised, *(match.span() for match in _UNICODE.finditer(text))])
    runs: list[int] = []
    for start, end in spans:
        if runs and text[runs[-1] : start] in {"", " "}:
            runs[-1] = max(runs[-1], end)
        else:
            runs += (start, end)
    return tuple(runs)
