"""The report of a check to send: one page in words, which fetches nothing, or the same as a PDF.

It names sources by author and year. Whatever comes from manuscripts, papers or file names is escaped.
"""

import base64
import io
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.results.answer import counted
from lookup.results.quote_answer import Match
from pagequote.check.formats import in_words, rendered, sources_of, summary
from pagequote.check.judge import Finding
from pagequote.check.without_paper import called
from pagequote.check.word_diff import DiffPiece, around_pieces, diff_pieces
from pagequote.highlights.strips import Strip, print_strip
from pipeline.files.drawn_page import Draw, NotDrawnError


class StripPicture(NamedTuple):
    """The strip of print that shows a match: PNG, and its size in points."""

    png: bytes
    width: float
    height: float

    @property
    def address(self) -> str:
        """Return it as an address that holds it."""
        return f"data:image/png;base64,{base64.b64encode(self.png).decode('ascii')}"


def report(
    corpus: Corpus, findings: Sequence[Finding], title: str, date: str, draw: Draw | None = None
) -> dict[str, Any]:
    """Return what the report of a check says, as its template names it; strips of print if they can be drawn.

    Each finding has its place, what is said of it, the words with the difference, the print, and the whole
    sentence that it cuts. `missing` are the sources that are still to be asked for, as they are cited.
    """
    named = sources_of(corpus, findings)
    listed: dict[str, list[dict[str, Any]]] = {"wrong": [], "unjudged": [], "right": []}
    for number, one in enumerate(findings, 1):
        words = diff_pieces(one.quoted, one.printed or "", one.omitted, one.differences, whole=True)
        right, unit = one.level == "ok", "paragraph" if one.manuscript.landmarks else "line"
        shown = {
            "number": number,
            "place": f"{one.manuscript.path.name}, {one.where or f'{unit} {one.line}'}",
            "said": in_words(one, named),
            "pieces": [*words] if one.diff else [DiffPiece("same", one.quoted)],
            "strip": None if right else strip_picture(corpus, one.match, draw),
            "around": around_pieces(one.around),
        }
        unjudged = not one.judged and one.level == "warning"
        listed["right" if right else "unjudged" if unjudged else "wrong"].append(shown)
    missing = []
    for one in findings:
        if one.verdict == "not covered":
            missing.append(f"{named.get(one.key, '')}, with text that can be read")
        elif one.verdict == "unknown key" and one.level == "warning":
            missing.append(one.quotation.cited_as)
    missing = list(dict.fromkeys(missing))
    asked_for = f". {counted(len(missing), 'source')} still to be asked for" if missing else ""
    told = f"{summary(findings)}{asked_for}"
    return {"title": title, "date": date, "summary": told, "missing": missing, **listed}


def strip_picture(corpus: Corpus, match: Match | None, draw: Draw | None) -> StripPicture | None:
    """Return the strip of print that shows a match; None where there is nothing to show, or to draw with."""
    if draw is None or match is None or not match.boxes or match.verdict == "related":
        return None
    page = match.boxes[0].page
    boxes = [box for box in match.boxes if box.page == page]
    strip = print_strip("", corpus.pages(match.key)[page - 1], boxes, corpus.page_parts(match.key, page))
    try:
        return StripPicture(_cut(draw(corpus.original(match.key), page), strip), strip.width, strip.height)
    except (NotDrawnError, PageQuoteError):
        return None  # the words are there without it


def _cut(page: bytes, strip: Strip) -> bytes:
    """Return the strip of a page's picture, its boxes marked."""
    import pymupdf  # noqa: PLC0415

    mupdf: Any = pymupdf
    picture = mupdf.Pixmap(page)
    zoom = picture.width / strip.page.width
    left, top = -strip.x * zoom, -strip.y * zoom
    with mupdf.open() as document:
        sheet = document.new_page(width=strip.width * zoom, height=strip.height * zoom)
        sheet.insert_image((left, top, left + picture.width, top + picture.height), pixmap=picture)
        for box in strip.boxes:
            place = (box.x0 - 1.5, box.y0 - 1, box.x1 + 1.5, box.y1 + 1)
            moved = [zoom * side + (left, top)[at % 2] for at, side in enumerate(place)]
            sheet.draw_rect(moved, color=None, fill=_MARKED, fill_opacity=_OPACITY)
        png: bytes = sheet.get_pixmap(alpha=False).tobytes("png")
    return png


_MARKED = (1.0, 0.78, 0.2)  # How words are marked: red, green, blue, from 0 to 1.
_OPACITY = 0.4


def as_html(made: Mapping[str, Any]) -> str:
    """Return the report as one page that fetches nothing."""
    return rendered("report.html", report=made, on_paper=False)


def as_proof(corpus: Corpus, match: Match, draw: Draw | None = None) -> str:
    """Return a quote with its verdict, source and strip of print, as HTML that any page can hold.

    It is an element of its own style that fetches nothing and runs nothing; where a page does not know such
    elements, the words and the source stay. The JSON of the match is within.
    """
    paper = corpus.paper(match.key)
    return rendered(
        "proof.html",
        match=match,
        source=called(paper),
        doi=paper.doi,
        verbatim=match.verdict == "verbatim",
        strip=strip_picture(corpus, match, draw),
        answer=match.to_dict(),
    )


def as_pdf(made: Mapping[str, Any]) -> bytes:
    """Return the report as a PDF of A4 pages."""
    import pymupdf  # noqa: PLC0415

    mupdf: Any = pymupdf
    story = mupdf.Story(rendered("report.html", report=made, on_paper=True))
    written = io.BytesIO()
    writer = mupdf.DocumentWriter(written, "compress")
    sheet = mupdf.paper_rect("a4")
    more = True
    while more:
        device = writer.begin_page(sheet)
        more, _ = story.place(sheet + _MARGINS)
        story.draw(device)
        writer.end_page()
    writer.close()
    return written.getvalue()


_MARGINS = (57, 57, -57, -57)  # Points: 2 cm.
