"""A model on the disk: a folder with an ONNX file, its tokenizer, and model.json, how to use them."""

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

from lookup.errors import ModelError, NextStep
from lookup.release.current import Release
from lookup.storage.untrusted_files import MOST_JSON, open_file, read_file
from objectstore.releases import cache_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

CARD = "model.json"
ONNX = "model.onnx"
TOKENIZER = "tokenizer.json"

DEFAULT_MODEL = "all-MiniLM-L6-v2"
SPARSE_MODEL = "splade-tiny"
"""The model of the weighted words of the index, used beside any other where it is there."""

MODELS_VARIABLE = "PAGEQUOTE_MODELS"

TERMS_POOLING = "terms"  # The pooling of a sparse model.
TERMS = 96  # Words that are kept of a text, the weightiest: of sentences nearly all that weigh anything.
PACKED = 3 * TERMS  # Bytes of a packed text: two for the number of each word, one for its weight.
_STEPS = 32.0  # Steps of a weight from 0 to 1; they go to 8.


@dataclass(frozen=True)
class Model:
    """The content of model.json. The ONNX file takes tokens and mask, and gives a vector of length 1 a text.

    That of a sparse model gives the weightiest words of it (`packed`).

    `id` is the name with a hash of all that determines the vectors: models with the same id make the same
    vectors. The prefixes go before a query and before a text that is searched. `sha256` has a hash for each
    of the two files.
    """

    folder: Path
    id: str
    dimensions: int
    pooling: str
    query_prefix: str
    document_prefix: str
    max_tokens: int
    sha256: dict[str, str]

    @property
    def sparse(self) -> bool:
        """Whether it makes weighted words of a text, and no vector."""
        return self.pooling == TERMS_POOLING

    def card(self) -> dict[str, Any]:
        """Return the content of model.json."""
        return {
            "id": self.id,
            "dimensions": self.dimensions,
            "pooling": self.pooling,
            "prefixes": {"query": self.query_prefix, "document": self.document_prefix},
            "max_tokens": self.max_tokens,
            "sha256": self.sha256,
        }

    def verify(self) -> None:
        """Raise ModelError, which names the file, if its hash is not that of model.json."""
        for name, expected in self.sha256.items():
            check_sha256(self.folder / name, expected)


def default_models() -> Path:
    """Return where models are kept: $PAGEQUOTE_MODELS, else `models` in the cache of the user.

    None is taken from beside a corpus: it may be a stranger's (lookup.storage.object_path), and it would run.
    """
    named = os.environ.get(MODELS_VARIABLE)
    return Path(named) if named else cache_folder() / "models"


def find_model(named: str | os.PathLike[str]) -> Model:
    """Return the model of that name among the models, or in the folder `named`. Raise ModelError."""
    folders = [default_models() / named, Path(named)]
    found = next((folder for folder in folders if (folder / CARD).is_file()), None)
    if found is None:
        raise ModelError(
            f"There is no model {str(named)!r}: neither that folder nor {str(folders[0])!r} has a {CARD}. "
            "Get it.",
            next_step=NextStep("get_model" if str(named) == DEFAULT_MODEL else "get_other_model"),
        )
    return read_model(found)


def model_on_disk(release: Release, made_by: str) -> Model:
    """Return the model on this machine with the id `made_by`, which `release` names. Raise ModelError."""
    folder = default_models() / PurePath(made_by.rpartition("@")[0]).name  # a manifest may say a path
    if folder.is_dir():
        model = read_model(folder)
        if model.id == made_by:
            return model
        raise ModelError(
            f"The vectors of the release {release.name} are of the model {made_by!r}, and "
            f"{str(folder)!r} is {model.id!r}: they cannot be compared. "
            "Get the model that made them, or build the corpus again with this one."
        )
    beside = release.folder.parents[2] / "models"
    named = (
        f" {str(beside / folder.name)!r} may have come with the corpus: PAGEQUOTE_MODELS={beside} trusts it."
        if (beside / folder.name).is_dir()
        else ""
    )
    raise ModelError(
        f"The model {made_by!r}, which made the vectors of the release {release.name}, "
        f"is not in {str(default_models())!r}. Get it.{named}",
        next_step=NextStep("get_model"),
    )


def read_model(folder: Path) -> Model:
    """Return the model in `folder`. Raise ModelError if a file is missing or model.json is not valid."""
    try:
        card = json.loads(read_file(folder / CARD, MOST_JSON))
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
    """Return the SHA-256 of a file, hexadecimal."""
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def check_sha256(path: Path, expected: str) -> None:
    """Raise ModelError, which names the file, if its hash is not `expected`, or if it cannot be read."""
    try:
        found = sha256_of(path)
    except OSError as error:
        raise ModelError(f"{str(path)!r} cannot be read ({error.strerror}). Get it again.") from error
    if found != expected:
        raise ModelError(
            f"{str(path)!r} is not the expected file: its SHA-256 is {found}, not {expected}. Get it again."
        )


def packed(weights: "npt.NDArray[np.float32]", numbers: "npt.NDArray[np.int64]") -> "npt.NDArray[np.int8]":
    """Return the words of texts, (texts, TERMS) each, as rows of PACKED bytes."""
    import numpy as np  # noqa: PLC0415

    steps = np.rint(weights * _STEPS).clip(0, 255).astype(np.uint8)
    return np.concatenate([numbers.astype("<u2").view(np.int8), steps.view(np.int8)], axis=1)


def unpacked(rows: "npt.NDArray[Any]") -> "tuple[npt.NDArray[np.uint16], npt.NDArray[np.float32]]":
    """Return the numbers and the weights of the words of packed texts, (texts, TERMS) each."""
    import numpy as np  # noqa: PLC0415

    rows = np.ascontiguousarray(rows)
    weights = rows[:, 2 * TERMS :].view(np.uint8).astype(np.float32) / _STEPS
    return np.ascontiguousarray(rows[:, : 2 * TERMS]).view("<u2"), weights
