"""The metadata of a paper, put together from its first pages and the PDF's own information.

The pages are trusted. What the PDF says of itself counts if the pages confirm it: many PDFs carry the
information of another paper, or of a template. What is not sure stays unknown: a wrong DOI is worse than
none.
"""

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.layout.measures import FRONT_PAGES
from pipeline.libraries.entries import Metadata, normalised_doi
from pipeline.metadata.abstract import abstract
from pipeline.metadata.identifiers import doi, year
from pipeline.metadata.names import authors_of_line, authors_of_list, plain, surname
from pipeline.metadata.title import ParagraphText, find_title
from pipeline.pdf.reading import Pdf


@dataclass(frozen=True)
class PdfStatement:
    """What a PDF says of itself: title, authors (as written), DOI and venue; '', () or None if missing."""

    title: str = ""
    authors: tuple[str, ...] = ()
    doi: str | None = None
    venue: str = ""


def metadata(pdf: Pdf, paragraphs: Sequence[ParagraphText]) -> Metadata:
    """Return what is sure about the paper; None or () for what is not."""
    near = [one for one in paragraphs if one.page <= FRONT_PAGES]
    letters = plain(" ".join(line.text for page in pdf.pages[:FRONT_PAGES] for line in page.lines))
    said = statement(pdf.xmp, pdf.information)
    own = bool(said.title) and plain(said.title) in letters
    title, below = find_title(near, said.title if own else "") or ("", ())
    number = doi(pdf.pages, near, said.doi, own=own)
    own = own or (said.doi is not None and said.doi == number)
    return Metadata(
        title=title or None,
        authors=authors(below, said, letters),
        year=year(near),
        doi=number,
        venue=(own and said.venue) or None,
        abstract=abstract(title, near),
    )


_CONFIRMED = 0.8  # Share of a PDF's listed surnames that its first pages must print.
_REACH = 14  # Paragraphs below the title in which authors are looked for.

_END = re.compile(
    r"\W*(?:abstract|a b s t r a c t|summary|resum[eo]n?|résumé|introduc|key\s?words|background|received|"
    r"universi|department|objectives?\b|purpose\b)",
    re.IGNORECASE,
)
"""What comes after the authors."""

_ADDRESS = re.compile(r"universi|department|institut|@|orcid", re.IGNORECASE)  # What a name is above.


def authors(below: Sequence[ParagraphText], said: PdfStatement, letters: str) -> tuple[str, ...]:
    """Return the authors, 'Family, Given'; () if they are not sure.

    `below` are the paragraphs below the title, `letters` those of the first pages (names.plain). The PDF's
    own list counts if the pages print its surnames, and it names more authors than could be read on the page.
    """
    printed = _below_title(below)
    listed = authors_of_list(said.authors)
    known = [surname(author) for author in listed]
    if sum(name in letters for name in known) < max(1.0, _CONFIRMED * len(known)):
        return printed
    return listed if len(listed) > len(printed) else printed


def _below_title(below: Sequence[ParagraphText]) -> tuple[str, ...]:
    """Return the names in the first paragraphs that begin with lines of names, up to the next other one.

    Two words with capitals and no mark, initial or address may be a headline.
    """
    found: tuple[str, ...] = ()
    alone = ""  # what may be a name, or words of a headline, as nothing else tells
    for one in below[:_REACH]:
        alone = "" if _ADDRESS.search(one.text) else alone
        if _END.match(one.text):
            break
        names, whole = _of_rows(one.rows)
        found += names
        if names:
            alone = one.text if len(found) == 1 and one.text.replace(" ", "").isalpha() else ""
        if found and not whole and any(c.isalpha() for c in plain(one.text)) and len(one.text) > 3:
            break
    return () if alone else found


def _of_rows(rows: Sequence[str]) -> tuple[tuple[str, ...], bool]:
    """Return the authors whose names the first lines of a paragraph are, and whether all lines are."""
    for count in range(min(len(rows), _REACH), 0, -1):
        if names := authors_of_line(" ".join(rows[:count])):
            return names, count == len(rows)
    return (), False


_LONGEST = 1 << 20  # Characters of a packet that are read: the history of an image editor may be longer.
_TITLE_LENGTH = 8  # Characters: a shorter title is a file's name or a number.


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
