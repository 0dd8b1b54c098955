"""The file that a paper was read from: its bytes, if it still is the one that was read."""

import hashlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import IO

from lookup.errors import SourceError
from lookup.results.papers import Original
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file, read_file

_PIECE = 1 << 20


def is_unchanged(original: Original) -> bool:
    """Return whether it has the bytes that were read. Raise SourceError if it cannot be read."""
    return _hashed(original, lambda _: None)


def copied(original: Original) -> Iterator[bytes] | None:
    """Return the bytes that were read, from a copy of its own; None where the file has others now.

    Raise SourceError if it cannot be read.
    """
    with ExitStack() as stack:
        copy = stack.enter_context(tempfile.TemporaryFile())
        if not _hashed(original, copy.write):
            return None
        copy.seek(0)
        return _pieces(copy, stack.pop_all())


def read_original(original: Original) -> bytes:
    """Return its bytes. Raise SourceError if they cannot be read, or have changed since."""
    held = list[bytes]()
    if not _hashed(original, held.append):
        raise SourceError(
            f"The file of {original.key!r} at {original.path!r} has changed since the corpus was built: "
            "what was read may be elsewhere now. Build the corpus again."
        )
    return b"".join(held)


def _hashed(original: Original, take: Callable[[bytes], object]) -> bool:
    digest = hashlib.sha256()
    for piece in pieces(original):
        digest.update(piece)
        take(piece)
    return digest.hexdigest() == original.sha256


def pieces(original: Original) -> Iterator[bytes]:
    """Yield its bytes as they are now. Raise SourceError if they cannot be read."""
    if not original.reachable:
        raise SourceError(
            f"The file of {original.key!r} is at {original.path!r}, and its corpus is elsewhere: who made it "
            "may learn what you read. If you know the place, name it in PAGEQUOTE_LIBRARY."
        )
    try:
        if isinstance(original.place, ObjectPath):
            yield read_file(original.place)
            return
        with open_file(original.place) as file:
            while piece := file.read(_PIECE):
                yield piece
    except OSError as error:
        raise SourceError(
            f"The file of {original.key!r} cannot be read at {original.path!r} ({error.strerror}). "
            "Put it back there, name the library's folder in PAGEQUOTE_LIBRARY, or build again."
        ) from error


def _pieces(file: IO[bytes], opened: ExitStack) -> Iterator[bytes]:
    with opened:
        yield from iter(partial(file.read, _PIECE), b"")
