"""The authors of a paper: printed below its title, or listed by the PDF and borne out by the page."""

import re
from collections.abc import Sequence

from pipeline.metadata.blocks import TextBlock
from pipeline.metadata.names import authors_of_line, authors_of_list, plain, surname
from pipeline.metadata.pdf_statement import PdfStatement

_BORNE_OUT = 0.8
"""Share of the surnames that a PDF lists which its first pages must print."""

_REACH = 14
"""Blocks below the title among which the authors are."""

_AFFILIATION = 300
"""Characters of a block in which the mark of the first affiliation stands."""

_END = re.compile(
    r"\W*(?:abstract|a b s t r a c t|summary|resum[eo]n?|résumé|introduc|key\s?words|background|received|universi|department|objectives?\b|purpose\b)",
    re.IGNORECASE,
)
"""What comes after the authors."""

_LETTERED = re.compile(
    r"(?:^|[;.] ?|\s)[a-c] ?(?:Department|School|College|Faculty|Institut|Division|Universi|Cent[er]+|Key|Hospital|Laborator|State)"
)
"""Affiliations marked with small letters."""

_SPOILT = re.compile(r"[\u00a8\u00b4\u00b8\u02c6-\u02dd\ufffd`]")
"""Accents that a font has beside their letters, and what could not be read."""


def authors(below: Sequence[TextBlock], said: PdfStatement, letters: str) -> tuple[str, ...]:
    """The authors, 'Family, Given'; () where they are not sure.

    `below` are the blocks below the title, `letters` those of the first pages (names.plain). The list that the PDF has counts where the pages print
    its surnames and either it names more than the page does in a form that is understood, or the page's names are spoilt.
    """
    printed = _below_title(below)
    listed = authors_of_list(said.authors)
    known = [surname(author) for author in listed]
    if sum(name in letters for name in known) < max(1.0, _BORNE_OUT * len(known)):
        return printed
    if not printed or len(listed) > len(printed):
        return listed if len(listed) > 1 or not printed else printed
    spoilt = any(_SPOILT.search(author) for author in printed)
    return listed if spoilt and len(listed) == len(printed) else printed


def _below_title(below: Sequence[TextBlock]) -> tuple[str, ...]:
    """The names in the first blocks that hold nothing else, from the first such block to the first other one."""
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
