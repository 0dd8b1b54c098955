"""How long does a search over 1,000,000 vectors take, and does it find what one over unrounded vectors finds?

`python benchmarks/sentences.py CORPUS ... --synthetic SYNTHETIC`: recall is of the real vectors of each
CORPUS, which are made anew without rounding; time and memory are of SYNTHETIC (`synthetic.py --model`), whose
vectors are random: what a search costs does not depend on them. `--made 10000000`: recall and time of the
search by signs over so many vectors, each a mean of two of the first CORPUS, for others of it.
"""

import argparse
import os
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles
from typing import TYPE_CHECKING

import numpy as np
from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.embedding.encoder import Encoder
from lookup.embedding.meaning import model_of
from lookup.embedding.vectors import Vectors
from lookup.release.current import SCALES_FILE, VECTORS_FILE, Release
from pipeline.publish.vector_files import write_signs

if TYPE_CHECKING:
    import numpy.typing as npt

_FOUND = 10
_WARM_UP = 3
_MADE_AT_ONCE = 100_000
_TARGETS = "1,000,000 vectors at most 50 ms; 10,000,000 by signs at most 60 ms, recall@10 at least 0.95"


def recall(folder: Path, queries: int, seed: int = 7) -> tuple[int, float]:
    """How many vectors there are, and the share of the ten nearest of unrounded vectors that the search over
    rounded ones finds.
    """
    with lookup.open(folder) as corpus:
        rows = corpus.sql(
            'SELECT text[s.start + 1 : s."end"] FROM vectors v JOIN sentences s USING (key, paragraph, '
            "sentence) "
            "JOIN paragraphs USING (key, paragraph) ORDER BY v.rowid"
        ).fetchall()
        release = corpus.release
    texts = [text for (text,) in rows]
    exact = Encoder(model_of(release)).encode(texts)
    stored = Vectors(release)
    found = 0
    for number in np.random.default_rng(seed).choice(len(texts), queries, replace=False):
        similarities = exact @ exact[number]
        similarities[number] = -2  # the query itself is no answer
        nearest, _ = next(stored.nearest(exact[number]))
        mine = [row for row in nearest.tolist() if row != number][:_FOUND]
        least = np.sort(similarities)[-_FOUND]
        found += sum(
            similarities[row] >= least for row in mine
        )  # one that is as near as the tenth is as good
    return len(texts), found / (_FOUND * queries)


def latency(folder: Path, queries: int) -> list[list[str]]:
    """Rows of the table: what `Corpus.sentences` takes, and the pass over all vectors alone."""
    before = resident_mebibytes()
    with lookup.open(folder) as corpus:
        corpus.warm()
        loaded = resident_mebibytes()
        asked = [
            f"How many of the {number} samples were kept at night?" for number in range(queries + _WARM_UP)
        ]
        whole, scan, encoding = [], [], []
        for text in asked:
            began = time.perf_counter()
            found = corpus.sentences(text, n_results=_FOUND, match_threshold=-1)
            whole.append(1000 * (time.perf_counter() - began))
            assert len(found) == _FOUND
        resident = resident_mebibytes()
        stored = Vectors(corpus.release)
        for text in asked:
            began = time.perf_counter()
            vector = np.array(corpus.vector(text + "?"), np.float32)
            encoded = time.perf_counter()
            next(stored.nearest(vector))
            encoding.append(1000 * (encoded - began))
            scan.append(1000 * (time.perf_counter() - encoded))
        count = len(stored)
    return [
        [f"`sentences`, {count:,} vectors, ms", _spread(whole)],
        ["of which the search over all vectors", _spread(scan)],
        ["of which the query's vector", _spread(encoding)],
        ["resident memory before, MiB", f"{before:.0f}"],
        ["with the model, MiB", f"{loaded:.0f}"],
        ["after the searches, mapped vectors included, MiB", f"{resident:.0f}"],
    ]


