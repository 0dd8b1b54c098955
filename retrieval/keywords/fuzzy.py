"""Words that may be meant by a keyword: they contain it, are part of it, or are a typing slip away."""

from collections.abc import Collection, Sequence

from rapidfuzz import process
from rapidfuzz.distance import OSA

from lookup.text.words import STOP_WORDS, slips

_SHORTEST = 3
"""Letters that a keyword needs before words that contain it are taken: "of" is part of too many."""

_SHORTEST_PART = 3  # Letters of a word that a keyword may contain...
_PART = 0.5  # ...and their least share of the keyword's: "synthesis" in "photosynthesis", not "photo".


def near_words(word: str, vocabulary: Collection[str]) -> list[tuple[str, float]]:
    """Return the words of `vocabulary` that may be meant by `word`, with their likeness: 1.0 for itself.

    Stop words are left out.
    """
    least, size = least_part(word), len(word)
    found = {
        other: min(size, len(other)) / max(size, len(other))
        for other in vocabulary
        if (
            other in word and len(other) >= least
            if len(other) < size
            else size >= _SHORTEST and word in other
        )
    }
    # Two letters swapped are one slip (optimal string alignment).
    slipped = process.extract(word, vocabulary, scorer=OSA.distance, score_cutoff=slips(word), limit=None)
    for other, distance, _ in slipped:
        if distance == 0 or slips(other):
            found.setdefault(other, 1 - distance / max(len(word), len(other)))
    meant = (one for one in found.items() if one[0] not in STOP_WORDS or one[0] == word)
    return sorted(meant, key=lambda one: (-one[1], one[0]))


def least_part(word: str) -> int:
    """Return the fewest letters of a word that counts as contained in `word`."""
    return max(_SHORTEST_PART, -int(-len(word) * _PART // 1))


def pieces(word: str) -> Sequence[str]:
    """Return parts of `word`: each word that may be meant by it holds at least one of them.

    A part of `word` of n letters holds one of its blocks of (n + 1) / 2 whole, and slips leave one block
    intact where there are more blocks than slips (the pigeonhole principle); two letters swapped over the
    border of two blocks are two slips here.
    """
    size = min((least_part(word) + 1) // 2, len(word) // (slips(word) + 1))
    if len(word) <= _SHORTEST_PART or not size:
        return [word]
    return list(dict.fromkeys(word[at : at + size] for at in range(0, len(word) - size + 1, size)))
