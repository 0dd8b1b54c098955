"""A model on the disk: a folder with an ONNX file, its tokenizer, and a model.json that says how to use them."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lookup.errors import ModelError
from lookup.next_step import NextStep
from lookup.release.current import beside, default_corpus

CARD = "model.json"
ONNX = "model.onnx"
TOKENIZER = "tokenizer.json"

DEFAULT_MODEL = "all-MiniLM-L6-v2"
MODELS_VARIABLE = "PAGEQUOTE_MODELS"


@dataclass(frozen=True)
class Model:
    """What model.json says. Every ONNX file takes tokens and their mask, and gives one vector of length 1 a text.

    `id` is the name with a hash of all that decides what the vectors are: two models with one id make the same vectors.
    The prefixes go before a query and before a text that is searched. `sha256` has a hash for each of the two files.
    """

    folder: Path
    id: str
    dimensions: int
    pooling: str
    query_prefix: str
    document_prefix: str
    max_tokens: int
    sha256: dict[str, str]

    def card(self) -> dict[str, Any]:
        """The content of model.json."""
        return {
            "id": self.id,
            "dimensions": self.dimensions,
            "pooling": self.pooling,
            "prefixes": {"query": self.query_prefix, "document": self.document_prefix},
            "max_tokens": self.max_tokens,
            "sha256": self.sha256,
        }

    def verify(self) -> None:
        """Raise ModelError, naming the file, where one is not what model.json says."""
        for name, expected in self.sha256.items():
            check_sha256(self.folder / name, expected)


def default_models() -> Path:
    """Where models are: $PAGEQUOTE_MODELS, else `models` beside the default corpus."""
    named = os.environ.get(MODELS_VARIABLE)
    return Path(named) if named else beside(default_corpus(), "models")


def find_model(named: str | os.PathLike[str]) -> Model:
    """The model in the folder `named`, or in the folder of that name among the models; raises ModelError."""
    folder = Path(named)
    if not (folder / CARD).is_file():
        folder = default_models() / named
    if not (folder / CARD).is_file():
        raise ModelError(
            f"There is no model {str(named)!r}: neither that folder nor {str(folder)!r} has a {CARD}. Get it.",
            next_step=NextStep("get_model" if str(named) == DEFAULT_MODEL else "get_other_model"),
        )
    return read_model(folder)


def read_model(folder: Path) -> Model:
    """The model in `folder`; raises ModelError where its files are missing or its model.json makes no sense."""
    try:
        card = json.loads((folder / CARD).read_bytes())
        model = Model(
            folder=folder,
            id=str(card["id"]),
            dimensions=int(card["dimensions"]),
            pooling=str(card["pooling"]),
            query_prefix=str(card["prefixes"]["query"]),
            document_prefix=str(card["prefixes"]["document"]),
            max_tokens=int(card["max_tokens"]),
            sha256={ONNX: str(card["sha256"][ONNX]), TOKENIZER: str(card["sha256"][TOKENIZER])},
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(
            f"{str(folder / CARD)!r} cannot be read ({type(error).__name__}: {error}). Get the model again.",
            next_step=NextStep("get_model"),
        ) from error
    for name in model.sha256:
        if not (folder / name).is_file():
            raise ModelError(
                f"The model {model.id!r} has lost {str(folder / name)!r}. Get it again.",
                next_step=NextStep("get_model"),
            )
    return model


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_sha256(path: Path, expected: str) -> None:
    """Raise ModelError, naming the file, where its hash is another."""
    found = sha256_of(path)
    if found != expected:
        raise ModelError(
            f"{str(path)!r} is not the file that was meant: its SHA-256 is {found}, expected was {expected}. Get it again."
        )
