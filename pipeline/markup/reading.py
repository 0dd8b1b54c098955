"""Markup by its format."""

import posixpath
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

from pipeline.formats import Format
from pipeline.markup.documents import read_document
from pipeline.markup.elements import (
    Anchors,
    child,
    children,
    damaged,
    descendants,
    local_name,
    opened,
    read_xml,
)
from pipeline.markup.jats import read_jats
from pipeline.markup.markup_text import MarkupText, Story
from pipeline.markup.web_page import dublin_core, page_root, read_body, read_web_page
from pipeline.pdf.opening import UnreadableError


def read_markup(data: bytes, form: Format) -> MarkupText:
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


def _read_xml(data: bytes) -> MarkupText:
    root = read_xml(data, "XML")
    name = local_name(root)
    if name == "html":
        return read_web_page(data)
    if name == "article" or any(local_name(one) == "article" for one in root):
        return read_jats(root)
    raise UnreadableError(
        "unknown format",
        f"Its XML begins with <{name}>. Articles in JATS (<article>) are read: leave it out.",
    )


_CONTAINER = "META-INF/container.xml"
_LOCKED = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html"})


def read_book(data: bytes) -> MarkupText:
    """Return the text of a book in the order of its spine. Raise UnreadableError."""
    with opened(data, "EPUB") as archive:
        container = read_xml(archive.read(_CONTAINER), "EPUB")
        root = next((one.get("full-path") for one in descendants(container, "rootfile")), None)
        if root is None:
            raise damaged("EPUB", f"its {_CONTAINER} names no book")
        package = read_xml(archive.read(root), "EPUB")
        story = Story()
        for name in dict.fromkeys(_spine(package, posixpath.dirname(root))):  # a page is read once
            if name not in archive.names and _LOCKED in archive.names:
                raise damaged("EPUB", "it is locked")
            data = archive.read(name)
            if data.strip():  # converters leave empty pages
                page = page_root(data, "EPUB")
                read_body(next(descendants(page, "body"), page), story, Anchors(f"{name}#"))
        return MarkupText(tuple(story.paragraphs), dublin_core(children(child(package, "metadata"))))


def _spine(package: Any, folder: str) -> Iterator[str]:
    """Yield the names of the book's pages in reading order."""
    manifest, spine = child(package, "manifest"), child(package, "spine")
    if manifest is None or spine is None:
        raise damaged("EPUB", "it says no reading order")
    items = {one.get("id"): one for one in children(manifest, "item")}
    for reference in children(spine, "itemref"):
        item = items.get(reference.get("idref"))
        if item is not None and item.get("media-type") in _PAGES and item.get("properties") != "nav":
            yield posixpath.normpath(posixpath.join(folder, unquote(item.get("href", ""))))
