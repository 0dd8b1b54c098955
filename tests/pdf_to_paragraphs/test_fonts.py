"""What fonts say of themselves and is not so."""

import struct
from types import SimpleNamespace
from typing import Any

import pymupdf
import pytest

from lookup.text.folding import UNKNOWN
from pipeline.pdf.code_tables import CodeTable
from pipeline.pdf.evidence import Evidence, is_of_one_glyph
from pipeline.pdf.fonts import Fonts
from pipeline.pdf.programs import Program
from pipeline.pdf.reading import read_pdf
from pipeline.pdf.shapes import Form, Likeness
from tests.support.ink import typst_font
from tests.support.pdfs import added, page_of, words_of


def set_in(ascent, descent):
    """The lines of a page with two rows of text, 12 points apart, in a font of 10 points that claims to reach
    so far up and down.
    """
    content = b"BT /F 10 Tf 72 700 Td (above the wall) Tj 0 -12 Td (below the wall) Tj ET"
    widths = b" ".join([b"500"] * 256)
    objects = [
        b"<</Type/Font/Subtype/TrueType/BaseFont/Tall/FirstChar 0/LastChar 255/Widths[%s]"
        b"/FontDescriptor 6 0 R/Encoding/WinAnsiEncoding>>" % widths,
        b"<</Type/FontDescriptor/FontName/Tall/Flags 32/FontBBox[0 %d 1000 %d]/Ascent %d/Descent "
        b"%d/ItalicAngle 0/CapHeight 700"
        b"/StemV 80>>" % (descent, ascent, ascent, descent),
    ]
    return read_pdf(page_of(content, b"/F 5 0 R", objects)).pages[0].lines


@pytest.mark.parametrize(("ascent", "descent"), [(780, -220), (1800, -900), (1000, 0)])
def test_boxes_are_as_high_as_the_type_though_its_font_says_otherwise(ascent, descent):
    above, below = set_in(ascent, descent)
    assert above.text == "above the wall"
    assert (above.y0, above.y1) == pytest.approx((800 - 700 - 7.8, 800 - 700 + 2.2), abs=0.1)
    assert above.y1 < below.y0


@pytest.mark.parametrize(("said", "traced"), [("00660069", 0), ("0066", 1)])
def test_glyphs_with_ink_are_looked_at_for_ligatures_that_a_name_tells_and_the_table_does_not(said, traced):
    document = pymupdf.open()
    table = added(document, stream=f"1 beginbfchar <01> <{said}> endbfchar".encode())
    font = added(
        document,
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/f_i]>>"
        f"/ToUnicode {table} 0 R>>",
    )
    runs: list[int] = []
    span = {"font": "Helvetica", "text": "the size of it", "alpha": 255, "char_flags": 0}

    def trace():
        runs.append(1)
        return []

    layer: Any = SimpleNamespace(lines=[{"spans": [span | {"alpha": 0}]}], trace=trace)
    Fonts(document).signs(layer, [(font, "Type1", "Helvetica")], lambda: {1})
    assert not runs  # nobody sees what they print
    layer = SimpleNamespace(lines=[{"spans": [span]}], trace=trace)
    Fonts(document).signs(layer, [(font, "Type1", "Helvetica")], lambda: {1})
    assert len(runs) == traced
    Fonts(document).signs(layer, [(font, "Type1", "Helvetica")], lambda: {2})
    assert len(runs) == traced  # what no page draws is not looked for


@pytest.mark.parametrize(
    ("drawn", "form"),
    [
        (b"(\x01)", b""),
        (b"(\\001)", b""),
        (b"(\\1)", b""),
        (b"(\\401)", b""),  # what is beyond a byte is left out
        (b"<01>", b""),
        (b"<0\n1 >", b""),
        (b"(a < b) Tj <01>", b""),
        (b"<20010>", b""),
        (b"( )", b"(\x01)"),
    ],
)
def test_a_code_that_a_table_tells_and_the_font_has_not_is_unknown_however_it_is_written(drawn, form):
    document: Any = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "There is", fontname="helv")
    codes = b"".join(b"<%02x> <%04x> " % (code, code) for code in range(0x20, 0x7F))
    table = added(document, stream=b"96 beginbfchar <01> <006e> %s endbfchar" % codes)
    font = added(document, f"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/ToUnicode {table} 0 R>>")
    box = f"/BBox[0 0 612 792]/Resources<</Font<</F1 {font} 0 R>>>>"
    shown = b"BT /F1 12 Tf 122 720 Td (o) Tj %s Tj ET" % (form or b"( )")
    inner = added(document, f"<</Type/XObject/Subtype/Form{box}>>", shown)
    used = f"<</Font<</F1 {font} 0 R>>/XObject<</X1 {inner} 0 R>>>>"
    document.xref_set_key(page.xref, "Resources", used)
    text = b"BT /F1 12 Tf 72 720 Td (no effect) Tj %s Tj ( is an) Tj ET /X1 Do" % drawn
    document.update_stream(page.get_contents()[0], text)
    assert UNKNOWN in "".join(words_of(document.tobytes()))


