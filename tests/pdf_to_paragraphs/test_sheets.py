"""Pages of other shapes: two printed pages on a sheet, slides, boxes, and notes that are not at the foot."""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.pdf.page_numbers import page_labels
from pipeline.pdf.reading import Rectangle
from pipeline.pdf.sheets import find_sheets
from tests.support.pages import column, full_lines, joined, line, page, paragraph

OVER, UNDER = "Text that goes over the fold and fills its column", "and comes to its end there."


def sheet(number, left, right, *further, fold=(390.0, 460.0)):
    """A page of 850 by 600 points with two columns of twelve lines, each with its own number at the foot."""
    lines = [
        *full_lines(OVER, 12, x=60.0, x1=fold[0], page=number),
        *column(*[OVER] * 11, UNDER, x=fold[1], x1=790.0, page=number),
        line(str(left), 220.0, 560.0, size=8, page=number),
        line(str(right), 620.0, 560.0, size=8, page=number),
        *further,
    ]
    return replace(page(*lines, number=number), width=850.0, height=600.0)


SHEETS = (sheet(1, 12, 13), sheet(2, 14, 15), sheet(3, 16, 17))


def test_each_half_of_a_sheet_is_a_page_with_its_number():
    sheets = find_sheets(SHEETS)
    labels = page_labels(sheets.pages)
    assert [sheets.label(labels, one.number) for one in SHEETS] == ["12–13", "14–15", "16–17"]
    *left, _, right, _, _ = SHEETS[1].lines
    assert sheets.label(labels, 2, left[:12]) == "14"
    assert sheets.label(labels, 2, [right]) == "15"
    assert sheets.label(labels, 2, left) == "14–15"


def test_text_goes_over_the_fold_and_keeps_the_number_of_its_sheet():
    found = find_paragraphs(SHEETS)
    assert [one.text for one in found if one.kind == "body"] == [joined(*[OVER] * 23, UNDER)] * 3
    assert [one.page for one in found if one.kind == "body"] == [1, 2, 3]
    assert sorted(one.text for one in found if one.kind == "furniture") == [
        "12",
        "13",
        "14",
        "15",
        "16",
        "17",
    ]


@pytest.mark.parametrize(
    "pages",
    [
        [replace(one, width=600.0, height=850.0) for one in SHEETS],
        [sheet(n, 1, 2, fold=(415.0, 435.0)) for n in (1, 2, 3)],
        [sheet(n, 1, 2, line("a head over both", 60.0, 60.0, x1=790.0, page=n)) for n in (1, 2, 3)],
        [replace(one, lines=one.lines[8:12] + one.lines[20:]) for one in SHEETS],
        [SHEETS[0], page(*column(OVER, page=2), number=2)],
    ],
    ids=["upright", "columns", "head across", "few lines", "one of two"],
)
def test_other_pages_are_no_sheets(pages):
    assert find_sheets(pages).pages == pages


def slide(number, title, *points, foot="Harbour Board"):
    lines = [line(title, 40.0, 20.0, size=28, page=number)]
    lines += [
        line(f"• {point}", 40.0, 100.0 + 40 * at, size=18, page=number) for at, point in enumerate(points)
    ]
    lines += [
        line(foot, 40.0, 380.0, size=9, page=number),
        line(str(number), 680.0, 380.0, size=18, page=number),
    ]
    return replace(page(*lines, number=number), width=720.0, height=405.0)


BOX = Rectangle(295, 130, 560, 250)


def boxed_page():
    beside = [line(text, 50.0, 100.0 + 12 * at, x1=280.0) for at, text in enumerate([OVER] * 12)]
    below = [line(text, 50.0, 244.0 + 12 * at, x1=550.0) for at, text in enumerate([OVER, OVER])]
    last = line(UNDER, 50.0, 268.0)
    box = [
        line("About ice", 305.0, 140.0, size=9, bold=True),
        *column(*paragraph("Boxed", 4), x=305.0, x1=550.0, y=160.0, size=9),
    ]
    head = line("A heading of the text", 50.0, 70.0, size=14, bold=True)
    after = line("Another one", 50.0, 300.0, size=14, bold=True)
    rest = column(*paragraph("Rest", 9), x1=550.0, y=330.0)
    title = line("A title of the whole", 50.0, 30.0, size=20)
    return page(title, head, *beside, *box, *below, last, after, *rest, drawings=[BOX])


def test_text_goes_past_a_box_and_the_box_keeps_its_own():
    found = [(one.kind, one.text) for one in find_paragraphs([boxed_page()])]
    assert ("body", joined(*[OVER] * 14, UNDER)) in found
    assert ("heading", "About ice") in found
    assert ("body", joined(*paragraph("Boxed", 4))) in found
