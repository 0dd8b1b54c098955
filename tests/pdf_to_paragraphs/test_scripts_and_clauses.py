"""Dense scripts, clauses of contracts, notes that lead back to the text, and terms of manuals."""

from dataclasses import replace

import pytest

from pipeline.layout.captions import is_caption
from pipeline.layout.list_marks import counts_on
from pipeline.pdf.even_sizes import even_lines
from tests.support.cases import cases
from tests.support.pages import FULL, column, kinds, line, page, paragraph, run_in, texts

CASES = cases("pdf_to_paragraphs/scripts_and_clauses.toml")


# Dense scripts


def test_a_short_line_of_thai_ends_its_paragraph_though_the_next_words_have_no_spaces():
    thai = "โดยที่การยอมรับนับถือเกียรติศักดิ์ประจำตัวและสิทธิ"
    full, short = (line(thai[:letters], 50, 0, x1=50 + 5.0 * letters) for letters in (48, 25))
    lines = [full, full, short, full, full]
    at = [100, 112, 124, 139, 151]  # white of a quarter of a line is above the fourth
    moved = [line(one.text, 50, y, x1=one.x1) for one, y in zip(lines, at, strict=True)]
    assert len(texts(page(*moved))) == 2


def test_white_of_a_quarter_of_a_line_parts_paragraphs_of_thai_whose_last_lines_are_full():
    thai = "โดยที่การยอมรับนับถือเกียรติศักดิ์ประจำตัวและสิทธิ"
    at = [100, 112, 124, 139, 151, 163]
    assert len(texts(page(*(line(thai, 50, y, x1=290) for y in at)))) == 2
    assert len(texts(page(*(line(FULL, 50, y, x1=290) for y in at)))) == 1


# Clauses


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("12.2", "12.3", True),
        ("4.1.9", "4.1.10", True),
        ("(b)", "(c)", True),
        ("12.2", "13.3", False),
        ("12.2", "12.2.1", False),
        ("(b)", "(d)", False),
        ("1987", "1988", False),
    ],
)
def test_a_clause_counts_on_within_its_parent(before, after, expected):
    first = line(f"{before} of the harbour", 50)
    assert counts_on(line(f"{after} of the sea", 50, 112), first) is expected


# Sentences about figures


@pytest.mark.parametrize(
    "text",
    CASES["captions are known in many languages"],
)
def test_captions_are_known_in_many_languages(text):
    assert is_caption(text)


@pytest.mark.parametrize(
    "text",
    CASES["sentences about figures are no captions in any language"],
)
def test_sentences_about_figures_are_no_captions_in_any_language(text):
    assert not is_caption(text)


# Notes


def test_small_notes_with_a_number_on_the_line_are_known_by_its_twin():
    above = column(*paragraph("Above", 24)[:-1], "and no more.", y=120)
    word = above[-1].words[-1]
    raised = word._replace(text=f"{word.text}1", superscripts=(len(word.text), len(word.text) + 1))
    with_twin = [*above[:-1], replace(above[-1], words=(*above[-1].words[:-1], raised))]
    note = line("1. What a note says of the word above.", 62, 430, size=8.0)
    assert kinds(page(*with_twin, note))[-1][0] == "footnote"
    assert kinds(page(*above, note))[-1][0] != "footnote"


# Headings


BOLD = {"bold": True, "font": "Serif-Bold"}


def test_a_numbered_heading_is_not_cut_behind_the_initial_of_a_species():
    text = column(*paragraph("Above", 8), x1=500, y=100)
    head = run_in("3.4. Analysis of S.", "guaranitica leaves", y=212, x1=500, bold=False, font="Sans")
    below = column(*paragraph("Below", 8), x1=500, y=236)
    assert not [text for kind, text in kinds(page(*text, *head, *below)) if text == "3.4. Analysis of S."]


# Text layers of scans


def test_sizes_that_ocr_measured_are_those_of_the_text_its_notes_or_the_lines_around():
    measured = [8.0, 8.2, 7.8, 8.0, 10.2, 8.0, 8.0, 8.1, 8.0, 8.0, 6.2, 6.7, 6.4, 7.7, 6.4, 6.5]
    lines = [line(FULL, 50, 100 + 10 * at, x1=280, size=size) for at, size in enumerate(measured)]
    assert [one.size for one in even_lines(lines)] == [8.0] * 10 + [6.4] * 6
    heading = [line(FULL, 50, 100 + 12 * at, x1=280, size=size) for at, size in enumerate([8, 8, 11, 8, 8])]
    assert [one.size for one in even_lines(heading)] == [8.0, 8.0, 11.0, 8.0, 8.0]