def test_a_font_of_drawings_that_a_page_names_and_does_not_use_ends_nothing():
    document: Any = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "The men went home")
    font = added(
        document,
        "<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/CharProcs<<>>"
        "/Encoding<</Differences[65/A]>>/FirstChar 65/LastChar 65/Widths[1]>>",
    )
    resources = int(document.xref_get_key(page.xref, "Resources")[1].split()[0])
    document.xref_set_key(resources, "Font/T3", f"{font} 0 R")
    (line,) = read_pdf(document.tobytes()).pages[0].lines
    assert line.text == "The men went home"


@pytest.mark.parametrize(("drawn", "printed"), [("A", "A"), ("K", UNKNOWN), ("m", UNKNOWN)])
def test_a_capital_that_a_table_calls_small_is_what_its_encoding_names_if_it_looks_so(drawn, printed):
    font, glyphs = typst_font("Libertinus Serif", '#set text(weight: "bold")', f"a{drawn}")
    told = Evidence(font, glyphs[drawn], "a", "A", [glyphs["a"]])
    assert told.prints_more == printed


@pytest.mark.parametrize(
    ("told", "width", "strokes", "is_one"),
    [
        ("fl", 0.84, 2, True),  # an italic one
        ("fl", 0.84, 1, False),
        ("fl", 0.9, 2, False),
        ("ﬀi", 0.8, 3, True),  # as XeTeX tells it
        ("ﬀi", 0.4, 3, False),
        ("ab", 0.9, 2, False),
    ],
)
def test_several_letters_are_one_glyph_where_they_have_one_and_width_and_strokes_agree(
    told, width, strokes, is_one
):
    drawn: Any = SimpleNamespace(
        told=told, named="", is_known=True, likeness=None, form=Form(width, 0.0, 0.7, strokes)
    )
    assert is_of_one_glyph(drawn) == is_one


def judged_by(told, **known):
    """A font without a file, and the evidence of a glyph of it of which this is known."""
    program, of = Program(None, 0, "Type1", ""), Evidence(None, 0, told, "", ())
    vars(program).update(
        _font=None, _glyphs={told: {}}, _standard="", _table=CodeTable([(1, told)]), lies=False
    )
    vars(program).update(_is_blank=False, _named_by_font={})
    vars(of).update(known)
    return program, of


@pytest.mark.parametrize(("foot", "printed"), [(0.19, None), (0.02, UNKNOWN)])
def test_a_raised_sign_begins_above_the_baseline(foot, printed):
    program, of = judged_by("²", form=Form(0.33, foot, 0.67, 1))
    assert program._judged(of) == printed


@pytest.mark.parametrize(
    ("told", "width", "nearest", "is_other"),
    [
        ("Ł", 0.6, "L", False),  # its stroke is not looked at
        ("é", 0.5, "o", True),
        ("1", 0.31, "]", False),  # that of Hiragino
        ("1", 0.5, "]", True),
        ("1", 0.31, "7", True),
    ],
)
def test_a_letter_or_figure_is_another_by_its_outline(told, width, nearest, is_other):
    program, of = judged_by(told, form=Form(width, 0.0, 0.79, 1))
    sign = "" if nearest == "]" else nearest
    found = Likeness(sign, 6.5, 0.0, [(3.0, nearest), (6.5, told)], lies=True)
    assert program._shows_another(of, found) == is_other


@pytest.mark.parametrize(
    ("said", "drawn", "font", "before"),
    [
        ("1", "7", "DejaVu Sans Mono", ""),
        ("3", "8", "DejaVu Sans Mono", '#set text(style: "italic")'),
        ("3", "5", "Libertinus Serif", ""),
    ],
)
def test_a_glyph_that_a_table_calls_another_digit_is_denied(said, drawn, font, before):
    """Such a glyph is but a little nearer to its own digit than to the other one."""
    program = Program(None, 0, "TrueType", "")
    opened, glyphs = typst_font(font, before, f"{said} {drawn}")
    right, wrong = glyphs[said], glyphs[drawn]
    for coded in ([right, wrong], [wrong]):
        vars(program).clear()
        of_codes = {said: {glyph: (code, said) for code, glyph in enumerate(coded)}}
        vars(program).update(_font=opened, _kind="TrueType", _glyphs=of_codes, _signs={}, _loaded=None)
        vars(program).update(_names={}, _encoded="", _standard="", _table=CodeTable([(0, said)]))
        vars(program).update(_named_by_font={})
        assert program.sign(said, wrong) is not None
        assert program.sign(said, right) is None


