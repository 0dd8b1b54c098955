"""Text that no reader sees is kept, but apart: hidden furniture at the end, and no part of a body
paragraph.
"""

import pymupdf
import pytest
import typst

from lookup.text.folding import UNKNOWN
from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from pipeline.pdf.visibility import _boxes
from tests.support.hidden_text import (
    AFTER,
    BEFORE,
    COVERED,
    HIDDEN,
    OVER,
    SECRET,
    SEEN,
    drawn,
    pdf_in_one_operation,
    pdf_with_secret,
)
from tests.support.pdfs import added


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


@pytest.mark.parametrize("how", COVERED)
@pytest.mark.parametrize("rotation", [0, 90])
def test_what_was_put_on_the_page_covers_its_text(how, rotation):
    document = pymupdf.open(stream=pdf_with_secret(COVERED[how][1]))
    document[0].set_rotation(rotation)
    *seen, last = paragraphs(document.tobytes())
    assert last == (True, "covered", SECRET)
    assert " ".join(text for hidden, _, text in seen if not hidden) == f"{BEFORE} {AFTER}"


def test_a_box_that_was_put_on_a_scan_covers_what_ocr_read_there():
    document = pymupdf.open(stream=pdf_with_secret(SEEN["a scan's, below the picture"]))
    page = document[0]
    grey = [bytes([255, 0][(x // 2 + y // 2) % 2] for x in range(595)) for y in range(842)]
    page.insert_image(page.rect, pixmap=pymupdf.Pixmap(pymupdf.csGRAY, 595, 842, b"".join(grey), 0))
    page.insert_text((72, 88), SECRET, fontsize=11, render_mode=3)
    assert not any(hidden for hidden, _, _ in paragraphs(document.tobytes()))
    COVERED["below a square"][1](page)
    assert (True, "covered") in [(hidden, kind) for hidden, kind, _ in paragraphs(document.tobytes())]


@pytest.mark.parametrize("how", SEEN)
def test_what_is_seen_is_text(how):
    found = paragraphs(pdf_with_secret(SEEN[how]))
    assert not any(hidden for hidden, _, _ in found)
    assert f"{BEFORE} {SECRET} {AFTER}" in " ".join(text for _, kind, text in found if kind != "furniture")


@pytest.mark.parametrize("made", [pdf_with_secret, pdf_in_one_operation])
def test_a_word_below_a_black_bar_is_hidden_alone(made):
    start, end = (72 + pymupdf.get_text_length(text, fontsize=11) for text in ("Whoever ", "Whoever reads"))

    def barred(page):
        if made is pdf_with_secret:
            SEEN["black"](page)
        page.draw_rect((start, 78.5, end, 91), color=None, fill=(0, 0, 0))

    assert [text for hidden, _, text in paragraphs(made(barred)) if hidden] == ["reads"]


def test_indices_above_one_another_are_no_words_over_words():
    document = pymupdf.open()
    page = document.new_page()
    pieces = (
        (72, 100, 11, "of the BH"),
        (114, 97, 7, "-"),
        (114, 103, 7, "4"),
        (120, 100, 11, "anion, by law"),
    )
    for x, y, size, text in pieces:
        page.insert_text((x, y), text, fontsize=size)
    assert UNKNOWN not in "".join(text for _, _, text in paragraphs(document.tobytes()))


def test_a_ligature_below_a_bar_is_hidden_with_its_word(tmp_path):
    source = tmp_path / "page.typ"
    source.write_text("Our first office flock offers fish.")
    document = pymupdf.open(stream=typst.compile(source))
    page = document[0]
    words = {word[4]: pymupdf.Rect(word[:4]) for word in page.get_text("words", flags=0)}
    for word in ("first", "office", "offers"):
        page.draw_rect(words[word], color=None, fill=(0, 0, 0))
    found = [(hidden, text) for hidden, _, text in paragraphs(document.tobytes())]
    assert found == [(False, "Our flock fish."), (True, "first office offers")]


def test_a_word_that_is_seen_in_part_prints_this_part():
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 76), "About", fontsize=11)
    page.insert_text((110, 76), "0", fontsize=11, color=(1, 1, 1))
    page.insert_text((110 + pymupdf.get_text_length("0", fontsize=11), 76), "60.71 of them", fontsize=11)
    (one,) = find_paragraphs(read_pdf(document.tobytes()).pages)
    made = clean(one.lines, {})
    assert (made.text, made.text_raw) == ("About 60.71 of them", "About 060.71 of them")


def test_notes_of_readers_and_fields_of_forms_stand_apart_from_the_text():
    def written(page):
        SEEN["black"](page)
        page.add_freetext_annot(pymupdf.Rect(60, 120, 300, 140), "Not credible.", fill_color=(1, 1, 1))
        page.add_stamp_annot(pymupdf.Rect(300, 300, 400, 330), stamp=0)
        field = pymupdf.Widget()
        field.rect, field.field_type = pymupdf.Rect(72, 200, 300, 220), pymupdf.mupdf.PDF_WIDGET_TYPE_TEXT
        field.field_name, field.field_value = "name", "Ada Lovelace"
        page.add_widget(field)

    *text, field, notes = paragraphs(pdf_with_secret(written))
    assert field == (False, "field", "Ada Lovelace")
    assert notes == (True, "note", "Not credible. APPROVED")
    assert " ".join(words for _, _, words in text) == f"{BEFORE} {SECRET} {AFTER}"


def test_text_that_is_struck_through_is_printed_but_apart():
    start, end = (
        72 + pymupdf.get_text_length(text, fontsize=11) for text in ("Whoever ", "Whoever reads this")
    )

    def struck(page):
        SEEN["black"](page)
        page.draw_line((start, 85), (end, 85), width=0.6)
        page.draw_line((72, 90), (end, 90), width=0.6)  # underlined

    *text, last = paragraphs(pdf_with_secret(struck))
    assert last == (False, "struck", "reads this")
    assert " ".join(words for _, _, words in text) == f"{BEFORE} {SECRET.replace('reads this ', '')} {AFTER}"


@pytest.mark.parametrize("how", ["crosses", "dashes", "a rule to the margin"])
def test_words_that_are_typed_over_or_below_a_rule_that_goes_on_are_struck(how):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 88), "It was of no use to", fontsize=11)
    page.insert_text((172, 88), "anybody", fontsize=11)
    page.insert_text((72, 102), AFTER, fontsize=11)
    if how == "a rule to the margin":
        page.draw_line((172, 85), (500, 85), width=0.6)
    else:
        page.insert_text((172, 88), "xxxxxxx" if how == "crosses" else "-----------", fontsize=11)
    assert ("struck", "anybody") in [(kind, words) for _, kind, words in paragraphs(document.tobytes())]


