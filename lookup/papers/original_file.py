"""The file that a paper was read from: where it was then, and whether it still is the one that was read."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import open_file, read_file

_PIECE = 1 << 20


class Original(NamedTuple):
    """The file of a paper as the corpus knows it.

    `path` is absolute, or an `s3://` name, which is asked for only if it is `reachable`; `sha256` is that of
    the bytes that were read, hexadecimal.
    """

    key: str
    path: str
    sha256: str
    reachable: bool = True

    @property
    def place(self) -> Path:
        """Its path, an ObjectPath in object storage."""
        return place(self.path)

    def is_unchanged(self) -> bool:
        """Return whether it has the bytes that were read. Raise SourceError if it cannot be read."""
        return self._hashed(lambda _: None)

    def copied(self) -> Iterator[bytes] | None:
        """Return the bytes that were read, from a copy of its own; None where the file has others now.

        Raise SourceError if it cannot be read.
        """
        with ExitStack() as stack:
            copy = stack.enter_context(tempfile.TemporaryFile())
            if not self._hashed(copy.write):
                return None
            copy.seek(0)
            return _pieces(copy, stack.pop_all())

    def _hashed(self, take: Callable[[bytes], object]) -> bool:
        digest = hashlib.sha256()
        for piece in self.pieces():
            digest.update(piece)
            take(piece)
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
        if not self.reachable:
            raise SourceError(
                f"The file of {self.key!r} is at {self.path!r}, and its corpus is elsewhere: who made it may "
                "learn what you read. If you know the place, name it in PAGEQUOTE_LIBRARY."
            )
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


def _pieces(file: IO[bytes], opened: ExitStack) -> Iterator[bytes]:
    with opened:
        yield from iter(partial(file.read, _PIECE), b"")
