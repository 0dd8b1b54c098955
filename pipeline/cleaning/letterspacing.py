"""Letterspacing: words set with spaces between their letters, "A R T I C L E   I N F O"."""

import re
from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from pipeline.pdf.lines import Word

SPACED_OUT = re.compile(r"(?<!\S)(?:[^\W\d_]{1,2} ){3,}[^\W\d_]{1,2}(?!\S)")
"""Four or more pieces of one or two letters: some fonts set two closer together, as in "FI G U R E"."""

MAY_BE_SPACED = re.compile(r" \w{1,2} \w{1,2} ")
"""What is within all spaced letters, and quickly found."""

_LEAST = 5  # Letters of spaced text, at least.
_SINGLE = 0.6  # Share of the pieces, at least, that are single letters.
_WIDEST = 0.6  # Em: the widest space between the letters of a word.
_WORD_SPACE = 1.6  # Spaces between letters that make a space between words, at least.


def letters_closed_up(words: Sequence[Word], text: str) -> frozenset[int]:
    """Return the numbers of the words of a line that are letters of the word before; `text` is the line's."""
    closed: set[int] = set()
    for match in SPACED_OUT.finditer(text) if MAY_BE_SPACED.search(text) else ():
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
