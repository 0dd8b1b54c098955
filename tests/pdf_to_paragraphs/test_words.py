"""Words as MuPDF gives them are those that the characters make; where they are not, the characters are
asked.
"""

import pymupdf
import pytest

from pipeline.pdf import placed_words
from pipeline.pdf.lines import named_style
from pipeline.pdf.reading import TEXT_FLAGS, read_pdf
from pipeline.pdf.text_layer import TextLayer
from tests.support.pdfs import pdf


def layers(path):
    with pymupdf.open(path) as document:
        for page in document:
            yield TextLayer(page.get_textpage(flags=TEXT_FLAGS), page.get_texttrace)


def test_both_ways_to_the_words_of_the_samples_are_one(samples):
    compared = 0
    for path in sorted(samples.glob("*.pdf")):
        for layer in layers(path):
            quick = placed_words.placed_words(layer, layer.texts)
            assert quick == placed_words._by_character(layer.characters)
            compared += 1
    assert compared > 5


def test_the_characters_of_a_line_are_those_that_the_whole_page_gives(samples):
    compared = 0
    for path in sorted(samples.glob("*.pdf")):
        for layer in layers(path):
            of_lines = [layer.characters_of(number) for number in range(len(layer.lines))]
            assert of_lines == [line for block in layer.characters for line in block.get("lines", ())]
            compared += len(of_lines)
    assert compared > 100


@pytest.mark.parametrize("white", [" ", "\u00a0"])
def test_words_are_parted_by_spaces_that_do_not_break_too(white):
    (page,) = read_pdf(pdf(f"one{white}two")).pages
    assert [word.text for line in page.lines for word in line.words] == ["one", "two"]


def test_control_characters_are_no_white_space():
    assert placed_words.word_starts("one\x1dtwo\x02") == [0]


@pytest.mark.parametrize(
    ("font", "bold", "italic"),
    [
        ("AdvTTaf7f9f4f.B", True, False),
        ("AdvTT8861b38f.I+fb", False, True),
        ("AdvOTd0125be5.BI", True, True),
        ("AdvPS_TTB", True, False),
        ("AdvPTimesI", False, True),
        ("HelveticaNeueLTStd-BdIt", True, True),
        ("AdvPAC5B", False, False),
        ("Stone-Book", False, False),
    ],
)
def test_names_of_fonts_tell_bold_and_italics(font, bold, italic):
    assert named_style(font) == (bold, italic)


def set_tightly(words, gap, y=100.0, size=10.0, letter=0.0):
    """A PDF of one line that draws each word by itself, `gap` em after the one before; no space is drawn."""
    with pymupdf.open() as document:
        page, font, x = document.new_page(), pymupdf.Font("tiro"), 50.0
        writer = pymupdf.TextWriter(page.rect)
        for word in words:
            for drawn in word if letter else [word]:
                writer.append((x, y), drawn, font=font, fontsize=size)
                x += font.text_length(drawn, size) + letter * size
            x += gap * size
        writer.write_text(page)
        return document.tobytes()


TIGHT = [
    "aktorzy",
    "w",
    "powyższym",
    "obiekt",
    "danych,",
    "a",
    "przechwytujący",
    "zasoby",
    "nie",
    "sa",
    "one",
]


@pytest.mark.parametrize("gap", [0.09, 0.11, 0.14, 0.18])
def test_a_line_whose_words_are_parted_by_narrow_gaps_alone_has_its_spaces(gap):
    (page,) = read_pdf(set_tightly(TIGHT, gap)).pages
    assert [line.text for line in page.lines] == [" ".join(TIGHT)]


def test_narrow_gaps_between_digits_are_no_spaces():
    (page,) = read_pdf(set_tightly(["harbourmasterandpilotofthequay10", "000"], 0.12)).pages
    assert page.lines[0].text.endswith("10000")


def drawn_in_parts(*parts):
    """A PDF that draws each part, (text, x, y, size), by itself, in this order."""
    with pymupdf.open() as document:
        page = document.new_page()
        for text, x, y, size in parts:
            page.insert_text((x, y), text, fontname="tiro", fontsize=size)
        return document.tobytes()


def test_a_word_drawn_later_over_the_spaces_of_its_line_is_read_there():
    font = pymupdf.Font("tiro")
    x = 50 + font.text_length("the shark ", 10)
    wide = round(font.text_length("acronotus", 10) / font.text_length(" ", 10))
    line = f"the shark {' ' * wide} lives there"
    (page,) = read_pdf(drawn_in_parts((line, 50, 100, 10), ("acronotus", x, 100, 10))).pages
    assert [one.text for one in page.lines] == ["the shark acronotus lives there"]
