"""Words that are printed over one another are unknown; those whose boxes are wrong are not taken for them."""

from dataclasses import replace

import pytest

from lookup.text.folding import UNKNOWN
from pipeline.pdf import struck
from pipeline.pdf.struck import with_strokes
from tests.support.pages import line


def unknown(*lines):
    """The words of these lines of which nothing is known."""
    found = with_strokes(lines, (), (), is_ocr=False)
    return [word.text for one in found for word in one.words if UNKNOWN in word.printed]


@pytest.mark.parametrize(
    ("down", "changed"), [(0.0, ["never", "later"]), (1.0, ["never", "later"]), (12.0, [])]
)
def test_words_at_one_place_change_each_other(down, changed):
    over = replace(line("later", 50, 100 + down), baseline=down)
    assert unknown(line("never seen", 50, 100), over) == changed


def test_a_word_whose_box_is_as_wide_as_its_line_is_over_no_other():
    wrong = line("value and mean of them", 50, 100)
    first, *others = wrong.words
    assert unknown(replace(wrong, words=(first._replace(x1=others[-1].x1), *others))) == []


@pytest.mark.parametrize("count", [20, 200])
def test_words_of_one_baseline_are_compared_with_one_each(monkeypatch, count):
    compared = []
    monkeypatch.setattr(struck, "_is_over", lambda *pair: compared.append(pair))
    unknown(*(line("here", 50 + number, 100) for number in range(count)))
    assert len(compared) < count


@pytest.mark.parametrize("count", [20, 200])
def test_numbers_are_compared_with_the_marks_beside_them(monkeypatch, count):
    compared = []
    monkeypatch.setattr(struck, "_turns", lambda *pair: compared.append(pair))
    marks = [(50.0 + 8 * number, 104.0, 51.0 + 8 * number, 105.0) for number in range(count)]
    numbers = replace(line(" ".join(["45"] * count), 50, 100), baseline=108.0)
    with_strokes([numbers], (), marks, is_ocr=False)
    assert 0 < len(compared) < 8 * count
