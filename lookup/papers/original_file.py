"""The file that a paper was read from: where it was then, and whether it still is the one that was read."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import open_file, read_file

_PIECE = 1 << 20


class Original(NamedTuple):
    """The file of a paper as the corpus knows it.

    `path` is absolute, or an `s3://` name; `sha256` is that of the bytes that were read, hexadecimal.
    """

    key: str
    path: str
    sha256: str

    @property
    def place(self) -> Path:
        """Its path, an ObjectPath in object storage."""
        return place(self.path)

    def is_unchanged(self) -> bool:
        """Return whether it has the bytes that were read. Raise SourceError if it cannot be read."""
        digest = hashlib.sha256()
        for piece in self.pieces():
            digest.update(piece)
        return digest.hexdigest() == self.sha256

    def read(self) -> bytes:
        """Return its bytes. Raise SourceError if they cannot be read, or have changed since."""
        data = b"".join(self.pieces())
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise SourceError(
                f"The file of {self.key!r} at {self.path!r} has changed since the corpus was built: "
                "what was read may be elsewhere now. Build the corpus again."
            )
        return data

    def pieces(self) -> Iterator[bytes]:
        """Yield its bytes as they are now. Raise SourceError if they cannot be read."""
        try:
            if isinstance(self.place, ObjectPath):
                yield read_file(self.place)
                return
            with open_file(self.place) as file:
                while piece := file.read(_PIECE):
                    yield piece
        except OSError as error:
            raise SourceError(
                f"The file of {self.key!r} cannot be read at {self.path!r} ({error.strerror}). "
                "Put it back there, name the library's folder in PAGEQUOTE_LIBRARY, or build again."
            ) from error