def test_a_rule_strikes_a_line_out_whose_spaces_are_wide():
    document = pymupdf.open()
    page = document.new_page()
    for x, words in ((72, "Whoever reads this"), (200, "by machine and by hand"), (350, "says no more.")):
        page.insert_text((x, 88), words, fontsize=11)
    page.insert_text((72, 100), AFTER, fontsize=11)
    page.draw_line((72, 85), (420, 85), width=0.6)
    (seen, struck) = paragraphs(document.tobytes())
    assert (seen[2], struck[1]) == (AFTER, "struck")


@pytest.mark.parametrize(
    ("said", "read"), [("on the pa-per", "on the pa-per"), ("on no paper", "on the paper")]
)
def test_what_a_pdf_says_instead_of_its_glyphs_counts_where_letters_agree(said, read):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_font("helv")
    drawn(f"/Span <</ActualText ({said})>> BDC BT /helv 11 Tf 72 700 Td (on the paper) Tj ET EMC")(page)
    (one,) = read_pdf(document.tobytes()).pages
    assert one.lines[0].text == read


def test_contents_that_are_a_picture_are_not_unpacked(monkeypatch):
    document = pymupdf.open()
    page = document.new_page()
    page.insert_text((72, 700), "on the paper")
    (text,) = page.get_contents()
    picture = added(document, "<</Filter /JBIG2Decode>>")
    document.xref_set_key(page.xref, "Contents", f"[{text} 0 R {picture} 0 R]")
    unpacked: list[int] = []
    read = pymupdf.Document.xref_stream

    def counted(document, xref):
        unpacked.append(xref)
        return read(document, xref)

    monkeypatch.setattr(pymupdf.Document, "xref_stream", counted)
    (one,) = read_pdf(document.tobytes()).pages
    assert one.lines[0].text == "on the paper"
    assert set(unpacked) == {text}


def test_a_quotation_mark_is_looked_for_above_the_box_of_a_font_that_is_wrong_about_its_height():
    """The mark stands from 92 to 95 on the baseline at 100, and its font says from 96 to 104."""
    box = (10.0, 96.0, 12.0, 104.0)
    span = {
        "chars": [{"c": "'", "origin": (10.0, 100.0), "bbox": box}],
        "size": 10.0,
        "origin": (10.0, 100.0),
        "bbox": box,
        "font": "Times",
    }
    for direction, found in (((1.0, 0.0), (10.3, 92.7, 11.7, 101.7)), ((0.0, 1.0), (10, 97.2, 12, 102.8))):
        assert _boxes(span, direction)[0] == pytest.approx(found)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_page_with_a_unit_of_its_own_is_drawn_where_its_text_is_read(rotation):
    document = pymupdf.open(stream=pdf_with_secret(COVERED["below a square"][1]))
    document.xref_set_key(document[0].xref, "UserUnit", "1.25")
    document[0].set_rotation(rotation)
    *seen, last = paragraphs(document.tobytes())
    assert last == (True, "covered", SECRET)
    assert " ".join(text for hidden, _, text in seen if not hidden) == f"{BEFORE} {AFTER}"
    (page,) = read_pdf(document.tobytes()).pages
    assert all(0 < x < page.width for line in page.lines for x in (line.x0, line.x1))
    assert all(0 < y < page.height for line in page.lines for y in (line.y0, line.y1))
