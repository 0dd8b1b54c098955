"""Archives of XML: EPUB, .docx and .odt."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.markup.elements import MOST_BYTES, damaged

_MOST_MEMBERS = 10_000
"""Members of an archive: a book has some hundreds."""


_DAMAGE = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, EOFError, OSError,
    ValueError,
)  # fmt: skip
"""What `zipfile` raises for an archive that is damaged, locked, or packed in an unknown way."""


class Archive:
    """The members of an archive; together no more than MOST_BYTES are read."""

    def __init__(self, opened: zipfile.ZipFile, name: str) -> None:
        self._opened = opened
        self._name = name
        self._left = MOST_BYTES
        self.names = frozenset(opened.namelist())
        if len(self.names) > _MOST_MEMBERS:
            raise damaged(name, f"it has over {_MOST_MEMBERS} members")

    def read(self, member: str) -> bytes:
        """Return a member. Raise UnreadableError where it is missing, or there is too much."""
        if member not in self.names:
            raise damaged(self._name, f"it has no {member!r}")
        with self._opened.open(member) as file:
            data = file.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise damaged(self._name, f"its texts have over {MOST_BYTES >> 20} MiB, the limit")
        return data


@contextmanager
def opened_archive(data: bytes, name: str) -> Iterator[Archive]:
    """Open an archive. Raise UnreadableError if it is none, damaged or locked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            yield Archive(opened, name)
    except _DAMAGE as error:
        raise damaged(name, str(error)) from error
