"""Characters in the order in which they are read, whatever order they are drawn in.

In these tests capitals stand for Hebrew letters, as in the Unicode Bidirectional Algorithm's own examples.
"""

import io

import pymupdf
import pytest
import typst

from pipeline.layout import find_paragraphs
from pipeline.pdf.logical_order import in_logical_order
from pipeline.pdf.reading import read_pdf

HEBREW = {chr(ord("A") + at): letter for at, letter in enumerate("אבגדהוזחטיכלמנסעפצקרשתםןךף")}
LATIN = {letter: capital for capital, letter in HEBREW.items()}


def char(c, x, width=5.0, y=100.0):
    return {"c": HEBREW.get(c, c), "origin": (x, y), "bbox": (x, y - 8, x + width, y + 2)}


def line(chars, size=10.0, font="Serif"):
    boxes = list(zip(*(one["bbox"] for one in chars), strict=True))
    box = (min(boxes[0]), min(boxes[1]), max(boxes[2]), max(boxes[3]))
    span = {"size": size, "font": font, "chars": chars, "bbox": box, "origin": chars[0]["origin"]}
    return {"dir": (1.0, 0.0), "bbox": box, "spans": [span]}


def drawn(text, x=50.0, width=5.0, y=100.0):
    """A line with these characters from left to right."""
    return line([char(c, x + width * at, width, y) for at, c in enumerate(text)])


def glyphs(*chars):
    """The trace of a page that draws these glyphs, in this order; of a glyph with several letters, all."""
    return [
        {"chars": [(ord(c), -1 if at else 1, one["origin"], one["bbox"]) for at, c in enumerate(one["c"])]}
        for one in chars
    ]


def read(*lines, drawn=()):
    """What the lines of a page say, in the tests' letters, where `drawn` are its glyphs in their order."""
    (block,) = in_logical_order([{"type": 0, "lines": list(lines)}], lambda: glyphs(*drawn))
    return [
        "".join(LATIN.get(one["c"], one["c"]) for span in made["spans"] for one in span["chars"])
        for made in block["lines"]
    ]


@pytest.mark.parametrize(
    ("printed", "said"),
    [
        ("DLROW OLLEH", "HELLO WORLD"),
        (".DLROW ,OLLEH", "HELLO, WORLD."),
        ("DLROW 12-15 OLLEH", "HELLO 12-15 WORLD"),
        ("DLROW 3.5% OLLEH", "HELLO 3.5% WORLD"),
        ("DLROW 15 12 OLLEH", "HELLO 12 15 WORLD"),
        ("DLROW abc def OLLEH", "HELLO abc def WORLD"),
        ("DLROW abc 12 OLLEH", "HELLO abc 12 WORLD"),
        ("DLROW (abc, def) OLLEH", "HELLO (abc, def) WORLD"),
        ("DLROW ,abc OLLEH", "HELLO abc, WORLD"),
        ("DLROW 15-12 ا", "ا 12-15 WORLD"),
    ],
)
def test_a_line_is_read_from_right_to_left_but_for_its_latin_words_and_numbers(printed, said):
    more = drawn("DEDDA SI ERUTAN EHT FO ERA", y=200.0)  # the page is Hebrew
    assert read(drawn(printed), more)[0] == said


def test_order_in_the_file_does_not_matter():
    letters = drawn("DLROW 12 OLLEH")["spans"][0]["chars"]
    assert read(line(letters)) == read(line(letters[::-1])) == ["HELLO 12 WORLD"]


@pytest.mark.parametrize("printed", ["(DLROW) OLLEH", ")DLROW( OLLEH"], ids=["as drawn", "as read"])
def test_brackets_are_those_that_are_read(printed):
    assert read(drawn(printed)) == ["HELLO (WORLD)"]


SEEN, LAM, ALEF, MEEM = char("س", 70), char("ل", 60, 10.0), char("ا", 60, 0.0), char("م", 50, 10.0)
HAH, FATHATAN = char("ح", 50), char("\u064b", 66.5, 0.0, 98.0)


