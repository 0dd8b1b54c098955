"""The metadata of a paper, put together from its pages and the PDF's own information.

The pages are trusted. What the PDF says of itself counts if the pages confirm it: many PDFs carry the
information of another paper, or of a template. What is not sure stays unknown: a wrong DOI is worse than
none.
"""

import re
from collections.abc import Sequence

from pipeline.layout.measures import FRONT_PAGES
from pipeline.libraries.entries import Metadata
from pipeline.metadata.abstract import abstract
from pipeline.metadata.blocks import ParagraphText, TextBlock, blocks
from pipeline.metadata.identifiers import doi, year
from pipeline.metadata.names import authors_of_line, authors_of_list, plain, surname
from pipeline.metadata.pdf_statement import PdfStatement, statement
from pipeline.metadata.title import find_title
from pipeline.metadata.venue import venue
from pipeline.pdf.reading import Pdf


def metadata(pdf: Pdf, paragraphs: Sequence[ParagraphText]) -> Metadata:
    """Return what is sure about the paper; None or () for what is not."""
    front = pdf.pages[:FRONT_PAGES]
    near = [one for one in paragraphs if one.page <= FRONT_PAGES]
    letters = plain(" ".join(line.text for page in front for line in page.lines))
    said = statement(pdf.xmp, pdf.information)
    own = bool(said.title) and plain(said.title) in letters
    title, below = find_title(map(blocks, front), near, said.title if own else "") or ("", ())
    number = doi(pdf.pages, near, said, own=own)
    own = own or (said.doi is not None and said.doi == number)
    venue_said = said.venue if own else ""
    venue_printed = venue_said if venue_said and plain(venue_said) in letters else venue(front, near)
    return Metadata(
        title=title or None,
        authors=authors(below, said, letters),
        year=year(near),
        doi=number,
        venue=venue_printed or venue_said or None,
        abstract=abstract(title, below, near),
    )


_CONFIRMED = 0.8  # Share of a PDF's listed surnames that its first pages must print.
_REACH = 14  # Blocks below the title in which authors are looked for.
_AFFILIATION = 300  # Characters of a block in which the first affiliation's mark is looked for.

_END = re.compile(
    r"\W*(?:abstract|a b s t r a c t|summary|resum[eo]n?|résumé|introduc|key\s?words|background|received|"
    r"universi|department|objectives?\b|purpose\b)",
    re.IGNORECASE,
)
"""What comes after the authors."""

_LETTERED = re.compile(
    r"(?:^|[;.] ?|\s)[a-c] ?(?:Department|School|College|Faculty|Institut|Division|Universi|Cent[er]+|Key|"
    r"Hospital|Laborator|State)"
)
"""Affiliations marked with small letters."""


def authors(below: Sequence[TextBlock], said: PdfStatement, letters: str) -> tuple[str, ...]:
    """Return the authors, 'Family, Given'; () if they are not sure.

    `below` are the blocks below the title, `letters` those of the first pages (names.plain). The PDF's own
    list counts if the pages print its surnames, and it names more authors than could be read on the page.
    """
    printed = _below_title(below)
    listed = authors_of_list(said.authors)
    known = [surname(author) for author in listed]
    if sum(name in letters for name in known) < max(1.0, _CONFIRMED * len(known)):
        return printed
    return listed if len(listed) > len(printed) else printed


def _below_title(below: Sequence[TextBlock]) -> tuple[str, ...]:
    """Return the names in the first blocks that hold only names, up to the next other block."""
    lettered = any(_LETTERED.search(block.text, 0, _AFFILIATION) for block in below[:_REACH])
    found: tuple[str, ...] = ()
    for block in below[:_REACH]:
        if _END.match(block.text):
            break
        names = authors_of_line(block.text, lettered=lettered)
        if names:
            found += names
        elif found and any(c.isalpha() for c in plain(block.text)) and len(block.text) > 3:
            break
    return found
