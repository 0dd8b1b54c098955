"""Reading a PDF: its bytes to pages of lines, by PyMuPDF."""

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from typing import Any, NamedTuple
from unicodedata import category, normalize

import pymupdf

from lookup.text.folding import UNKNOWN
from pipeline.pdf.contents import SAYS, open_contents, resources, rotation_of, unsay, without_structure
from pipeline.pdf.even_sizes import even_lines
from pipeline.pdf.fonts import Fonts, UsedFonts
from pipeline.pdf.lines import Line, Word, bounds, lines_of_page
from pipeline.pdf.opening import MUPDF_ERRORS, cut_short, given, open_pdf, refusal
from pipeline.pdf.page_labels import labels
from pipeline.pdf.struck import strokes_of, with_strokes
from pipeline.pdf.text_layer import TextLayer, traced
from pipeline.pdf.visibility import Visibility

__all__ = [
    "TEXT_FLAGS",
    "Line",
    "Pdf",
    "PdfPage",
    "Rectangle",
    "Word",
    "bounds",
    "read_pdf",
    "usable_lines",
    "without_unreadable",
]

TEXT_FLAGS: int = pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_COLLECT_VECTORS
"""A page's text layer is what PyMuPDF's plain text extraction gives, ligatures and white space as they are.
The places of drawings come with it and cost nothing more."""

_DRAWING = 3  # The type of a block of PyMuPDF's that is a drawn path, not text.
_UNKNOWN = 0.5
"""Share of unknown characters above which text cannot be used. Of the 551 pages of the shared papers, one is
above (figures whose labels are control characters); the next has less than 0.03."""

_ODD = re.compile("[\u00a1-\u02af\ufffd]")
"""Letters and signs beyond ASCII that stand between its letters in all languages written with them. A font
whose table is of another gives little else."""

_CONSONANTS = re.compile(r"\b[b-df-hj-np-tv-xzB-DF-HJ-NP-TV-XZ]{4,}\b")
_LETTERS = re.compile(r"\b[A-Za-z]{4,}\b")
"""Words without a vowel, and all words, of four letters at least."""

_UNSPOKEN = 0.4
"""Share of words without a vowel above which letters stand for others. Of 1,585 pages of all shared documents
one has .32 (of 19 words) and one .24; codes moved by 29, as in fonts without a table, give .5."""

_ENOUGH = 20  # Words by which this is judged.
_UNKNOWN_CATEGORIES = frozenset({"Cc", "Cn", "Co", "Cs"})
"""Control characters, private use and the like, which broken fonts give for letters; so is U+FFFD."""

_BY_NUMBER: int = pymupdf.TEXT_CID_FOR_UNKNOWN_UNICODE
"""Without it, a code without a character is U+FFFD, not the letter of the same number."""

_UNSURE = re.compile("[^a-z0-9<>=≤≥±×÷+%‰]+")
"""What may differ between both: spaces, small capitals, scripts whose glyphs are no letters, and hyphens at
the ends of lines."""

_HYPHENS = re.compile(r"[-\u2010-\u2015−](?=\w)")

_MARGIN = 0.12  # flat
"""Share of the page's height, at the top and at the foot, where running heads and page numbers stand."""

_HEAD = 0.13  # theses of TeX have their heads at .129
"""Share at the top where a line is a head that has more white below it than it is high."""

_FOOT = 0.2  # RFCs have their feet at .17
"""Share at the foot where a line of the last row is a foot that has more white above it than it is high."""


