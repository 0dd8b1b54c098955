"""What fonts without a proper encoding print: known by font and code, or left as it is."""

import pytest

from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf.glyphs import glyph_names, printed_characters
from pipeline.pdf.placed_words import GONE, with_accents
from pipeline.pdf.reading import read_pdf
from tests.support.cases import cases
from tests.support.pages import line
from tests.support.pdfs import page_of

CASES = cases("pdf_to_paragraphs/glyphs.toml")

P_OF_MATHEMATICS = (
    b"begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <70> <d835dc5d> endbfchar "
    b"endcmap"
)
"""A table by which the code of p is 𝑝: /ToUnicode 7 0 R."""


def drawn(show, font, encoding="/WinAnsiEncoding", table=P_OF_MATHEMATICS):
    """The text, as printed and as coded, of a page on which `show` (a string for TJ) is drawn in Times, but
    for what stands in `{}`, in `font`.
    """
    operators = "".join(
        f"/{'F' if number % 2 else 'T'} 10 Tf [{part}] TJ "
        for number, part in enumerate(show.replace("}", "{").split("{"))
    )
    content = f"BT 72 700 Td {operators} ET".encode("latin-1")
    objects = [
        b"<</Type/Font/Subtype/Type1/BaseFont/Times-Roman/Encoding/WinAnsiEncoding>>",
        f"<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding {encoding}>>".encode(),
        b"<</Length %d>>\nstream\n%s\nendstream" % (len(table), table),
    ]
    (passage,) = find_paragraphs(read_pdf(page_of(content, b"/T 5 0 R/F 6 0 R", objects)).pages)
    made = clean(passage.lines, {})
    return made.text, made.text_raw


@pytest.mark.parametrize(
    ("show", "font", "encoding", "text", "text_raw"),
    CASES["signs are known by font and code"],
    ids=[
        "minus and degree",
        "the same codes by other names",
        "equal",
        "by code",
        "Symbol by number",
        "mu",
        "about",
        "mu by order",
        "unknown sign",
        "unknown font",
    ],
)
def test_signs_are_known_by_font_and_code(show, font, encoding, text, text_raw):
    assert drawn(show, font, encoding) == (text, text_raw)


def test_a_list_in_a_table_has_characters_of_several_parts():
    table = b"begincmap 1 beginbfrange <01> <03> [<0066 0066 0069> <00f1> <00f3>] endbfrange endcmap"
    encoding = "<</Differences[1/ffi/ntilde/oacute]>>/ToUnicode 7 0 R"
    assert (
        drawn("(la raz) {(\x03)} (n del a) {(\x02)} (o)", "Unheard", encoding, table)[0] == "la razón del año"
    )


def test_names_that_are_numbers_deny_nothing():
    table = b"3 beginbfchar <01> <002c> <02> <002d> <03> <002e> endbfchar"
    encoding = "<</Differences[1/gD/gE/gF]>>/ToUnicode 7 0 R"
    assert (
        drawn("(fifty) {(\x02)} (three) {(\x01)} ( yes) {(\x03)}", "Unheard", encoding, table)[0]
        == "fifty-three, yes."
    )


def test_a_prime_is_known_by_its_private_code():
    assert printed_characters("MinionMath-Capt", {})["\U000f8020"] == "′"


@pytest.mark.parametrize(
    ("show", "text"),
    [
        ("(cr) {( ) 250} (iter) {( ) 255} (ia are) {( )} (met)", "criteria are met"),
        ("(\\() {( ) 250} (see Table 2) {( ) 245} (\\))", "(see Table 2)"),
        ("(cr) {( ) 150} (iter)", "cr iter"),
    ],
    ids=["in a word", "beside brackets", "a narrow space"],
)
def test_a_space_of_its_own_font_whose_neighbours_touch_is_none(show, text):
    assert drawn(show, "Unheard") == (text, text)


@pytest.mark.parametrize(
    ("show", "text"),
    [
        ("(all ) {(p)} -250 (values are)", "all 𝑝 values are"),
        ("(all ) {(p)} -60 (-values are)", "all 𝑝-values are"),
        ("(all ) {(p)} ( values are)", "all 𝑝 values are"),
    ],
    ids=["a gap", "none", "a space"],
)
def test_a_gap_after_a_letter_of_mathematics_is_a_space(show, text):
    assert drawn(show, "Unheard", "/WinAnsiEncoding/ToUnicode 7 0 R") == (text, text)


@pytest.mark.parametrize(
    ("show", "text"),
    [
        (r"(Jos) 0 (\264) 389 (e)", "José"),
        (r"(Mu) 416 (\250) -83 (ller)", "Müller"),
        (r"(the persons\264 age)", "the persons´ age"),
        (r"(as ` here)", "as ` here"),
    ],
    ids=["before its letter", "behind its letter", "apart", "by itself"],
)
def test_accents_go_on_the_letters_that_they_are_printed_over(show, text):
    made, raw = drawn(show, "Times-Roman")
    assert made == text
    assert len(raw) == len(text) + (made != raw)


def test_an_accent_of_which_unicode_has_no_letter_stays():
    assert with_accents("x´", [0, 1], [5, 4]) == "x´"
    assert with_accents("ı´", [0, 1], [5, 4]) == f"í{GONE}"


def test_symbols_in_the_private_range_are_known_by_their_font():
    assert printed_characters("SymbolMT", {})["\uf0b1"] == "±"
    assert printed_characters("Wingdings-Regular", {}) == {}


def test_names_are_read_from_an_encoding():
    assert glyph_names("[2/C0/C14 254/thorn]") == {"\x02": "C0", "\x03": "C14", "\xfe": "thorn"}


def test_codes_that_no_font_has_name_nothing():
    differences = f"[255/last/beyond 99999999999/far 2147483648/farther {'9' * 5000}/farthest 65/A]"
    assert glyph_names(differences) == {"\xff": "last", "A": "A"}


@pytest.mark.parametrize(
    ("printed", "text"),
    CASES["single characters are known by what stands beside them"],
)
def test_single_characters_are_known_by_what_stands_beside_them(printed, text):
    made = clean([line(printed)], {})
    assert (made.text, made.text_raw) == (text, printed)
