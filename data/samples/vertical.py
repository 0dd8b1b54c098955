"""Sets Japanese as books do: lines run downwards, from the right edge to the left, with readings beside them.

The font is not embedded: readers of PDFs have one for its collection of characters.
"""

from collections.abc import Iterator, Sequence

_WIDTH, _HEIGHT, _TOP, _RIGHT, _LEFT = 300, 425, 60, 258, 40
"""Points: the page, the upper edge of its lines, the middle of the first one, and the least of the last."""

_SIZE, _PITCH, _CHARACTERS = 10, 17, 30
_SIZES = {"title": 15, "heading": 12}
_AROUND = {"heading": 10}
"""Points of white before and behind a block."""

_NOT_FIRST = "、。」"
"""What begins no line: it hangs below the last one."""

_FIRST_PAGE = 71

_PAGE = (
    f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 {_WIDTH} {_HEIGHT}]/Contents {{content}} 0 R"
    "/Resources<</Font<</Down {font} 0 R/Level {level} 0 R>>>>>>"
)
_STREAM = "<</Length {0}>>\nstream\n{1}\nendstream"
_DOWN = (
    "<</Type/Font/Subtype/Type0/BaseFont/Ryumin-Light/Encoding/UniJIS-UTF16-V/DescendantFonts[{glyphs} 0 R]>>"
)
_LEVEL = "<</Type/Font/Subtype/Type1/BaseFont/Times-Roman>>"
_GLYPHS = (
    "<</Type/Font/Subtype/CIDFontType0/BaseFont/Ryumin-Light/DW 1000"
    "/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 6>>/FontDescriptor {about} 0 R>>"
)
_ABOUT = (
    "<</Type/FontDescriptor/FontName/Ryumin-Light/Flags 4/FontBBox[0 -200 1000 900]/ItalicAngle 0"
    "/Ascent 880/Descent -120/CapHeight 700/StemV 80>>"
)

Cell = tuple[str, str]
"""Characters between which no line ends, and their reading."""

Block = tuple[str, Sequence[Cell]]
"""A kind, and a text."""


def set_vertically(blocks: Sequence[Block]) -> bytes:
    """Return the blocks as a PDF; the same bytes each time."""
    pages = list(_pages(blocks))
    font = 3 + 2 * len(pages)
    kids = " ".join(f"{3 + 2 * number} 0 R" for number in range(len(pages)))
    objects = ["<</Type/Catalog/Pages 2 0 R>>", f"<</Type/Pages/Kids[{kids}]/Count {len(pages)}>>"]
    for number, content in enumerate(pages, 1):
        shown = _PAGE.format(content=2 + 2 * number, font=font, level=font + 1)
        objects += [shown, _STREAM.format(len(content), content)]
    fonts = [_DOWN.format(glyphs=font + 2), _LEVEL, _GLYPHS.format(about=font + 3), _ABOUT]
    return _file([*objects, *fonts])


def _pages(blocks: Sequence[Block]) -> Iterator[str]:
    """Return the content of each page: its lines with their readings, and its number at the foot."""
    page, x = _FIRST_PAGE, _RIGHT
    shown = [_number(page)]
    for kind, cells in blocks:
        size = _SIZES.get(kind, _SIZE)
        x -= _AROUND.get(kind, 0)
        for indent, line in _lines(kind, cells, _CHARACTERS * _SIZE // size):
            if x < _LEFT:
                yield "\n".join(shown)
                page, x = page + 1, _RIGHT
                shown = [_number(page)]
            shown += _printed(line, size, x, _HEIGHT - _TOP - indent * size)
            x -= _PITCH + size - _SIZE
        x -= _AROUND.get(kind, 0)
    yield "\n".join(shown)


def _lines(kind: str, cells: Sequence[Cell], most: int) -> Iterator[tuple[int, list[Cell]]]:
    """Return a block's lines, each with its indent."""
    indent = 3 if kind == "heading" else 1 if kind == "body" and cells[0][0] != "「" else 0
    line: list[Cell] = []
    room = most - indent
    for cell in cells:
        if room < len(cell[0]) and cell[0] not in _NOT_FIRST:
            yield indent, line
            line, indent, room = [], 0, most
        line.append(cell)
        room -= len(cell[0])
    yield indent, line


def _printed(line: Sequence[Cell], size: float, x: float, y: float) -> Iterator[str]:
    """Return what draws a line whose first character is below `y`, and its readings."""
    yield _shown("".join(text for text, _ in line), size, x, y)
    for text, reading in line:
        if reading:
            yield _shown(reading, size / 2, x + 0.75 * size, y - (len(text) - len(reading) / 2) * size / 2)
        y -= len(text) * size


def _shown(text: str, size: float, x: float, y: float) -> str:
    return f"BT /Down {size} Tf 1 0 0 1 {x} {y} Tm <{text.encode('utf-16-be').hex()}> Tj ET"


def _number(page: int) -> str:
    return f"BT /Level 8 Tf 1 0 0 1 {_WIDTH // 2} 24 Tm ({page}) Tj ET"


def _file(objects: Sequence[str]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is its catalogue."""
    body, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{one}\nendobj\n".encode("ascii")
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    size = len(objects) + 1
    trailer = f"xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root 1 0 R>>\n"
    return body + f"{trailer}startxref\n{len(body)}\n%%EOF\n".encode("ascii")
