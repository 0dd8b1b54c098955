"""What templates show of a match: its words, what its verdict says, forms to paste, and its marked page."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from lookup.corpus import Corpus
from lookup.results.answer import counted, cuts
from lookup.results.difference import Difference
from lookup.results.papers import Original, PagePart, PaperSummary
from lookup.results.quote_answer import Match, QuoteAnswer
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import harmless, json_text
from pagequote.calls.table import LONGEST_QUERY
from pagequote.check.word_diff import around_pieces, diff_pieces
from pagequote.highlights.strips import Strip, print_strip
from pagequote.quoted_form import TEMPLATES, VARIABLE, QuotedForm, latex_template
from pagequote.reference_list import bibtex, csl_json
from pagequote.web.page_pictures import Size
from pagequote.web.room import MOST_PLACES, HeldPaper, link

_USUAL = "biblatex"
"""The LaTeX that is copied where the environment names none: \\mciteboxp needs a package of its own."""


class Copy(NamedTuple):
    """A form of a quote or reference, ready to paste; the `first` ones are those that most writers want."""

    name: str
    text: str
    first: bool = False


def shown(corpus: Corpus, facts: HeldPaper, answer: QuoteAnswer, base: str) -> list[dict[str, Any]]:
    """Return the places of an answer about the paper of `facts`, best first, by the pages that print them.

    Those of the same pages are together, with these pages (none if the PDF is missing). Links to places begin
    with `base`.
    """
    grouped: dict[tuple[int, ...], list[tuple[Match, str]]] = {}
    for match, place in zip(answer.matches, places_of(answer.matches), strict=True):
        pages = dict.fromkeys(box.page for box in match.boxes) if _is_there(facts.original) else ()
        grouped.setdefault(tuple(pages), []).append((match, base.rstrip("/") + place))
    found, number = [], 1
    for printed, places in grouped.items():
        parts = corpus.page_parts(facts.paper.key, printed[0]) if printed else ()
        matches = [match for match, _ in places]
        sheets = [sheet(facts, page, (), matches, answer.query, first=number) for page in printed]
        listed = [_shown(facts, answer.query, parts, *one) for one in enumerate(places, number)]
        found.append({"places": listed, "sheets": [*filter(None, sheets)]})
        number += len(places)
    return found


def places_of(matches: Sequence[Match]) -> list[str]:
    """Return the addresses of places. If a page prints the words twice, its address asks for both."""
    alike = [(match.key, match.page, match.quote) for match in matches]
    several = {one: min(count, MOST_PLACES) for one, count in Counter(alike).items() if count > 1}
    return [
        link("/quote", key=key, query=quote, page=page, limit=several.get((key, page, quote)))
        for key, page, quote in alike
    ]


def _shown(
    facts: HeldPaper, query: str, parts: Sequence[PagePart], number: int, place: tuple[Match, str]
) -> dict[str, Any]:
    """Return a match, what is said of it, the strip of its print (None without a PDF), and its forms.

    `diff` are the words of the query with the printed ones, and `unseen` the differences that it does not
    show. `number` counts the places from 1, and `kept` is what a basket of quotes keeps of it.
    """
    match, address = place
    pieces = (
        list(diff_pieces(query, match.quote, match.omitted, match.differences))
        if match.verdict == "near"
        else []
    )
    changed = " ".join(one.text.casefold() for one in pieces if one.kind != "same")
    unseen = [
        one
        for one in match.differences
        if match.verdict == "abridged"
        or (match.verdict == "near" and (one.asked or one.printed).casefold() not in changed)
    ]
    return {
        "number": number,
        "match": match,
        "said": sentence(match),
        "diff": pieces if changed else around_pieces(match.around),
        "unseen": unseen,
        "strip": strip_of(facts, match, parts) if parts else None,
        "copies": _copies(facts.paper, match, address),
        "kept": _kept(facts.paper, match, address),
    }


def strip_of(facts: HeldPaper, match: Match, parts: Sequence[PagePart]) -> Strip | None:
    """Return the strip of print of a match on its first page, which prints `parts`; None without a PDF."""
    if not (match.boxes and _is_there(facts.original)):
        return None
    page = match.boxes[0].page
    there = [box for box in match.boxes if box.page == page]
    return print_strip(_picture(facts, page, "page"), facts.pages[page - 1], there, parts)


def sheet(
    facts: HeldPaper,
    page: int,
    parts: Sequence[PagePart],
    matches: Sequence[Match] = (),
    words: str = "",
    size: Size = "page",
    first: int = 1,
) -> dict[str, Any] | None:
    """Return a page of a paper as a picture of this size, None if its PDF is missing.

    `parts` are what it prints, and `matches` where the `words` are on it, numbered from `first`: their boxes
    are marked. `enlarged` is the address of its large picture, `pdf` that of the page in the PDF itself.
    """
    if not _is_there(facts.original):
        return None
    boxes = [tuple(box for box in match.boxes if box.page == page) for match in matches]
    marks = [
        {"name": f"place-{number}", "verdict": match.verdict, "boxes": there}
        for number, (match, there) in enumerate(zip(matches, boxes, strict=True), first)
        if there
    ]
    key, of = facts.paper.key, facts.original.sha256[:16]
    large = link("/page", key=key, page=page, query=words[:LONGEST_QUERY], size="large")
    return {
        "key": key,
        "page": facts.pages[page - 1],
        "source": _picture(facts, page, size),
        "enlarged": large + ("#place-1" if marks else ""),
        "pdf": f"{link('/pdf', key=key, of=of)}#page={page}",
        "marks": marks,
        "layer": list(_layer(parts)),
    }


_TURNED = 2.0  # Height over width from which the box of three letters or more is that of a turned word.

_BASELINE = 0.78
"""Where letters stand in the box of their word: 0 is its top, 1 its bottom. The ascender of Times is .80 of
ascender and descender together, that of Helvetica .78."""


def _layer(parts: Sequence[PagePart]) -> Iterator[dict[str, Any]]:
    """Yield the lines of a page in reading order, to be selected over its picture, but for turned words.

    They are drawn as SVG, since the policy of the pages forbids styles of their own: `y` is the baseline of a
    line, `size` the height of its letters, each word has its beginning and width, all in PDF points.
    """
    for line in (line for part in parts for line in part.lines):
        words = [one for one in line if len(one.text) <= 2 or one.y1 - one.y0 <= _TURNED * (one.x1 - one.x0)]
        if words:
            top, bottom = min(word.y0 for word in words), max(word.y1 for word in words)
            yield {
                "y": round(top + _BASELINE * (bottom - top), 1),
                "size": round(bottom - top, 1),
                "words": [
                    {"text": one.text, "x": one.x0, "width": round(max(one.x1 - one.x0, 0.1), 1)}
                    for one in words
                ],
            }


def thumbnails(facts: HeldPaper) -> list[str]:
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


def _picture(facts: HeldPaper, page: int, size: Size) -> str:
    """Return the address of a picture. It names the content, so that browsers may keep the picture."""
    of = facts.original.sha256[:16]
    return link("/image", key=facts.paper.key, page=page, of=of, size="" if size == "page" else size)


def _is_there(original: Original) -> bool:
    return isinstance(original.place, ObjectPath) or original.place.is_file()


def _copies(paper: PaperSummary, match: Match, address: str) -> tuple[Copy, ...]:
    usual = latex_template("" if os.environ.get(VARIABLE) else _USUAL)
    others = [name for name, template in TEMPLATES.items() if template != usual]
    return (
        Copy("Text", match.quote, first=True),
        Copy("With source", QuotedForm(match).citation(paper.authors, paper.year), first=True),
        Copy("LaTeX", QuotedForm(match).latex(usual), first=True),
        Copy("Markdown", QuotedForm(match).markdown(), first=True),
        Copy("Link", address, first=True),
        *(Copy(f"LaTeX, {name}", QuotedForm(match).latex(name)) for name in others),
        Copy("Typst", QuotedForm(match).typst()),
        Copy("Annotation", json_text(QuotedForm(match).annotation(), 2)),
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
        "markdown": QuotedForm(match).markdown(),
        "bibtex": bibtex([paper]),
        "annotation": QuotedForm(match).annotation(),
    }
    return {name: harmless(value) for name, value in kept.items()}


_NOUNS = dict.fromkeys(("number", "sign", "comparison", "unit", "form", "border")) | {
    "negation": "denial",
    "hedge": "reservation",
    "case": "capital",
    "punctuation": "mark",
}
"""Kinds of differences, and what one of each is called where that is no name for it; others are words."""


def sentence(match: Match) -> str:
    """Return what the verdict on a match means for who would quote it."""
    if match.verdict == "verbatim":
        but = [*(["but for a citation mark"] if match.omitted else []), *cuts(match.around)]
        return f"{', '.join(['Printed word for word', *but])}."
    if match.verdict == "related":
        return "Not printed here. The nearest passage:"
    if match.verdict == "near":
        differing = _differing(match.differences)
        return f"Printed, but not as you wrote it{f': {differing}' if differing else ''}."
    ways = [
        *(["what is left out"] if match.omitted else []),
        *(["what stands in brackets"] if match.differences else []),
    ]
    changed = f"but for {' and '.join(ways) or 'what you marked'}"
    return f"{', '.join(['Printed so', changed, *cuts(match.around)])}."


def _differing(differences: Sequence[Difference]) -> str:
    """Return what differs, in the order of the differences: "1 number, 2 words"."""
    counts: Counter[str] = Counter()
    for one in differences:
        if one.kind in _NOUNS:
            counts[_NOUNS[one.kind] or one.kind] += 1
        else:
            counts["word"] += max(len(one.asked.split()), len(one.printed.split()))
    return ", ".join(counted(count, noun) for noun, count in counts.items())
