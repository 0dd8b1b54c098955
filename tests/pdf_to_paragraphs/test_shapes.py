"""Fonts whose glyphs are not those of their codes: the outline says what is printed, or nothing does."""

import pymupdf
import pytest
import typst

from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf import shapes
from pipeline.pdf.reading import read_pdf
from pipeline.pdf.shapes import likeness
from retrieval.raw_text.cleaning import LIGATURES
from tests.support.pdfs import page_of, words_of

LESS = [(80, 250), (500, 60), (500, 140), (190, 270), (500, 400), (500, 480), (80, 290)]
MINUS = [(50, 240), (510, 240), (510, 300), (50, 300)]
STAR = [(0, 0), (600, 0), (20, 40), (590, 640), (300, 90), (10, 700)]


def encrypted(data, key):
    out = bytearray()
    for byte in b"\0\0\0\0" + data:
        out.append(byte ^ key >> 8)
        key = (out[-1] + key) * 52845 + 22719 & 0xFFFF
    return bytes(out)


def number(value):
    return b"\xff" + value.to_bytes(4, "big", signed=True)


def outline(points):
    """A polygon as an encrypted charstring of Type 1, 560 wide."""
    code, at = number(0) + number(560) + b"\x0d", (0, 0)
    for step, point in enumerate(points):
        code += number(point[0] - at[0]) + number(point[1] - at[1]) + (b"\x15" if step == 0 else b"\x05")
        at = point
    return encrypted(code + b"\x09\x0e", 4330)


def font(glyphs):
    """A Type 1 font program: the clear and the encrypted part."""
    clear = (
        b"%!PS-AdobeFont-1.0: Odd\n11 dict begin\n/FontType 1 def\n/FontName /Odd def\n/PaintType 0 def\n"
        b"/FontMatrix [0.001 0 0 0.001 0 0] def\n/FontBBox {0 0 1000 1000} def\n/Encoding StandardEncoding "
        b"def\n"
        b"currentdict end\ncurrentfile eexec\n"
    )
    strings = {".notdef": outline([])} | {name: outline(points) for name, points in glyphs.items()}
    private = b"dup /Private 5 dict dup begin\n/lenIV 4 def\n/BlueValues [] def\n/password 5839 def\n"
    private += b"2 index /CharStrings %d dict dup begin\n" % len(strings)
    for name, code in strings.items():
        private += b"/%s %d RD %s ND\n" % (name.encode(), len(code), code)
    return clear, encrypted(
        private + b"end\nend\nput\ndup /FontName get exch definefont pop\nmark currentfile closefile\n", 55665
    )


def text_of(show, glyphs):
    """The clean text of a page on which `show` is set in Times, but for what stands in `{}`, in a font of the
    glyphs.
    """
    operators = "".join(
        f"/{'F' if odd % 2 else 'T'} 10 Tf ({part}) Tj "
        for odd, part in enumerate(show.replace("}", "{").split("{"))
        if part
    )
    content = f"BT 72 700 Td {operators} ET".encode()
    clear, private = font(glyphs)
    objects = [
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>",
        b"<</Type/Font/Subtype/Type1/BaseFont/Odd/FirstChar 32/LastChar 126/Widths[%s]/FontDescriptor 7 0 R"
        b"/Encoding/WinAnsiEncoding>>" % b" ".join([b"560"] * 95),
        (
            b"<</Type/FontDescriptor/FontName/Odd/Flags 32/FontBBox[0 0 1000 1000]/Ascent 800/Descent "
            b"-200/FontFile 8 0 R>>"
        ),
        b"<</Length %d/Length1 %d/Length2 %d/Length3 0>>\nstream\n%s\nendstream"
        % (len(clear + private), len(clear), len(private), clear + private),
    ]
    (passage,) = find_paragraphs(read_pdf(page_of(content, b"/T 5 0 R/F 6 0 R", objects)).pages)
    made = clean(passage.lines, {})
    return made.text, made.text_raw


@pytest.mark.parametrize(
    ("show", "glyphs", "text"),
    [
        ("with p {o} 0.05 here", {"o": LESS}, "with p < 0.05 here"),
        ("at {2}40 degrees", {"two": MINUS}, "at −40 degrees"),
        ("a {5} of 7", {"five": STAR}, "a � of 7"),
        ("p {o} 3 and {2}4", {"o": LESS, "two": MINUS}, "p < 3 and −4"),
    ],
    ids=["less as o", "minus as 2", "nothing known as 5", "two signs"],
)
def test_a_font_that_lies_prints_what_its_outlines_show(show, glyphs, text):
    assert text_of(show, glyphs) == (text, show.replace("{", "").replace("}", ""))


