"""What the counts of tests/support/counting.py show: quadratic work is found, in code and in patterns."""

import re

import pytest

from tests.support.counting import CountingPattern, counted


def lines(text):
    return [sum(1 for other in text if other == one) for one in text]


def copies(text):
    for _ in text:
        text = text.replace("b", "c")


def of_pattern(pattern):
    return lambda text: list(CountingPattern(re.compile(pattern)).finditer(text))


def growth(work, text, units=24):
    one, two, four = (counted(lambda: work(text * units * times)) for times in (1, 2, 4))  # noqa: B023
    return max((four[place] - two[place]) / (two[place] - one[place] or 1) for place in four)


@pytest.mark.parametrize(
    ("work", "text"),
    [
        (lines, "a"),
        (copies, "a"),
        (of_pattern(r"\[[^\]]*+\]"), "["),
        (of_pattern(r"<!--.*?-->"), "<!--"),
        (of_pattern(r"(?:\w+\s)*+x"), "a "),
        (of_pattern(r"\s+x"), " "),
    ],
)
def test_quadratic_work_is_found(work, text):
    assert growth(work, text) > 2.5
