"""A PDF's pages as lines of words with boxes and fonts. The only module that knows PyMuPDF."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pymupdf

from pipeline.labels import labels
from pipeline.superscripts import is_superscript

pymupdf.TOOLS.mupdf_display_errors(on=False)
pymupdf.TOOLS.mupdf_display_warnings(on=False)

TEXT_FLAGS: int = pymupdf.TEXTFLAGS_TEXT | pymupdf.TEXT_COLLECT_VECTORS
"""What counts as a page's text layer: what PyMuPDF's plain text extraction gives, ligatures and white space as they are; and the
places of what is drawn, which cost nothing more."""

_DRAWING = 3
"""The type of a block of PyMuPDF's that is a drawn path, not text."""

_MUPDF_ERRORS = (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, IndexError)
"""What PyMuPDF raises of a broken file: its classes are not one family."""

_WHITE = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | frozenset(
    map(chr, range(0x2000, 0x200B))
)
"""White space. Not the separators U+001C to U+001F, which broken fonts use for letters."""

_ALL_BOLD = 0.9
"""Share of its characters in bold above which a line is bold: a Greek letter in a heading often is not."""

_ASCENT, _DESCENT = 0.78, 0.22
"""Em above and below the baseline that a line of text takes up."""

_LOWEST = 0.4
"""Em: the least height that a font can say its glyphs have, for its size to be believed."""

_ITALIC, _BOLD = 2, 16
"""Bits of a span's font flags in PyMuPDF."""


class UnreadableError(Exception):
    """A PDF that cannot be read: `reason` is the same short word for the same cause, the message says what to do."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)  # both, so that it survives the way out of a worker process
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


class Word(NamedTuple):
    """Characters between white space, with their box in points from the page's upper left corner as it is shown."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    font: str
    bold: bool
    italic: bool
    raised: tuple[int, ...] = ()
    """Which of its characters are superscripts: flat, start and end of each run of them, ascending."""


def bounds(words: Sequence[Word]) -> tuple[float, float, float, float]:
    """The box around the words: x0, y0, x1, y1; there is at least one."""
    return (
        min(word.x0 for word in words),
        min(word.y0 for word in words),
        max(word.x1 for word in words),
        max(word.y1 for word in words),
    )


@dataclass(frozen=True, slots=True)
class Line:
    """Words that stand on one baseline, close together, in the order in which the PDF gives them.

    `size` is the font size of most of its characters, and `baseline` (points from the top of the page as it is shown, for
    upright text) that of its first character in that size. `bold` is true where all of it is, `block` numbers what the PDF
    drew together, `upright` is false for turned text.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...]
    size: float
    bold: bool
    block: int
    upright: bool = True
    baseline: float = 0.0

    @property
    def text(self) -> str:
        """The words with single spaces between."""
        return " ".join(word.text for word in self.words)

    @property
    def font(self) -> str:
        """The font of all its words; '' where they have several."""
        fonts = {word.font for word in self.words}
        return fonts.pop() if len(fonts) == 1 else ""

    @property
    def height(self) -> float:
        """From the upper to the lower edge, points."""
        return self.y1 - self.y0


class Box(NamedTuple):
    """A rectangle in points from the page's upper left corner as it is shown."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Page:
    """A page as it is shown: size in points after rotation, the PDF's own label for it ('' where it gives none), its lines.

    `drawings` are the boxes of the paths drawn on it: rules, frames, curves.
    """

    number: int
    label: str
    width: float
    height: float
    rotation: int
    lines: tuple[Line, ...]
    drawings: tuple[Box, ...] = ()


@dataclass(frozen=True)
class Pdf:
    """All that is read of a PDF: its pages, and the information its producer put into it (title, author, ...)."""

    pages: tuple[Page, ...]
    information: dict[str, str]


def read_pdf(data: bytes) -> Pdf:
    """Read all pages of the PDF `data`; raises UnreadableError."""
    with _opened(data) as document:
        names = labels(_label_rules(document), len(document))
        pages = tuple(_read_page(document, number, name) for number, name in enumerate(names))
        information = {name: value for name, value in (document.metadata or {}).items() if value}
    return Pdf(pages, information)


def _opened(data: bytes) -> Any:
    if not data:
        raise UnreadableError("empty file", "The file has no bytes. Fetch the PDF again.")
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except _MUPDF_ERRORS as error:
        if not _begins_as_pdf(data):
            raise _NOT_A_PDF from error
        raise _refusal("MuPDF cannot open it", error) from error
    if not document.is_pdf:  # MuPDF looks inside, and opens a web page as one
        document.close()
        raise _NOT_A_PDF
    if document.needs_pass:
        document.close()
        raise UnreadableError(
            "password", "The PDF asks for a password. Save it without one, with qpdf --decrypt for example."
        )
    if not len(document):
        document.close()
        if not _begins_as_pdf(data):
            raise _NOT_A_PDF
        raise UnreadableError(
            "no pages", "The PDF has no page that MuPDF can find. Fetch it again, or repair it."
        )
    return document


def _label_rules(document: Any) -> list[dict[str, Any]]:
    try:
        rules: list[dict[str, Any]] = document.get_page_labels()
    except (*_MUPDF_ERRORS, AssertionError):  # labels that make no sense are no reason to lose the pages
        return []
    return rules


