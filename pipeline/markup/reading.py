"""Markup by its format."""

from pipeline.formats import Format
from pipeline.markup.elements import local_name, read_xml
from pipeline.markup.jats import read_jats
from pipeline.markup.marked import Marked
from pipeline.pdf.opening import UnreadableError


def read_markup(data: bytes, form: Format) -> Marked:
    """Return what a source with markup says. Raise UnreadableError."""
    if form == "xml":
        return _read_xml(data)
    raise UnreadableError("unknown format", f"No reader for {form}.")


def _read_xml(data: bytes) -> Marked:
    root = read_xml(data, "XML")
    names = {local_name(one) for one in (root, *root)}
    if "article" in names:
        return read_jats(root)
    raise UnreadableError(
        "unknown format",
        f"Its XML begins with <{local_name(root)}>: articles in JATS (<article>) and TEI (<TEI>) are read.",
    )
