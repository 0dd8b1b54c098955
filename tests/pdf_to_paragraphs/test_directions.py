"""Pages that run leftwards or downwards are laid out as those that run rightwards, and words keep their
places.
"""

from dataclasses import replace
from itertools import chain

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


def downwards(*lines_of_text, drawn):
    """A page of vertical writing: all of a line at once, or each character by itself, in a font that is level
    or vertical; 30 a line, from the right edge.
    """
    out = []
    for number, text in enumerate(lines_of_text):
        x = WIDTH - 60 - 16 * number
        first = 60 + 10 * (len(text) - len(text.lstrip()))
        chars = [one_char(c, x, first + 10 * at) for at, c in enumerate(text.strip())]
        for run in [chars] if drawn == "at once" else [[one] for one in chars]:
            said = "".join(word.text for word in run)
            word = run[0]._replace(text=said, y1=run[-1].y1)
            out.append(set_down(word, upright=drawn == "level"))
    return out


def one_char(char, x, y, size=10.0):
    return Word(char, x, y, x + size, y + size, size, "Mincho", bold=False, italic=False)


def set_down(word, *, upright):
    box = word.x0, word.y0, word.x1, word.y1
    return Line(1, *box, (word,), word.size, bold=False, upright=upright, baseline=0.0)


PARAGRAPHS = [[" " + HAN[:29], HAN[:30], HAN[3:12] + "。"], [" " + HAN[5:34], HAN[2:32], HAN[7:15] + "。"]]
"""The lines of two paragraphs."""


def whole(paragraphs):
    return ["".join(lines).strip() for lines in paragraphs]


def texts_without_spaces(lines, kind="body"):
    found = [one for one in find_paragraphs([page(*lines)]) if (one.kind == "furniture") != (kind == "body")]
    return ["".join(one.text.split()) for one in found]


@pytest.mark.parametrize("drawn", ["at once", "level", "vertical"])
def test_vertical_writing_is_read_downwards_from_the_right_edge(drawn):
    lines = downwards(*chain(*PARAGRAPHS), drawn=drawn)
    assert texts_without_spaces(lines) == whole(PARAGRAPHS)
    words = [word for one in find_paragraphs([page(*lines)]) for line in one.lines for word in line.words]
    assert all(word.y1 <= HEIGHT and word.x1 <= WIDTH for word in words)


def test_what_is_level_above_or_below_vertical_writing_is_furniture():
    lines = downwards(*chain(*PARAGRAPHS), drawn="vertical")
    head, number = line("人類社会", 60, 30, x1=100), line("71", 290, 740, x1=300)
    found = [*lines, head, number]
    assert texts_without_spaces(found) == whole(PARAGRAPHS)
    assert texts_without_spaces(found, "furniture") == ["人類社会", "71"]


@pytest.mark.parametrize("drawn", ["at once", "level", "vertical"])
def test_readings_beside_characters_part_no_line(drawn):
    lines = downwards(*chain(*PARAGRAPHS), drawn=drawn)
    beside = WIDTH - 60 - 16 + 10.5
    readings = [one_char(c, beside, 80 + 5 * at, 5.0) for at, c in enumerate("ひととい")]
    word = readings[0]._replace(text="ひととい", y1=readings[-1].y1)
    lines.insert(len(lines) // 2, set_down(word, upright=False))
    assert texts_without_spaces(lines) == whole(PARAGRAPHS)
    assert texts_without_spaces(lines, "furniture") == ["ひととい"]
