"""Pictures of pages: the paragraphs of a page drawn over the print, or the words of a quote marked."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from lookup.corpus import Corpus
from lookup.release.schema import KINDS
from lookup.results.quote_answer import Match
from pipeline.files.original_file import read_original
from pipeline.layout import lay_out
from pipeline.layout.line_features import Label
from pipeline.pdf.reading import read_pdf
from pipeline.pictures.drawing import Colour, Mark, Point, render, stretches

_COLOURS: dict[str, Colour] = {
    "title": (0.55, 0.10, 0.60),
    "front": (0.75, 0.40, 0.75),
    "heading": (0.85, 0.05, 0.15),
    "body": (0.00, 0.35, 0.80),
    "quote": (0.25, 0.25, 0.95),
    "list": (0.00, 0.60, 0.75),
    "caption": (0.90, 0.45, 0.00),
    "table": (0.55, 0.40, 0.10),
    "code": (0.10, 0.45, 0.45),
    "footnote": (0.60, 0.60, 0.00),
    "reference": (0.00, 0.50, 0.20),
    "formula": (0.90, 0.10, 0.55),
    "furniture": (0.45, 0.45, 0.45),
    "struck": (0.60, 0.30, 0.30),
    "field": (0.30, 0.60, 0.30),
    "note": (0.70, 0.70, 0.00),
    "covered": (0.20, 0.20, 0.20),
}
"""A colour for each kind: body text is blue, what interrupts it is not."""

_VERDICTS: dict[str, Colour] = {
    "verbatim": (0.0, 0.55, 0.2),
    "abridged": (0.0, 0.5, 0.5),
    "near": (0.9, 0.55, 0.0),
    "related": (0.5, 0.5, 0.5),
}
"""A colour for each verdict."""

_CAPTION = (
    "Grey arrows: reading order. Dashed: the paragraph goes on there. "
    "In the margin: number, kind, its rule, labels and section; < p. 3: comes from page 3; "
    "> p. 5: goes on to page 5; > column: goes on on this page."
)

_COLUMNS = ("paragraph", "page", "page_end", "kind", "section_title", "lines")


def inspect_page(corpus: Corpus, key: str, page: int, *, paragraphs: bool = True) -> bytes:
    """Return the page (counted from 1) of the paper as PNG, with its paragraphs or without them.

    Each line is outlined in the colour of its paragraph's kind. Each paragraph has its number at its corner.
    The margin has number, kind, the page that it comes from or continues on, section, and what the PDF read
    anew says: the rule that gave the kind, and other labels. Grey arrows lead from one paragraph to the next
    in reading order, without furniture; a dashed line leads to the rest of a paragraph.

    Raises UnknownKeyError, PageNotFoundError, and SourceError where the PDF is missing or has changed.
    """
    corpus.page(key, page)  # raises for a missing paper or page
    pdf = read_original(corpus.original(key))
    if not paragraphs:
        return render(pdf, page, [])
    rows = corpus.sql(
        f"SELECT {', '.join(_COLUMNS)} FROM paragraphs "
        "WHERE key = ? AND page <= ? AND page_end >= ? ORDER BY paragraph",
        [key, page, page],
    )
    rows_by_name = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
    labels = _labels(pdf)
    marks = [mark for paragraph in rows_by_name if (mark := _mark(paragraph, page, labels)).boxes]
    kinds = {paragraph["kind"] for paragraph in rows_by_name}
    legend = [(kind, _COLOURS[kind]) for kind in KINDS if kind in kinds]
    return render(pdf, page, marks, legend=legend, arrows=_arrows(marks), caption=_CAPTION)


def show_quote(corpus: Corpus, match: Match) -> dict[int, bytes]:
    """Return by page number each page with words of the match, as PNG, with these words marked.

    Raises SourceError where the PDF is missing or has changed.
    """
    pdf = read_original(corpus.original(match.key))
    pages: dict[int, bytes] = {}
    for page in dict.fromkeys(box.page for box in match.boxes):
        boxes = tuple((box.x0, box.y0, box.x1, box.y1) for box in match.boxes if box.page == page)
        caption = f"{match.key}, page {page}: {match.verdict}"
        pages[page] = render(pdf, page, [Mark(boxes, _VERDICTS[match.verdict])], caption=caption)
    return pages


def _labels(pdf: bytes) -> dict[tuple[float, ...], str]:
    """Return the labels of a paragraph and its lines, by page and place of its first line."""
    return {
        (one.page, round(one.lines[0].x0, 2), round(one.lines[0].y0, 2)): _in_words(one.labels)
        for one in lay_out(read_pdf(pdf).pages).paragraphs
    }


def _in_words(labels: Sequence[Label]) -> str:
    """Return labels as the margin prints them: the rule of the kind, then the others and theirs."""
    kind = "".join(f" ({one.rule})" for one in labels if one.name == "kind")
    others = [one for one in labels if one.name != "kind"]
    return kind + "".join(
        f" · {one.name}{f' {one.line + 1}' * (one.line > 0)}: {one.value} ({one.rule})" for one in others
    )


def _mark(paragraph: Mapping[str, Any], page: int, labels: Mapping[tuple[float, ...], str]) -> Mark:
    number, kind, section = paragraph["paragraph"], paragraph["kind"], paragraph["section_title"]
    first = paragraph["lines"][0]
    known = labels.get((first["page"], round(first["x0"], 2), round(first["y0"], 2)), "")
    lines, pages = paragraph["lines"], {int(line["page"]) for line in paragraph["lines"]}
    boxes = tuple((one["x0"], one["y0"], one["x1"], one["y1"]) for one in lines if one["page"] == page)
    came = f"< p. {max(one for one in pages if one < page)}  " if paragraph["page"] < page else ""
    goes = f"  > p. {min(one for one in pages if one > page)}" if paragraph["page_end"] > page else ""
    over = "  > column" if len(list(stretches(boxes))) > 1 else ""
    standing = f" · {section}" if section and kind != "furniture" else ""
    note = f"{came}{number} {kind}{known}{over}{goes}{standing}"
    return Mark(boxes, _COLOURS[kind], str(number), note, joined=kind != "furniture")


def _arrows(marks: Sequence[Mark]) -> list[tuple[Point, Point]]:
    """Return arrows from the end of each paragraph to the beginning of the next, without furniture."""
    read = [mark for mark in marks if mark.colour != _COLOURS["furniture"]]
    arrows = []
    for before, after in pairwise(read):
        x, y = after.boxes[0][:2]
        last = before.boxes[-1]
        arrows.append(((last[2] if x > last[2] else last[0], last[3]), (x, y)))
    return arrows
