"""The bounds of an abridged quote, and the scores of the verdicts, as measured in docs/decisions/0022."""

MOST_LEFT_OUT = 50  # Words of the paper, at most, that one ellipsis leaves out (0022).
LEFT_OUT_IN_ALL = 100  # Words of the paper, at most, that all ellipses of a quote leave out (0022).
PIECE_WORDS = 3  # Words, at least, between two ellipses; a single word is in every passage (0022).
PARAGRAPH_ENDS = 1  # Ends of paragraphs, at most, under one ellipsis (0022).

REPLACED_WORDS = 10
"""Words of the paper, at most, that words in brackets may stand in place of; what stands for more is
no longer the same passage (0022)."""

ABRIDGED_SCORES = 0.95, 0.99
"""Score of an abridged quote that leaves out LEFT_OUT_IN_ALL, and of one that leaves out nothing."""

NEAR_SCORES = 0.95  # Score of a near quote whose words are all printed: below every abridged one.


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
