"""The second stage: every sentence has its vector, made once, kept whatever happens, the same in every
build.
"""

import hashlib
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lookup
from lookup.release.current import SIGNS_FILE, VECTORS_FILE
from lookup.release.schema import EMBEDDED
from pipeline.builds import stages, summary
from pipeline.builds.stages import embed_stage, publish_stage
from pipeline.embedding.vector_cache import VectorCache, add_vectors, quantised, text_hashes
from pipeline.engines.local import Local
from pipeline.models.install import install_model
from pipeline.publish.vector_files import write_signs
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.signs import BLOCK, in_blocks
from tests.support.builds import InProcess
from tests.support.builds import build as build_all
from tests.support.models import tiny_model
from tests.support.pdfs import pdf


@pytest.fixture
def library(tmp_path):
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "cat.pdf").write_bytes(
        paper("A cat sat on a mat. It was a large mat. Nobody minded.")
    )
    (tmp_path / "pdfs" / "dog.pdf").write_bytes(paper("A dog sat on a log. Nobody minded."))
    return tmp_path


def paper(text):
    """A PDF whose third page, the first that is body, prints `text`."""
    return pdf("Front", "Matter", text)


def build(root, model=None):
    return build_all([root / "pdfs"], root, model=model)[1]


def stored(root):
    """The sentences that have vectors, with the vectors as they are multiplied out."""
    with lookup.open(root / "corpus") as corpus:
        rows = corpus.sql(
            'SELECT key, p.text[s.start + 1 : s."end"], v.vector, v.scale, v.model FROM vectors v '
            "JOIN sentences s USING (key, paragraph, sentence) JOIN paragraphs p USING (key, paragraph) "
            "ORDER BY ALL"
        ).fetchall()
    vectors = np.array([np.array(vector) * scale for _, _, vector, scale, _ in rows])
    return [row[:2] for row in rows], vectors, {row[-1] for row in rows}


def vector_files(root):
    """The bytes of the release's vectors."""
    folder = root / "corpus" / "current" / "vectors"
    return sorted(hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.iterdir())


def test_each_sentence_of_the_kinds_to_embed_has_its_vector(library, model):
    published = build(library, model)
    texts, vectors, models = stored(library)
    expected = Encoder(model).encode([text for _, text in texts])
    assert ("cat", "It was a large mat.") in texts
    assert np.abs(vectors - expected).max() < 0.005
    assert models == {model.id} == {published.release.manifest["model"]}
    with lookup.open(library / "corpus") as corpus:
        kinds = ", ".join(f"'{kind}'" for kind in EMBEDDED)
        ((count,),) = corpus.sql(
            f"SELECT count(*) FROM sentences JOIN paragraphs USING (key, paragraph) WHERE kind IN ({kinds})"
        ).fetchall()
    assert len(texts) == count == published.embedding.sentences


class Watching(InProcess):
    """An engine that looks at the corpus as it begins to embed, and is interrupted there if it is told to."""

    def __init__(self, root, *, interrupted=False):
        super().__init__()
        self.root, self.interrupted = root, interrupted
        self.seen = []

    def embed(self, sources, work, model):
        if (self.root / "corpus" / "current").exists():
            with lookup.open(self.root / "corpus") as corpus:
                ((vectors,),) = corpus.sql("SELECT count(*) FROM vectors").fetchall()
                self.seen.append(({paper.key for paper in corpus.papers()}, vectors))
        if self.interrupted:
            raise KeyboardInterrupt
        return super().embed(sources, work, model)


@pytest.mark.long
def test_what_was_read_can_be_quoted_while_its_vectors_are_made(library, model, monkeypatch, capsys):
    monkeypatch.setattr(stages, "MANY_SENTENCES", 1)
    first = Watching(library)
    published = build_all([library / "pdfs"], library, model=model, engine=first)[1]
    assert first.seen == [({"cat", "dog"}, 0)]
    assert "You can quote 2 papers now" in capsys.readouterr().err
    (library / "pdfs" / "emu.pdf").write_bytes(paper("An emu sat on a gnu. It was a patient gnu."))
    second = Watching(library)
    grown = build_all([library / "pdfs"], library, model=model, engine=second)[1]
    assert second.seen == [({"cat", "dog", "emu"}, published.rows["vectors"])]
    assert grown.rows["vectors"] > published.rows["vectors"] > 0
    capsys.readouterr()
    assert not build_all([library / "pdfs"], library, model=model, engine=Watching(library))[1].new
    assert "You can quote" not in capsys.readouterr().err
    assert stored(library)[2] == {model.id}


def test_a_build_that_is_interrupted_at_its_vectors_leaves_what_can_be_quoted(library, model, monkeypatch):
    monkeypatch.setattr(stages, "MANY_SENTENCES", 1)
    with pytest.raises(KeyboardInterrupt):
        build_all([library / "pdfs"], library, model=model, engine=Watching(library, interrupted=True))
    with lookup.open(library / "corpus") as corpus:
        assert corpus.verify("It was a large mat.", "cat").verdict == "verbatim"
    again = Watching(library)
    assert build_all([library / "pdfs"], library, model=model, engine=again)[1].rows["vectors"] > 0
    assert again.read == []


def test_without_a_model_vectors_are_empty_and_the_build_says_so(library):
    published = build(library)
    assert published.rows["vectors"] == 0
    assert published.release.manifest["model"] is None
    assert summary.embedded(published.embedding) == "no vectors, as --model none says"


