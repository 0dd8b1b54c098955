"""A match as a page shows it: its words in their paragraph, ready to paste, and its page with the words marked."""

from dataclasses import dataclass

from lookup.answer import Box, Match
from lookup.object_path import ObjectPath, place
from lookup.papers import Original, Page
from lookup.web.facts import Facts
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


def shown(facts: Facts, match: Match, base: str) -> ShownMatch:
    """A match in the paper that the facts are of; `base` is the address of the reading room, for the link that opens the same place."""
    numbers = dict.fromkeys(box.page for box in match.boxes) if _is_there(facts.original) else {}
    sheets = (
        _sheet(facts, number, tuple(box for box in match.boxes if box.page == number)) for number in numbers
    )
    return ShownMatch(match, tuple(sheets), _copies(match, base))


def sheet(facts: Facts, page: int) -> Sheet | None:
    """A page of a paper as a picture; None where its PDF is gone."""
    return _sheet(facts, page, ()) if _is_there(facts.original) else None


def place_of(match: Match) -> str:
    """The address that opens the place of a match."""
    return link("/quote", key=match.key, query=match.quote, page=match.page)


def _sheet(facts: Facts, page: int, boxes: tuple[Box, ...]) -> Sheet:
    key = facts.paper.key
    # The address holds what is drawn, so that a picture may be kept by whoever has it.
    source = link("/image", key=key, page=page, of=facts.original.sha256[:16])
    return Sheet(key, facts.pages[page - 1], source, boxes)


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
