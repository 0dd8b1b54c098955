"""A match as a page shows it: its words in their paragraph, ready to paste, and its page with the words marked."""

from dataclasses import dataclass

from lookup.answer import Box, Match
from lookup.corpus import Corpus
from lookup.object_path import ObjectPath, place
from lookup.papers import Original, Page
from lookup.web.room import link


@dataclass(frozen=True)
class Sheet:
    """A page of a paper as a picture, with the boxes that are marked on it."""

    key: str
    page: Page
    source: str
    boxes: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Copy:
    """A form of a quote, ready to paste."""

    name: str
    text: str


@dataclass(frozen=True)
class ShownMatch:
    """A match, the sheets that print it (none where the PDF is not there), and the forms of its quote."""

    match: Match
    sheets: tuple[Sheet, ...]
    copies: tuple[Copy, ...]

    @property
    def before(self) -> str:
        """The text before the words."""
        return self.match.text[: self.match.span[0]]

    @property
    def after(self) -> str:
        """The text after them."""
        return self.match.text[self.match.span[1] :]


def shown(corpus: Corpus, match: Match, base: str) -> ShownMatch:
    """The match; `base` is the address of the reading room, for the link that opens the same place."""
    return ShownMatch(match, _sheets(corpus, match), _copies(match, base))


def sheet(corpus: Corpus, key: str, page: int, boxes: tuple[Box, ...] = ()) -> Sheet | None:
    """A page of a paper as a picture; None where its PDF is gone."""
    original = corpus.original(key)
    if not _is_there(original):
        return None
    (printed,) = (one for one in corpus.pages(key) if one.page == page)
    return _sheet(key, printed, original, boxes)


def place_of(match: Match) -> str:
    """The address that opens the place of a match."""
    return link("/quote", key=match.key, query=match.quote, page=match.page)


def _sheets(corpus: Corpus, match: Match) -> tuple[Sheet, ...]:
    original = corpus.original(match.key)
    if not _is_there(original):
        return ()
    printed = {one.page: one for one in corpus.pages(match.key)}
    numbers = dict.fromkeys(box.page for box in match.boxes)
    return tuple(
        _sheet(match.key, printed[number], original, tuple(box for box in match.boxes if box.page == number))
        for number in numbers
    )


def _sheet(key: str, page: Page, original: Original, boxes: tuple[Box, ...]) -> Sheet:
    # The address holds what is drawn, so that a picture may be kept by whoever has it.
    source = link("/image", key=key, page=page.page, of=original.sha256[:16])
    return Sheet(key, page, source, boxes)


def _is_there(original: Original) -> bool:
    path = place(original.path)
    return isinstance(path, ObjectPath) or path.is_file()


def _copies(match: Match, base: str) -> tuple[Copy, ...]:
    return (
        Copy("Text", match.quote),
        Copy("LaTeX", match.to_latex()),
        Copy("Markdown", match.to_markdown()),
        Copy("Link", base.rstrip("/") + place_of(match)),
    )
