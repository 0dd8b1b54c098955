"""The PDF's own information, which may be wrong: its XMP packet and its information dictionary."""

import html
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from pipeline.libraries.entries import normalised_doi

_LONGEST = 1 << 20  # Characters of a packet that are read: the history of an image editor may be longer.
_TITLE_LENGTH = 8  # Characters: a shorter title is a file's name or a number.


@dataclass(frozen=True)
class PdfStatement:
    """Unchecked title, authors (as written), DOI and venue; '', () or None if missing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str | None = None
    venue: str = ""


def statement(packet: str, information: Mapping[str, str]) -> PdfStatement:
    """Return what an XMP packet (ISO 16684-1; Dublin Core and PRISM) says, else an information dictionary.

    The packet is read without an XML parser, since many are broken.
    """
    packet = packet[:_LONGEST]
    subject = information.get("subject", "")
    titles = (_text(title) for title in (*_values(packet, "dc:title"), information.get("title", "")))
    authors = tuple(filter(None, map(_text, _values(packet, "dc:creator"))))
    author = _text(information.get("author", ""))
    dois = ("prism:doi", "crossmark:DOI", "pdfx:doi", "dc:identifier", "prism:url")
    named = (normalised_doi(_text(value)) for tag in dois for value in _values(packet, tag))
    venue = next(map(_text, _values(packet, "prism:publicationName")), "")
    return PdfStatement(
        title=next((title for title in titles if len(title) > _TITLE_LENGTH), ""),
        authors=authors or ((author,) if author else ()),
        doi=next(filter(None, named), None) or normalised_doi(subject),
        venue=venue,
    )


def _values(packet: str, tag: str) -> Iterator[str]:
    """Return the values of an element (the items of a list) or an attribute of that name."""
    if tag not in packet:
        return
    for match in re.finditer(rf"<{tag}\b[^>]*?(?<!/)>(.*?)</{tag}>", packet, re.DOTALL):
        items = re.findall(r"<rdf:li\b[^>]*?(?<!/)>(.*?)</rdf:li>", match[1], re.DOTALL)
        yield from items or ([match[1]] if "<" not in match[1] else [])
    for match in re.finditer(rf"""\s{tag}=(["'])(.*?)\1""", packet, re.DOTALL):
        yield match[2]


def _text(value: str) -> str:
    """Return the text with entities as characters, even if escaped twice, and with single spaces."""
    return " ".join(html.unescape(html.unescape(value)).split())
