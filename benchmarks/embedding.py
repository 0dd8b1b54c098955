"""How fast are sentences embedded, and do their vectors agree with the formulas? `python benchmarks/embedding.py CORPUS MODEL SOURCE`.

SOURCE is the model's own folder, in sentence-transformers' layout: its weights go through a BERT written in numpy, in double precision.
"""

import argparse
import os
import sys
import time
from pathlib import Path
from statistics import median

import numpy as np
from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.encoder import Encoder
from lookup.model import find_model
from lookup.schema import EMBEDDED

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.models import reference


def draw_sentences(corpus: Path, count: int) -> list[str]:
    """`count` different sentences that are embedded, the same ones each time."""
    kinds = ", ".join(f"'{kind}'" for kind in EMBEDDED)
    with lookup.open(corpus) as opened:
        rows = opened.sql(
            'SELECT DISTINCT text[s.start + 1 : s."end"] AS words FROM sentences s '
            f"JOIN paragraphs USING (key, paragraph) WHERE kind IN ({kinds}) ORDER BY md5(words) LIMIT {count}"
        ).fetchall()
    return [words for (words,) in rows]


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the encoder, and check its vectors.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("model")
    parser.add_argument("source", type=Path)
    parser.add_argument("--sentences", type=int, default=1000, help="sentences that are timed")
    parser.add_argument(
        "--agreement", type=int, default=500, help="sentences that are compared with the formulas"
    )
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    model = find_model(asked.model)
    encoder = Encoder(model)
    encoder.warm()
    texts = draw_sentences(asked.corpus, asked.sentences)
    times, tokens = [], 0
    for _ in range(asked.rounds):
        began = time.perf_counter()
        tokens = sum(tokens for *_, tokens in encoder.encode_batches(texts))
        times.append(time.perf_counter() - began)
    seconds = median(times)
    compared = texts[: asked.agreement]
    vectors = encoder.encode(compared)
    cosines = (vectors * reference(asked.source, compared, model.max_tokens)).sum(axis=1)
    alone = np.concatenate([encoder.encode([text]) for text in compared])
    rows = [
        ["sentences a second", f"{len(texts) / seconds:.0f}"],
        ["tokens a second", f"{tokens / seconds:.0f}"],
        ["resident memory, MiB", f"{resident_mebibytes():.0f}"],
        [f"lowest cosine with the formulas, {len(compared)} sentences", f"{cosines.min():.7f}"],
        ["greatest difference, in a batch and alone", f"{np.abs(vectors - alone).max():.1e}"],
    ]
    print(markdown_table([model.id, ""], rows))
    print(
        f"\n{len(texts)} sentences, median of {asked.rounds}; load {os.getloadavg()[0]:.1f}; {measured_on()}"
    )


if __name__ == "__main__":
    main()
