"""The glyphs of codes in simple TrueType fonts, by which a table that lies about them is found."""

from struct import pack

import pytest

from pipeline.pdf.character_maps import glyphs_of_codes
from pipeline.pdf.reading import read_pdf
from tests.support.ink import AFTER, BEFORE, SIGNS, by_groff, by_libreoffice, told
from tests.support.needs import needs

BYTES = pack(">HHH", 0, 262, 0) + bytes([0, 0, 7, 8]) + bytes(252)
TRIMMED = pack(">HHHHHHH", 6, 14, 0, 2, 2, 7, 8)
SEGMENTS = pack(">16H", 4, 32, 0, 4, 0, 0, 0, 0xF003, 0xFFFF, 0, 0xF002, 0xFFFF, 0x1005, 1, 0, 0)


def font(subtable, platform=1, encoding=0):
    """A font file with no more than a table of characters."""
    table = pack(">HHHHL", 0, 1, platform, encoding, 12) + subtable
    return pack(">LHHHH", 0x00010000, 1, 0, 0, 0) + pack(">4sLLL", b"cmap", 0, 28, len(table)) + table


@pytest.mark.parametrize(
    "data",
    [font(BYTES), font(TRIMMED), font(SEGMENTS, platform=3)],
    ids=["of bytes", "trimmed", "of segments"],
)
def test_glyphs_of_codes_are_known_in_each_format(data):
    assert glyphs_of_codes(data) == {2: 7, 3: 8}


@pytest.mark.parametrize(
    "data", [b"", b"OTTO", font(BYTES)[:60], font(BYTES, platform=0), font(b"\0\x0e" * 8)]
)
def test_a_font_that_does_not_tell_has_none(data):
    assert glyphs_of_codes(data) == {}


@pytest.mark.system
@pytest.mark.parametrize(
    ("produce", "lie"),
    [
        pytest.param(by_libreoffice("Liberation Serif"), {"t": "w"}, marks=needs("LibreOffice")),
        pytest.param(by_libreoffice("Liberation Serif"), {"±": "+"}, marks=needs("LibreOffice")),
        pytest.param(by_groff("T"), {"e": "é"}, marks=needs("groff with -ms and Ghostscript")),
    ],
    ids=["letter of LibreOffice", "sign of LibreOffice", "letter by its code"],
)
def test_tables_of_simple_fonts_that_lie_are_not_believed(produce, lie):
    (page,) = read_pdf(told(produce([BEFORE, SIGNS, AFTER]), lie)).pages
    (said,) = lie.values()
    lying = [word for line in page.lines for word in line.words if said in word.text]
    true = {word for text in (BEFORE, SIGNS, AFTER) for word in text.split()}
    assert lying
    assert all((word.printed or word.text) != word.text or word.text in true for word in lying)
