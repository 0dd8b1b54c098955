"""A finding becomes a match: the printed characters, their page and boxes, and as much text around as was asked for."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lookup.papers.boxes import boxes, page_at
from lookup.papers.paper import Paper
from lookup.papers.reader import Reader
from lookup.quote.context import SEPARATOR, Context, centred, window
from lookup.quote.finding import Finding, Stretch
from lookup.results.quote_answer import Box, Match
from lookup.text.folding import fold_with_offsets


@dataclass(frozen=True)
class Extent:
    """How much text a match carries: see `Corpus.quote`."""

    context: Context
    context_chars: int
    paragraphs: int


def needed(paper: Paper, finding: Finding, extent: Extent) -> Sequence[int]:
    """The paragraphs whose rows a match of the finding is made of."""
    stretch = finding.stretch
    order = _order(paper, finding)
    begin, end = centred(order, stretch.first, stretch.last, extent.paragraphs)
    return order[begin : end + 1]


def _order(paper: Paper, finding: Finding) -> tuple[int, ...]:
    """The order in which a reader reads the finding, and what stands around it."""
    *usual, past_headings = paper.flows
    flows = (*reversed(usual), past_headings)
    ends = {finding.stretch.first, finding.stretch.last}
    reading = [flow for flow in flows if finding.through and flow.reads(finding.through)]
    holding = [flow for flow in flows if ends <= set(flow.paragraphs)] if not reading else []
    return (reading or holding)[0].paragraphs


def match(
    reader: Reader, key: str, finding: Finding, rows: Sequence[Mapping[str, Any]], extent: Extent
) -> Match:
    """The finding as an answer; `rows` are those of the paragraphs that it reads through and of those around it, in order."""
    stretch = finding.stretch
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
    page = page_at(first["lines"], start, first["page"])
    return Match(
        key=key,
        page=page,
        page_label=first["page_label"] if page == first["page"] else reader.page_label(key, page),
        paragraph=stretch.first,
        section_number=first["section_number"],
        section_title=first["section_title"],
        kind=first["kind"],
        score=finding.score,
        tier=finding.tier,
        verdict=finding.verdict,
        text=shown.text,
        text_raw=shown.text_raw,
        span=shown.span,
        boxes=tuple(printed),
        cursor=first["cursor"] + start,
        differences=finding.differences,
        omitted=tuple(_printed_words(through, part) for part in finding.omitted),
    )


def _printed_words(rows: Sequence[Mapping[str, Any]], stretch: Stretch) -> str:
    """The printed words of a stretch, without the spaces at its ends."""
    parts = []
    for row in rows:
        if stretch.first <= row["paragraph"] <= stretch.last:
            folded = fold_with_offsets(row["text"])
            start = folded.starts[stretch.start] if row["paragraph"] == stretch.first else 0
            end = folded.ends[stretch.end - 1] if row["paragraph"] == stretch.last else len(row["text"])
            parts.append(row["text"][start:end].strip())
    return SEPARATOR.join(parts)
