"""The metadata of a paper, put together from its first pages and the PDF's own information.

The pages are trusted. What the PDF says of itself counts if the pages confirm it: many PDFs carry the
information of another paper, or of a template. What is not sure stays unknown: a wrong DOI is worse than
none.
"""

import re
from collections.abc import Sequence

from pipeline.layout.measures import FRONT_PAGES
from pipeline.libraries.entries import Metadata
from pipeline.metadata.abstract import abstract
from pipeline.metadata.identifiers import doi, year
from pipeline.metadata.names import authors_of_line, authors_of_list, plain, surname
from pipeline.metadata.pdf_statement import PdfStatement, statement
from pipeline.metadata.title import ParagraphText, find_title
from pipeline.pdf.reading import Pdf


def metadata(pdf: Pdf, paragraphs: Sequence[ParagraphText]) -> Metadata:
    """Return what is sure about the paper; None or () for what is not."""
    near = [one for one in paragraphs if one.page <= FRONT_PAGES]
    letters = plain(" ".join(line.text for page in pdf.pages[:FRONT_PAGES] for line in page.lines))
    said = statement(pdf.xmp, pdf.information)
    own = bool(said.title) and plain(said.title) in letters
    title, below = find_title(near, said.title if own else "") or ("", ())
    number = doi(pdf.pages, near, said, own=own)
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
