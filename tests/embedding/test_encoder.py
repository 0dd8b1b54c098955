"""Texts to vectors: the same ones whatever comes with them, loaded when they are wanted."""

import shutil
from dataclasses import replace

import numpy as np
import pytest

import lookup
from lookup.errors import ModelError
from pipeline.models.install import install_model
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.model import read_model
from tests.support.builds import damage
from tests.support.models import HIDDEN, tiny_model


@pytest.fixture(scope="module")
def texts():
    random = np.random.default_rng(3)
    return ["".join(random.choice(list("abc de"), size)) for size in random.integers(0, 60, 300)]


def test_a_text_has_the_same_vector_whatever_is_encoded_with_it(model, texts):
    encoder = Encoder(model, threads=3)
    together = encoder.encode(texts)
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert together.dtype == np.float32
    assert np.abs(together - alone).max() <= 1e-5
    assert np.abs(encoder.encode(texts[::-1])[::-1] - together).max() <= 1e-5
    assert np.abs(np.linalg.norm(together, axis=1) - 1).max() < 1e-5


def test_the_default_model_gives_a_text_the_same_vector_whatever_is_encoded_with_it(default_model):
    encoder = Encoder(default_model)
    texts = ["ice " * count + word for count in (1, 2, 3, 40) for word in ("melts", "grows", "flows")]
    alone = np.concatenate([encoder.encode([text]) for text in texts])
    assert np.abs(encoder.encode(texts) - alone).max() <= 1e-5


def test_a_damaged_graph_is_refused_by_name(model, tmp_path):
    damaged = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    (damaged.folder / "model.onnx").write_bytes(b"not a graph")
    with pytest.raises(lookup.ModelError, match=r"model\.onnx' is not the expected file"):
        Encoder(damaged).warm()


def _copied(model, folder):
    shutil.copytree(model.folder, folder)
    return read_model(folder)


def test_a_model_of_which_a_byte_changed_is_refused(model, tmp_path):
    copied = _copied(model, tmp_path / "model")
    damage(copied.folder / "model.onnx", flip=1)
    with pytest.raises(ModelError, match=r"model\.onnx' is not the expected file"):
        Encoder(copied).encode(["a text"])


@pytest.mark.parametrize("texts", [["a text"], ["a text", "others", "abc"]])
def test_a_model_of_which_vectors_have_another_length_is_refused(model, texts, tmp_path):
    other = replace(_copied(model, tmp_path / "model"), dimensions=HIDDEN + 1)
    with pytest.raises(ModelError, match=rf"its vectors have the shape \({HIDDEN},\)"):
        Encoder(other).encode(texts)


def test_the_model_runs_on_what_is_named(model, monkeypatch):
    asked = []

    def session(path, options, providers):
        asked.append(providers)

    monkeypatch.setattr("onnxruntime.InferenceSession", session)
    Encoder(model).warm()
    Encoder(model, providers=("CUDAExecutionProvider", "CPUExecutionProvider")).warm()
    assert asked == [["CPUExecutionProvider"], ["CUDAExecutionProvider", "CPUExecutionProvider"]]
