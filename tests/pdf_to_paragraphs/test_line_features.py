"""Features are columns of numbers, one for each line of a page; paragraphs carry labels with their rules."""

import numpy as np
import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.line_features import EM, FEATURES, OF_LINE, LineTable, of_line
from pipeline.layout.paragraph_features import OF_PARAGRAPH, of_paragraph
from pipeline.layout.printed_paragraph import PrintedParagraph
from pipeline.layout.reading_order import TextColumn
from tests.support.pages import FULL, column, line, page, paragraph, stack


def table(*columns):
    of_page = [TextColumn(min(one.x0 for one in lines), 280.0, tuple(lines)) for lines in columns]
    return LineTable([of_page])


def test_each_feature_is_a_column_of_whole_numbers_with_one_for_each_line():
    lines = table(column(*paragraph("A")), column(*paragraph("B", 2), y=300))
    for name in FEATURES:
        assert lines[name].dtype == np.int64
        assert lines[name].shape == (6,)


@pytest.mark.parametrize(
    ("feature", "expected"),
    [
        ("indent", [0, 1.5 * EM, 0]),
        ("shift", [0, 1.5 * EM, -1.5 * EM]),
        ("room", [0, 0, 18 * EM]),
        ("finished", [0, 0, 1]),
        ("item", [0, 1, 0]),
        ("small", [1, 0, 0]),
    ],
)
def test_lengths_are_in_64ths_of_an_em(feature, expected):
    lines = column(FULL, " (a) a full line", "Ends.", x1=280.0)
    lines[-1] = line("Ends.", 50.0, 124.0, x1=100.0)
    assert table(lines)[feature].tolist() == expected


def test_the_first_line_of_a_column_has_none_above():
    lines = table(column(*paragraph("A")), column(*paragraph("B"), x=310, x1=540))
    assert lines.ems(lines.step).tolist() == [0, 77, 77, 77] * 2
    assert not lines["size change"][[0, 4]].any()


def test_widths_of_fonts_without_size_are_no_division_by_zero():
    assert np.isfinite(table([line("unseen", size=0.0, x1=90.0)])["room"]).all()


def test_what_a_line_is_by_itself_is_found_once_and_kept_with_it(monkeypatch):
    asked = []
    monkeypatch.setitem(OF_LINE, "length", None)

    @of_line("length")
    def length(one):
        asked.append(one.text)
        return len(one.text)

    lines = [line("one"), line("three")]
    assert [length(one) for one in lines * 2] == [3, 5, 3, 5]
    assert asked == ["one", "three"]


@pytest.mark.parametrize("mark", ["", "(a)"])
def test_all_steps_read_what_is_known_of_a_line(mark):
    lines = stack(paragraph("Above", 9), paragraph("Below", 9))
    heading = line("Introduction", 50, 60, bold=True, font="Serif-Bold")
    lines[9].known["item"] = mark
    found = find_paragraphs([page(heading, *lines)])
    assert all(
        {"item", "finished", "caption", "note mark"} <= one.known.keys() <= OF_LINE.keys() for one in lines
    )
    assert ("list" in [one.kind for one in found]) == (mark != "")


def test_what_a_paragraph_says_is_found_once_and_kept_with_it(monkeypatch):
    asked = []
    monkeypatch.setitem(OF_PARAGRAPH, "length", None)

    @of_paragraph("length")
    def length(one):
        asked.append(one.text)
        return len(one.text)

    said = PrintedParagraph("", (line("one"), line("three")))
    assert [length(said), length(said.of_kind("body", "no other"))] == [9, 9]
    assert length(said.followed_by(said)) == 19
    assert asked == ["one three", "one three one three"]


def labels(*lines):
    return [[(one.name, one.value) for one in found.labels] for found in find_paragraphs([page(*lines)])]


def test_paragraphs_say_by_which_rule_they_begin():
    lines = [*column(*paragraph("First")), *column(" " + FULL, FULL, "end.", y=148)]
    first, second = labels(*lines)
    assert ("begins a paragraph", "column") in first
    assert ("begins a paragraph", "indent") in second
    assert ("begins a paragraph", "white above") in labels(*lines, *column(*paragraph("C"), y=240))[2]


def test_marks_are_labels_of_the_lines_that_begin_with_them():
    (note,) = [
        one
        for found in find_paragraphs([page(*column("Fig. 2. A figure", "whose (b) part is right."))])
        for one in found.labels
        if one.name == "caption mark"
    ]
    assert note == ("caption mark", "Fig. 2", "captions", 0)


def test_both_halves_of_a_paragraph_keep_their_labels():
    left = column(*[FULL] * 20)
    left[-1] = line(FULL + " wi", 50.0, 328.0, x1=280.0)
    right = column("small letters go on", FULL, "• and end.", x=310, x1=540)
    (found,) = (one for one in find_paragraphs([page(*left, *right)]) if one.kind == "body")
    assert len(found.lines) == 23
    begins = [(one.value, one.line) for one in found.labels if one.name == "begins a paragraph"]
    assert begins == [("column", 0), ("column", 20)]


@pytest.mark.parametrize(("number", "level"), [("2.", "1"), ("2.1.", "2"), ("2.1.3", "3")])
def test_headings_have_the_level_of_their_numbers(number, level):
    heading = line(f"{number} Cells", 50.0, 100.0, bold=True, font="Serif-Bold")
    found = labels(*column(*paragraph("Above", 3)), heading, *column(*paragraph("Below"), y=124))
    assert ("heading level", level) in found[1]
    assert "heading level" not in dict(labels(*column(f"{number} Smith A. A text. 2012.", FULL, "end."))[0])


def test_the_label_of_a_kind_names_the_step_that_gave_it_before_kinds():
    text = column("Abstract—What the tide leaves", *paragraph("is salt", 30), y=80)
    found = find_paragraphs([page(*text, line("7", 160.0, 760.0))])
    given = {one.kind: one.labels[0] for one in found}
    assert given["furniture"] == ("kind", "furniture", "furniture", 0)
    assert given["heading"] == ("kind", "heading", "run_in", 0)
    assert given["body"] == ("kind", "body", "no other", 0)
