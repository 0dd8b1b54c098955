"""What differs between a query and the print where they have other words: block by block of those aligned."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lookup.compare.alignment import align
from lookup.compare.checks import CHECKS, Compared, first_found, other_gaps, other_parts
from lookup.compare.differences import difference
from lookup.compare.letters import Letters
from lookup.results.difference import Difference
from lookup.text.words import spans


def other_words(both: Compared) -> list[Difference]:
    """Return what differs, in the order of the text: what the checks say where the letters are the same.

    Words that stand on one side only are named one by one. One that is added in one place and dropped in
    another was moved, unless it is a fact; the print around it tells whither.
    """
    asked, printed = _Words(both.asked), _Words(both.printed)
    blocks = align(asked.words, printed.words)
    parts = asked.parts([one.asked for one in blocks]), printed.parts([one.printed for one in blocks])
    found: list[Difference] = []
    around: list[tuple[Difference, str]] = []
    for block, one, other in zip(blocks, *parts, strict=True):
        words, others = asked.words[slice(*block.asked)], printed.words[slice(*block.printed)]
        if not words or not others:
            found += [difference([word], []) for word in words]
            for at, word in enumerate(others, block.printed[0]):
                found.append(difference([], [word]))
                around.append((found[-1], printed.around(at)))
        elif block.same or (one.chars and one.chars == other.chars and not list(other_gaps(one, other))):
            found += _in_letters(both._replace(asked=one, printed=other, after=""))
        else:
            found.append(replace(difference(words, others, both.known), printed=other.text))
    for added in [one for one in found if one.kind == "added"]:
        here = (one for one in around if one[0].kind == "dropped" and one[0].printed == added.asked)
        if (moved := next(here, None)) is not None:
            around.remove(moved)
            found.remove(added)
            found[found.index(moved[0])] = Difference("moved", added.asked, moved[1])
    return found


def _in_letters(both: Compared) -> Iterator[Difference]:
    """Yield what differs between words that are the same, or part otherwise."""
    yield from other_parts(both.asked, both.printed)
    yield from first_found(CHECKS[1:], both)


class _Words:
    """The words of one side, and where they stand in its text."""

    def __init__(self, side: Letters) -> None:
        self._side, self._text = side, side.text
        self._spans = spans(self._text)
        self.words = [self._text[start:end] for start, end in self._spans]

    def parts(self, blocks: Sequence[tuple[int, int]]) -> Iterator[Letters]:
        """Yield the letters of blocks of words; those of an empty block have none."""
        return self._side.parts(self._extent(*block) for block in blocks)

    def around(self, at: int) -> str:
        """Return the text of the word `at` with those before and after it."""
        return self._text[slice(*self._extent(max(at - 1, 0), min(at + 2, len(self.words))))]

    def _extent(self, begin: int, end: int) -> tuple[int, int]:
        return (self._spans[begin][0], self._spans[end - 1][1]) if begin < end else (0, 0)
