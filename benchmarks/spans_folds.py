"""From which chance on does a passage answer? `python benchmarks/spans_folds.py CORPUS QUESTIONS [ROWS]`.

CORPUS is built from the papers of QUESTIONS, JSON lines of `key`, `question` and a verbatim `answer`. Each
question is asked of the part of its paper that holds the answer and of another part, half of them without
stop words. Weights and the chance are chosen in five folds by paper; ROWS, as quotebench.spans reads them,
are then asked once.
"""

import argparse
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from quotebench.spans import score
from tables import markdown_table, measured_on

import lookup
from lookup.corpus import Corpus
from lookup.text.folding import fold
from lookup.text.words import STOP_WORDS
from retrieval.snippets.answering import TextEncoder, evidence_of, units_of

_PARTS = (700, 1500, 3000, 4500)  # Characters of a part, about.
_CHANCES = [round(0.05 * n, 2) for n in range(2, 14)]
_FOLDS = 5
_EASY = 0.6  # Share of the words that one passage holds, from which a row is easy.

Values = np.typing.NDArray[np.float64]


class Row(NamedTuple):
    """A question to a text, the spans that answer it, and the evidence of each of the text's passages."""

    paper: str
    row: Mapping[str, Any]
    units: Sequence[tuple[int, int]]
    evidence: Values

    @property
    def right(self) -> Values:
        """1 for each passage of which most is marked, else 0."""
        marked = self.row["spans"]
        return np.array(
            [
                float(any(2 * (min(end, last) - max(start, first)) > end - start for first, last in marked))
                for start, end in self.units
            ]
        )


def asked_rows(corpus: Corpus, questions: Sequence[Mapping[str, str]], most: int) -> Iterator[dict[str, Any]]:
    """Yield two rows a question: of the part of the paper that holds its answer, and of another part."""
    rng = random.Random(5)
    for number, one in enumerate(rng.sample(questions, min(most, len(questions)))):
        parts = list(_parts(corpus, one["key"], rng))
        answer = fold(one["answer"])
        holding = [
            (text, [unit for unit in units_of(text) if answer in fold(text[slice(*unit)])]) for text in parts
        ]
        with_answer = [(text, spans) for text, spans in holding if spans]
        without = [text for text in parts if answer not in fold(text)]
        words = one["question"].rstrip("?").split()
        query = " ".join(word for word in words if number % 2 or word.lower() not in STOP_WORDS)
        if with_answer and without:
            text, spans = with_answer[0]
            yield {"paper": one["key"], "query": query, "text": text, "spans": spans}
            yield {"paper": one["key"], "query": query, "text": rng.choice(without), "spans": []}


def _parts(corpus: Corpus, key: str, rng: random.Random) -> Iterator[str]:
    kinds = "('heading', 'body', 'list', 'caption')"
    query = f"SELECT text FROM printed_paragraphs WHERE key = ? AND kind IN {kinds} ORDER BY paragraph"
    part: list[str] = []
    for (text,) in corpus.sql(query, [key]).fetchall():
        part.append(text)
        if sum(map(len, part)) > rng.choice(_PARTS):
            yield "\n\n".join(part)
            part = []


def measured(row: Mapping[str, Any], encoder: TextEncoder) -> Row:
    """Return a row with the evidence of its passages."""
    units = units_of(row["text"])
    words, similar = evidence_of([row["text"][slice(*unit)] for unit in units], row["query"], encoder)
    together = [(*one, *other) for one, other in zip(words, similar or (), strict=True)]
    return Row(row.get("paper", ""), row, units, np.array(together))


def fitted(rows: Sequence[Row]) -> Values:
    """Return the weights of a logistic regression, and its constant, by Newton's method."""
    evidence = np.vstack([row.evidence for row in rows])
    inputs = np.c_[evidence, np.ones(len(evidence))]
    right = np.concatenate([row.right for row in rows])
    weights, ridge = np.zeros(inputs.shape[1]), 0.1 * np.eye(inputs.shape[1])
    for _ in range(30):
        chance = 1 / (1 + np.exp(-inputs @ weights))
        slope = inputs.T @ (chance - right) + ridge @ weights
        weights -= np.linalg.solve((inputs.T * (chance * (1 - chance))) @ inputs + ridge, slope)
    return weights


def _looked_up(
    shown: Mapping[tuple[str, str], Sequence[tuple[int, int]]], text: str, query: str
) -> Sequence[tuple[int, int]]:
    return shown[text, query]


def curve(rows: Sequence[Row], chances: Sequence[Values]) -> list[list[str]]:
    """Return F1 and silence by the chance from which a passage is shown."""
    table = []
    for least in _CHANCES:
        shown: dict[tuple[str, str], Sequence[tuple[int, int]]] = {
            (row.row["text"], row.row["query"]): [
                unit for unit, chance in zip(row.units, found, strict=True) if chance >= least
            ]
            for row, found in zip(rows, chances, strict=True)
        }
        found = score([row.row for row in rows], partial(_looked_up, shown))
        shares = [f"{one:.3f}" for one in found[:3]]
        table.append([f"{least:.2f}", *shares, f"{found.silent} of {found.unanswered}"])
    return table


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    parser.add_argument("rows", type=Path, nargs="?")
    parser.add_argument("--most", type=int, default=160, help="questions, at most")
    given = parser.parse_args()

    def lines(path: Path) -> list[dict[str, Any]]:
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]

    def chances(weights: Values, row: Row) -> Values:
        found: Values = 1 / (1 + np.exp(-(row.evidence @ weights[:-1] + weights[-1])))
        return found

    with lookup.open(given.corpus) as corpus:
        encoder = corpus.encoder
        asked = asked_rows(corpus, lines(given.questions), given.most)
        rows = [measured(row, encoder) for row in asked]
    papers = sorted({row.paper for row in rows})
    by_fold = [
        fitted([row for row in rows if papers.index(row.paper) % _FOLDS != fold]) for fold in range(_FOLDS)
    ]
    held = [chances(by_fold[papers.index(row.paper) % _FOLDS], row) for row in rows]
    hard = [number for number, row in enumerate(rows) if row.evidence[:, 0].max() <= _EASY]
    weights = fitted(rows)
    tables = {
        f"{len(rows)} rows in five folds by paper": curve(rows, held),
        f"{len(hard)} of them, in which no passage has more than {_EASY:.0%} of the words": curve(
            [rows[number] for number in hard], [held[number] for number in hard]
        ),
    }
    if given.rows:
        others = [measured(row, encoder) for row in lines(given.rows)]
        tables[given.rows.name] = curve(others, [chances(weights, row) for row in others])
    print(f"Weights {np.round(weights, 2).tolist()}; {measured_on()}")
    for name, table in tables.items():
        head = ["chance", "precision", "recall", "F1", "silent"]
        print(f"\n{name}:\n\n{markdown_table(head, table)}")


if __name__ == "__main__":
    main()
