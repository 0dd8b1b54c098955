"""Which words of a text answer a query, and who is silent where none do?

    python -m quotebench.spans ROWS

ROWS has a JSON object a line: `query`, `text`, and `spans`, the offsets that people marked, none where the
text answers nothing: ACL-Verbatim's (arXiv 2605.21102). Scored by words over all rows: a word that is chosen
of a text without an answer is wrong.
"""

import argparse
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tables import markdown_table, measured_on

import lookup
from lookup.text.folding import fold
from retrieval.raw_text.paragraphs import paragraph_spans
from retrieval.scoring.relevance import asked_of, relevance, stems_of

Span = tuple[int, int]
Choose = Callable[[str, str], Sequence[Span]]

_SEPARATOR = " ... "


class Score(NamedTuple):
    """Shares of words, and the texts without an answer of which nothing was chosen."""

    precision: float
    recall: float
    f1: float
    silent: int
    unanswered: int


def score(rows: Iterable[Mapping[str, Any]], choose: Choose) -> Score:
    """Return how the spans that are chosen agree with those that are marked."""
    right = chosen = marked = silent = unanswered = 0
    for row in rows:
        words = [word.span() for word in re.finditer(r"\S+", row["text"])]
        wanted = _words(words, row["spans"])
        found = _words(words, choose(row["text"], row["query"]))
        right, chosen, marked = right + len(wanted & found), chosen + len(found), marked + len(wanted)
        unanswered += not wanted
        silent += not wanted and not found
    both = chosen + marked
    return Score(right / max(1, chosen), right / max(1, marked), 2 * right / max(1, both), silent, unanswered)


def _words(words: Sequence[Span], spans: Iterable[Sequence[int]]) -> set[int]:
    return {
        at
        for begin, stop, *_ in spans
        for at, (start, end) in enumerate(words)
        if start < stop and begin < end
    }


def relevant(model: str | None, text: str, query: str) -> list[Span]:
    """Return what `lookup.relevant_spans` chooses."""
    return [(one.start, one.end) for one in lookup.relevant_spans(text, query, model)]


def snippet(length: int, text: str, query: str) -> list[Span]:
    """Return what a snippet of so many characters shows."""
    shown = lookup.extract_snippet(text, query, length, separator=_SEPARATOR)
    return [
        (text.index(part), text.index(part) + len(part)) for part in shown.split(_SEPARATOR) if part in text
    ]


def best_paragraph(text: str, query: str) -> list[Span]:
    """Return the paragraph with the greatest BM25, as a search shows it."""
    spans = [(start, end) for start, end in paragraph_spans(text, 0)]
    stems = [stems_of(fold(text[start:end])) for start, end in spans]
    held = relevance(stems, asked_of(fold(query), stems))
    return [spans[max(range(len(spans)), key=lambda number: held[number].bm25)]]


SYSTEMS: Mapping[str, Choose] = {
    "relevant_spans": partial(relevant, "auto"),
    "relevant_spans, words alone": partial(relevant, None),
    **{f"extract_snippet, {length} characters": partial(snippet, length) for length in (300, 600, 1200)},
    "the best paragraph by BM25": best_paragraph,
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rows", type=Path)
    rows = [json.loads(line) for line in parser.parse_args().rows.read_text(encoding="utf-8").splitlines()]
    print(f"{len(rows)} rows; {measured_on()}\n")
    table = []
    for name, choose in SYSTEMS.items():
        found = score(rows, choose)
        shares = [f"{one:.3f}" for one in found[:3]]
        table.append([name, *shares, f"{found.silent} of {found.unanswered}"])
    print(markdown_table(["system", "precision", "recall", "F1", "silent"], table))


if __name__ == "__main__":
    main()
