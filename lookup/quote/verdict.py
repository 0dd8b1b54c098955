"""A window becomes a finding: the words of the query aligned with the printed ones, and what may be said of them."""

from collections.abc import Mapping

from lookup.compare.differences import facts_first
from lookup.compare.negation import dropped_negations
from lookup.papers.paper import Paper
from lookup.quote.comparison import Comparison
from lookup.quote.finding import Finding, Stretch
from lookup.quote.query import Reading
from lookup.quote.thresholds import NEAR_SCORE, NEAR_UNPRINTED
from lookup.results.quote_answer import Difference


def finding_of(paper: Paper, reading: Reading, first: int, last: int, meant: Mapping[str, str]) -> Finding:
    """The words from `first` to `last` of the paper as an answer to `reading`.

    `meant` leads from printed words to those of the query that they are, or may be when read badly.
    """
    comparison = Comparison(paper, reading, meant)
    blocks = comparison.blocks(first, last)
    differences: list[Difference] = []
    omitted: list[Stretch] = []
    omitted_words = 0
    passed: set[int] = set()
    for block in blocks:
        if block.same:
            differences += comparison.misread(block)
        elif (mark := comparison.citation_mark(block)) is not None:
            omitted.append(mark)
            omitted_words += len(range(*block.printed)) - len(range(*block.asked))
        elif comparison.passed_over(block):
            omitted_words += len(range(*block.printed))
            passed |= comparison.paragraphs(block)
        elif comparison.left_out(block):
            omitted.append(comparison.stretch(*block.printed))
            omitted_words += len(range(*block.printed))
            denied = dropped_negations(comparison.text(*block.printed))
            differences += [Difference("negation", "", word) for word in denied]
        elif not comparison.alike(block):
            differences += comparison.changes(block)
    begin, end = blocks[0].printed[0], blocks[-1].printed[1]
    score = comparison.score(blocks, omitted_words)
    stretch = comparison.stretch(begin, end)
    through = tuple(i for i in comparison.between(begin, end) if i not in passed)
    if not differences and comparison.only_omits(reading, stretch, omitted):
        return Finding(stretch, 1.0, 2, "verbatim", omitted=tuple(omitted), through=through)
    near = score >= NEAR_SCORE and comparison.unprinted(blocks) <= max(1, NEAR_UNPRINTED * comparison.count)
    return Finding(
        stretch,
        score=round(score, 4),
        tier=2,
        verdict="near" if near else "related",
        # Tier 1 did not find it, so that it is not printed as asked, whatever it is that its words do not show.
        differences=facts_first(differences)
        or (Difference("form", reading.folded, comparison.text(begin, end)),),
        omitted=tuple(omitted),
        through=through,
    )
