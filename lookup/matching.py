"""A finding becomes a match: the printed characters, their page and boxes, and as much text around as was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass

from lookup.answer import Box, Match
from lookup.boxes import boxes, page_at
from lookup.context import SEPARATOR, Context, centred, window
from lookup.finding import Finding, Stretch
from lookup.folding import fold_with_offsets
from lookup.paper import Paper
from lookup.reader import Reader


@dataclass(frozen=True)
class Extent:
    """How much text a match carries: see `Corpus.quote`."""

    context: Context
    context_chars: int
    paragraphs: int


def match(reader: Reader, paper: Paper, finding: Finding, extent: Extent) -> Match:
    """The finding as an answer."""
    stretch = finding.stretch
    rows = reader.rows(paper, _around(paper, stretch, extent.paragraphs))
    place = {row["paragraph"]: i for i, row in enumerate(rows)}
    first, last = rows[place[stretch.first]], rows[place[stretch.last]]
    folded = fold_with_offsets(first["text"])
    start = folded.starts[stretch.start]
    end = (folded if last is first else fold_with_offsets(last["text"])).ends[stretch.end - 1]
    before = sum(len(row["text"]) + len(SEPARATOR) for row in rows[: place[stretch.first]])
    through = rows[place[stretch.first] : place[stretch.last] + 1]
    length = sum(len(row["text"]) + len(SEPARATOR) for row in through[:-1]) + end
    shown = window(rows, before + start, before + length, extent.context, extent.context_chars)
    printed: list[Box] = []
    for row in through:
        printed += boxes(row["lines"], start if row is first else 0, end if row is last else len(row["text"]))
    known = paper.paragraphs[stretch.first]
    page = page_at(first["lines"], start, known.page)
    return Match(
        key=paper.key,
        page=page,
        page_label=first["page_label"] if page == known.page else reader.page_label(paper.key, page),
        paragraph=stretch.first,
        section_number=first["section_number"],
        section_title=first["section_title"],
        kind=known.kind,
        score=finding.score,
        tier=finding.tier,
        verdict=finding.verdict,
        text=shown.text,
        text_raw=shown.text_raw,
        span=shown.span,
        boxes=tuple(printed),
        cursor=first["cursor"] + start,
        differences=finding.differences,
        omitted=finding.omitted,
    )


def _around(paper: Paper, stretch: Stretch, count: int) -> Sequence[int]:
    """The paragraphs of a match: those that the stretch reads through, and as many around as were asked for."""
    order = next(
        f.paragraphs for f in reversed(paper.flows) if {stretch.first, stretch.last} <= set(f.paragraphs)
    )
    begin, end = centred(order, stretch.first, stretch.last, count)
    return order[begin : end + 1]