@pytest.mark.parametrize(
    ("drawn", "said"),
    [
        ([MEEM, ALEF, LAM, SEEN], "سلام"),
        ([SEEN, LAM, ALEF, MEEM], "سلام"),
        ([MEEM, char("لا", 60, 10.0), SEEN], "سلام"),
        ([MEEM, char("\ufefc", 60, 10.0), SEEN], "سلام"),
        ([HAH, char(" ", 55), FATHATAN, char("ا", 65), SEEN], "ساً ح"),
        ([SEEN, char("ا", 65), FATHATAN, char(" ", 55), HAH], "ساً ح"),
        ([HAH, char("ا", 65), char(" ", 55), FATHATAN, SEEN], "ساً ح"),
        ([HAH, char(" ", 55), char("ا", 65), char("\u064b", 63, 0.0, 104.5), SEEN], "ساً ح"),
    ],
    ids=[
        "visual",
        "logical",
        "one glyph",
        "as drawn",
        "a mark",
        "a mark, logical",
        "a mark apart",
        "a mark below, after its letter",
    ],
)
def test_arabic_is_read_as_it_is_drawn_where_mupdf_moves_marks_or_loses_letters(drawn, said):
    # MuPDF has the mark at the space, and no alef.
    read_by_mupdf = [
        one | {"origin": (60.0, 100.0)} if one is FATHATAN else one
        for one in drawn
        if one["c"] != "ا" or FATHATAN not in drawn
    ]
    chars = [one | {"c": c} for one in read_by_mupdf for c in one["c"]]
    assert read(line(chars), drawn=drawn) == [said]


def test_points_stay_with_their_letter_wherever_the_file_has_them():
    points = [char("\u05b7", 62, 0.0), char("B", 50), char("C", 55), char("A", 60)]
    assert read(line(points), drawn=[*points[1:3], points[0], points[3]]) == ["A\u05b7CB"]


def test_what_several_glyphs_print_together_is_read_once_and_without_a_space():
    # MuPDF gives all that the PDF says at the first glyph, and the letters of the second, the last, again.
    said = [char("द", 50), char("्", 55, 0.0), char("व", 55, 0.0), char("ा", 55, 0.0)]
    sign, after = char("ा", 62, 3.0), char("न", 65)
    space = char(" ", 55, 7.0) | {"synthetic": True}
    inked = [char("\ufffd", 50), char("\ufffd", 55, 7.0), sign, after]
    assert read(line([*said, space, sign, after]), drawn=inked) == ["द्वान"]


def test_a_line_that_is_drawn_twice_is_not_mixed_with_itself():
    assert read(drawn("DLROW"), drawn("DLROW", x=50.4)) == ["WORLD", "WORLD"]


# Producers

SENTENCE = "שלום עולם (בדיקה 12-15) ABC def 3.5% סוף."


def by_typst(sentence=SENTENCE):
    source = f'#set page(width: 400pt)\n#set text(font: "Libertinus Serif", lang: "he", dir: rtl)\n{sentence}'
    fonts = typst.Fonts(include_system_fonts=False)
    return typst.compile(source.replace("%", "\\%").encode(), font_paths=fonts)


def by_mupdf():
    written = io.BytesIO()
    writer = pymupdf.DocumentWriter(written)
    story = pymupdf.Story(f'<p dir="rtl">{SENTENCE}</p>')
    device = writer.begin_page(pymupdf.Rect(0, 0, 500, 300))
    story.place(pymupdf.Rect(50, 50, 450, 250))
    story.draw(device)
    writer.end_page()
    writer.close()
    return written.getvalue()


@pytest.mark.parametrize("producer", [by_typst, by_mupdf])
def test_hebrew_with_numbers_and_latin_words_comes_back(producer):
    (found,) = find_paragraphs(read_pdf(producer()).pages)
    assert found.text == SENTENCE


def test_white_between_japanese_and_latin_words_is_a_space_but_not_between_japanese_characters():
    chars = [char(c, 50 + 13 * at, 10.0) for at, c in enumerate("人類os社会")]
    assert read(line(chars)) == ["人類 o s 社会"]
