"""The title of a paper among the blocks of its first pages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import dropwhile

from pipeline.metadata.blocks import ParagraphText, TextBlock, joined
from pipeline.metadata.names import authors_of_line, plain

_STANDS_OUT = 1.25  # Times the usual font size: text as large may be a title without authors right below it.
_TITLE_SIZE = 0.95  # Times the usual font size: a title with authors right below it is no smaller.
_PART = 12  # Letters, at least, of a title, or of a block that may be a part of it.

_WORDS = (3, 60)
_TITLE_TO_AUTHORS = 3  # Blocks below a title in which authors are looked for.

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
    r"https?:|www\.|\bdoi\b|\bissn\b|@"
    r"|^\W*(?:abstract|resum[eo]n?|keywords?|contents?\b|correspond|received|copyright|©|citation|cite this"
    r"|how to cite|edited by|published|available online|figure \d|table \d)"
    r"|\bvol(?:ume|\.)?\s*\d|this article|all rights|\d{4}\)?[,;:]? ?\d+\s?[(:,]|et al\b|\d{4} [a-z]+; ?\d"
    r"|\be\d{4,}\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*\[[^\[\]]*https?:[^\[\]]*\]$")  # A version mark after the title.
_SENTENCES = re.compile(r"[a-z)]{4}\. [A-Z][a-z]+ [a-z]+ ")  # Two sentences: a notice, not a title.


_Title = tuple[str, tuple[TextBlock, ...]]
"""A title, and the blocks below it on its page, from top to bottom."""


def find_title(
    pages: Iterable[Sequence[TextBlock]], paragraphs: Sequence[ParagraphText], stated: str
) -> _Title | None:
    """Return the title and what is below it, by the blocks of the first pages; None if it is not sure.

    `stated` is the title in the PDF's own information, if the pages print its letters; else ''. Without it,
    the title is the largest block that may be one and has authors below it, else one that stands out by its
    size. A page without a title may be a cover: the next page is looked at.
    """
    for page in pages:
        found = _stated(page, stated) if stated else _largest(page)
        if found:
            return _unbroken(found[0], paragraphs), found[1]
    return (stated, ()) if stated else None


def _stated(page: Sequence[TextBlock], stated: str) -> _Title | None:
    """Return the stated title, and what is below the largest block that prints it, or a part of it."""
    wanted = plain(stated)
    letters = [(block, plain(block.text)) for block in page]
    holders = [block for block, its in letters if wanted in its or (len(its) >= _PART and its in wanted)]
    return (stated, _below(max(holders, key=lambda block: block.size), page)) if holders else None


def _largest(page: Sequence[TextBlock]) -> _Title | None:
    usual = _usual_size(page)
    least = _TITLE_SIZE * usual
    first = None
    for block in filter(_may_be_title, sorted(page, key=lambda block: (-round(block.size), block.y0))):
        first = first or block
        if round(block.size) < round(least):
            break
        below = _below(block, page)
        if block.size >= least and any(authors_of_line(b.text) for b in below[:_TITLE_TO_AUTHORS]):
            return _text(block), below
    if first and first.size >= _STANDS_OUT * usual and not _VENUE.search(first.text):
        return _text(first), _below(first, page)
    return None


def _text(block: TextBlock) -> str:
    """Return a block's text without a sort of article before it and a link behind it."""
    rows = tuple(dropwhile(lambda row: _GENRE.fullmatch(row) is not None, block.rows))
    return _TAIL.sub("", joined(rows))


def _may_be_title(block: TextBlock) -> bool:
    text = _text(block)
    words = text.split()
    if not _WORDS[0] <= len(words) <= _WORDS[1] or len(plain(text)) < _PART:
        return False
    if _VENUE.search(text) and len(words) <= _VENUE_WORDS:
        return False
    return not (_NO_TITLE.search(text) or _SENTENCES.search(text) or authors_of_line(text))


def _below(block: TextBlock, page: Sequence[TextBlock]) -> tuple[TextBlock, ...]:
    """Return the blocks that begin below the block, not beside it."""
    return tuple(
        other
        for other in page
        if other is not block and other.foot > block.y1 and other.x0 < block.x1 and block.x0 < other.x1
    )


def _usual_size(page: Sequence[TextBlock]) -> float:
    """Return the font size of most of the printed length."""
    length: Counter[float] = Counter()
    for block in page:
        length[round(block.size, 1)] += round((block.x1 - block.x0) * len(block.lines))
    return max(length, key=lambda size: (length[size], size), default=0.0)


def _unbroken(text: str, paragraphs: Sequence[ParagraphText]) -> str:
    """Return the text of a paragraph with the same letters, whose hyphens are judged; else the text."""
    letters = plain(text)
    return next((one.text for one in paragraphs if plain(one.text) == letters), text)
