"""Which paragraph answers a question, of all papers? `python benchmarks/search.py CORPUS QUESTIONS`.

CORPUS is built with a model; QUESTIONS is a file of JSON lines with key, question and answer, a verbatim span
of that paper. A paragraph of it that holds the answer is the right one. Beside the modes of `corpus.search`:
BM25 as tantivy ranks, and its reciprocal-rank fusion with the similarity of the nearest sentence (Cormack,
Clarke and Buettcher, SIGIR 2009, with their constant of 60).
"""

import argparse
import json
import os
import time
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.corpus import PER_PAPER
from lookup.index.layout import FOLDER
from lookup.index.lexical_index import Filters
from lookup.index.release_index import ParagraphId
from lookup.search.ranked_search import CANDIDATES, SearchParts
from lookup.text.folding import fold
from lookup.text.relevance import asked_terms

_FUSED = 60
_DEEP = 10

Ranking = Callable[[str], Sequence[ParagraphId]]


@dataclass(frozen=True)
class Question:
    """A question, and the paragraphs that hold its answer."""

    words: str
    right: frozenset[ParagraphId]


def read_questions(path: Path, corpus: lookup.Corpus) -> list[Question]:
    """The questions of a file that one paragraph answers."""
    rows = corpus.sql(
        "SELECT key, paragraph, text FROM paragraphs WHERE kind NOT IN ('furniture', 'reference')"
    ).fetchall()
    bones: dict[str, list[tuple[ParagraphId, str]]] = defaultdict(list)
    for key, paragraph, text in rows:
        bones[key].append((ParagraphId(key, paragraph), _bones(text)))
    questions = []
    for line in path.read_text(encoding="utf-8").splitlines():
        said = json.loads(line)
        answer = _bones(said["answer"])
        if right := frozenset(place for place, text in bones[said["key"]] if answer in text):
            questions.append(Question(said["question"], right))
    return questions


def _bones(text: str) -> str:
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKC", text).casefold()))


def rankings(corpus: lookup.Corpus, parts: SearchParts) -> dict[str, Ranking]:
    """What is compared."""

    def by_bm25(words: str) -> Sequence[ParagraphId]:
        return parts.lexical.find(asked_terms(fold(words)), CANDIDATES, Filters())

    def fused(words: str) -> Sequence[ParagraphId]:
        scores: dict[ParagraphId, float] = defaultdict(float)
        vector = parts.vectors.meaning.query(words)
        near = parts.rows.nearest(vector, Filters(), CANDIDATES)
        read = parts.rows.columns(near, ["key", "paragraph"])
        for ranked in (by_bm25(words), [ParagraphId(**read[row]) for row in near]):
            for rank, place in enumerate(ranked, 1):
                scores[place] += 1 / (_FUSED + rank)
        return sorted(scores, key=lambda place: -scores[place])

    def searched(mode: str, per_paper: int) -> Ranking:
        def ranking(words: str) -> Sequence[ParagraphId]:
            answer = corpus.search(words, _DEEP, mode, per_paper=per_paper)  # type: ignore[arg-type]
            assert answer.mode == mode
            return [ParagraphId(hit.key, hit.paragraph) for hit in answer.hits]

        return ranking

    return {
        "BM25 of tantivy": by_bm25,
        "reciprocal-rank fusion": fused,
        "lexical": searched("lexical", 0),
        "semantic": searched("semantic", 0),
        "hybrid": searched("hybrid", 0),
        f"hybrid, {PER_PAPER} a paper": searched("hybrid", PER_PAPER),
    }


def measure(ranking: Ranking, questions: Sequence[Question]) -> list[str]:
    """hit@1, hit@5, hit@10, the mean reciprocal rank to 10, and the median and the 95th percentile of
    milliseconds.
    """
    places, times = [], []
    for question in questions:
        began = time.perf_counter()
        found = ranking(question.words)[:_DEEP]
        times.append(1000 * (time.perf_counter() - began))
        places.append(next((rank for rank, place in enumerate(found, 1) if place in question.right), 0))
    hits = [sum(0 < place <= deep for place in places) / len(places) for deep in (1, 5, 10)]
    reciprocal = sum(1 / place for place in places if place) / len(places)
    late = sorted(times)[int(0.95 * len(times))]
    return [*(f"{value:.3f}" for value in (*hits, reciprocal)), f"{median(times):.1f}", f"{late:.1f}"]


def main() -> None:
    parser = argparse.ArgumentParser(description="Ask questions of all papers.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("questions", type=Path)
    asked = parser.parse_args()
    with lookup.open(asked.corpus) as corpus:
        questions = read_questions(asked.questions, corpus)
        corpus.warm()
        parts = corpus._open.search  # noqa: SLF001
        before = resident_mebibytes()
        parts.lexical.index.open()
        opened = resident_mebibytes() - before
        for question in questions[:20]:
            corpus.search(question.words)
            parts.vectors.meaning.query(question.words)
        rows = [[name, *measure(ranking, questions)] for name, ranking in rankings(corpus, parts).items()]
        papers, paragraphs = corpus.sql(
            "SELECT (SELECT count(*) FROM papers), (SELECT count(*) FROM paragraphs)"
        ).fetchall()[0]
        size = sum(path.stat().st_size for path in (corpus.release.folder / FOLDER).iterdir())
    print(markdown_table(["", "hit@1", "hit@5", "hit@10", "mrr@10", "ms p50", "ms p95"], rows))
    print(
        f"\n{len(questions)} questions to {papers} papers, {paragraphs} paragraphs; the index has "
        f"{size / 1024:.0f} KiB and takes "
        f"{opened:.0f} MiB when it is opened; load {os.getloadavg()[0]:.1f}; {measured_on()}"
    )


if __name__ == "__main__":
    main()