def _begins_as_pdf(data: bytes) -> bool:
    """Whether the header stands within the first 1,024 bytes, as Acrobat accepts it (ISO 32000-1, Annex H.3, note 13)."""
    return b"%PDF-" in data[:1024]


_NOT_A_PDF = UnreadableError("not a PDF", "The file does not begin as a PDF does. Put the PDF itself here.")


def _refusal(what: str, error: Exception) -> Exception:
    if "malloc" in str(error):  # how MuPDF says that it ran into the memory limit
        return MemoryError(f"{what}: {error}")
    return UnreadableError("damaged", f"{what} ({error}). Fetch the PDF again, or repair it.")


def _read_page(document: Any, index: int, label: str) -> Page:
    try:
        page = document[index]
        content = page.get_textpage(flags=TEXT_FLAGS).extractRAWDICT()
        matrix = page.rotation_matrix if page.rotation else None
        width, height, rotation = page.rect.width, page.rect.height, page.rotation
    except _MUPDF_ERRORS as error:
        raise _refusal(f"MuPDF cannot read page {index + 1}", error) from error
    lines = tuple(_lines(content, index + 1, matrix))
    drawings = tuple(
        Box(*(pymupdf.Rect(block["bbox"]) * matrix if matrix else block["bbox"]))
        for block in content["blocks"]
        if block["type"] == _DRAWING
    )
    return Page(index + 1, label, width, height, rotation, lines, drawings)


def _lines(content: dict[str, Any], page: int, matrix: Any) -> Iterator[Line]:
    for block in content["blocks"]:
        for line in block.get("lines", ()):
            run, rise = line["dir"]
            spans = line["spans"]
            level = abs(rise) < 0.01
            words = list(_words(spans, _raised_spans(spans, run, rise), matrix, level=level))
            if not words:
                continue
            rightward = run * matrix.a + rise * matrix.c if matrix else run
            characters = sum(len(word.text) for word in words)
            sizes: Counter[float] = Counter()
            for word in words:
                sizes[word.size] += len(word.text)
            size = max(sizes, key=lambda size: sizes[size])
            origin = next((span["origin"] for span in spans if round(span["size"], 1) == size), (0.0, 0.0))
            in_bold = sum(len(word.text) for word in words if word.bold)
            yield Line(
                page,
                *bounds(words),
                tuple(words),
                size,
                in_bold > _ALL_BOLD * characters,
                block["number"],
                upright=rightward > 0.9,
                baseline=(pymupdf.Point(origin) * matrix).y if matrix else origin[1],
            )


def _raised_spans(spans: list[dict[str, Any]], run: float, rise: float) -> tuple[bool, ...]:
    """Which of a line's spans are superscripts; () where none can be. (`run`, `rise`) is the direction of the line."""
    first = spans[0]["size"]
    if all(abs(span["size"] - first) < 0.1 for span in spans):
        return ()
    feet = [(span["size"], run * span["origin"][1] - rise * span["origin"][0]) for span in spans]
    return tuple(
        any(is_superscript(len(span["chars"]), *foot, *beside) for beside in feet)
        for span, foot in zip(spans, feet, strict=True)
    )


def _words(
    spans: list[dict[str, Any]], raised: tuple[bool, ...], matrix: Any, *, level: bool
) -> Iterator[Word]:
    text = ""
    x0 = y0 = x1 = y1 = top = foot = 0.0
    style: dict[str, Any] = {}
    above: list[int] = []
    for number, span in enumerate(spans):
        up = bool(raised) and raised[number]
        begin = len(text)
        measured = False
        for char in span["chars"]:
            c = char["c"]
            if c in _WHITE:
                if text:
                    above += (begin, len(text)) if up and begin < len(text) else ()
                    yield _word(text, (x0, y0, x1, y1), style, tuple(above), matrix)
                    text, above = "", []
                begin = 0
                continue
            if "\ud800" <= c <= "\udfff":
                c = "\ufffd"  # half of a surrogate pair is no character
            left, upper, right, lower = char["bbox"]
            if level:
                if not (text and measured):
                    top, foot = _height(char, span)
                    measured = True
                upper, lower = top, foot
            if text:
                text += c
                x0, y0, x1, y1 = min(x0, left), min(y0, upper), max(x1, right), max(y1, lower)
            else:
                text, x0, y0, x1, y1 = c, left, upper, right, lower
                style = span
        above += (begin, len(text)) if up and begin < len(text) else ()
    if text:
        yield _word(text, (x0, y0, x1, y1), style, tuple(above), matrix)


def _height(char: dict[str, Any], span: dict[str, Any]) -> tuple[float, float]:
    """From where to where a level character reaches: by its font's size, as fonts lie about the height of their glyphs."""
    _, upper, _, lower = char["bbox"]
    size, baseline = span["size"], char["origin"][1]
    if lower - upper < _LOWEST * size:  # a font whose size says nothing
        return upper, lower
    return baseline - _ASCENT * size, baseline + _DESCENT * size


def _word(
    text: str,
    box: tuple[float, float, float, float],
    span: dict[str, Any],
    raised: tuple[int, ...],
    matrix: Any,
) -> Word:
    x0, y0, x1, y1 = pymupdf.Rect(box) * matrix if matrix else box
    flags = span["flags"]
    size = round(span["size"], 1)
    return Word(text, x0, y0, x1, y1, size, span["font"], bool(flags & _BOLD), bool(flags & _ITALIC), raised)
