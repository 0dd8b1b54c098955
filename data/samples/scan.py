"""Makes a scan of a PDF: a picture of each page, and over it, without ink, the words that OCR read there.

As in what Tesseract writes, each word has a size of its own: it is measured by the word's letters.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from typing import Any

_DOTS = 100
"""Dots of the picture to an inch."""

_FONT = (
    "<</Type/Font/Subtype/Type0/BaseFont/GlyphLessFont/Encoding/Identity-H/DescendantFonts[{glyphs} 0 R]"
    "/ToUnicode {codes} 0 R>>"
)
_GLYPHS = (
    "<</Type/Font/Subtype/CIDFontType2/BaseFont/GlyphLessFont/DW 500"
    "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor {about} 0 R>>"
)
_ABOUT = (
    "<</Type/FontDescriptor/FontName/GlyphLessFont/Flags 5/FontBBox[0 0 500 1000]/ItalicAngle 0/Ascent 1000"
    "/Descent -1/CapHeight 1000/StemV 80>>"
)
_CODES = (
    b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Codes def /CMapType 2 def\n"
    b"1 begincodespacerange <0000> <FFFF> endcodespacerange\n1 beginbfrange <0000> <FFFF> <0000> endbfrange\n"
    b"endcmap CMapName currentdict /CMap defineresource pop end end"
)


def scanned(pdf: bytes) -> bytes:
    """Return the PDF as a scan; the same bytes each time."""
    pymupdf = import_module("pymupdf")
    with pymupdf.open(stream=pdf) as document, pymupdf.open() as scan:
        font = _add_font(scan)
        _add_catchwords(document)
        for printed in document:
            page = scan.new_page(width=printed.rect.width, height=printed.rect.height)
            page.insert_image(
                page.rect, stream=printed.get_pixmap(dpi=_DOTS, colorspace=pymupdf.csGRAY).tobytes("jpg")
            )
            words = "\n".join(
                _unseen(printed, pymupdf.TEXT_PRESERVE_LIGATURES | pymupdf.TEXT_PRESERVE_WHITESPACE)
            )
            content = scan.get_new_xref()
            scan.update_object(content, "<<>>")
            scan.update_stream(content, f"BT 3 Tr\n{words}\nET".encode("ascii"))
            drawn = scan.xref_get_key(page.xref, "Contents")[1].strip("[]")
            scan.xref_set_key(page.xref, "Contents", f"[{drawn} {content} 0 R]")
            resources = int(scan.xref_get_key(page.xref, "Resources")[1].split()[0])
            scan.xref_set_key(resources, "Font", f"<</F {font} 0 R>>")
        return bytes(scan.tobytes(no_new_id=True, deflate=True))


def _add_catchwords(document: Any) -> None:
    """Print below the text of each page the first word of the next one, as books did until about 1800."""
    for page, following in pairwise(document):
        head, *words = following.get_text("words", sort=True)
        word = next(text for _, y0, *_, text, _, _, _ in words if y0 > head[3])
        *_, last = page.get_text("words", sort=True)
        page.insert_text((page.rect.width - 75, last[3] + 14), word, fontsize=12, fontname="tiro")


def _unseen(page: Any, flags: int) -> Iterator[str]:
    """Return what draws each word of a page in its place."""
    words = page.get_text("words", flags=flags)
    for x0, y0, x1, y1, text, *_ in words:
        size = (y1 - y0) * _measured(text)
        wide = 100 * (x1 - x0) / (0.5 * size * len(text))
        baseline = page.rect.height - y1 + 0.25 * (y1 - y0)
        coded = text.encode("utf-16-be").hex()
        yield f"/F {size:.2f} Tf {wide:.2f} Tz 1 0 0 1 {x0:.2f} {baseline:.2f} Tm <{coded}> Tj"


def _measured(text: str) -> float:
    """Return the size that OCR takes a word to have, by the size that it has."""
    return 0.7 + 0.1 * bool(re.search("[A-Zbdfhkltſ0-9]", text)) + 0.1 * bool(re.search("[gjpqy;,]", text))


def _add_font(scan: Any) -> int:
    numbers = [scan.get_new_xref() for _ in range(4)]
    font, glyphs, about, codes = numbers
    scan.update_object(font, _FONT.format(glyphs=glyphs, codes=codes))
    scan.update_object(glyphs, _GLYPHS.format(about=about))
    scan.update_object(about, _ABOUT)
    scan.update_object(codes, "<<>>")
    scan.update_stream(codes, _CODES)
    return int(font)
