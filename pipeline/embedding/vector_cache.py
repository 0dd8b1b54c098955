"""The cache of vectors, by the text: a sentence is embedded once, whatever papers it is in."""

import hashlib
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
import numpy.typing as npt

from pipeline.files.atomic import remove, remove_unfinished, write_atomically
from pipeline.files.known_contents import KnownContents

_HASH = 16  # Bytes of a text's hash: two of 10^9 texts share a hash with a probability of 10^-21.

_GREATEST = 127

_NOTHING = 1e-30  # Components below this are 0: a FLOAT cannot hold a scale for them.

Hashes = npt.NDArray[np.bytes_]
Rows = npt.NDArray[Any]


def vectors_folder(work: Path, model: str) -> Path:
    """Return the folder of the vectors of the model with this id."""
    return work / "vectors" / quote(model, safe="@")


def work_of(vectors: Path) -> Path:
    """Return the work folder that the folder of a model's vectors is in."""
    return vectors.parent.parent


def text_hashes(texts: Iterable[str]) -> Hashes:
    """Return the hash of each text, the key of its vector."""
    digests = [hashlib.blake2b(text.encode(), digest_size=_HASH).digest() for text in texts]
    return np.array(digests, f"S{_HASH}")


def quantised(vectors: npt.NDArray[np.float32]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.float32]]:
    """Return each row as integers from -127 to 127, and the scale that turns them back.

    No component is off by more than half a scale.
    """
    greatest = np.abs(vectors).max(axis=1, initial=0)
    scales = np.where(greatest > _NOTHING, greatest, 1).astype(np.float32) / np.float32(_GREATEST)
    return np.rint(vectors / scales[:, None]).astype(np.int8), scales


def among(known: Hashes, texts: Hashes) -> npt.NDArray[np.bool_]:
    """Return for each of `texts` whether it is in `known`, which is sorted."""
    if not len(known):
        return np.zeros(len(texts), np.bool_)
    at = np.minimum(np.searchsorted(known, texts), len(known) - 1)
    found: npt.NDArray[np.bool_] = known[at] == texts
    return found


def add_vectors(folder: Path, texts: Hashes, vectors: npt.NDArray[Any]) -> None:
    """Write vectors to a new file in `folder`, on the disk on return. Only a new VectorCache sees them.

    Packed words of a sparse model are bytes already, and stay as they are.
    """
    if not len(texts):
        return
    rows = np.empty(len(texts), _row_type(vectors.shape[1]))
    rows["text"] = texts
    rows["vector"], rows["scale"] = quantised(vectors) if vectors.dtype != np.int8 else (vectors, 1)
    sink = io.BytesIO()
    np.save(sink, rows)
    written = sink.getvalue()
    write_atomically(folder / _name_by(hashlib.sha256(written).hexdigest()), written, work_of(folder))


def whole_files(folder: Path, *, keep: bool = False) -> frozenset[str]:
    """Return the names of the undamaged files in `folder`.

    Files that nobody touched since they were seen to be whole are not read. What is seen now is remembered
    with `keep`, which one process may do at a time.
    """
    seen = KnownContents(folder)
    found = frozenset(
        path.name for path in folder.glob("*.npy") if _name_by(seen.contents(path)[0]) == path.name
    )
    if keep:
        seen.keep(folder, work_of(folder))
    return found


def _row_type(dimensions: int) -> np.dtype[Any]:
    return np.dtype([("text", f"S{_HASH}"), ("scale", "<f4"), ("vector", "i1", (dimensions,))])


class VectorCache:
    """The cached vectors of one model, in `work`: files of rows (text, scale, vector) that never change.

    The vectors stay on the disk; memory holds 24 bytes a text. A file is named by the hash of its content, so
    that damaged files are recognised; with `mend`, damaged and unfinished files are removed.
    """

    def __init__(self, work: Path, model: str, dimensions: int, *, mend: bool = True) -> None:
        self.dimensions = dimensions
        self.folder = vectors_folder(work, model)
        self._mend = mend
        self._type = _row_type(dimensions)
        self._read()

    def has(self, texts: Hashes) -> npt.NDArray[np.bool_]:
        """Return for each text whether its vector is here."""
        return among(self.texts, texts)

    def rows(self, texts: Hashes) -> Rows:
        """Return the rows (text, scale, vector) of `texts`, all of which must be here."""
        rows = np.empty(len(texts), self._type)
        places = self._places[np.searchsorted(self.texts, texts)] if len(texts) else np.empty(0, np.int64)
        files = np.searchsorted(self._starts, places, side="right") - 1
        for file in np.unique(files):
            here = files == file
            rows[here] = self._files[file][places[here] - self._starts[file]]
        return rows

    def _read(self) -> None:
        if self._mend:
            remove_unfinished(self.folder, work_of(self.folder))
        self.files = whole_files(self.folder, keep=self._mend)
        for path in self.folder.glob("*.npy") if self._mend else ():
            if path.name not in self.files:
                remove(path, work_of(self.folder))  # damaged: its texts are embedded again
        self._files: list[Rows] = [np.load(self.folder / name, mmap_mode="r") for name in sorted(self.files)]
        sizes = [len(rows) for rows in self._files]
        self._starts = np.cumsum([0, *sizes[:-1]]) if sizes else np.empty(0, np.int64)
        texts = np.concatenate([np.empty(0, f"S{_HASH}"), *(rows["text"] for rows in self._files)])
        self._places = np.argsort(texts, kind="stable")
        self.texts: Hashes = texts[self._places]


def _name_by(sha256: str) -> str:
    return f"{sha256[:32]}.npy"
