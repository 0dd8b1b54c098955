"""Words that may be meant: they contain a keyword, are contained in it, or are a slip of typing away from it."""

from collections.abc import Iterable, Sequence

from rapidfuzz.distance import OSA

from lookup.thresholds import slips

_SHORTEST = 3
"""Letters of a keyword from which words that contain it are taken: "of" stands in too many."""

_SHORTEST_PART = 4
"""Letters of a word that a keyword may contain..."""

_PART = 0.5
"""...and their least share of the keyword's: "synthesis" in "photosynthesis", not "photo"."""


def near_words(word: str, vocabulary: Iterable[str]) -> list[tuple[str, float]]:
    """The words of `vocabulary` that may be meant by `word`, each with its likeness to it: 1.0 for itself."""
    found = []
    for other in vocabulary:
        likeness = _likeness(word, other)
        if likeness:
            found.append((other, likeness))
    return sorted(found, key=lambda one: (-one[1], one[0]))


def _likeness(word: str, other: str) -> float:
    if word == other:
        return 1.0
    shorter, longer = sorted((len(word), len(other)))
    if (len(word) >= _SHORTEST and word in other) or (len(other) >= least_part(word) and other in word):
        return shorter / longer
    allowed = slips(word)
    if abs(len(word) - len(other)) > allowed or not slips(other):
        return 0.0
    distance = OSA.distance(word, other, score_cutoff=allowed)  # two letters swapped are one slip
    return 1 - distance / longer if distance <= allowed else 0.0


def least_part(word: str) -> int:
    """Letters of a word, at least, that counts as contained in `word`."""
    return max(_SHORTEST_PART, -int(-len(word) * _PART // 1))


def pieces(word: str) -> Sequence[str]:
    """Parts of `word` of which each word that may be meant by it holds at least one.

    A part of `word` of n letters holds one of its blocks of (n + 1) / 2 whole, and slips leave one block intact where there are more
    blocks than slips (the pigeonhole principle); two letters swapped over the border of two blocks are two slips here.
    """
    size = min((least_part(word) + 1) // 2, len(word) // (slips(word) + 1))
    if len(word) < _SHORTEST_PART or not size:
        return [word]
    return list(dict.fromkeys(word[at : at + size] for at in range(0, len(word) - size + 1, size)))
