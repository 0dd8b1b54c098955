"""Markup by its format."""

from lookup.papers.original_pdf import Format
from pipeline.markup.book import read_book
from pipeline.markup.documents import read_document
from pipeline.markup.elements import local_name, read_xml
from pipeline.markup.jats import read_jats
from pipeline.markup.marked import Marked
from pipeline.markup.tei import read_tei
from pipeline.markup.web_page import read_web_page
from pipeline.pdf.opening import UnreadableError


def read_markup(data: bytes, form: Format) -> Marked:
    """Return what a source with markup says. Raise UnreadableError."""
    if not data:
        raise UnreadableError("empty file", "The file has no bytes. Fetch it again.")
    match form:
        case "html":
            return read_web_page(data)
        case "epub":
            return read_book(data)
        case "word":
            return read_document(data, ".docx")
        case "opendocument":
            return read_document(data, ".odt")
        case _:
            return _read_xml(data)


def _read_xml(data: bytes) -> Marked:
    root = read_xml(data, "XML")
    name = local_name(root)
    if name in {"TEI", "TEI.2"}:
        return read_tei(root)
    if name == "html":
        return read_web_page(data)
    if name == "article" or any(local_name(one) == "article" for one in root):
        return read_jats(root)
    raise UnreadableError(
        "unknown format",
        f"Its XML begins with <{name}>. Articles in JATS (<article>) and TEI (<TEI>) are read: leave it out.",
    )
