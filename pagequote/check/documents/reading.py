"""Manuscripts in .docx and .odt, as `pipeline.office` reads them."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from xml.etree import ElementTree as ET

from lookup.errors import QueryError
from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.document_text import DocumentText
from pagequote.check.manuscript import SUFFIXES, WORD, Given, ManuscriptText
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


def read(given: Given) -> ManuscriptText:
    """Return what a document of a word processor quotes."""
    with archive(given.content, str(given.path)) as opened:
        source, text = read_document(opened, word=SUFFIXES[given.path.suffix.lower()] == WORD)
    return replace(text.finish(), source=source)


def read_document(opened: Archive, *, word: bool) -> tuple[str, DocumentText]:
    """Return the source of a document, and what it says: of a .docx with the notes where they are cited."""
    text = DocumentText()
    if not word:
        return read_open_document(opened, text), text
    document = WordDocument(opened)
    text.sources = _sources(opened)
    for part in (*NOTES, ""):
        document.tell(part, text)
    return document.source, text


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
