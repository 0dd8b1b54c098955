"""The bounds between the verdicts, as measured in docs/decisions/0011."""

NEAR_SCORE = 0.65
"""Coverage x tightness from which a passage may be near: 99 % of misread and of changed sentences have 0.87
or more, sentences of another paper at most 0.49 but for one of 1,824 (0011)."""

NEAR_UNPRINTED = 0.15
"""Share of the query's words, or one word, that a near passage may lack. Without this rule one sentence of
another paper in 1,824 was near (0011)."""

RELATED_SCORE = 0.5
"""Coverage x tightness from which a passage is related: 99 % of sentences with words dropped and swapped have
0.61 or more (0011)."""

WINDOW_SCORE = 0.3
"""Coverage x tightness from which a window is aligned; lower than RELATED_SCORE, since words that come apart
are only counted then (0011)."""
