"""Pages of many lines, as engineering drawings have, are read in linear time: lines of code are counted."""

from functools import partial

import pymupdf
import pytest

from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from tests.support.counting import counted

_COLUMNS = 4
_LINEAR = 2.5
"""How many times what 2,000 lines need, 4,000 may need: 2 in linear time, 4 in quadratic time.

It is counted for each line of the code; the shape of a page, which decides what is asked of it, stays alike.
"""

KINDS = {
    "references": lambda n: (f"[{n + 1000}] A. B. Marrow, Lamps of Ona {n + 1000}, J. Lamps", 0, 0),
    "words with hyphens": lambda n: (f"exam-{n} well-", 0, 0),
    "scattered words": lambda n: (f"M{n % 37} {n}", n * 7919 % 90, n * 104729 % 7),
    "letters": lambda n: (chr(65 + n % 26), n * 7919 % 200, n * 104729 % 7),
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


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_a_page_of_twice_the_lines_takes_twice_the_work(kind):
    few, many = (crowded(kind, lines) for lines in (2_000, 4_000))
    _read(few)  # loads what is loaded once
    two, four = (counted(partial(_read, data)) for data in (few, many))
    grown = {
        place: (two[place], four[place])
        for place in four
        if place[0].endswith(".py") and four[place] > _LINEAR * two[place] + 1_000
    }
    assert grown == {}
