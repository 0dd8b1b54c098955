"""Find where a text may be cut so that no bracket is separated from its partner."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from retrieval.raw_text.graphemes import boundary_after, boundary_before

PARTNERS = dict(zip(")]}⟩）］｝」』】〉》", "([{⟨（［｛「『【〈《", strict=True))
BRACKET = re.compile("[" + re.escape("".join(PARTNERS) + "".join(PARTNERS.values())) + "]")


class Brackets(NamedTuple):
    """The pairs of brackets of a text, as a snippet of limited length must heed them.

    `bonds` are spans that may not be cut: a pair that fits the length, with all inside it. `barriers` are
    spans of brackets that are not shown, since their partner is too far away. Both ascend, do not overlap,
    and begin and end at grapheme boundaries.
    """

    bonds: tuple[tuple[int, int], ...]
    barriers: tuple[tuple[int, int], ...]

    def allows(self, at: int) -> bool:
        """Whether a cut before the character `at` divides no pair that fits."""
        number = bisect_left(self.bonds, (at,)) - 1
        return number < 0 or self.bonds[number][1] <= at

    def without_barriers(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the parts of a span without the brackets that cannot be shown."""
        if not self.barriers:
            return [(start, end)]
        left = []
        for number in range(bisect_right(self.barriers, (start,)), len(self.barriers)):
            first, last = self.barriers[number]
            if first >= end:
                break
            left.append((start, first))
            start = last
        return [(a, z) for a, z in [*left, (start, end)] if a < z]


def brackets_of(text: str, limit: int) -> Brackets:
    """Return the brackets of `text` for snippets of at most `limit` characters.

    Each kind is paired on its own; a bracket without a partner may stand alone.
    """
    bonds: list[tuple[int, int]] = []
    pairs, parted = _pairs(text, limit)
    lost = list(parted)
    for group, last in _groups(pairs):
        start, end = boundary_before(text, group[0][0]), boundary_after(text, last + 1)
        # Kinds may interleave, as in "( [ ) ]": then all of them may be too long together, or hold one that
        # is lost.
        if end - start > limit or bisect_left(parted, start) < bisect_left(parted, end):
            lost += [at for pair in group for at in pair]
        else:
            bonds.append((start, end))
    barriers = tuple((boundary_before(text, at), boundary_after(text, at + 1)) for at in sorted(lost))
    return Brackets(tuple(bonds), barriers)


def _pairs(text: str, limit: int) -> tuple[list[tuple[int, int]], list[int]]:
    """Return the pairs of at most `limit` characters, and the offsets of the brackets of longer pairs."""
    open_ones: dict[str, list[int]] = {partner: [] for partner in PARTNERS.values()}
    pairs: list[tuple[int, int]] = []
    parted: list[int] = []
    for match in BRACKET.finditer(text):
        at, char = match.start(), match[0]
        if char in open_ones:
            open_ones[char].append(at)
        elif waiting := open_ones[PARTNERS[char]]:
            start = waiting.pop()
            if at - start < limit:
                pairs.append((start, at))
            else:
                parted += [start, at]
    return sorted(pairs), sorted(parted)


def _groups(pairs: list[tuple[int, int]]) -> Iterator[tuple[list[tuple[int, int]], int]]:
    """Yield groups of pairs that overlap, each with the offset of its last bracket."""
    group: list[tuple[int, int]] = []
    reach = -1
    for pair in pairs:
        if pair[0] > reach and group:
            yield group, reach
            group = []
        group.append(pair)
        reach = max(reach, pair[1])
    if group:
        yield group, reach
