"""Words that are set with spaces between their letters: "A R T I C L E   I N F O"."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pipeline.pdf.lines import Word

SPACED_OUT = re.compile(r"(?<!\S)(?:[^\W\d_]{1,2} ){3,}[^\W\d_]{1,2}(?!\S)")
"""Four pieces or more of one or two letters; two where the font has them closer together, as in "FI G U R E"."""

_LEAST = 5
"""Letters of the shortest text that is taken for spaced out."""

_SINGLE = 0.6
"""Share of the pieces that must be single letters."""

_WIDEST = 0.6
"""Em: the widest space between the letters of a word."""

_WORD_SPACE = 1.6
"""Spaces between letters that make a space between words, at the least."""


def letters_closed_up(words: Sequence[Word], text: str) -> frozenset[int]:
    """The numbers of those words of a line that are letters of the word before them; `text` is the line's."""
    closed: set[int] = set()
    for match in SPACED_OUT.finditer(text):
        first = text.count(" ", 0, match.start())
        pieces = match.group().split(" ")
        if len("".join(pieces)) < _LEAST or sum(len(one) == 1 for one in pieces) < _SINGLE * len(pieces):
            continue
        run = words[first : first + len(pieces)]
        gaps = [after.x0 - before.x1 for before, after in pairwise(run)]
        usual = median(gaps)
        if not 0 < usual < _WIDEST * run[0].size:
            continue
        closed.update(first + 1 + at for at, gap in enumerate(gaps) if gap < _WORD_SPACE * usual)
    return frozenset(closed)
