"""Manuscripts in .docx and .odt, as `pipeline.office` reads them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree as ET

from lookup.errors import QueryError
from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.document_text import DocumentText
from pagequote.check.manuscript import SUFFIXES, WORD, Manuscript
from pipeline.office.archive import Archive, DocumentError, opened_archive
from pipeline.office.open_document import read_open_document
from pipeline.office.word import NOTES, WordDocument


@contextmanager
def archive(content: bytes, name: str) -> Iterator[Archive]:
    """Open the archive `content`. Raise QueryError, with the file's `name`, if it is none or damaged."""
    try:
        with opened_archive(content) as opened:
            yield opened
    except DocumentError as error:
        raise QueryError(
            f"{name!r} cannot be read as a file of a word processor: {error}. "
            "Save it as .docx or .odt, without a password."
        ) from error


def read(content: bytes, path: Path, _: object) -> Manuscript:
    """Return what a document of a word processor quotes, of a .docx with the notes where they are cited."""
    text = DocumentText()
    with archive(content, str(path)) as opened:
        if SUFFIXES[path.suffix.lower()] == WORD:
            document = WordDocument(opened)
            text.sources, source = _sources(opened), document.source
            for part in (*NOTES, ""):
                document.tell(part, text)
        else:
            source = read_open_document(opened, text)
    return replace(text.finish(), source=source)


def _sources(opened: Archive) -> dict[str, CitedWork]:
    """Return the sources that Word keeps in a document, by their tags."""
    found: dict[str, CitedWork] = {}
    for name in opened.names:
        if re.fullmatch(r"customXml/item\d{1,4}\.xml", name):
            xml = opened.text(name) or ""
            if "bibliography" in xml and "<!DOCTYPE" not in xml:
                root = ET.fromstring(xml)  # noqa: S314  # without a document type there are no entities
                for source in root.iterfind("{*}Source"):
                    tag = source.findtext("{*}Tag") or ""
                    found[tag] = CitedWork.of(
                        tag,
                        source.findtext("{*}DOI"),
                        source.findtext("{*}Title"),
                        source.findtext(".//{*}Last") or source.findtext(".//{*}Corporate") or "",
                        source.findtext("{*}Year") or "",
                    )
    return found
