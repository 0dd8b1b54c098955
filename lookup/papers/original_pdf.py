"""The file that a paper was read from: where it was then, and whether it still is the one that was read."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, NamedTuple, Protocol

from lookup.errors import SourceError
from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import open_file, read_file

Format = Literal["pdf", "xml", "html", "epub", "word", "opendocument"]

FORMATS: Mapping[str, Format] = {
    ".pdf": "pdf",
    ".xml": "xml",
    ".nxml": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".epub": "epub",
    ".docx": "word",
    ".odt": "opendocument",
}
"""The formats of the files that papers are read from, by suffix in lower case."""

MARKED_COPY = b"\n%PageQuote: a copy with marks\n"  # How a PDF ends into which PageQuote wrote marks.

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


Reason = Literal["gone", "changed", "markup", "unreadable", "slow", "busy"]

_SENTENCES: dict[Reason, str] = {
    "gone": "The PDF of this paper has been moved or deleted since the build.",
    "changed": "The PDF of this paper has changed since the corpus was built.",
    "markup": "This paper was read from markup, and has no PDF.",
    "unreadable": "This page of the PDF cannot be drawn.",
    "slow": "This page takes too long to draw.",
    "busy": "The machine is too busy to draw this page now. Load it again in a moment.",
}


class NotDrawnError(Exception):
    """A page that cannot be drawn, and the reason."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason

    @property
    def sentence(self) -> str:
        """Return what to tell a reader."""
        return _SENTENCES[self.reason]


Rectangle = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the upper left corner of the displayed page."""


class Draw(Protocol):
    """Draws a page of a PDF, with boxes marked."""

    def __call__(self, original: Original, page: int, boxes: Sequence[Rectangle] = ()) -> bytes:
        """Return the page as PNG. Raise NotDrawnError."""
