"""Pages that run leftwards or downwards are laid out as those that run rightwards, and words keep their
places.
"""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.direction import find_directions
from pipeline.pdf.reading import Line, Word
from tests.support.pages import HEIGHT, LEFT, RIGHT, WIDTH, column, line, page, paragraph

LETTERS = str.maketrans("abcdefghijklmnopqrstuvwxyz", "אבגדהוזחטיכלמנסעפצקרשתםןךף")
HAN = "人類社会のすべての構成員の固有の尊厳と平等で譲ることのできない権利とを承認する"


def reflected(one):
    """A line in Hebrew letters, on the page as it is seen in a mirror."""

    def mirrored(box):
        return {"x0": WIDTH - box.x1, "x1": WIDTH - box.x0}

    words = tuple(
        word._replace(text=word.text.lower().translate(LETTERS), **mirrored(word)) for word in one.words
    )
    return replace(one, **mirrored(one), words=words)


def texts(*lines):
    return [[one.text for one in found.lines] for found in find_paragraphs([page(*lines)])]


def hebrew(found):
    return [[text.lower().translate(LETTERS) for text in lines] for lines in found]


@pytest.mark.parametrize(
    "lines",
    [
        column(*(f" {text}" if text.startswith("One") else text for text in paragraph("One", 5)), first=0)
        + column(*(f" {text}" if text.startswith("Two") else text for text in paragraph("Two", 5)), first=5),
        column(*paragraph("One", 6), **LEFT) + column(*paragraph("Two", 6), **RIGHT),
    ],
    ids=["indents", "columns"],
)
def test_a_page_of_hebrew_has_the_paragraphs_of_its_reflection(lines):
    assert texts(*map(reflected, lines)) == hebrew(texts(*lines))


def test_words_of_a_reflected_page_keep_their_places():
    lines = [reflected(one) for one in column(*paragraph("One", 6))]
    found = [word for one in find_paragraphs([page(*lines)]) for line in one.lines for word in line.words]
    assert sorted(found) == sorted(word for line in lines for word in line.words)


@pytest.mark.parametrize(("flush", "directions"), [("left", {}), ("right", {1: "left"})])
def test_hebrew_is_read_from_the_side_on_which_its_lines_are_flush(flush, directions):
    ends = [500.0, 470.0, 510.0, 300.0, 480.0, 505.0, 495.0, 200.0]
    lines = [line("a line of some words", 50, 100 + 12 * n, x1=end) for n, end in enumerate(ends)]
    if flush == "left":
        hebrew_lines = [reflected(replace(one, x0=WIDTH - one.x1, x1=WIDTH - one.x0)) for one in lines]
    else:
        hebrew_lines = [reflected(one) for one in lines]
    found = find_directions([page(*hebrew_lines)])
    assert {number: direction.runs for number, direction in found.items()} == directions


def downwards(*lines_of_text, whole):
    """A page of vertical writing: characters by themselves, or all of a line; 30 a line, from the right
    edge.
    """
    out = []
    for number, text in enumerate(lines_of_text):
        x = WIDTH - 60 - 16 * number
        first = 60 + 10 * (len(text) - len(text.lstrip()))
        chars = [
            Word(
                c, x, first + 10 * at, x + 10, first + 10 * (at + 1), 10.0, "Mincho", bold=False, italic=False
            )
            for at, c in enumerate(text.strip())
        ]
        for run in [chars] if whole else [[one] for one in chars]:
            said = "".join(word.text for word in run)
            word = run[0]._replace(text=said, y1=run[-1].y1)
            out.append(
                Line(
                    1, x, word.y0, x + 10, word.y1, (word,), 10.0, bold=False, upright=not whole, baseline=0.0
                )
            )
    return out


@pytest.mark.parametrize("whole", [True, False], ids=["by the line", "by the character"])
def test_vertical_writing_is_read_downwards_from_the_right_edge(whole):
    first = [" " + HAN[:29], HAN[:30], HAN[3:12] + "。"]
    second = [" " + HAN[5:34], HAN[2:32], HAN[7:15] + "。"]
    lines = downwards(*first, *second, whole=whole)
    found = find_paragraphs([page(*lines)])
    assert ["".join(one.text.split()) for one in found] == ["".join(first).strip(), "".join(second).strip()]
    words = [word for one in found for line in one.lines for word in line.words]
    assert all(word.y1 <= HEIGHT and word.x1 <= WIDTH for word in words)
