"""Features are columns of numbers, one for each line of a page; paragraphs carry labels with their rules."""

import numpy as np
import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.line_features import EM, FEATURES, OF_LINE, LineTable
from pipeline.layout.reading_order import TextColumn
from tests.support.pages import FULL, column, line, page, paragraph, stack


def table(*columns):
    of_page = [TextColumn(min(one.x0 for one in lines), 280.0, tuple(lines)) for lines in columns]
    return LineTable([of_page])


def test_each_feature_is_a_column_of_whole_numbers_with_one_for_each_line():
    lines = table(column(*paragraph("A")), column(*paragraph("B", 2), y=300))
    for name in (*FEATURES, *OF_LINE):
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


def labels(*lines):
    return [[(one.name, one.value) for one in found.labels] for found in find_paragraphs([page(*lines)])]


def test_paragraphs_say_by_which_rule_they_begin():
    lines = [*column(*paragraph("First")), *column(" " + FULL, FULL, "end.", y=148)]
    first, second = labels(*lines)
    assert ("begins a paragraph", "column") in first
    assert ("begins a paragraph", "indent") in second
    assert ("begins a paragraph", "white above") in labels(*lines, *column(*paragraph("C"), y=240))[2]
