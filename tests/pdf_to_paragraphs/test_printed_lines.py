"""Fragments to printed lines: what justifying, gutters, marks and equations do to them, one fixture for each
defect of real papers.
"""

from dataclasses import replace

import pytest

from tests.support.pages import ACROSS, full_lines, line, merge_fragments


def drawn(fragments):
    return sorted(one.text for one in merge_fragments(fragments))


def columns(gutter, count=6, y=100.0):
    """Two columns of full lines with a gutter of so many points between them."""
    left = full_lines("left", count, x=50, x1=290, y=y)
    return left, full_lines("right", count, x=290 + gutter, x1=530 + gutter, y=y)


def test_scattered_words_of_a_justified_line_are_one_line_that_ends_at_the_gutter():
    left, right = columns(10)
    left[2:3] = [
        line("scattered", 50, 124, x1=100),
        line("over", 125, 124, x1=150),
        line("the", 180, 124, x1=200),
        line("line", 230, 124, x1=290),
    ]
    assert drawn([*left, *right]) == ["left"] * 5 + ["right"] * 6 + ["scattered over the line"]


def test_a_gutter_of_nine_points_is_no_space_in_type_of_ten():
    left, right = columns(9)
    assert drawn([*left, *right]) == ["left"] * 6 + ["right"] * 6


@pytest.mark.parametrize("y", [80.0, 180.0])
def test_the_rows_next_to_a_line_across_both_columns_stay_parted(y):
    left, right = columns(9)
    wide = full_lines("across both of the columns", 2, y=y - 12 * (y < 100), **ACROSS)
    assert len(merge_fragments([*wide, *left, *right])) == 14


def test_rivers_of_white_through_three_lines_are_no_gutter():
    wide = [*full_lines("across", 5, **ACROSS), *full_lines("across", 5, y=196, **ACROSS)]
    rivers = [
        line(side, x, y, x1=x1)
        for y in (160, 172, 184)
        for side, x, x1 in (("one", 50, 290), ("line", 300, 550))
    ]
    assert drawn([*wide, *rivers]).count("one line") == 3


@pytest.mark.parametrize(("white", "count"), [(8.0, 1), (11.0, 1), (14.0, 2)])
def test_a_row_alone_is_one_line_if_its_parts_are_hardly_farther_apart_than_words(white, count):
    assert len(merge_fragments([line("Dose", 50, 100), line("Effect", 70 + white, 100)])) == count


def test_the_number_of_an_equation_at_the_gutter_does_not_pull_in_the_other_column():
    left, right = columns(10)
    left[2:3] = [line("a = b + c", 140, 124, x1=190), line("(3)", 275, 124, x1=290)]
    assert "(3)" in drawn([*left, *right])


@pytest.mark.parametrize("mark", ["•", "–", "{}.", "({})", "[{}]", "Fig. {}."])
def test_a_mark_apart_from_its_item_is_of_one_line_with_it(mark):
    items = [line("an item of the list that is long", 70, 100 + 12 * i, x1=290) for i in range(4)]
    marks = [line(mark.format(i + 1), 50, 100 + 12 * i, x1=55) for i in range(4)]
    assert drawn([*marks, *items]) == sorted(
        f"{mark.format(i + 1)} an item of the list that is long" for i in range(4)
    )


def test_pieces_of_a_word_that_a_font_parts_are_one_word():
    parts = [line("β", 50, 100, x1=55, font="Greek"), line("-carotene is", 55.5, 100, x1=110)]
    (made,) = merge_fragments(parts)
    assert [word.text for word in made.words] == ["β-carotene", "is"]


def test_what_stands_a_little_higher_is_not_of_the_row():
    parts = [line("upper", 50, 100, x1=75), line("lower", 80, 106, x1=105)]
    assert len(merge_fragments(parts)) == 2


def test_two_lines_that_overlap_in_height_are_not_one():
    above = line("what was found in all of the super-", 50, 100, x1=200)
    below = line("Protection of the coiled strands. They", 201, 104, x1=400)
    lines = [replace(above, baseline=107.8), replace(below, baseline=111.8)]
    assert drawn(lines) == sorted(one.text for one in lines)
    assert len(drawn([lines[0], replace(lines[1], baseline=107.8)])) == 1
    assert len(merge_fragments(lines, recognised=True)) == 1  # OCR is not sure of baselines


def test_a_ring_around_a_letter_is_no_part_of_its_line():
    ring, letter = line("O", 50, 98, x1=55.4), line("C The Author wrote all of it", 51.2, 100, x1=250)
    assert len(drawn([ring, letter])) == 2


# Words of two columns are no line

WOVEN = {
    "a pull quote set into a column": """
        50 100 10 180 who owned two of them would
        50 112 10 180 ask for it when the winter was
        50 124 10 180 over and nobody had the heart
        186 101 15 280 His brother never
        186 120 15 280 asked for it again
    """,
    "two lines of each column at the foot of a page": """
        50 100 10 540 a line of text that runs across both of the columns of the page
        50 112 10 540 another one that runs across both of the columns of the page
        50 140 10 280 the fog had come and which of
        50 152 10 280 over and the nets were dry again
        287 140 10 540 the boats were late that year was
        287 152 10 540 known to nobody but the pilots then
    """,
}
"""Lines as they are drawn: x, y, size, right edge, words."""


@pytest.mark.parametrize("drawing", WOVEN.values(), ids=WOVEN.keys())
def test_words_of_two_columns_are_never_woven_into_one_line(drawing):
    rows = [row.split(maxsplit=4) for row in drawing.strip().splitlines()]
    parts = [line(text, float(x), float(y), size=float(size), x1=float(x1)) for x, y, size, x1, text in rows]
    assert drawn(parts) == sorted(row[4] for row in rows)