class Rectangle(NamedTuple):
    """A rectangle in points from the page's upper left corner as it is shown."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        """From the left to the right edge."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """From the upper to the lower edge."""
        return self.y1 - self.y0


@dataclass(frozen=True)
class PdfPage:
    """A page as it is shown: its size in points after rotation, the PDF's own label for it, its lines.

    `label` is '' if the PDF gives no label. `drawings` are the boxes of paths: rules, frames, curves. `aside`
    are further lines, which are no part of its text (see `Line.aside`). `source` is where the lines are from:
    the PDF's text layer ("text") or OCR ("ocr"), or "unreadable". `scanned` is true if the page shows
    something but has no usable text, `recognised` if its text layer is of an earlier OCR. Lines that OCR read
    on a page with a `tilt`, as fall over run, are set level.
    """

    number: int
    label: str
    width: float
    height: float
    rotation: int
    lines: tuple[Line, ...]
    drawings: tuple[Rectangle, ...] = ()
    aside: tuple[Line, ...] = ()
    source: str = "text"
    scanned: bool = False
    recognised: bool = False
    tilt: float = 0.0

    def in_margin(self, line: Line) -> bool:
        """Whether a line stands at the top or at the foot, where running heads do."""
        margin = _MARGIN * self.height
        if line.y1 <= margin or line.y0 >= self.height - margin:
            return True
        next_one = bisect_left(self._tops, line.y1)
        below = self._tops[next_one] if next_one < len(self._tops) else line.y1
        if line.y1 <= _HEAD * self.height:
            return below - line.y1 > line.y1 - line.y0
        return self.is_foot(line)

    def is_foot(self, line: Line) -> bool:
        """Whether a line may be the foot of a page, above an empty strip; a last note may stand so, too."""
        if not 1 - _FOOT <= line.y0 / self.height < 1 - _MARGIN or self._tops[-1] >= line.y1:
            return False
        above = bisect_right(self._feet, line.y0)
        return above > 0 and line.y0 - self._feet[above - 1] > line.y1 - line.y0

    @cached_property
    def _tops(self) -> list[float]:
        return sorted(line.y0 for line in self.lines)

    @cached_property
    def _feet(self) -> list[float]:
        return sorted(line.y1 for line in self.lines)

    @cached_property
    def in_margins(self) -> list[Line]:
        """The lines that stand there."""
        return [line for line in self.lines if self.in_margin(line)]


@dataclass(frozen=True)
class Pdf:
    """A PDF as read: its pages, its information dictionary (title, author, ...), and its XMP packet or ''.

    `cut_short` is what is to be said if its end is missing, else ''.
    """

    pages: tuple[PdfPage, ...]
    information: dict[str, str]
    xmp: str = ""
    cut_short: str = ""


def read_pdf(data: bytes) -> Pdf:
    """Read all pages of the PDF `data`. Raise UnreadableError."""
    with open_pdf(data) as document:
        names = labels(given(document.get_page_labels, []), len(document))
        fonts = Fonts(document)
        without_structure(document)
        pages = tuple(_read_page(document, fonts, at, name) for at, name in enumerate(names))
        information = {name: value for name, value in (document.metadata or {}).items() if value}
        xmp = given(document.get_xml_metadata, "")
        return Pdf(pages, information, xmp, cut_short(document, data))


def _read_page(document: Any, fonts: Fonts, index: int, label: str) -> PdfPage:
    try:
        page, added = open_contents(document, index, TEXT_FLAGS)
        kinds, numbers, properties = resources(page)
        said = page.get_textpage(flags=TEXT_FLAGS)
        beside, codes = unsay(page, properties, kinds)
        kinds |= beside
        used = UsedFonts(numbers, codes)
        layer = TextLayer(_printed(page, said) if SAYS in kinds else said, partial(traced, page))
        matrix = rotation_of(page) if page.rotation else None
        paths = cache(page.get_cdrawings)
        visibility = Visibility(page, layer, kinds, added, paths)
        found = list(lines_of_page(page, fonts, used, visibility.unseen(), layer, matrix))
        drawings = tuple(
            _on_page([block["bbox"] for block in layer.blocks if block["type"] == _DRAWING], matrix)
        )
        for why, one in added.texts:
            seen = [()] * len(one.lines)
            of_layer = lines_of_page(page, fonts, used, seen, one, matrix)
            found += [replace(line, aside=why) for line in of_layer]
        boxes = [block["bbox"] for block in layer.blocks if not block.get("isrect", True)]
        boxes = [pymupdf.Rect(box) * matrix if matrix else box for box in boxes]
        level = () if layer.is_ocr else (*drawings, *_on_page(visibility.pictures, matrix))
        strokes = strokes_of(found, level, boxes, paths, matrix)
        found = with_strokes(found, strokes, level, is_ocr=layer.is_ocr)
        lines = tuple(line for line in found if not line.aside)
        aside = tuple(line for line in found if line.aside)
        if layer.is_ocr:
            lines = tuple(even_lines(lines))
        (_, _, width, height), rotation = page.rect, page.rotation
        inks = [span["alpha"] for line in layer.lines for span in line["spans"]]  # white on white, too
        scanned = not usable(lines) and any((drawings, visibility.pictures, *inks))
    except MUPDF_ERRORS as error:
        raise refusal(f"MuPDF cannot read page {index + 1}", error) from error
    told = ("text", scanned, layer.is_ocr and bool(lines))
    return PdfPage(index + 1, label, width, height, rotation, lines, drawings, aside, *told)


def _printed(page: Any, said: Any) -> Any:
    """Return the page's text: what the PDF `said` that is printed, but where its glyphs are other letters."""
    drawn = page.get_textpage(flags=TEXT_FLAGS & ~_BY_NUMBER)
    text = drawn.extractText()
    if text == (words := said.extractText()):
        return said
    told, printed = (_UNSURE.sub("", normalize("NFKC", one).casefold()) for one in (words, text))
    hyphens, kept = (len(_HYPHENS.findall(one)) for one in (text, words))
    if (told == printed and hyphens <= kept) or (UNKNOWN in text and Counter(printed) <= Counter(told)):
        return said
    return drawn


