"""The second stage: sentences to vectors."""

import json
from pathlib import Path

from lookup.errors import BuildError
from pipeline.files import locked, write_atomically


def embed_stage(work: Path, model: str | None) -> None:
    """Leave in `work` which model's vectors the release is to hold.

    There is no encoder yet: without a model there are no vectors, and with one this raises BuildError.
    """
    if model is not None:
        raise BuildError(
            f"This version has no encoder to run the model {model!r}. Leave --model out: vectors stay empty."
        )
    with locked(work):
        write_atomically(work / "vectors.json", (json.dumps({"model": None, "vectors": 0}) + "\n").encode())