def test_a_text_is_embedded_once_in_whatever_paper_it_stands(library, model):
    first = build(library, model).embedding
    assert first.new < first.sentences  # both papers say that nobody minded
    again = build(library, model)
    assert (again.embedding.new, again.new) == (0, False)
    assert summary.embedded(again.embedding) == f"nothing new to embed ({model.id})"
    (library / "pdfs" / "ant.pdf").write_bytes(paper("Nobody minded. An ant ran."))
    added = build(library, model)
    assert added.embedding.new == 1
    assert added.rows["vectors"] == first.sentences + 2


@pytest.mark.long
def test_a_rebuild_has_the_same_bytes_in_whatever_order_the_papers_came(library, model, tmp_path):
    build(library, model)
    (library / "pdfs" / "ant.pdf").write_bytes(paper("Nobody minded. An ant ran to and fro. It was late."))
    build(library, model)
    other = tmp_path / "other"
    other.mkdir()
    (other / "pdfs").symlink_to(library / "pdfs")
    build(other, model)
    assert vector_files(library) == vector_files(other)


def test_a_model_that_was_tampered_with_is_refused(library, model, tmp_path):
    damaged = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    (damaged.folder / "tokenizer.json").write_text("{}")
    with pytest.raises(lookup.ModelError, match=r"tokenizer\.json"):
        build(library, damaged)
    with pytest.raises(lookup.ModelError, match=r"model\.onnx"):
        build(library, replace(model, sha256={"model.onnx": "0"}))


@pytest.mark.long
def test_sentences_without_vectors_are_not_published_as_if_they_had_some(library, model):
    build(library, model)
    for path in (library / "work" / "vectors").rglob("*.npy"):
        path.write_bytes(path.read_bytes()[:-1])
    (library / "pdfs" / "ant.pdf").write_bytes(paper("An ant ran."))
    state = (library / "work" / "vectors.json").read_bytes()
    build(library)
    (library / "work" / "vectors.json").write_bytes(state)
    with pytest.raises(lookup.BuildError, match="Run `pagequote embed` with that model"):
        publish_stage(library / "work", library / "corpus")
    embed_stage(library / "work", model, Local(1))
    assert publish_stage(library / "work", library / "corpus").rows["vectors"] > 0


KILLED = """
import os, signal, sys
from pathlib import Path
from retrieval.embedding.model import read_model
from pipeline.builds.stages import embed_stage
from pipeline.engines import embedding
from pipeline.engines.local import Local
embedding._KEEP_EVERY = 0
kept = embedding.add_vectors
def add(*args, files=[]):
    kept(*args)
    files.append(1)
    if len(files) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
embedding.add_vectors = add
embed_stage(Path(sys.argv[1]), read_model(Path(sys.argv[2])), Local(1))
"""


@pytest.mark.system
@pytest.mark.long
def test_a_killed_embedding_goes_on_where_it_was(library, model):
    words = ["ice", "snow", "a glacier", "rain", "hail stones", "the wind", "cold fog", "early frost"]
    (library / "pdfs" / "fox.pdf").write_bytes(paper(" ".join(f"We saw {word} here." for word in words)))
    build(library)
    killed = subprocess.run([sys.executable, "-c", KILLED, library / "work", model.folder], check=False)
    assert killed.returncode == -signal.SIGKILL
    kept = len(list((library / "work/vectors").rglob("*.npy")))
    assert kept == 5
    resumed = build(library, model)
    fresh = library / "fresh"
    fresh.mkdir()
    (fresh / "pdfs").symlink_to(library / "pdfs")
    undisturbed = build(fresh, model)
    assert resumed.embedding.new <= undisturbed.embedding.new - kept
    assert vector_files(library) == vector_files(fresh)


@given(st.lists(st.lists(st.floats(-1, 1, width=32), min_size=4, max_size=4), min_size=1, max_size=20))
def test_no_component_is_off_by_more_than_half_a_scale(rows):
    vectors = np.array(rows, np.float32)
    whole, scales = quantised(vectors)
    assert whole.dtype == np.int8
    error = np.abs(whole * scales[:, None].astype(np.float64) - vectors)
    assert (error <= scales[:, None] * 0.5001 + 1e-38).all()


@settings(max_examples=30)  # it waits for the disk
@given(st.lists(st.text(), unique=True, max_size=50), st.integers(1, 5), st.data())
def test_the_cache_gives_back_what_was_put_into_it(tmp_path_factory, texts, files, data):
    work = tmp_path_factory.mktemp("cache")
    vectors = np.random.default_rng(0).normal(size=(len(texts), 3)).astype(np.float32)
    hashes = text_hashes(texts)
    cache = VectorCache(work, "name/with signs@1", 3)
    for part in np.array_split(np.arange(len(texts)), files):
        add_vectors(cache.folder, hashes[part], vectors[part])
    cache = VectorCache(work, "name/with signs@1", 3)
    assert cache.has(hashes).all()
    assert not cache.has(text_hashes([text + "!" for text in texts if text + "!" not in texts])).any()
    wanted = data.draw(st.lists(st.sampled_from(range(len(texts))))) if texts else []
    rows = cache.rows(hashes[wanted])
    whole, scales = quantised(vectors[wanted]) if wanted else (np.empty((0, 3)), np.empty(0))
    assert np.array_equal(rows["vector"], whole)
    assert np.array_equal(rows["scale"], scales)


@pytest.mark.parametrize("kept", [0, 9, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_signs_that_are_added_to_are_those_of_all_vectors(tmp_path, kept):
    vectors = np.random.default_rng(1).integers(-127, 128, (2 * BLOCK + 9, 70), np.int8)
    for rows in (kept, len(vectors)):
        np.save(tmp_path / VECTORS_FILE, vectors[:rows])
        write_signs(tmp_path, kept if rows > kept else 0)
    assert np.array_equal(np.load(tmp_path / SIGNS_FILE), np.stack(list(in_blocks(vectors))))