def usable(lines: Sequence[Line]) -> bool:
    """Whether the lines have text, and most of its characters are known and of words."""
    characters = sum([line.letters for line in lines])
    printed = [word.printed or word.text for line in lines for word in line.words]
    if (text := "".join(printed)).isprintable() and not _ODD.search(text):
        printed = []  # there is nothing to be counted, as on most pages
    unknown = sum([_unknown(word) for word in printed if not (word.isascii() and word.isprintable())])
    return characters > 0 and unknown <= _UNKNOWN * characters and not _is_ciphered(lines)


def usable_lines(lines: Sequence[Line]) -> tuple[Line, ...]:
    """Return those of a page's lines that are usable by themselves."""
    return () if _is_ciphered(lines) else tuple(line for line in lines if usable([line]))


def _is_ciphered(lines: Sequence[Line]) -> bool:
    text = "\n".join([line.text for line in lines])
    odd = len(_CONSONANTS.findall(text))
    if odd <= _UNSPOKEN * _ENOUGH:
        return False
    words = len(_LETTERS.findall(text))
    return words >= _ENOUGH and odd > _UNSPOKEN * words


def _unknown(word: str) -> int:
    """Return how many characters of a word are unknown; all, where half of them are, or odd."""
    marked = word.count(UNKNOWN)
    unknown = marked + (0 if word.isprintable() else sum([category(c) in _UNKNOWN_CATEGORIES for c in word]))
    odd = len(_ODD.findall(word)) + unknown - marked
    return len(word) if odd >= 2 and 2 * odd >= len(word) else unknown


def without_unreadable(page: PdfPage) -> PdfPage:
    """Return a page of which nothing is read but lines that can be, where most of its letters are wrong."""
    if not page.scanned or not page.lines:
        return page
    kept = usable_lines(page.lines)
    wrong = (replace(line, aside="unreadable") for line in page.lines if not kept or not usable([line]))
    source = "unreadable" if page.source == "text" else page.source
    return replace(page, lines=kept, aside=(*page.aside, *wrong), source=source)


def _on_page(boxes: Iterable[Sequence[float]], matrix: Any) -> Iterator[Rectangle]:
    """Yield boxes on the page as it is shown."""
    for box in boxes:
        yield Rectangle(*(pymupdf.Rect(box) * matrix if matrix else box))