@pytest.mark.parametrize(
    "table",
    [
        "1 beginbfchar <61> <006f> endbfchar",
        "1 beginbfchar (a) <006e006f> endbfchar",
        r"1 beginbfchar <61> (\000n\000o) endbfchar",
        "1 beginbfchar <61> % endbfchar\n <006f> endbfchar",
        "1 beginbfrange <6 1> <61> <006e006f> endbfrange",
        r"1 beginbfrange <61> <61> [(\000o)] endbfrange",
        "1 begincidchar <61> 111 endcidchar",
        "1 beginbfchar <61> <006f>",
    ],
)
def test_a_table_is_read_in_all_forms_in_which_it_may_lie(table):
    document: Any = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "a", fontname="tiro")
    told = added(document, stream=f"1 begincodespacerange <00> <ff> endcodespacerange {table}".encode())
    document.xref_set_key(document.get_page_fonts(0)[0][0], "ToUnicode", f"{told} 0 R")
    assert UNKNOWN in words_of(document.tobytes())[0]


def without_ink(font, glyph):
    """Return a TrueType font's data, in which this glyph has no contours."""
    data = bytearray(font.buffer)
    tables = {
        bytes(data[at : at + 4]): int.from_bytes(data[at + 8 : at + 12])
        for at in range(12, 12 + 16 * data[5], 16)
    }
    is_long = data[tables[b"head"] + 51]
    size = 4 if is_long else 2
    at = tables[b"loca"] + size * glyph
    place = int.from_bytes(data[at : at + size]) * (1 if is_long else 2)
    data[tables[b"glyf"] + place : tables[b"glyf"] + place + 2] = b"\0\0"
    return bytes(data)


@pytest.mark.parametrize("letter", ["n", "q"])
def test_a_letter_whose_glyph_has_no_ink_is_unknown_without_a_table_too(letter):
    opened, glyphs = typst_font("DejaVu Sans Mono", "", "There is no effect, quite")
    program = without_ink(opened, glyphs[letter])
    objects = [
        b"<</Type/Font/Subtype/TrueType/BaseFont/AAAAAA+Mono/FirstChar 32/LastChar 126"
        b"/Widths[%s]/FontDescriptor 6 0 R/Encoding/WinAnsiEncoding>>" % (b"602 " * 95),
        (
            b"<</Type/FontDescriptor/FontName/AAAAAA+Mono/Flags 32/FontBBox[0 -300 1000 1000]/Ascent 900"
            b"/Descent -200/ItalicAngle 0/CapHeight 700/StemV 80/FontFile2 7 0 R>>"
        ),
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(program), program),
    ]
    text = b"BT /F1 12 Tf 72 720 Td (There is no effect) Tj ET"
    words = words_of(page_of(text, b"/F1 5 0 R", objects))
    assert words == ["There", "is", "no".replace(letter, UNKNOWN), "effect"]


def test_what_a_font_does_not_have_names_none_of_its_glyphs():
    program = Program(None, 0, "TrueType", "")
    vars(program).update(_font=typst_font("DejaVu Sans Mono", "", "no")[0])
    assert set(program._named_by_font.values()) <= {"n", "o"}


def drawn_as(told, drawn):
    """A TrueType font that draws one character as another whose outline takes no more bytes."""
    font = pymupdf.Font("cjk")
    data = bytearray(font.buffer)
    tables = {
        bytes(data[at : at + 4]): struct.unpack(">II", data[at + 8 : at + 16])[0] for at in range(12, 236, 16)
    }
    begin, end, first, last = (
        tables[b"glyf"] + place
        for char in (told, drawn)
        for place in struct.unpack_from(">II", data, tables[b"loca"] + 4 * font.has_glyph(ord(char)))
    )
    assert last - first <= end - begin
    data[begin : begin + last - first] = data[first:last]
    return bytes(data)


SAID = "In the first year 46 of the men were glad, with p < .05 in each of the two groups"


@pytest.mark.parametrize(("told", "drawn"), [("6", "5"), ("<", ">"), ("w", "t"), ("g", "p"), ("6", "6")])
@pytest.mark.parametrize("has_table", [True, False])
def test_a_glyph_that_its_own_font_draws_as_another_is_that_or_unknown(told, drawn, has_table):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 72), "x")
    table = "".join([f"<{code:02x}> <{code:04x}>" for code in range(32, 127)])
    number = added(document, stream=f"95 beginbfchar {table} endbfchar".encode())
    embedded = added(document, stream=drawn_as(told, drawn))
    described = added(document, f"<</Type/FontDescriptor/FontName/Own/Flags 32/FontFile2 {embedded} 0 R>>")
    font = added(
        document,
        "<</Type/Font/Subtype/TrueType/BaseFont/Own/FirstChar 0/LastChar 255/Encoding/WinAnsiEncoding"
        f"/Widths[{'500 ' * 256}]/FontDescriptor {described} 0 R{f'/ToUnicode {number} 0 R' * has_table}>>",
    )
    resources = int(document.xref_get_key(page.xref, "Resources")[1].split()[0])
    document.xref_set_key(resources, "Font/T", f"{font} 0 R")
    document.update_stream(page.get_contents()[0], f"BT /T 9 Tf 72 700 Td ({SAID}) Tj ET".encode())
    unknown = {SAID.replace(told, UNKNOWN)} if told != drawn else set()
    assert " ".join(words_of(document.tobytes())) in unknown | {SAID.replace(told, drawn)}
