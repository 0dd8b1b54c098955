"""What does each stage of a search cost? `python benchmarks/search_stages.py CORPUS QUERIES`.

CORPUS is built with both models; QUERIES is a file of JSON lines with `query` and, if it is judged,
`relevant`, the grade of each paper. Beside our stages: twenty lines of BM25, bm25s (`pip install bm25s`; left
out where it is not installed), and tantivy alone. All take turns in one process, query by query; times are of
its processor.
"""

import argparse
import json
import math
import os
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import mean, median

from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.corpus import Corpus
from lookup.index.release_index import FOLDER
from lookup.text.folding import fold
from retrieval.embedding.model import default_models
from retrieval.scoring.lexical_index import Filters
from retrieval.scoring.relevance import asked_terms, terms
from retrieval.topics.ranked_search import CANDIDATES

_SHOWN = 40

Stage = Callable[[str], Sequence[str]]
"""From a query to the keys of papers that it ranks, best first, or to nothing if it ranks none."""


class Bm25:
    """BM25 over the stems of paragraphs, in twenty lines."""

    def __init__(self, texts: Iterable[list[str]]) -> None:
        self.words = [Counter(text) for text in texts]
        sizes = [each.total() for each in self.words]
        self.norms = [1.2 * (0.25 + 0.75 * size / mean(sizes)) for size in sizes]
        self.holding = defaultdict(list)
        for number, each in enumerate(self.words):
            for word in each:
                self.holding[word].append(number)

    def rank(self, asked: Iterable[str], limit: int) -> list[int]:
        """The numbers of the best texts."""
        scores: Counter[int] = Counter()
        for word in asked:
            held = self.holding.get(word, ())
            idf = math.log(1 + (len(self.words) - len(held) + 0.5) / (len(held) + 0.5))
            for number in held:
                count = self.words[number][word]
                scores[number] += idf * 2.2 * count / (count + self.norms[number])  # type: ignore[assignment]
        return [number for number, _ in scores.most_common(limit)]


def others(corpus: Corpus) -> dict[str, Callable[[], Stage]]:
    """What there is beside our stages: each is made when it is called."""
    query = "SELECT key, text_norm FROM paragraphs WHERE kind NOT IN ('reference', 'furniture')"
    rows = corpus.sql(f"{query} ORDER BY key, paragraph").fetchall()
    keys = [key for key, _ in rows]

    def twenty_lines() -> Stage:
        made = Bm25(terms(text) for _, text in rows)
        return lambda words: [keys[i] for i in made.rank(asked_terms(fold(words)), CANDIDATES)]

    def bm25s() -> Stage:
        import bm25s

        made = bm25s.BM25()
        made.index([terms(text) for _, text in rows], show_progress=False)

        def ranked(words: str) -> Sequence[str]:
            asked = [word for word in asked_terms(fold(words)) if word in made.vocab_dict]
            if not asked:
                return []
            found, _ = made.retrieve([asked], k=min(CANDIDATES, len(keys)), show_progress=False)
            return [keys[i] for i in found[0]]

        return ranked

    return {"twenty lines of BM25": twenty_lines} | ({"bm25s": bm25s} if find_spec("bm25s") else {})


