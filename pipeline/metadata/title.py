"""The title of a paper among the blocks of its first pages."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from pipeline.metadata.blocks import TextBlock, joined
from pipeline.metadata.names import authors_of_line, plain
from pipeline.metadata.paragraph_text import ParagraphText

_STANDS_OUT = 1.25
"""Times the size of most characters: what is set so large may be a title without authors right below it."""

_PART = 12
"""Letters of a block that may be a part of the title."""

_WORDS = (3, 60)
_TITLE_TO_AUTHORS = 3
"""Blocks below a title among which the authors are."""

_GENRE = re.compile(
    r"(?:original|research|review|short|brief|case|clinical|full|regular|invited|rapid|open|mini|systematic|special|data|software|"
    r"technical|letters?|news|perspectives?|opinion|hypothesis|editorial|protocol|study|articles?|artigo|art[ií]culo|notes?|papers?|"
    r"communications?|reports?|trials?|access|pieces?|views?|nano|in|to|the|and|de|of|feature|commentary|correspondence|originale?s?|"
    r"revisi[óo]n|revisão|investigación|science|education|insight|focus|\W|\d)+",
    re.IGNORECASE,
)
"""A line of nothing but such words says what sort of article it is."""

_VENUE = re.compile(
    r"\b(?:journals?|annals|annales|transactions|bulletin|archives?|revista|revue|anais|acta|zeitschrift|proceedings)\b",
    re.IGNORECASE,
)
_VENUE_WORDS = 9
"""Words of a journal's name, at most."""

_NO_TITLE = re.compile(
    r"https?:|www\.|\bdoi\b|\bissn\b|@|^\W*(?:abstract|resum[eo]n?|keywords?|contents?\b|correspond|received|copyright|©|citation|cite this|"
    r"how to cite|edited by|published|available online|figure \d|table \d)|\bvol(?:ume|\.)?\s*\d|this article|all rights|\d{4}\)?[,;:]? ?\d+\s?[(:,]|et al\b|\d{4} [a-z]+; ?\d|\be\d{4,}\b",
    re.IGNORECASE,
)
_TAIL = re.compile(r"\s*\[[^\[\]]*https?:[^\[\]]*\]$")
"""A version mark after the title."""

_SENTENCES = re.compile(r"[a-z)]{4}\. [A-Z][a-z]+ [a-z]+ ")
"""Two sentences: a notice, not a title."""


@dataclass(frozen=True)
class Title:
    """A title, and the blocks below it on its page, from top to bottom."""

    text: str
    below: tuple[TextBlock, ...]


def find_title(
    pages: Iterable[Sequence[TextBlock]], paragraphs: Sequence[ParagraphText], stated: str
) -> Title | None:
    """The title, by the blocks of the first pages; None where none is sure.

    `stated` is what the PDF says it is, where the pages print these letters; '' else. Without it, the title is the largest block that may be one
    and has authors below it, else one that stands out by its size; where such a page has none, the next page is looked at: the first may be a cover.
    """
    for page in pages:
        found = _stated(page, stated) if stated else _largest(page)
        if found:
            return Title(_unbroken(found[0], paragraphs), found[1])
    return Title(stated, ()) if stated else None


def _stated(page: Sequence[TextBlock], stated: str) -> tuple[str, tuple[TextBlock, ...]] | None:
    """The stated title as the page prints it; as it is stated, where the block has more or less than it."""
    wanted = plain(stated)
    for block in page:
        if wanted in (plain(block.text), plain(_text(block))) or _wordy(block.text) == _wordy(stated):
            return (_text(block) if wanted in plain(block.text) else stated), _below(block, page)
    letters = [(block, plain(block.text)) for block in page]
    holders = [block for block, its in letters if wanted in its or (len(its) >= _PART and its in wanted)]
    return (stated, _below(max(holders, key=lambda block: block.size), page)) if holders else None


def _wordy(text: str) -> str:
    """The letters alone, so that the numbers of lines in the margin do not count."""
    return "".join(c for c in plain(text) if c.isalpha())


def _largest(page: Sequence[TextBlock]) -> tuple[str, tuple[TextBlock, ...]] | None:
    usual = _usual_size(page)
    candidates = sorted(filter(_may_be_title, page), key=lambda block: (-round(block.size), block.y0))
    for block in candidates:
        below = _below(block, page)
        if block.size >= 0.95 * usual and any(authors_of_line(b.text) for b in below[:_TITLE_TO_AUTHORS]):
            return _text(block), below
    for block in candidates[:1]:
        if block.size >= _STANDS_OUT * usual and not _VENUE.search(block.text):
            return _text(block), _below(block, page)
    return None


def _text(block: TextBlock) -> str:
    """Without the rows before it that say what sort of article it is, and without what stands in brackets behind it."""
    rows = tuple(dropwhile(lambda row: _GENRE.fullmatch(row) is not None, block.rows))
    return _TAIL.sub("", joined(rows))


def _may_be_title(block: TextBlock) -> bool:
    text = _text(block)
    words = text.split()
    if not _WORDS[0] <= len(words) <= _WORDS[1] or len(plain(text)) < 12:
        return False
    if _VENUE.search(text) and len(words) <= _VENUE_WORDS:
        return False
    return not (_NO_TITLE.search(text) or _SENTENCES.search(text) or authors_of_line(text))


def _below(block: TextBlock, page: Sequence[TextBlock]) -> tuple[TextBlock, ...]:
    """The blocks that begin below it, and not beside it."""
    return tuple(
        other for other in page
        if other is not block and other.foot > block.y1 and other.x0 < block.x1 and block.x0 < other.x1
    )  # fmt: skip


def _usual_size(page: Sequence[TextBlock]) -> float:
    """The font size of most of the printed length."""
    length: Counter[float] = Counter()
    for block in page:
        length[round(block.size, 1)] += round((block.x1 - block.x0) * len(block.lines))
    return max(length, key=lambda size: (length[size], size), default=0.0)


def _unbroken(text: str, paragraphs: Sequence[ParagraphText]) -> str:
    """The text as the layout cleaned it, where it has a paragraph of the same letters: it has judged the hyphens at line ends."""
    letters = plain(text)
    return next((one.text for one in paragraphs if plain(one.text) == letters), text)
