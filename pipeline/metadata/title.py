"""The title of a paper among the paragraphs of its first pages."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import dropwhile

from pipeline.metadata.names import authors_of_line, plain

_PART = 12  # Letters, at least, of a title, or of a paragraph that may be a part of it.
_WORDS = (3, 60)
_ABOVE = ("front", "heading", "body", "title")  # Kinds that a title may be taken for.

_GENRE = re.compile(
    r"(?:original|research|review|short|brief|case|clinical|full|regular|invited|rapid|open|mini|systematic|special|data|software|"
    r"technical|letters?|news|perspectives?|opinion|hypothesis|editorial|protocol|study|articles?|artigo|art[ií]culo|notes?|papers?|"
    r"communications?|reports?|trials?|access|pieces?|views?|nano|in|to|the|and|de|of|feature|commentary|correspondence|originale?s?|"
    r"revisi[óo]n|revisão|investigación|science|education|insight|focus|\W|\d)+",
    re.IGNORECASE,
)
"""A line of such words only says what sort of article it is."""

_VENUE = re.compile(
    r"\b(?:journals?|annals|annales|transactions|bulletin|archives?|revista|revue|anais|acta|zeitschrift|proceedings)\b",
    re.IGNORECASE,
)
_VENUE_WORDS = 9  # Words of a journal's name, at most.

_NO_TITLE = re.compile(
    r"https?:|www\.|\bdoi\b|\bissn\b|@|^\W*(?:abstract|contents?\b|received|copyright|©|cite this|how to)"
    r"|\bvol(?:ume|\.)?\s*\d|this article|all rights|et al\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*\[[^\[\]]*https?:[^\[\]]*\]$")  # A version mark after the title.


@dataclass(frozen=True)
class ParagraphText:
    """A paragraph: its kind, the page on which it begins, its text, its section's heading or '', lines."""

    kind: str
    page: int
    text: str
    section: str
    rows: tuple[str, ...]


_Title = tuple[str, Sequence[ParagraphText]]
"""A title, and the paragraphs of its page below it, in reading order."""


def find_title(near: Sequence[ParagraphText], stated: str) -> _Title | None:
    """Return the title and what is below it, by the paragraphs of the first pages; None if it is not sure.

    `stated` is the title in the PDF's own information, if the pages print its letters; else ''. Without it,
    the title is what the layout found to be one.
    """
    places = _holders(near, plain(stated)) if stated else _titles(near)
    if not places:
        return (stated, ()) if stated else None
    page, last = near[places[-1]].page, places[-1]
    below = [one for one in near[last + 1 :] if one.page == page]
    letters = plain(stated)
    if stated:
        return next((one.text for one in near if plain(one.text) == letters), stated), below
    return _TAIL.sub("", " ".join(_text(near[at]) for at in places)), below


def _holders(near: Sequence[ParagraphText], wanted: str) -> list[int]:
    """Return the places of the paragraphs that print a stated title or parts of it; titles, where some do."""
    letters = [plain(one.text) for one in near]
    found = [at for at, its in enumerate(letters) if wanted in its or (len(its) >= _PART and its in wanted)]
    titles = [at for at in found if near[at].kind == "title"]
    return titles or found[:1]


def _titles(near: Sequence[ParagraphText]) -> list[int]:
    """Return the places of the first title's paragraphs, which follow one another, if they say one.

    Where they do not, it is the first paragraph that does and has authors right below it.
    """
    found: list[int] = []
    for at, one in enumerate(near):
        if one.kind == "title" and (not found or at == found[-1] + 1) and _text(one):
            found.append(at)
    if _may_be_title(" ".join(_text(near[at]) for at in found)):
        return found
    above = ((at, one) for at, one in enumerate(near[:-1]) if one.kind in _ABOVE)
    return next(
        ([at] for at, one in above if _may_be_title(_text(one)) and _begins_with_names(near[at + 1])), []
    )


def _begins_with_names(paragraph: ParagraphText) -> bool:
    """Whether the first line of a paragraph, or the first two, are names of authors and nothing else."""
    return any(len(authors_of_line(" ".join(paragraph.rows[:count]))) > 1 for count in (1, 2))


def _may_be_title(text: str) -> bool:
    words = text.split()
    if not _WORDS[0] <= len(words) <= _WORDS[1] or len(plain(text)) < _PART or _NO_TITLE.search(text):
        return False
    return not (_VENUE.search(text) and len(words) <= _VENUE_WORDS)


def _text(paragraph: ParagraphText) -> str:
    """Return a paragraph's text without the lines before it that name a sort of article."""
    rows = [*dropwhile(lambda row: _GENRE.fullmatch(row) is not None, paragraph.rows)]
    return paragraph.text[paragraph.text.index(rows[0]) :] if rows else ""
