"""What templates show of a match: its words in their paragraph, forms to paste, and its marked page."""

from collections.abc import Sequence
from dataclasses import dataclass

from lookup.papers.original_pdf import Original
from lookup.results.papers import Page
from lookup.results.quote_answer import Box, Match
from lookup.storage.object_path import ObjectPath
from lookup.web.form_fields import MOST_PLACES
from lookup.web.paper_cache import Facts
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
    """A match, the sheets that print it (none if the PDF is missing), and the forms of its quote."""

    match: Match
    sheets: tuple[Sheet, ...]
    copies: tuple[Copy, ...]

    @property
    def before(self) -> str:
        """Return the text before the words."""
        return self.match.text[: self.match.span[0]]

    @property
    def after(self) -> str:
        """Return the text after the words."""
        return self.match.text[self.match.span[1] :]


def shown(facts: Facts, matches: Sequence[Match], base: str) -> list[ShownMatch]:
    """Return matches in the paper of `facts`. Links to their places begin with `base`."""
    places = places_of(matches)
    return [
        _shown(facts, match, base.rstrip("/") + place) for match, place in zip(matches, places, strict=True)
    ]


def places_of(matches: Sequence[Match]) -> list[str]:
    """Return the addresses of places. If a page prints the words twice, its address asks for both."""
    alike = [(match.key, match.page, match.quote) for match in matches]
    return [
        link("/quote", key=key, query=quote, page=page, n=_several(alike.count((key, page, quote))))
        for key, page, quote in alike
    ]


def _several(count: int) -> int | None:
    return min(count, MOST_PLACES) if count > 1 else None


def _shown(facts: Facts, match: Match, address: str) -> ShownMatch:
    numbers = dict.fromkeys(box.page for box in match.boxes) if _is_there(facts.original) else {}
    sheets = (
        _sheet(facts, number, tuple(box for box in match.boxes if box.page == number)) for number in numbers
    )
    return ShownMatch(match, tuple(sheets), _copies(match, address))


def sheet(facts: Facts, page: int) -> Sheet | None:
    """Return a page of a paper as a picture, None if its PDF is missing."""
    return _sheet(facts, page, ()) if _is_there(facts.original) else None


def _sheet(facts: Facts, page: int, boxes: tuple[Box, ...]) -> Sheet:
    key = facts.paper.key
    # The address names the content, so that browsers may keep the picture.
    source = link("/image", key=key, page=page, of=facts.original.sha256[:16])
    return Sheet(key, facts.pages[page - 1], source, boxes)


def _is_there(original: Original) -> bool:
    return isinstance(original.place, ObjectPath) or original.place.is_file()


def _copies(match: Match, address: str) -> tuple[Copy, ...]:
    return (
        Copy("Text", match.quote),
        Copy("LaTeX", match.to_latex()),
        Copy("LaTeX, biblatex", match.to_latex("biblatex")),
        Copy("LaTeX, natbib", match.to_latex("natbib")),
        Copy("Typst", match.to_typst()),
        Copy("Markdown", match.to_markdown()),
        Copy("Link", address),
    )
