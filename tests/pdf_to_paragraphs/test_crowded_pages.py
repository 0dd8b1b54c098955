"""Pages of many lines, as engineering drawings have, are read in linear time: lines of code are counted."""

from functools import partial

import pymupdf
import pytest

from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from tests.support.counting import counted

_COLUMNS = 8
_LINEAR = 2.5
"""How many times what 200 lines need more when they are doubled, 400 may need more when they are in turn.

It is 2 in linear time, 4 in quadratic time; for each line of the code.
"""

KINDS = {
    "references": lambda n: (f"[{n}] A. B. Marrow, The lamps of Ona {n}, J. Lamps", 0, 0),
    "words with hyphens": lambda n: (f"exam-{n} well-", 0, 0),
    "scattered words": lambda n: (f"M{n % 37} {n}", n * 7919 % 90, n * 104729 % 7),
}


def crowded(kind, lines):
    """A page of so many lines, in columns next to each other."""
    with pymupdf.open() as document:
        page = document.new_page(width=40 + 290 * _COLUMNS, height=120 + 12 * lines / _COLUMNS)
        writer, font = pymupdf.TextWriter(page.rect), pymupdf.Font("tiro")
        for number in range(lines):
            text, right, down = KINDS[kind](number)
            x, y = 40 + 290 * (number % _COLUMNS) + right, 60 + 12 * (number // _COLUMNS) + down
            writer.append((x, y), text, font=font, fontsize=8)
        writer.write_text(page)
        return document.tobytes()


def _read(data):
    find_paragraphs(read_pdf(data).pages)


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_twice_the_lines_takes_twice_the_work(kind):
    made = [crowded(kind, lines) for lines in (200, 400, 800)]
    _read(made[0])  # loads what is loaded once
    one, two, four = (counted(partial(_read, data)) for data in made)
    grown = {
        place: (one[place], two[place], four[place])
        for place in four
        if place[0].endswith(".py") and four[place] - two[place] > _LINEAR * (two[place] - one[place]) + 800
    }
    assert grown == {}
