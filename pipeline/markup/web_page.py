"""Articles in HTML and XHTML."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import (
    Anchors,
    check_size,
    damaged,
    descendants,
    local_name,
)
from pipeline.markup.markup_text import MarkupText, Story, plain
from pipeline.markup.vocabulary import HTML
from pipeline.markup.walk import Walker
from pipeline.metadata.names import family_first

_ENCODED = re.compile(rb"<\?xml|<meta[^>]{1,200}charset", re.IGNORECASE)
"""What says how a page is encoded; else it is UTF-8 where it can be."""

_DEEPEST = 250  # Elements within one another: libxml2's own bound for XML.


def read_web_page(data: bytes) -> MarkupText:
    """Return the article of a web page. Raise UnreadableError."""
    root = page_root(data, "HTML")
    story = Story()
    bodies = [next(descendants(root, name), None) for name in ("article", "main", "body")]
    body = next((one for one in bodies if one is not None), root)
    read_body(body, story, Anchors())
    return MarkupText(tuple(story.paragraphs), _metadata(root))


_BEGUN = re.compile(rb"<body\b", re.IGNORECASE)
_ENDED = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)


def cut_page(data: bytes) -> str:
    """Return what is to be said of a web page that ends before its body does; else ''.

    Who leaves out the end of a body, as HTML may, leaves out its beginning; a file in other bytes than those
    of ASCII says nothing.
    """
    if not _BEGUN.search(data) or _ENDED.search(data):
        return ""
    return f"The page is cut short: {len(data):,} bytes; fetch it again. Text at its end may be missing."


def page_root(data: bytes, name: str) -> Any:
    """Return the root element of a web page. Raise UnreadableError."""
    check_size(data, name)
    utf8 = _ENCODED.search(data) is None and data.decode("utf-8", "ignore").encode() == data
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8" if utf8 else None)
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise damaged(name, str(error)) from error
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _DEEPEST:
            raise damaged(name, f"its elements are over {_DEEPEST} deep within one another")
    return root


def read_body(body: Any, story: Story, anchors: Anchors) -> None:
    """Tell the story all paragraphs of an element."""
    Walker(HTML, story, anchors).walk(body)


def _metadata(root: Any) -> Metadata:
    """Return what the page says of its article in `meta` (Highwire, Dublin Core), or by its only h1."""
    said: dict[str, list[str]] = {}
    for one in descendants(root, "meta"):
        name = (one.get("name") or one.get("property") or "").lower()
        if text := plain([(one.get("content") or "", False)]):
            said.setdefault(name, []).append(text)
    heads = list(descendants(root, "h1"))
    if len(heads) == 1 and (text := plain([(" ".join(heads[0].itertext()), False)])):
        said["h1"] = [text]
    return _metadata_of(said)


_SAID = {
    "title": ("citation_title", "dc.title", "og:title", "h1"),
    "authors": ("citation_author", "dc.initial-creator", "dc.creator", "author"),
    "year": ("citation_publication_date", "citation_date", "citation_year", "dc.date"),
    "doi": ("citation_doi", "dc.identifier"),
    "venue": ("citation_journal_title", "citation_conference_title", "dc.publisher"),
}


def dublin_core(elements: Iterable[Any]) -> Metadata:
    """Return the metadata that elements of the Dublin Core state, as in books, .docx and .odt."""
    said: dict[str, list[str]] = {}
    for one in elements:
        if text := plain([(one.text or "", False)]):
            said.setdefault(f"dc.{local_name(one)}", []).append(text)
    return _metadata_of(said)


def _metadata_of(said: Mapping[str, list[str]]) -> Metadata:
    """Return the metadata that a page or book states, by the names of its statements."""
    found = {name: next((said[one] for one in names if one in said), []) for name, names in _SAID.items()}
    first = {name: texts[0] if texts else "" for name, texts in found.items()}
    return Metadata(
        title=first["title"] or None,
        authors=tuple(name if "," in name else family_first(name) for name in found["authors"]),
        year=year_in(first["year"]),
        doi=next(filter(None, map(normalised_doi, found["doi"])), None),
        venue=first["venue"] or None,
    )
