"""From where on tier 3 shows a passage, as measured in docs/decisions/0071."""

from math import inf
from typing import NamedTuple

RELATED_BY_WORDS = 0.2  # Score from which a passage is shown where there are no vectors (0071).


class Bounds(NamedTuple):
    """From where on a passage is shown, by the model of the vectors, whose similarities weigh `scale`.

    A paper has to be so much `nearer` than all others. Where there is no other one, its nearest sentence with
    MASS_OF_TERMS of the words has to be `alone`, or its score `score`; below `far` nothing is shown.
    """

    nearer: float = -0.264
    alone: float = inf
    score: float = 0.32
    far: float = -inf
    scale: float = 1.0


ANY_MODEL = Bounds()
BOUNDS = {
    "all-MiniLM-L6-v2": Bounds(alone=0.65, far=0.4),
    "multilingual-e5-small": Bounds(nearer=-0.197, alone=2.71, score=inf, far=2.575, scale=3.0),
}  # As measured in docs/decisions/0071.

LONGER = 0.05  # More of `nearer` times ln(1 + terms): of a long query every paper holds something (0071).

COMPARED, COMPARED_EXPANDED = 0.5, 0.3
"""What the best BM25 of a paper less that of the other papers weighs, as a share of the greatest, beside the
same difference of similarities; and that of the weighted words of the papers with the best BM25 (0071)."""

WITHOUT_EXPANDED = -0.18  # In place of the latter difference where a release has no weighted words (0071).

MASS_OF_TERMS, MASS_NEARER = 0.3, 0.15
"""What the share of a query's terms that stand together weighs, times ln(1 + terms), beside a similarity, and
beside the difference of two (0071)."""

TERMS_TOGETHER = 0.55
"""That share times ln(1 + terms) from which a passage is shown without vectors: 58 % of the citing
sentences, 3 % of those asked of another paper (0071)."""
