"""The bounds between the verdicts, as measured in docs/decisions/0011, 0022 and 0030."""

NEAR_SCORE = 0.65
"""Coverage x tightness from which a passage may be near: 99 % of misread and of changed sentences have 0.87
or more, sentences of another paper at most 0.49 but for one of 1,824 (0011)."""

NEAR_UNPRINTED = 0.15
"""Share of the query's words, or one word, that a near passage may lack. Without this rule one sentence of
another paper in 1,824 was near (0011)."""

RELATED_SCORE = 0.5
"""Coverage x tightness from which a passage is related: 99 % of sentences with words dropped and swapped have
0.61 or more (0011)."""

RELATED_IN_MEANING = 0.32
"""Score of tier 3 from which a passage is shown: 98.5 % of 611 questions have it, 19 % of those about another
paper of the same subject (0060)."""

RELATED_BY_WORDS = 0.2  # The same where there are no vectors: 97 % and 17 % (0060).

SIMILAR = {"all-MiniLM-L6-v2": (0.65, 0.4)}
"""By model: similarity of the nearest sentence, and MASS_OF_TERMS of the words, from which a passage is shown
where there are no other papers to compare with (0060), and below which none is shown (0062). Other models
have other similarities."""

NEARER, LONGER = -0.175, 0.06
"""By how much a paper has to be nearer than any other one, MASS_OF_TERMS of its words added: so much, and
LONGER times ln(1 + terms) more, since of a long query every paper holds something (0064)."""

COMPARED = 0.5
"""What the best BM25 of a paper less that of the other papers weighs, as a share of the greatest, beside the
same difference of similarities (0064)."""

MASS_OF_TERMS = 0.3
"""What the share of a query's terms that stand together weighs, times ln(1 + terms), beside a similarity
(0064)."""

TERMS_TOGETHER = 0.55
"""That share times ln(1 + terms) from which a passage is shown without vectors: 58 % of the citing
sentences, 3 % of those asked of another paper (0060)."""

WINDOW_SCORE = 0.3
"""Coverage x tightness from which a window is aligned; lower than RELATED_SCORE, since words that come apart
are only counted then (0011)."""

LEFT_OUT_AT_ONCE = 50  # Words of the paper, at most, that one ellipsis leaves out (0022).
LEFT_OUT_IN_ALL = 100  # Words of the paper, at most, that all ellipses of a quote leave out (0022).
PIECE_WORDS = 3  # Words, at least, between two ellipses; a single word is in every passage (0022).
PARAGRAPH_ENDS = 1  # Ends of paragraphs, at most, under one ellipsis (0022).

REPLACED_WORDS = 10
"""Words of the paper, at most, that words in brackets may stand in place of; what stands for more is
no longer the same passage (0022)."""

ABRIDGED_SCORES = 0.95, 0.99
"""Score of an abridged quote that leaves out LEFT_OUT_IN_ALL, and of one that leaves out nothing."""

NEAR_SCORES = 0.95  # Score of a near quote whose words are all printed: below every abridged one.
