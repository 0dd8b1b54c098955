"""What the name of a file tells where no library does: "Author - Year - Title.pdf", as Zotero names files."""

import re
from dataclasses import replace

from lookup.text.bare import unaccented
from pipeline.libraries.entries import Metadata

_AUTHOR_YEAR_TITLE = re.compile(
    r"(?P<authors>[^\W\d_][^\d]{0,200}?) +[-–] +(?P<year>(?:1[5-9]|20)\d\d)[a-z]? +[-–] +(?P<title>\S.*)"
)
_ET_AL = re.compile(r",? (?:et al\.?|u\. ?a\.|y otros|e altri|и др\.|等)\Z")
_BETWEEN = re.compile(r" (?:and|und|et|y|e|&) |, ")


def metadata_of_name(stem: str) -> Metadata:
    """Return the authors' family names, year and title of a file with such a name; else none of them."""
    named = _AUTHOR_YEAR_TITLE.fullmatch(stem)
    if named is None:
        return Metadata()
    authors = _BETWEEN.split(_ET_AL.sub("", named["authors"]))
    return Metadata(named["title"], tuple(authors), int(named["year"]))


def completed(of_name: Metadata, printed: Metadata) -> Metadata:
    """Return the metadata of a paper that prints `printed` and whose file's name tells `of_name`.

    The name's author and year are the user's. A printed list that begins with the same author has more of
    them, and a printed title that begins as the name does is not cut.
    """
    if of_name == Metadata():
        return printed
    same_author = printed.authors and _blind(of_name.authors[0]) in _blind(printed.authors[0])
    whole_title = printed.title and _blind(printed.title).startswith(_blind(of_name.title or ""))
    return replace(
        printed,
        title=printed.title if whole_title else of_name.title,
        authors=printed.authors if same_author else of_name.authors,
        year=of_name.year,
    )


def _blind(text: str) -> str:
    return "".join(filter(str.isalnum, unaccented(text).casefold()))
