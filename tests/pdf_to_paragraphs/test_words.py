"""Words as MuPDF gives them are those that the characters make; where they are not, the characters are
asked.
"""

import pymupdf
import pytest

from pipeline.pdf import placed_words
from pipeline.pdf.lines import named_style
from pipeline.pdf.reading import TEXT_FLAGS, read_pdf
from tests.support.pdfs import pdf


def textpages(path):
    with pymupdf.open(path) as document:
        for page in document:
            textpage = page.get_textpage(flags=TEXT_FLAGS)
            lines = [line for block in textpage.extractDICT()["blocks"] for line in block.get("lines", ())]
            yield textpage, ["".join(span["text"] for span in line["spans"]) for line in lines]


def test_both_ways_to_the_words_of_the_samples_are_one(samples):
    compared = 0
    for path in sorted(samples.glob("*.pdf")):
        for textpage, texts in textpages(path):
            quick = placed_words._by_mupdf(textpage, texts, odd_white=True)
            if quick is not None:
                assert list(quick) == list(placed_words._by_character(textpage.extractRAWDICT()["blocks"]))
                compared += 1
    assert compared > 5


@pytest.mark.parametrize("white", [" ", "\u00a0"])
def test_words_are_parted_by_spaces_that_do_not_break_too(white):
    (page,) = read_pdf(pdf(f"one{white}two")).pages
    assert [word.text for line in page.lines for word in line.words] == ["one", "two"]


@pytest.mark.parametrize("white", [" ", "\t", "\u00a0", "\u2003", "\u202f", "\u3000"])
def test_words_begin_behind_any_white_space(white):
    assert placed_words.word_starts(f"{white}one{white}{white}two") == [1, 6]


def test_control_characters_are_no_white_space():
    assert placed_words.word_starts("one\x1dtwo\x02") == [0]


def test_zero_width_spaces_part_no_words():
    assert placed_words.word_starts("a\u200bb c") == [0, 4]


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