def ours(corpus: Corpus) -> dict[str, Stage]:
    """Our stages, from the parts to the whole."""
    parts = corpus._open.searches  # noqa: SLF001
    expanded = parts.expanded

    def vector(words: str) -> Sequence[str]:
        parts.vectors.query(words)
        return []

    def weights(words: str) -> Sequence[str]:
        expanded._words_of(words)  # noqa: SLF001
        return []

    def nearest(words: str) -> Sequence[str]:
        found = parts.nearest(parts.vectors.query(words), Filters(), CANDIDATES)
        read = parts.columns(found, ["key"])
        return [read[row]["key"] for row in found]

    def weighted(words: str) -> Sequence[str]:
        index, asked = expanded._index, expanded._asked(words)  # noqa: SLF001
        found = index.best(asked, CANDIDATES) if asked else []
        return [place.key for place, _ in index.documents(at for _, at in found)]

    def searched(mode: str) -> Stage:
        return lambda words: [hit.key for hit in corpus.search(words, _SHOWN, mode).hits]  # type: ignore[arg-type]

    keys = [key for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key").fetchall()]
    turn = iter(range(10**9))

    def one_paper(words: str) -> Sequence[str]:
        corpus.search(words, 10, keys=[keys[next(turn) % len(keys)]])
        return []

    return {
        "tantivy alone": lambda words: [
            place.key for place in parts.lexical.find(asked_terms(fold(words)), CANDIDATES, Filters())
        ],
        "search, lexical": searched("lexical"),
        "the query's vector": vector,
        "vectors compared alone": nearest,
        "search, semantic": searched("semantic"),
        "the query's weighted words": weights,
        "weighted words alone": weighted,
        "search, hybrid": searched("hybrid"),
        "search of one paper": one_paper,
    }


def judged(ranked: Sequence[str], relevant: dict[str, int]) -> tuple[float, float]:
    """nDCG@10 and recall@20 of papers."""
    papers = list(dict.fromkeys(ranked))

    def gain(keys: Sequence[str]) -> float:
        return math.fsum(
            (2 ** relevant.get(key, 0) - 1) / math.log2(i + 2) for i, key in enumerate(keys[:10])
        )

    best = gain(sorted(relevant, key=lambda key: -relevant[key]))
    return gain(papers) / best, len(set(papers[:20]) & set(relevant)) / len(relevant)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the stages of a search.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("queries", type=Path)
    parser.add_argument("--most", type=int, default=150, help="queries, the first so many")
    asked = parser.parse_args()
    queries = [json.loads(line) for line in asked.queries.read_text(encoding="utf-8").splitlines()][
        : asked.most
    ]
    with lookup.open(asked.corpus) as corpus:
        stages, memory, made = {}, {}, {}
        for name, stage in ours(corpus).items():
            before = resident_mebibytes()
            stage(queries[0]["query"])
            stages[name], memory[name] = stage, resident_mebibytes() - before
        for name, make in others(corpus).items():
            before, began = resident_mebibytes(), time.process_time()
            stages[name] = make()
            stages[name](queries[0]["query"])
            memory[name], made[name] = resident_mebibytes() - before, time.process_time() - began
        took, scores = defaultdict(list), defaultdict(list)
        vectors = corpus._open.searches.vectors  # noqa: SLF001
        for one in queries:
            for name, stage in stages.items():
                if name in ("the query's vector", "search of one paper"):
                    vectors.query.cache_clear()
                began = time.process_time()
                ranked = stage(one["query"])
                took[name].append(1000 * (time.process_time() - began))
                if ranked and one.get("relevant"):
                    scores[name].append(judged(ranked, one["relevant"]))
        counts = [
            corpus.sql(f"SELECT count(*) FROM {table}").fetchall()[0][0]
            for table in ("papers", "paragraphs", "vectors")
        ]
        folder = corpus.release.folder
        files = {
            "index of words": list((folder / FOLDER).iterdir()),
            "vectors": list(folder.glob("*.npy")),
            "database": [folder / "corpus.duckdb"],
            "models": [*default_models().glob("*/model.onnx")],
        }
        sizes = [
            f"{name} {sum(one.stat().st_size for one in each) / 2**20:.1f}" for name, each in files.items()
        ]
    rows = []
    for name, times in took.items():
        shown = (
            [f"{mean(each):.3f}" for each in zip(*scores[name], strict=True)] if scores[name] else ["", ""]
        )
        late = sorted(times)[int(0.95 * len(times))]
        cost = f"{made[name]:.2f}" if name in made else ""
        rows.append([name, f"{median(times):.2f}", f"{late:.2f}", f"{memory[name]:.0f}", cost, *shown])
    head = ["", "ms p50", "ms p95", "MiB more with the first", "s to make", "nDCG@10", "recall@20"]
    print(markdown_table(head, rows))
    print(
        f"\n{len(queries)} queries; papers, paragraphs, vectors: {counts}; MiB on disk: {', '.join(sizes)}; "
        f"the process then holds {resident_mebibytes():.0f} MiB; processor time; "
        f"load {os.getloadavg()[0]:.1f}; {measured_on()}"
    )


if __name__ == "__main__":
    main()
