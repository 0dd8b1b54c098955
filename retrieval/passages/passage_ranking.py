"""Tier 3: the passages nearest to a query, by what its words mean and by which of them they have.

Each paragraph has five kinds of evidence: the similarity of its nearest sentence and its own, the weighted
words of a sparse model, and the two of retrieval.scoring.relevance. Each is divided by its standard deviation
over the paper's paragraphs, so that what tells them apart weighs alike, and their mean by
retrieval.scoring.evidence is the score: the same order as that of the sums of standard scores, on a scale
from 0 to 1. Whatever the score, a passage is related at best.
"""

import re
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf, log
from typing import NamedTuple

from lookup.errors import ModelError, SearchError
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Paragraph, PassageSpan
from lookup.quote.cascade import NearestPassages
from lookup.quote.certify import Candidate
from lookup.quote.query import Query
from lookup.release.checked_files import MappedFiles
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from lookup.text.words import words_in, words_of
from retrieval.embedding.sentence_vectors import Nearest, SentenceVectors
from retrieval.embedding.weighted_words import WeightedWords
from retrieval.scoring.evidence import (
    ALIGNED,
    BESIDE,
    BM25,
    EXPANDED,
    MASS,
    PASSAGE,
    SIMILARITY,
    by_words,
    quotability,
    weighed,
)
from retrieval.scoring.lexical_index import LexicalIndex
from retrieval.scoring.relevance import (
    Relevance,
    asked_of,
    asked_terms,
    relevance,
    says_something,
    stems_of,
    term_spans,
    terms,
)

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


class Ranked(NamedTuple):
    """A paragraph that tier 3 ranks.

    `sentence` is its nearest one, if it has vectors; `words` is what its words hold of the query.
    """

    paragraph: Paragraph
    score: float
    sentence: int | None
    words: Relevance


_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_NAME = r"[^\W\d_a-z][\w'’-]+"
_CITED = re.compile(
    rf"\([^()]*\b{_YEAR}\b[^()]*\)|\[\d{{1,3}}(?:\s?[,–-]\s?\d{{1,3}})*\]"
    rf"|\b{_NAME}(?:,? (?:and|&) {_NAME}| et al\.?)(?:,? \(?{_YEAR}\)?)?|\b{_NAME},? \({_YEAR}\)"
)
_LEFT = 4  # Words, at least, that have to be left of a query without its citations.


def without_citations(asked: str) -> str:
    """Return a query without the works that it cites, "(Wu, 2010)" or "Wu et al. (2010)".

    They say nothing of the passage that is looked for. It stays as it is where little else is left.
    """
    plain = _CITED.sub(" ", asked)
    return plain if len(words_in(fold(plain))) >= _LEFT else asked


_OF_ANY_WORK = frozenset(terms(" ".join(words_of("of_any_work"))))
"""What is asked of any work, "What is the conclusion of this report?": other papers answer it as well."""


@dataclass(frozen=True)
class Meant:
    """What the vectors and the weighted words of a release say of a query to one paper.

    `nearest` has a sentence for each paragraph that has vectors, where it is empty words alone decide;
    `expanded` are scores by weighted words. `nearer` is by how much the paper is nearer than any other one:
    the similarity of its nearest sentence, and what COMPARED says of words, less those of the other papers
    (None: there is none). `bounds` are those of the model. By paragraph, `aligned` is what tier 2 found, and
    `stems` what the index of words holds: of others they are made.
    """

    nearest: Mapping[int, Nearest]
    expanded: Mapping[int, float] = field(default_factory=dict)
    nearer: float | None = None
    bounds: Bounds = ANY_MODEL
    aligned: Mapping[int, Candidate] = field(default_factory=dict)
    stems: Mapping[int, str] = field(default_factory=dict)


def rank(paper: Paper, asked: str, meant: Meant, page: int = 0, wanted: int = 1) -> tuple[list[Ranked], bool]:
    """Return the `wanted` paragraphs nearest to the query `asked` that touch `page` (0: any), the best first.

    And whether they are near: else even the best of the paper is far from the query, or other papers are
    nearer.
    """
    nearest = meant.nearest
    places = [at for at, number in enumerate(paper.reading) if paper.paragraphs[number].kind != "furniture"]
    paragraphs = [paper.paragraphs[paper.reading[at]] for at in places]
    stems = [meant.stems.get(one.paragraph) or stems_of(one.text_norm) for one in paragraphs]
    words = relevance(stems, asked_of(fold(asked), stems))
    factors = [quotability(one.kind, one.text_norm) for one in paragraphs]
    evidence = by_words(words, MASS, BM25, BESIDE)
    if nearest:
        # What has no vectors (tables, references) is as far as the farthest.
        far = min(nearest.values())
        found = [nearest.get(one.paragraph, far) for one in paragraphs]
        evidence.append((SIMILARITY, [max(0.0, one.similarity) for one in found]))
        evidence.append((PASSAGE, [max(0.0, one.passage) for one in found]))
    if meant.expanded:
        evidence.append((EXPANDED, [meant.expanded.get(one.paragraph, 0.0) for one in paragraphs]))
    scores = weighed(evidence, factors)
    for at, one in enumerate(paragraphs):
        if one.paragraph in meant.aligned:
            scores[at] += ALIGNED * meant.aligned[one.paragraph].score
    ranked = [
        Ranked(one, score, nearest[one.paragraph].sentence if one.paragraph in nearest else None, here)
        for one, score, here in zip(paragraphs, scores, words, strict=True)
    ]
    ranked.sort(key=lambda one: (-one.score, one.paragraph.rank, one.paragraph.paragraph))
    asked_for = asked_terms(fold(asked))
    length = log(1 + len(asked_for))
    together = max((one.mass for one in words), default=0.0) * length
    here = [
        one
        for one in ranked
        if (one.sentence is not None or one.words.mass)
        and (not page or one.paragraph.page <= page <= one.paragraph.page_end)
    ]
    of_any = _OF_ANY_WORK.issuperset(asked_for)
    return here[:wanted], bool(ranked) and (of_any or _near(meant, together, length, ranked[0].score))


