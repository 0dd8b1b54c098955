"""Sixty manuscripts as people write them: no wrong quotation is covered by an all-clear.

They are made by `tests/support/essays.py`: typed notes in four styles, single marks, Markdown and LaTeX,
notes of programs, submissions in PDF, records; a third of their quotations is wrong in a known way.
"""

from collections import Counter

import pytest

import lookup
from pagequote.check.locators import as_physical, as_printed, parse_locator
from tests.support.builds import build
from tests.support.essays import essays
from tests.support.invented_works import write_library
from tests.support.locator_forms import NO_PAGE, NOT_UNDERSTOOD, PAGES
from tests.support.measured import measured

LABELS = [(page, str(page + 213)) for page in range(1, 5)]
"""A paper whose four pages print 214 to 217."""

RIGHT, PAGE, WRONG = 215, 2, 299


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("harbour")
    bibliography = write_library(root / "pdfs")
    build([bibliography], root)
    with lookup.open(root / "corpus") as corpus:
        yield corpus


@pytest.fixture(scope="module")
def counted(library):
    every = {one.name: measured(library, one) for one in essays() if not one.name.endswith(".pdf")}
    return sum((one.counts for one in every.values()), Counter()), [
        f"{name}: {line}" for name, one in every.items() for line in one.lines
    ]


@pytest.mark.long
def test_each_wrong_quotation_is_an_error_or_named_as_not_judged(counted):
    counts, lines = counted
    assert counts["seen"] + counts["named"] > 200
    assert counts["blessed"] == counts["missed"] == counts["lost"] == 0, lines


@pytest.mark.long
def test_few_right_quotations_are_errors_or_not_judged(counted):
    counts, lines = counted
    right = counts["right"] + counts["unjudged"] + counts["false alarm"]
    assert counts["false alarm"] <= 0.03 * right, lines
    assert counts["unjudged"] <= 0.05 * right, lines


def test_hardly_anything_is_listed_that_is_no_quotation(counted):
    counts, lines = counted
    assert counts["decoy"] <= 0.02 * counts["listed"], lines


def _read(form, page):
    written = form.format(*[page] * 3, next=page + 1, short=str(page + 1)[-1])
    source = f"[@key, {written}]"
    locator = parse_locator(source, 7, len(source) - 1)
    assert locator is None or source[locator.start : locator.end] == locator.text
    return locator


@pytest.mark.parametrize("form", PAGES)
def test_a_page_is_read_in_every_form_and_a_wrong_one_is_no_right_one(form):
    right, wrong = _read(form, RIGHT), _read(form, WRONG)
    assert PAGE in as_physical(right, LABELS) | as_printed(right, LABELS)
    assert wrong.understood
    assert PAGE not in as_physical(wrong, LABELS) | as_printed(wrong, LABELS)


@pytest.mark.parametrize("form", NO_PAGE)
def test_a_place_that_is_no_page_is_none(form):
    assert _read(form, RIGHT) is None


@pytest.mark.parametrize("form", NOT_UNDERSTOOD)
def test_a_number_in_no_known_form_is_not_understood_or_no_page_of_the_paper(form):
    locator = _read(form, RIGHT)
    assert locator is not None
    assert not locator.understood or not as_physical(locator, LABELS) | as_printed(locator, LABELS)
