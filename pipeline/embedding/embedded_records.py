"""Which extractions are known to have all their vectors, so that a night with little new looks through little."""

import json
from collections.abc import Mapping
from pathlib import Path

from pipeline.atomic_files import write_atomically

_FILE = "embedded.json"


def read_embedded(folder: Path, files: frozenset[str]) -> dict[str, int]:
    """By the digest of an extraction, how many of its sentences have vectors: all of those to be embedded.

    `folder` keeps the vectors of one model, in `files`. Nothing is known where a file is missing that was there when this was written.
    """
    try:
        said = json.loads((folder / _FILE).read_bytes())
        known, counts = frozenset(said["files"]), dict(said["sentences"])
    except (OSError, ValueError, KeyError, TypeError):
        return {}
    return counts if known <= files else {}


def write_embedded(folder: Path, sentences: Mapping[str, int]) -> None:
    """Remember it, where all have vectors in the files that are in `folder` now. Should one of them be damaged, it is not among `files` later."""
    files = sorted(path.name for path in folder.glob("*.npy"))
    said = {"files": files, "sentences": dict(sorted(sentences.items()))}
    write_atomically(folder / _FILE, json.dumps(said).encode())
