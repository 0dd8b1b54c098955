"""What decides between near, related and nothing. Measured in docs/decisions/0011 (tier 2) and 0012 (tier 3)."""

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

WINDOW_SCORE = 0.3
"""Coverage x tightness from which a window is worth aligning: words that come apart are not counted before that."""
