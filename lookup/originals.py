"""The PDF that a paper was read from: where it is, and whether it still is the one that was read."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lookup.corpus import Corpus
from lookup.errors import SourceError, UnknownKeyError
from lookup.object_path import ObjectPath, place

_PIECE = 1 << 20


@dataclass(frozen=True)
class Original:
    """The PDF of a paper as the corpus knows it: its absolute path, and the SHA-256 of what was read, hexadecimal."""

    key: str
    path: Path
    sha256: str

    def is_unchanged(self) -> bool:
        """Whether it has the bytes that were read; raises SourceError where it cannot be read."""
        digest = hashlib.sha256()
        try:
            for piece in self._pieces():
                digest.update(piece)
        except OSError as error:
            raise SourceError(
                f"The PDF of {self.key!r} cannot be read at {str(self.path)!r} ({error.strerror}). "
                "Put it back there, or build the corpus again."
            ) from error
        return digest.hexdigest() == self.sha256

    def _pieces(self) -> Iterator[bytes]:
        if isinstance(self.path, ObjectPath):
            yield self.path.read_bytes()
            return
        with self.path.open("rb") as file:
            while piece := file.read(_PIECE):
                yield piece


def original(corpus: Corpus, key: str) -> Original:
    """The PDF of the paper `key`; raises UnknownKeyError."""
    corpus.paper(key)  # raises for a key that is not there, and says which are alike
    row = corpus.sql("SELECT path, sha256 FROM papers WHERE key = ?", [key]).fetchone()
    if row is None:
        raise UnknownKeyError(key)  # the corpus was refreshed between these two calls
    return Original(key, place(row[0]), row[1])
