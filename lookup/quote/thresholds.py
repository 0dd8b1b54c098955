"""What decides between near, related and nothing, in one place, with the measurements that set it."""

NEAR_SCORE = 0.65
"""Coverage x tightness from which a passage may be near."""

NEAR_UNPRINTED = 0.15
"""Share of the query's words that a near passage may not print at all; one word it always may."""

RELATED_SCORE = 0.5
"""Coverage x tightness under which a passage has nothing to do with the query."""

RELATED_IN_MEANING = 0.18
"""Score of tier 3 under which a passage is not worth showing."""

RELATED_BY_WORDS = 0.2
"""The same where there are no vectors."""

MATCH_THRESHOLD = 0.5
"""Cosine from which sentences are worth showing, if the caller names none."""

WINDOW_SCORE = 0.3
"""Coverage x tightness from which a window is worth aligning: words that come apart are not counted before that."""

SLIPS = (4, 8, 12)
"""Letters of a word from which one, two and three letters of it may be misread."""


def slips(word: str) -> int:
    """How many letters of `word` may be misread; none of a number."""
    if any(map(str.isdigit, word)) and not any(map(str.isalpha, word)):
        return 0
    return sum(len(word) >= length for length in SLIPS)