@pytest.mark.parametrize("sign", [*"<>≤≥±×=+αβγδλσωΔΩ", "†", "§", "°"])
@pytest.mark.parametrize("code", "o4")
def test_signs_of_a_font_that_is_not_among_the_known_ones_are_told_or_left_open(sign, code):
    droid = pymupdf.Font("cjk")
    found = likeness(droid, droid.has_glyph(ord(sign)), code)
    assert found is not None
    assert found.sign in {sign, ""}


@pytest.mark.parametrize("letter", "aegmnopstTfJMQ124579<>+=")
def test_a_text_font_shows_its_own_characters(letter):
    droid = pymupdf.Font("cjk")
    found = likeness(droid, droid.has_glyph(ord(letter)), letter)
    assert found is not None
    assert not found.lies


def test_a_space_is_like_nothing():
    assert likeness(pymupdf.Font("cjk"), pymupdf.Font("cjk").has_glyph(32), "o") is None


def sent_nowhere(text):
    """What a PDF in Times says, as text, of which a table of Unicode sends the ligatures to 0."""
    document = pymupdf.open()
    page = document.new_page()
    page.insert_font("F0", fontbuffer=pymupdf.Font("tiro").buffer)
    page.insert_text((72, 72), text, fontname="F0")
    (font,) = (xref for xref, *_ in document.get_page_fonts(0))
    _, reference = document.xref_get_key(font, "ToUnicode")
    table = int(reference.split()[0])
    told = document.xref_stream(table)
    nowhere = told.replace(b"<006d> <006e> <fb01>", b"<006d> <006e> [<0000> <0000>]")
    assert nowhere != told
    document.update_stream(table, nowhere)
    return "".join(words_of(document.tobytes()))


def test_a_code_that_a_table_sends_nowhere_is_known_by_its_outline():
    assert sent_nowhere("ﬁrst ﬂight mîn") == "ﬁrstﬂightmîn"


def test_drawings_of_glyphs_are_remembered_but_for_huge_ones(monkeypatch):
    shapes._likeness.cache_clear()
    for side, held in ((40, 1), (400, 1)):
        drawing = shapes.Raster(0, -side, side, bytes([255]) * side * side)
        monkeypatch.setattr(shapes, "_drawn", lambda *_, drawing=drawing: drawing)
        assert likeness(None, 1, "a") is not None
        assert shapes._likeness.cache_info().currsize == held


@pytest.mark.parametrize("letters", ["ff", "ffi", "ffl", "ft", "Th"])
@pytest.mark.parametrize("name", ["tiro", "heit", "cobo"])
def test_ligatures_are_known_though_no_known_font_draws_them(monkeypatch, name, letters):
    joined = shapes._joined(pymupdf.Font(name), letters, 0.03)
    monkeypatch.setattr(shapes, "_drawn", lambda *_: joined)
    found = likeness(None, 1, "\ufffd")
    assert found is not None
    assert LIGATURES.get(found.sign) in {letters, None}


def test_a_drawing_of_a_glyph_is_freed_when_it_has_been_looked_at(monkeypatch):
    drawn = []
    render = pymupdf.mupdf.fz_render_glyph_pixmap

    def noted(*how):
        drawn.append(render(*how))
        return drawn[-1]

    monkeypatch.setattr(pymupdf.mupdf, "fz_render_glyph_pixmap", noted)
    font = pymupdf.Font("helv")
    assert shapes.form(font, font.has_glyph(ord("A")))
    assert [one.m_internal.storable.refs for one in drawn] == [1]


@pytest.mark.parametrize(
    ("drawn", "told", "contradicted"), [("±", "+", True), ("+", "+", False), ("±", "±", False)]
)
def test_a_bar_below_a_plus_contradicts_a_table_that_tells_none(drawn, told, contradicted):
    pdf = typst.compile(f'#set text(font: "New Computer Modern")\n3{drawn}2'.encode())
    with pymupdf.open(stream=bytes(pdf), filetype="pdf") as document:
        ((xref, *_),) = document.get_page_fonts(0)
        font = pymupdf.Font(fontbuffer=document.extract_font(xref)[-1])
        (span,) = document[0].get_texttrace()
        (glyph,) = [glyph for code, glyph, *_ in span["chars"] if chr(code) == drawn]
        found = likeness(font, glyph, told)
        assert found is not None
        assert (found.nearer > 1.25) is contradicted


@pytest.mark.parametrize(
    ("drawn", "told", "others", "read"), [("o", "a", "c0", "o"), ("e", "é", "co", "e"), ("o", "a", "o", "")]
)
def test_a_glyph_that_a_table_lies_about_is_the_sign_that_no_other_glyph_is_told_to_be(
    drawn, told, others, read
):
    font = pymupdf.Font("tiro")
    found = likeness(font, font.has_glyph(ord(drawn)), told)
    assert found is not None
    assert found.apart_from({told, *others}) == read
