"""Files of word processors: archives of XML, of which each character is read with its place."""

import io
import lzma
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from xml.parsers import expat

from lookup.errors import QueryError

MOST_BYTES = 64 * 2**20
"""Bytes of one member of an archive: a thesis of 500 pages has some 10 MiB of XML; more is an attack."""

_DEEPEST = 250
"""Elements within one another; more is an attack: word processors write some 30."""

_PREFIXES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing": "wp",
    "http://purl.oclc.org/ooxml/drawingml/wordprocessingDrawing": "wp",
    "http://schemas.openxmlformats.org/officeDocument/2006/bibliography": "b",
    "http://purl.oclc.org/ooxml/officeDocument/bibliography": "b",
    "urn:oasis:names:tc:opendocument:xmlns:text:1.0": "text",
    "urn:oasis:names:tc:opendocument:xmlns:office:1.0": "office",
    "urn:oasis:names:tc:opendocument:xmlns:style:1.0": "style",
    "urn:oasis:names:tc:opendocument:xmlns:xsl-fo-compatible:1.0": "fo",
    "urn:oasis:names:tc:opendocument:xmlns:drawing:1.0": "draw",
}
"""Names of elements are given with these prefixes, whatever ones a file uses."""


class Reader(Protocol):
    """What is told about an XML text, in order. Places are offsets in the manuscript's source."""

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        """Take the beginning of an element, whose tag begins at `at`."""

    def end(self, name: str, at: int) -> None:
        """Take the end of an element, whose last tag begins at `at`."""

    def text(self, text: str, start: int, end: int) -> None:
        """Take characters, which the source writes as `source[start:end]`: as they are, or as one entity."""


@contextmanager
def archive(content: bytes, name: str) -> Iterator[zipfile.ZipFile]:
    """Open the archive `content`. Raise QueryError, with the file's `name`, if it is none or damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            yield opened
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
        expat.ExpatError,
    ) as error:
        raise QueryError(
            f"{name!r} cannot be read as a file of a word processor: {error}. "
            "Save it as .docx or .odt, without a password."
        ) from error


def member(opened: zipfile.ZipFile, name: str) -> str | None:
    """Return the XML text of a member, None if there is no such. Raise QueryError if it is too large."""
    if name not in opened.namelist():
        return None
    with opened.open(name) as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise QueryError(
            f"{name!r} within the manuscript has over {MOST_BYTES // 2**20} MiB; the limit is there."
        )
    return content.decode("utf-8-sig")


def read_xml(source: str, begin: int, reader: Reader) -> None:
    """Tell `reader` all of an XML text that begins at `begin` of the manuscript's source, in linear time.

    Raise ExpatError for what is no XML, QueryError for elements too deep within one another, and for a
    document type, which may hide files and bombs.
    """
    content = source.encode()
    parser = expat.ParserCreate("utf-8", " ")
    parser.buffer_text = False
    done_bytes, done_characters, depth = 0, 0, 0

    def here() -> int:
        nonlocal done_bytes, done_characters
        at = parser.CurrentByteIndex
        done_characters += len(content[done_bytes:at].decode())
        done_bytes = at
        return begin + done_characters

    def text(data: str) -> None:
        at = here()
        if source.startswith("&", at - begin):
            reader.text(data, at, begin + source.index(";", at - begin) + 1)
        else:
            for place, char in enumerate(data, at):
                reader.text(char, place, place + 1)

    def refuse(*_: object) -> None:
        raise QueryError("The manuscript's XML has a document type, which word processors do not write.")

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > _DEEPEST:
            raise QueryError(f"The manuscript's XML has over {_DEEPEST} elements within one another.")
        reader.start(_short(name), {_short(key): value for key, value in attributes.items()}, here())

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        reader.end(_short(name), here())

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(content, True)  # noqa: FBT003  # takes it by place


def _short(name: str) -> str:
    space, _, local = name.rpartition(" ")
    return f"{_PREFIXES.get(space, '')}:{local}" if space else local
