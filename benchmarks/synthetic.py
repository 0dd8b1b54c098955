"""Write a synthetic release of many paragraphs: `python benchmarks/synthetic.py --paragraphs 1000000 OUT`.

No PDFs are read: each paper is made as the extraction that a PDF would have left in the work folder, and the
project's own last stage publishes them. The same arguments give the same rows.
"""

import argparse
import hashlib
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
from synthetic_text import OWN, Template, templates

from lookup.release.current import PARAGRAPH_SEPARATOR
from lookup.release.schema import PAGES, PARAGRAPHS, SENTENCES
from pipeline.builds.stages import publish_stage
from pipeline.cleaning.clean import lines_array
from pipeline.embedding.last_embedding import LastModel, last_model
from pipeline.embedding.pending import embedded_sentences
from pipeline.embedding.vector_cache import VectorCache, add_vectors, text_hashes
from pipeline.extractor import EXTRACTOR
from pipeline.libraries.entries import Metadata
from pipeline.records import arrow_schema, record
from pipeline.sources.source import Source
from pipeline.work.extraction_cache import record_name, records_folder, write_record
from pipeline.work.state import state_of, write_state
from retrieval.embedding.model import TERMS, Model, find_model, packed

_TEMPLATES = 4_000
"""So many that a paper's paragraphs are mostly of different ones, and their lines still fit in 50 MB."""

_VECTORS_AT_ONCE = 50_000

_VOCABULARY = 1_000, 30_522
"""Numbers of the words of the sparse model."""

_WORDS_A_SENTENCE = 50
_RARER = 1_000.0

_PARAGRAPHS_A_PAPER = (150, 250)
_PARAGRAPHS_A_PAGE = 27
"""14,861 paragraphs on 551 pages of the 57 real papers."""

_NAMES = [
    a + b
    for a in ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "br", "kr", "st")
    for b in ("a", "e", "i", "o", "u", "au", "ei")
]
_ENDS = ["n", "r", "ski", "sen", "mann", "tti", "ng", "v", "z", "rd"]


def write_synthetic(
    corpus: Path,
    paragraphs: int,
    seed: int = 1,
    model: Model | None = None,
    sparse: Model | None = None,
    publish: Callable[[Path, Path], object] = publish_stage,
) -> None:
    """Publish a release of so many paragraphs to `corpus`; with a `model` as if that had made vectors, which
    are random; with a `sparse` one too, its weighted words, which are random as well.

    `publish` gets the work folder and the corpus.
    """
    rng = random.Random(seed)
    pool = templates(rng, _TEMPLATES)
    lines = lines_array(template.clean.lines for template in pool)
    sizes = list(_sizes(rng, paragraphs))
    keys = _keys(rng, len(sizes))
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=corpus) as folder:
        work = Path(folder)
        sources, records, first = [], {}, 0
        texts: list[str] = []
        for key, size in zip(keys, sizes, strict=True):
            source = _source(key, seed)
            sources.append(source)
            name = record_name(source.sha256)
            extraction = _extraction(rng, pool, lines, first, size)
            write_record(records_folder(work) / name, extraction, work)
            if model:
                texts += embedded_sentences(extraction)["text"].to_pylist()
            records[source.sha256] = name
            first += size
        write_state(work, state_of(sources, records, []))
        if model:
            _write_vectors(work, texts, model, seed)
        if model and sparse:
            _write_words(work, texts, sparse, seed)
        publish(work, corpus)


def _write_vectors(work: Path, texts: Sequence[str], model: Model, seed: int) -> None:
    """Leave a random vector for each of `texts` in the work folder, as an embedding would have left one."""
    drawn = np.random.default_rng(seed)
    cache = VectorCache(work, model.id, model.dimensions)
    hashes = np.unique(text_hashes(texts))
    for at in range(0, len(hashes), _VECTORS_AT_ONCE):
        some = hashes[at : at + _VECTORS_AT_ONCE]
        vectors = drawn.standard_normal((len(some), model.dimensions), np.float32)
        add_vectors(cache.folder, some, vectors / np.linalg.norm(vectors, axis=1, keepdims=True))
    LastModel(model.id, model.dimensions, vectors=len(texts)).keep(work)


def _write_words(work: Path, texts: Sequence[str], sparse: Model, seed: int) -> None:
    """Leave weighted words for each of `texts`: the most frequent a thousand times as often as others."""
    drawn = np.random.default_rng(seed)
    cache = VectorCache(work, sparse.id, sparse.dimensions)
    hashes = np.unique(text_hashes(texts))
    numbers = drawn.permutation(np.arange(*_VOCABULARY))
    ranks = len(numbers)
    for at in range(0, len(hashes), _VECTORS_AT_ONCE):
        some = hashes[at : at + _VECTORS_AT_ONCE]
        shape = len(some), TERMS
        chosen = numbers[(_RARER ** drawn.random(shape) * ranks / _RARER).astype(np.intp)]
        weights = drawn.exponential(0.5, shape).astype(np.float32)
        weights[:, _WORDS_A_SENTENCE:] = 0
        add_vectors(cache.folder, some, packed(weights, chosen))
    replace(last_model(work), terms=sparse.id).keep(work)


def _sizes(rng: random.Random, paragraphs: int) -> Iterator[int]:
    while paragraphs > 0:
        size = min(paragraphs, rng.randint(*_PARAGRAPHS_A_PAPER))
        yield size
        paragraphs -= size


