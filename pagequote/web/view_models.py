"""What templates show of a match: its words in their paragraph, forms to paste, and its marked page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lookup.papers.original_pdf import Original
from lookup.results.citation import TEMPLATES, latex_template
from lookup.results.papers import Page, PagePart, PaperSummary
from lookup.results.quote_answer import Box, Match
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import harmless, json_text
from pagequote.calls.parameters import LONGEST_QUERY
from pagequote.reference_list import bibtex, csl_json
from pagequote.web.form_fields import MOST_PLACES
from pagequote.web.page_pictures import Size
from pagequote.web.paper_cache import Facts
from pagequote.web.room import link
from pagequote.web.text_layer import LayerLine, text_layer


@dataclass(frozen=True)
class Sheet:
    """A page of a paper as a picture, with the boxes that are marked on it and the words to select.

    `enlarged` is the address of its large picture, and `pdf` that of the page in the PDF itself.
    """

    key: str
    page: Page
    source: str
    enlarged: str
    pdf: str
    boxes: tuple[Box, ...] = ()
    layer: Sequence[LayerLine] = ()


@dataclass(frozen=True)
class Copy:
    """A form of a quote or reference, ready to paste; the `first` ones are those that most writers want."""

    name: str
    text: str
    first: bool = False


@dataclass(frozen=True)
class ShownMatch:
    """A match, the sheets that print it (none if the PDF is missing), and the forms of its quote.

    `kept` is what a basket of quotes keeps of it.
    """

    match: Match
    sheets: tuple[Sheet, ...]
    copies: tuple[Copy, ...]
    kept: dict[str, Any]

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
    sheets = tuple(
        _sheet(facts, number, tuple(box for box in match.boxes if box.page == number), match.quote)
        for number in numbers
    )
    copies = _copies(facts.paper, match, address)
    return ShownMatch(match, sheets, copies, _kept(facts.paper, match, address))


def sheet(
    facts: Facts,
    page: int,
    parts: Sequence[PagePart],
    boxes: tuple[Box, ...] = (),
    words: str = "",
    size: Size = "page",
) -> Sheet | None:
    """Return a page of a paper as a picture of this size, None if its PDF is missing.

    `parts` are what it prints, and `boxes` where the `words` are on it.
    """
    if not _is_there(facts.original):
        return None
    return _sheet(facts, page, boxes, words, size, text_layer(parts))


def thumbnails(facts: Facts) -> list[str]:
    """Return the addresses of small pictures of all pages, none if the PDF is missing."""
    pages = facts.pages if _is_there(facts.original) else ()
    return [_picture(facts, page.page, "small") for page in pages]


def reference_copies(paper: PaperSummary) -> tuple[Copy, ...]:
    """Return the forms of a reference to the paper."""
    return (
        Copy("Key", paper.key, first=True),
        *([Copy("Author and year", paper.cited, first=True)] if paper.cited else []),
        Copy("BibTeX", bibtex([paper]), first=True),
        Copy("CSL JSON", json_text(csl_json([paper]), 2), first=True),
    )


def _sheet(
    facts: Facts,
    page: int,
    boxes: tuple[Box, ...],
    words: str,
    size: Size = "page",
    layer: Sequence[LayerLine] = (),
) -> Sheet:
    key, of = facts.paper.key, facts.original.sha256[:16]
    return Sheet(
        key,
        facts.pages[page - 1],
        _picture(facts, page, size),
        link("/page", key=key, page=page, query=words[:LONGEST_QUERY], size="large"),
        f"{link('/pdf', key=key, of=of)}#page={page}",
        boxes,
        layer,
    )


def _picture(facts: Facts, page: int, size: Size) -> str:
    """Return the address of a picture. It names the content, so that browsers may keep the picture."""
    of = facts.original.sha256[:16]
    return link("/image", key=facts.paper.key, page=page, of=of, size="" if size == "page" else size)


def _is_there(original: Original) -> bool:
    return isinstance(original.place, ObjectPath) or original.place.is_file()


def _copies(paper: PaperSummary, match: Match, address: str) -> tuple[Copy, ...]:
    usual = latex_template()
    others = [name for name, template in TEMPLATES.items() if template != usual]
    return (
        Copy("Text", match.quote, first=True),
        Copy("With source", match.to_citation(paper.authors, paper.year), first=True),
        Copy("LaTeX", match.to_latex(), first=True),
        Copy("Markdown", match.to_markdown(), first=True),
        Copy("Link", address, first=True),
        *(Copy(f"LaTeX, {name}", match.to_latex(name)) for name in others),
        Copy("Typst", match.to_typst()),
        Copy("Annotation", json_text(match.to_annotation(), 2)),
    )


def _kept(paper: PaperSummary, match: Match, address: str) -> dict[str, Any]:
    kept = {
        "id": f"{match.key} {match.cursor} {match.quote}",
        "key": match.key,
        "page": match.page,
        "page_label": match.page_label or "",
        "verdict": match.verdict,
        "quote": match.quote,
        "title": paper.title or "",
        "cited": paper.cited,
        "link": address,
        "markdown": match.to_markdown(),
        "bibtex": bibtex([paper]),
        "annotation": match.to_annotation(),
    }
    return {name: harmless(value) for name, value in kept.items()}