def _near(meant: Meant, together: float, length: float, score: float) -> bool:
    """Return whether a paper is near to a query of this `length` (logarithmic).

    By the words `together` and the best `score` where there are no vectors; else by whether it is nearer than
    all other papers: questions about something else are mostly about something that another paper says.
    """
    if not meant.nearest:
        return together >= TERMS_TOGETHER or score >= RELATED_BY_WORDS
    bounds = meant.bounds
    likeness = bounds.scale * max(one.similarity for one in meant.nearest.values()) + MASS_OF_TERMS * together
    if meant.nearer is None:
        return likeness >= bounds.alone or score >= bounds.score
    return likeness >= bounds.far and meant.nearer + MASS_NEARER * together >= bounds.nearer + LONGER * length


class ReleaseEvidence:
    """The vectors, weighted words and stems of a release. Safe to share between threads."""

    def __init__(self, library: Library, mapped: MappedFiles | None) -> None:
        self.library = library
        self._mapped = mapped

    @cached_property
    def vectors(self) -> SentenceVectors:
        """The vectors of the release's sentences."""
        return SentenceVectors(self.library.database, self._mapped)

    @cached_property
    def expanded(self) -> WeightedWords:
        """The weighted words of its paragraphs, in its index of words."""
        return WeightedWords(self.library.index)

    def stems(self, key: str) -> Mapping[int, str]:
        """Return the stems of each paragraph of a paper; none where there is no index of words."""
        try:
            return self.lexical.stems_of_paper(key)
        except SearchError:
            return {}

    @cached_property
    def lexical(self) -> LexicalIndex:
        """Their stems, in the same index."""
        return LexicalIndex(self.library.index)


def ranked_whole(
    here: ReleaseEvidence, paper: Paper, asked: str, nearest: Mapping[int, Nearest]
) -> list[Ranked]:
    """Return all paragraphs of a paper, the nearest to a query first, by its nearest sentences and words."""
    expanded = here.expanded.within(paper.key, asked, len(paper.paragraphs))
    meant = Meant(nearest, expanded, stems=here.stems(paper.key))
    return rank(paper, asked, meant, wanted=len(paper.paragraphs))[0]


def candidate(paper: Paper, ranked: Ranked) -> Candidate:
    """Return a ranked paragraph as a candidate: its nearest sentence, else where the query's terms gather."""
    number = ranked.paragraph.paragraph
    if ranked.sentence is None:
        places = term_spans(ranked.paragraph.text_norm)
        start, end = places[ranked.words.first][0], places[ranked.words.last][1]
    else:
        printed = paper.printed(number)
        starts = printed.folded.starts
        start, end = (bisect_left(starts, at) for at in sentence_spans(printed.text)[ranked.sentence])
        if start == end:  # it folds to nothing
            start, end = 0, len(starts)
    return Candidate(PassageSpan(number, start, number, end), ranked.score, 3, "related")


def nearest_passages(
    here: ReleaseEvidence, paper: Paper, query: Query, page: int, found: Sequence[Candidate], wanted: int
) -> NearestPassages:
    """Return the `wanted` passages of the paper nearest to the query, on `page` (0: any).

    Of a paragraph in which tier 2 aligned words, these are shown: what it `found`. Words that are frequent
    everywhere find nothing.
    """
    if not says_something(fold(query.asked)):
        return NearestPassages()
    aligned = {one.span.first: one for one in reversed(found)}
    asked = without_citations(query.asked)
    meant, error = Meant({}, aligned=aligned, stems=here.stems(paper.key)), None
    try:
        meant = _meant(here, paper, asked, aligned)
    except ModelError as without:
        error = without
    ranked, near = rank(paper, asked, meant, page, wanted)
    here.library.read_texts([one.paragraph for one in ranked if one.sentence is not None])
    passages = [aligned.get(one.paragraph.paragraph) or candidate(paper, one) for one in ranked]
    return NearestPassages(passages, near, error)


def _meant(here: ReleaseEvidence, paper: Paper, asked: str, aligned: dict[int, Candidate]) -> Meant:
    nearest = here.vectors.nearest(paper.key, asked)
    expanded = here.expanded.within(paper.key, asked, len(paper.paragraphs))
    beyond = here.vectors.elsewhere(paper.key, asked) if nearest else None
    bounds, nearer = BOUNDS.get(here.vectors.made_by, ANY_MODEL), None
    if beyond is not None:
        by_terms, others = here.lexical.nearer(asked_terms(fold(asked)), paper.key)
        by_expanded = max(expanded.values(), default=WITHOUT_EXPANDED)
        by_expanded -= here.expanded.greatest(others, asked)
        similarity = max(one.similarity for one in nearest.values()) - beyond
        nearer = bounds.scale * similarity + COMPARED * by_terms + COMPARED_EXPANDED * by_expanded
    return Meant(nearest, expanded, nearer, bounds, aligned, here.stems(paper.key))
