"""The metadata of a paper, put together from its pages and the PDF's own information.

The pages are trusted. What the PDF says of itself counts if the pages confirm it: many PDFs carry the
information of another paper, or of a template. What is not sure stays unknown: a wrong DOI is worse than
none.
"""

from collections.abc import Sequence

from pipeline.libraries.entries import Metadata
from pipeline.metadata.abstract import abstract
from pipeline.metadata.authors import authors
from pipeline.metadata.blocks import blocks
from pipeline.metadata.identifiers import doi, year
from pipeline.metadata.names import plain
from pipeline.metadata.paragraph_text import ParagraphText
from pipeline.metadata.pdf_statement import statement
from pipeline.metadata.title import find_title
from pipeline.metadata.venue import venue
from pipeline.pdf.reading import Pdf

FRONT_PAGES = 2
"""Pages on which the front matter stands: the first, or the one after a publisher's cover."""


def metadata(pdf: Pdf, paragraphs: Sequence[ParagraphText]) -> Metadata:
    """Return what is sure about the paper; None or () for what is not."""
    front = pdf.pages[:FRONT_PAGES]
    near = [one for one in paragraphs if one.page <= FRONT_PAGES]
    letters = plain(" ".join(line.text for page in front for line in page.lines))
    said = statement(pdf.xmp, pdf.information)
    own = bool(said.title) and plain(said.title) in letters
    title = find_title(map(blocks, front), near, said.title if own else "")
    number = doi(pdf.pages, near, said, own=own)
    own = own or (said.doi is not None and said.doi == number)
    venue_said = said.venue if own else ""
    venue_printed = venue_said if venue_said and plain(venue_said) in letters else venue(front, near)
    return Metadata(
        title=title.text if title else None,
        authors=authors(title.below if title else (), said, letters),
        year=year(near, said if own else None),
        doi=number,
        venue=venue_printed or venue_said or None,
        abstract=abstract(title.text if title else "", title.below if title else (), near, said, letters),
    )
