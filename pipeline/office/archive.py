"""Archives of XML: EPUB, .docx and .odt. They may be hostile."""

import codecs
import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from xml.parsers.expat import ExpatError

MOST_BYTES = 64 << 20
"""Bytes of one XML text, and of all that are read of an archive: a thesis of 500 pages has some 10 MiB."""

MOST_PARAGRAPHS = 200_000
"""Paragraphs of a text: a thesis of 500 pages has some 5,000, with all its data in tables 50,000."""

_MOST_MEMBERS = 10_000  # Members of an archive: a book has some hundreds.


class DocumentError(ValueError):
    """An archive, or what is in it, cannot be read; the message says why, in half a sentence."""


_BOUNDED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # Python unpacks all of the others at once.

_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OSError,
    ValueError,
    ExpatError,
)
"""What is raised for an archive that is damaged, locked, or packed in an unknown way."""


class Archive:
    """The members of an archive; together no more than MOST_BYTES are read."""

    def __init__(self, opened: zipfile.ZipFile) -> None:
        self.opened = opened
        self._left = MOST_BYTES
        self.names = frozenset(opened.namelist())
        if len(opened.infolist()) > _MOST_MEMBERS:
            raise DocumentError(f"it has over {_MOST_MEMBERS} members")

    def read(self, member: str) -> bytes:
        """Return a member. Raise DocumentError where it is missing, or there is too much."""
        if member not in self.names:
            raise DocumentError(f"it has no {member!r}")
        if self.opened.getinfo(member).compress_type not in _BOUNDED:
            raise DocumentError(f"{member!r} is packed in a way that no word processor writes")
        with self.opened.open(member) as file:
            data = file.read(self._left + 1)
        self._left -= len(data)
        if self._left < 0:
            raise DocumentError(f"its texts have over {MOST_BYTES >> 20} MiB, the limit")
        return data

    def text(self, member: str) -> str | None:
        """Return the XML text of a member, in UTF-8 or UTF-16; None if there is no such member."""
        if member not in self.names:
            return None
        data = self.read(member)
        wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return data.decode("utf-16" if wide else "utf-8-sig")


@contextmanager
def opened_archive(data: bytes) -> Iterator[Archive]:
    """Open an archive. Raise DocumentError if it is none, or what is read of it is damaged or locked."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as opened:
            yield Archive(opened)
    except _DAMAGE as error:
        raise DocumentError(str(error)) from error
