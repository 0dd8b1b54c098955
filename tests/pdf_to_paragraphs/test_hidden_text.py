"""Text that no reader sees is kept, but apart: hidden furniture at the end, and no part of a body
paragraph.
"""

import pymupdf
import pytest

from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from tests.support.hidden_text import AFTER, BEFORE, HIDDEN, OVER, SECRET, SEEN, pdf_with_secret


def paragraphs(data):
    """Whether each paragraph is hidden, its kind and its text."""
    found = find_paragraphs(read_pdf(data).pages)
    return [(one.hidden, one.kind, clean(one.lines, {}).text) for one in found]


@pytest.mark.parametrize("how", HIDDEN)
@pytest.mark.parametrize("rotation", [0, 90])
def test_hidden_text_is_furniture_at_the_end_and_nothing_is_lost(how, rotation):
    document = pymupdf.open(stream=pdf_with_secret(HIDDEN[how]))
    document[0].set_rotation(rotation)
    *seen, last = paragraphs(document.tobytes())
    assert last == (True, "furniture", SECRET)
    assert not any(hidden for hidden, _, _ in seen)
    words = " ".join(text for _, _, text in seen)
    assert words.replace(f" {OVER}", "") == f"{BEFORE} {AFTER}"


@pytest.mark.parametrize("how", SEEN)
def test_what_is_seen_is_text(how):
    found = paragraphs(pdf_with_secret(SEEN[how]))
    assert not any(hidden for hidden, _, _ in found)
    assert f"{BEFORE} {SECRET} {AFTER}" in " ".join(text for _, kind, text in found if kind != "furniture")


def test_a_word_below_a_black_bar_is_hidden_alone():
    start, end = (72 + pymupdf.get_text_length(text, fontsize=11) for text in ("Whoever ", "Whoever reads"))

    def barred(page):
        SEEN["black"](page)
        page.draw_rect((start, 78.5, end, 91), color=None, fill=(0, 0, 0))

    assert [text for hidden, _, text in paragraphs(pdf_with_secret(barred)) if hidden] == ["reads"]


def test_a_word_that_is_seen_in_part_prints_this_part():
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 76), "About", fontsize=11)
    page.insert_text((110, 76), "0", fontsize=11, color=(1, 1, 1))
    page.insert_text((110 + pymupdf.get_text_length("0", fontsize=11), 76), "60.71 of them", fontsize=11)
    (one,) = find_paragraphs(read_pdf(document.tobytes()).pages)
    made = clean(one.lines, {})
    assert (made.text, made.text_raw) == ("About 60.71 of them", "About 060.71 of them")
