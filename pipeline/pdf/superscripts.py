"""Which characters of a line are superscripts: by their size and their baseline beside what they stand at."""

import re
from collections.abc import Iterable

_SIZE = (0.45, 0.92)
"""Size of a superscript by the size of what it stands at. Below are the lines beside a drop cap, above is text."""

_RISE = (0.12, 0.75)
"""Em of what it stands at by which a superscript's baseline is raised."""

_LONGEST = 24
"""Characters of the longest superscript printed in one piece: longer ones are text beside a large sign, or cells of a figure."""

_DRAWN_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070-\u207f]+")
"""Characters that are superscripts of themselves."""


def is_superscript(
    characters: int, size: float, baseline: float, size_beside: float, baseline_beside: float
) -> bool:
    """Whether so many characters of one size are a superscript at those beside; in points, baselines growing downwards."""
    return (
        characters <= _LONGEST
        and _SIZE[0] * size_beside < size < _SIZE[1] * size_beside
        and _RISE[0] * size_beside < baseline_beside - baseline < _RISE[1] * size_beside
    )


def superscript_runs(text: str, raised: Iterable[tuple[int, int]]) -> tuple[int, ...]:
    """All superscripts of `text`, flat: start and end of each run, ascending.

    `raised` are the spans that are printed raised; characters such as "²" are added. What a space parts is one run: "12, 13".
    """
    spans = sorted([*raised, *(match.span() for match in _DRAWN_RAISED.finditer(text))])
    runs: list[int] = []
    for start, end in spans:
        if runs and text[runs[-1] : start] in {"", " "}:
            runs[-1] = max(runs[-1], end)
        else:
            runs += (start, end)
    return tuple(runs)
