"""Accents that a page draws beside the letters that they are printed over."""

import unicodedata
from collections.abc import Sequence

GONE = "\u2060"
"""In place of an accent that went into its neighbour, so that printed and coded text are equally long."""

_COMBINING = dict(
    zip(
        "´`¨ˆ˜¸˚ˇ˘˙˛˝",
        "\u0301\u0300\u0308\u0302\u0303\u0327\u030a\u030c\u0306\u0307\u0328\u030b",
        strict=True,
    )
)

ACCENTS = "".join(_COMBINING)  # Accents by themselves; beside a letter they may be printed over it.


def with_accents(characters: str, left: Sequence[float], right: Sequence[float]) -> str:
    """Return the characters of a word with accents on their letters, and GONE in place of the accents.

    `left` and `right` are the edges of each character, in points. An accent belongs to the neighbour that its
    middle is over, if Unicode has that letter with the accent.
    """
    if _COMBINING.keys().isdisjoint(characters):
        return characters
    out = list(characters)
    for at, char in enumerate(characters):
        mark = _COMBINING.get(char)
        if mark is None:
            continue
        middle = (left[at] + right[at]) / 2
        for beside in (at - 1, at + 1):
            if not 0 <= beside < len(out) or not left[beside] < middle < right[beside]:
                continue
            composed = unicodedata.normalize("NFC", out[beside].replace("ı", "i").replace("ȷ", "j") + mark)
            if out[beside].isalpha() and len(composed) == 1:
                out[beside], out[at] = composed, GONE
                break
    return "".join(out)
