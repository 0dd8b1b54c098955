"""How fast are texts embedded, beside fastembed and sentence-transformers, and are the vectors right?

`python benchmarks/embedding.py CORPUS MODEL SOURCE`; SOURCE is the model's own folder, in
sentence-transformers' layout: its weights go through a BERT written in numpy, in double precision, and
through the other two as they are by default (`pip install fastembed sentence-transformers`; what is not
installed is left out). All take turns in one process.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from statistics import median

import numpy as np
from tables import markdown_table, measured_on, resident_mebibytes

import lookup
from lookup.embedding.encoder import Encoder
from lookup.embedding.model import Model, find_model
from lookup.release.schema import EMBEDDED
from pipeline.models.sentence_transformers import read_settings

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from tests.support.models import reference

Encode = Callable[[list[str]], object]

_MATRIX = 3072
"""Rows and columns of the matrices whose product says what the machine can multiply at best."""


def draw_texts(corpus: Path, count: int) -> dict[str, list[str]]:
    """`count` different sentences and paragraphs that are embedded, the same ones each time."""
    kinds = ", ".join(f"'{kind}'" for kind in EMBEDDED)
    queries = {
        "sentences": 'SELECT DISTINCT text[s.start + 1 : s."end"] AS words FROM sentences s '
        f"JOIN paragraphs USING (key, paragraph) WHERE kind IN ({kinds})",
        "paragraphs": "SELECT DISTINCT text AS words FROM paragraphs WHERE kind IN ('body', 'list')",
    }
    with lookup.open(corpus) as opened:
        return {
            name: [words for (words,) in opened.sql(f"{query} ORDER BY md5(words) LIMIT {count}").fetchall()]
            for name, query in queries.items()
        }


def others(model: Model, source: Path, scratch: Path) -> dict[str, Encode]:
    """The other libraries that are installed, as they are by default, with the same weights."""
    found: dict[str, Encode] = {}
    if find_spec("fastembed"):
        from fastembed import TextEmbedding
        from fastembed.common.model_description import ModelSource, PoolingType

        for name in ("config.json", "tokenizer_config.json", "special_tokens_map.json"):
            text = (source / name).read_text() if (source / name).exists() else "{}"
            (scratch / name).write_text(text)
        for path in model.sha256:
            (scratch / path).symlink_to((model.folder / path).resolve())
        TextEmbedding.add_custom_model(
            model.id, PoolingType.DISABLED, normalization=False, sources=ModelSource(hf=model.id),
            dim=model.dimensions,
            model_file="model.onnx",
        )  # fmt: skip
        embedding = TextEmbedding(model.id, specific_model_path=str(scratch))
        found["fastembed"] = lambda texts: list(embedding.embed(texts))
    if find_spec("sentence_transformers"):
        from sentence_transformers import SentenceTransformer

        transformer = SentenceTransformer(str(source), device="cpu")
        found["sentence-transformers"] = transformer.encode
    return found


def seconds(encoders: dict[str, Encode], texts: list[str], rounds: int) -> dict[str, float]:
    """The median of what each takes, in turns."""
    times: dict[str, list[float]] = {name: [] for name in encoders}
    for _ in range(rounds):
        for name, encode in encoders.items():
            began = time.perf_counter()
            encode(texts)
            times[name].append(time.perf_counter() - began)
    return {name: median(each) for name, each in times.items()}


def products_a_second(rounds: int) -> float:
    """Floating point operations a second of the product of two large matrices, with all cores, at best."""
    left, right = np.random.default_rng(1).standard_normal((2, _MATRIX, _MATRIX), np.float32)
    best = 0.0
    for _ in range(rounds + 1):
        began = time.perf_counter()
        np.matmul(left, right)
        best = max(best, 2 * _MATRIX**3 / (time.perf_counter() - began))
    return best


def operations(source: Path, lengths: Sequence[int]) -> int:
    """Floating point operations of the products that a BERT makes of texts of so many tokens."""
    config = read_settings(source).config
    hidden, layers, middle = (
        config[name] for name in ("hidden_size", "num_hidden_layers", "intermediate_size")
    )
    dense = 4 * hidden * hidden + 2 * hidden * middle
    return sum(2 * layers * length * (dense + 2 * length * hidden) for length in lengths)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the encoder, and check its vectors.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("model")
    parser.add_argument("source", type=Path)
    parser.add_argument("--texts", type=int, default=500, help="sentences, and paragraphs, that are timed")
    parser.add_argument(
        "--agreement", type=int, default=500, help="sentences that are compared with the formulas"
    )
    parser.add_argument("--rounds", type=int, default=3)
    asked = parser.parse_args()
    model = find_model(asked.model)
    encoder = Encoder(model)
    encoder.warm()
    drawn = draw_texts(asked.corpus, max(asked.texts, asked.agreement))
    timed = {name: texts[: asked.texts] for name, texts in drawn.items()}
    loaded = resident_mebibytes()
    lengths = {
        name: [
            n
            for numbers, _, tokens in encoder.encode_batches(texts)
            for n in [tokens // len(numbers)] * len(numbers)
        ]
        for name, texts in timed.items()
    }  # fmt: skip
    resident = resident_mebibytes()
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        encoders = {"pagequote": encoder.encode, **others(model, asked.source, Path(scratch))}
        for name, texts in timed.items():
            took = seconds(encoders, texts, asked.rounds)
            limit = products_a_second(asked.rounds)
            rows += [
                [
                    f"{len(texts)} {name}, {library}",
                    f"{len(texts) / each:.0f}",
                    f"{sum(lengths[name]) / each:.0f}",
                    f"{each / took['pagequote']:.2f}",
                    f"{operations(asked.source, lengths[name]) / each / limit:.0%}",
                ]
                for library, each in took.items()
            ]
    print(
        markdown_table(
            ["", "texts a second", "tokens a second", "times ours", "of the products' limit"], rows
        )
    )
    compared = drawn["sentences"][: asked.agreement]
    vectors = encoder.encode(compared)
    cosines = (vectors * reference(asked.source, compared, model.max_tokens)).sum(axis=1)
    alone = np.concatenate([encoder.encode([text]) for text in compared])
    print(
        f"\n{model.id}: lowest cosine with the formulas of {len(compared)} sentences {cosines.min():.7f}; "
        f"greatest difference, in a batch and alone, "
        f"{np.abs(vectors - alone).max():.1e}; memory with the model {loaded:.0f} MiB, with the texts and "
        f"their vectors {resident:.0f} MiB."
    )
    print(f"\nMedian of {asked.rounds}, in turns; load {os.getloadavg()[0]:.1f}; {measured_on()}")


if __name__ == "__main__":
    main()