def by_signs(folder: Path, count: int, queries: int, seed: int = 7) -> list[list[str]]:
    """Rows of the table: the search over `count` vectors made of those of the corpus in `folder`."""
    with lookup.open(folder) as corpus:
        release = corpus.release
    real = Vectors(release)
    rng = np.random.default_rng(seed)
    numbers = rng.permutation(len(real))
    asked, sources = real.at(np.sort(numbers[:queries])), real.at(np.sort(numbers[queries:]))
    with tempfile.TemporaryDirectory() as made:
        write_made(Path(made), sources, count, rng)
        began = time.process_time()
        write_signs(Path(made))
        writing = time.process_time() - began
        stored = Vectors(Release(Path(made), {}))
        found, spent, scan, compared = 0, [], [], []
        for vector in asked:
            before, began = time.process_time(), time.perf_counter()
            nearest, _ = next(lots := stored.nearest(vector))
            scan.append(1000 * (time.perf_counter() - began))
            spent.append(1000 * (time.process_time() - before))
            before = time.process_time()
            others, _ = next(lots)
            compared.append(1000 * (time.process_time() - before))
            known = np.concatenate([nearest[:_FOUND], others])
            best = known[np.argsort(-stored.similarities(vector, known), kind="stable")[:_FOUND]]
            found += len({*best.tolist()} & {*nearest[:_FOUND].tolist()})
    return [
        [f"search by signs, {count:,} made vectors, ms", _spread(scan)],
        ["of the processor, ms", _spread(spent)],
        ["comparing all of them after it, of the processor, ms", _spread(compared)],
        [f"recall@{_FOUND} by signs, {queries} queries", f"{found / (_FOUND * queries):.4f}"],
        ["making the signs, of the processor, s", f"{writing:.1f}"],
    ]


def write_made(
    folder: Path, sources: "npt.NDArray[np.float32]", count: int, rng: np.random.Generator
) -> None:
    """Write `count` vectors, each a weighed mean of two sources and some noise, as a release has them."""
    matrix = np.lib.format.open_memmap(folder / VECTORS_FILE, "w+", np.int8, (count, sources.shape[1]))
    scales = np.lib.format.open_memmap(folder / SCALES_FILE, "w+", np.float32, (count,))
    for first in range(0, count, _MADE_AT_ONCE):
        size = min(_MADE_AT_ONCE, count - first)
        share = rng.uniform(0.3, 0.7, (size, 1)).astype(np.float32)
        one, other = (sources[rng.integers(len(sources), size=size)] for _ in range(2))
        vectors = share * one + (1 - share) * other
        vectors += np.float32(0.01) * rng.standard_normal(vectors.shape, np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        scales[first : first + size] = np.abs(vectors).max(axis=1) / np.float32(127)
        matrix[first : first + size] = np.rint(vectors / scales[first : first + size, None])


def _spread(milliseconds: list[float]) -> str:
    milliseconds = milliseconds[_WARM_UP:]
    return f"{median(milliseconds):.1f} ({quantiles(milliseconds, n=20)[-1]:.1f})"


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the search over vectors, and count what it finds.")
    parser.add_argument("corpora", type=Path, nargs="*", metavar="CORPUS")
    parser.add_argument("--synthetic", type=Path)
    parser.add_argument("--made", type=int, default=0, help="vectors to make of the first CORPUS")
    parser.add_argument("--queries", type=int, default=200)
    asked = parser.parse_args()
    rows: list[list[str]] = []
    if asked.synthetic:
        rows += latency(asked.synthetic, min(asked.queries, 60))
    for folder in asked.corpora:
        count, share = recall(folder, asked.queries)
        rows.append(
            [f"recall@{_FOUND} among {count:,} real vectors, {asked.queries} queries", f"{share:.4f}"]
        )
    if asked.made and asked.corpora:
        rows += by_signs(asked.corpora[0], asked.made, min(asked.queries, 60))
    print(markdown_table(["", "median (95th percentile)"], rows))
    print(f"\n{_TARGETS}; load {os.getloadavg()[0]:.1f}; {measured_on()}")


if __name__ == "__main__":
    main()