def _keys(rng: random.Random, count: int) -> list[str]:
    """Different keys of the form 'kauteman1987' or 'kauteman1987b'."""
    keys: dict[str, None] = {}
    while len(keys) < count:
        name = "".join(rng.choices(_NAMES, k=rng.randint(1, 3))) + rng.choice(_ENDS)
        keys[f"{name}{rng.randint(1980, 2026)}{rng.choice(['', '', '', 'a', 'b'])}"] = None
    return list(keys)


def _source(key: str, seed: int) -> Source:
    title = f"On the made words of {key}"
    digest = hashlib.sha256(f"{seed} {key}".encode()).hexdigest()
    return Source(
        key, Path(f"/synthetic/{key}.pdf"), digest, 1_000_000, Metadata(title, ("Maker, Anna",), 2026)
    )


def _extraction(
    rng: random.Random, pool: Sequence[Template], pool_lines: pa.Array, first: int, size: int
) -> pa.RecordBatch:
    """A paper of `size` paragraphs, the first of which is number `first` of the corpus."""
    chosen = rng.sample(range(len(pool)), size)
    chosen.sort(key=lambda number: pool[number].kind == "reference")  # they come last, the rest as it falls
    used = [pool[number] for number in chosen]
    pages = [1 + place // _PARAGRAPHS_A_PAGE for place in range(size)]
    return record(
        EXTRACTOR,
        {"title": None, "authors": [], "year": None, "doi": None, "venue": None, "abstract": None},
        {
            PAGES.name: _pages(pages[-1]),
            PARAGRAPHS.name: [*_paragraphs(used, pages, first), _lines(pool_lines, chosen, pages)],
            SENTENCES.name: _sentences(used),
        },
    )


def _pages(count: int) -> list[pa.Array]:
    rows = [(page, str(page), 595.0, 842.0, 0, "text") for page in range(1, count + 1)]
    return _arrays(rows, arrow_schema(PAGES, extracted=True))


def _paragraphs(used: Sequence[Template], pages: Sequence[int], first: int) -> list[pa.Array]:
    rows: list[dict[str, object]] = []
    cursor = 0
    number, title, in_section = 0, None, 0
    for place, (template, page) in enumerate(zip(used, pages, strict=True)):
        own = _own_word(first + place)
        raw, text, norm = (
            said.replace(OWN, own)
            for said in (template.clean.text_raw, template.clean.text, template.text_norm)
        )
        if template.kind == "heading":
            number, title, in_section = number + 1, text, 0
        rows.append(
            {
                "paragraph": place,
                "page": page,
                "page_end": page,
                "page_label": str(page),
                "kind": template.kind,
                "hidden": False,
                "section_number": str(number) if number else None,
                "section_title": title,
                "section_paragraph": in_section,
                "text_raw": raw,
                "text": text,
                "text_norm": norm,
                "superscripts": [],
                "cursor": cursor,
            }
        )
        in_section += 1
        cursor += len(text) + len(PARAGRAPH_SEPARATOR)
    schema = arrow_schema(PARAGRAPHS, extracted=True)
    return [
        pa.array([row.get(field.name) for row in rows], field.type)
        for field in schema
        if field.name != "lines"
    ]


def _own_word(number: int) -> str:
    """A word for the paragraph `number`, as long as OWN and different for each of 26**6 numbers, neighbours
    unlike each other.
    """
    mixed = number * 133_784_281 % 26 ** len(OWN)  # an odd multiplier prime to 26 permutes them
    letters = []
    for _ in OWN:
        mixed, letter = divmod(mixed, 26)
        letters.append(chr(ord("a") + letter))
    return "".join(letters)


def _lines(pool_lines: pa.Array, chosen: Sequence[int], pages: Sequence[int]) -> pa.Array:
    """The templates' lines, on the pages of their paragraphs."""
    taken = pool_lines.take(pa.array(chosen, pa.int32()))
    offsets = taken.offsets.to_pylist()
    on = [
        page
        for page, start, end in zip(pages, offsets, offsets[1:], strict=False)
        for _ in range(end - start)
    ]
    fields = list(taken.type.value_type)
    columns = [
        pa.array(on, field.type) if field.name == "page" else taken.values.field(field.name)
        for field in fields
    ]
    return pa.ListArray.from_arrays(taken.offsets, pa.StructArray.from_arrays(columns, fields=fields))


def _sentences(used: Sequence[Template]) -> list[pa.Array]:
    rows, in_section = [], 0
    for place, template in enumerate(used):
        if template.kind == "heading":
            in_section = 0
        for sentence, (start, end) in enumerate(template.sentences):
            rows.append((place, sentence, in_section, start, end))
            in_section += 1
    return _arrays(rows, arrow_schema(SENTENCES, extracted=True))


def _arrays(rows: Sequence[tuple[object, ...]], schema: pa.Schema) -> list[pa.Array]:
    columns = zip(*rows, strict=True)
    return [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description="Write a synthetic release.")
    parser.add_argument("out", type=Path, metavar="OUT", help="the corpus folder")
    parser.add_argument("--paragraphs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--model", help="with random vectors under this model's id; the model is on this machine"
    )
    parser.add_argument("--sparse", help="with random words of this sparse model beside them")
    asked = parser.parse_args()
    began = time.monotonic()
    model, sparse = (find_model(name) if name else None for name in (asked.model, asked.sparse))
    write_synthetic(asked.out, asked.paragraphs, asked.seed, model, sparse)
    print(f"{asked.paragraphs:,} paragraphs in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
