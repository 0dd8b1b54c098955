"""Align the words of a query with printed words: with the fewest changes, refined word by word."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

_LARGEST_BLOCK = 400
"""Pairs of words that are compared within one changed block; a larger one is taken as it is."""

_ALIKE = 0.5
"""Likeness (1 less the share of letters to change) from which one word may stand in the place of another."""

_JOINED = 0.8  # Likeness from which several words may stand for one.

_ALONE = 0.6
"""Cost of a word that stands on one side only, where a word in the place of an unlike one costs 1."""


class AlignedBlock(NamedTuple):
    """Words `asked[0]:asked[1]` of the query and the printed words `printed[0]:printed[1]` in their place.

    The printed words may be others, or none.
    """

    asked: tuple[int, int]
    printed: tuple[int, int]
    same: bool


def align(asked: Sequence[str], printed: Sequence[str]) -> list[AlignedBlock]:
    """Return blocks that cover both in order, those that differ as small as they can be.

    Levenshtein's opcodes over words; each changed block is then aligned again by the likeness of its words,
    in which two words may stand for one.
    """
    from rapidfuzz.distance import Levenshtein  # words that are printed do without  # noqa: PLC0415

    blocks: list[AlignedBlock] = []
    changed: tuple[int, int] | None = None
    codes = Levenshtein.opcodes(asked, printed)
    for code in codes:
        if code.tag == "equal":
            if changed:
                blocks += _refined(
                    asked, printed, (changed[0], code.src_start), (changed[1], code.dest_start)
                )
                changed = None
            blocks.append(
                AlignedBlock((code.src_start, code.src_end), (code.dest_start, code.dest_end), same=True)
            )
        elif changed is None:
            changed = code.src_start, code.dest_start
    if changed:
        blocks += _refined(asked, printed, (changed[0], len(asked)), (changed[1], len(printed)))
    return blocks


def trimmed(asked: Sequence[str], printed: Sequence[str], blocks: list[AlignedBlock]) -> list[AlignedBlock]:
    """Return the blocks without printed words before the first and after the last that stand for something.

    Where a run of words at an end is also printed next to the rest of the match, it is taken there.
    """
    kept = list(blocks)
    while kept and kept[0].asked[0] == kept[0].asked[1]:
        kept.pop(0)
    while kept and kept[-1].asked[0] == kept[-1].asked[1]:
        kept.pop()
    return _closed_up(asked, printed, kept)


def _closed_up(
    asked: Sequence[str], printed: Sequence[str], blocks: list[AlignedBlock]
) -> list[AlignedBlock]:
    """Return the blocks, a run of words at an end moved to the rest if it is printed there too."""
    same = [at for at, block in enumerate(blocks) if block.same]
    if len(same) > 1 and same[0] == 0 and same[1] > 1:
        (first, last), after = blocks[0].asked, blocks[same[1]]
        begin = after.printed[0] - (last - first)
        if begin > blocks[0].printed[0] and list(printed[begin : after.printed[0]]) == list(
            asked[first:last]
        ):
            moved = AlignedBlock((first, last), (begin, after.printed[0]), same=True)
            added = AlignedBlock((last, after.asked[0]), (after.printed[0], after.printed[0]), same=False)
            blocks = [moved, *([added] if last < after.asked[0] else []), *blocks[same[1] :]]
    same = [at for at, block in enumerate(blocks) if block.same]
    if len(same) > 1 and same[-1] == len(blocks) - 1 and same[-2] < len(blocks) - 2:
        (first, last), before = blocks[-1].asked, blocks[same[-2]]
        end = before.printed[1] + (last - first)
        if end < blocks[-1].printed[1] and list(printed[before.printed[1] : end]) == list(asked[first:last]):
            added = AlignedBlock((before.asked[1], first), (before.printed[1], before.printed[1]), same=False)
            moved = AlignedBlock((first, last), (before.printed[1], end), same=True)
            blocks = [*blocks[: same[-2] + 1], *([added] if before.asked[1] < first else []), moved]
    return blocks


def _refined(
    asked: Sequence[str], printed: Sequence[str], source: tuple[int, int], target: tuple[int, int]
) -> list[AlignedBlock]:
    """Return a changed block in its smallest parts, by dynamic programming over the likeness of words."""
    left, right = asked[slice(*source)], printed[slice(*target)]
    if not left or not right or len(left) * len(right) > _LARGEST_BLOCK:
        return [AlignedBlock(source, target, same=False)]

    from rapidfuzz.distance.Levenshtein import normalized_similarity  # noqa: PLC0415

    # The least cost from a word of each on, and how many words of each its first step takes.
    best = {(len(left), len(right)): (0.0, 0, 0)}
    letters, others = ([0, *accumulate(map(len, words))] for words in (left, right))
    for i in range(len(left), -1, -1):
        for j in range(len(right), -1, -1):
            steps = [(_ALONE + best[i + m, j + n][0], m, n) for m, n in _ONE if (i + m, j + n) in best]
            for m, n in _TOGETHER:
                if (i + m, j + n) not in best:
                    continue
                size, other = letters[i + m] - letters[i], others[j + n] - others[j]
                if m == n or min(size, other) >= _JOINED * max(size, other):  # else they are not so alike
                    likeness = normalized_similarity("".join(left[i : i + m]), "".join(right[j : j + n]))
                    if m == n or likeness >= _JOINED:
                        cost = 1.0 if likeness < _ALIKE else (1 if m == n else 1.05) - likeness
                        steps.append((cost + best[i + m, j + n][0], m, n))
            if steps:
                best[i, j] = min(steps)
    blocks = []
    i = j = 0
    while i < len(left) or j < len(right):
        _, m, n = best[i, j]
        same = list(left[i : i + m]) == list(right[j : j + n])
        span = (source[0] + i, source[0] + i + m), (target[0] + j, target[0] + j + n)
        blocks.append(AlignedBlock(*span, same=same))
        i, j = i + m, j + n
    return blocks


_ONE = ((1, 0), (0, 1))
_TOGETHER = ((1, 1), (2, 1), (1, 2), (3, 1), (1, 3))
