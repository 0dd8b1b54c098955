"""Pages as citations name them, in every call that takes a page."""

import pytest

from lookup.papers.locators import as_printed, pages_of, parse_locator

NIGHT = "lindqvist2019"
WORDS = "people prefer to work by day"

SHEETS = [(1, "216-217"), (2, "218–219"), (3, "220/21"), (4, "222")]
CHAPTERS = [(1, "3-1"), (2, "3-2"), (3, "3-3"), (4, "3-4")]


@pytest.mark.parametrize(
    ("name", "pages"),
    [
        ("216", [1]),
        ("217", [1]),
        ("216-217", [1]),
        ("p. 219", [2]),
        ("221", [3]),
        ("216-19", [1, 2]),
        ("pp. 218-22", [2, 3, 4]),
        ("4", [4]),
        ("230", []),
    ],
)
def test_each_number_of_a_sheet_of_two_pages_means_it(name, pages):
    assert pages_of(name, SHEETS) == pages


_LABELS = (
    "A-3",
    "iv",
    "S12",
    "e1002-4",
    "12a",
    "1.2",
    "C-IV",
    "3-1",
    "R47",
    "F-12",
    "1234.e5",
    "B–7",
    "003",
    "14A",
)


@pytest.mark.parametrize("form", ["{}", "p. {}", "p.~{}", "pp. {}"])
@pytest.mark.parametrize("label", _LABELS)
def test_what_a_page_prints_means_it_in_each_form_that_quotes_are_written_in(label, form):
    labels = [*enumerate(_LABELS, start=101)]
    name = form.format(label)
    page = _LABELS.index(label) + 101
    assert pages_of(name, labels) == [page]
    read = parse_locator(name, 0, len(name))
    assert read is not None
    assert as_printed(read, labels) == {page}


@pytest.mark.parametrize("name", ["page one", "six", "4.2.1", "chap. 4", "emphasis mine", ""])
def test_what_is_not_understood_means_no_page_that_is_known(name):
    assert pages_of(name, CHAPTERS) is None


@pytest.mark.parametrize("form", ["p. {}", "pp. {}-{next}", "page {}", "S. {}", "{}", "{}f.", "p.{}"])
def test_a_page_is_taken_as_a_citation_has_it(corpus, form):
    match = corpus.quote(NIGHT, WORDS).matches[0]
    name = form.format(match.page_label, next=int(match.page_label) + 1)
    assert corpus.verify(WORDS, NIGHT, name).page_is_right
    assert corpus.quote(NIGHT, WORDS, name).matches[0].page == match.page
    assert corpus.page_number(NIGHT, name) == match.page


def test_a_page_that_is_not_understood_is_said_and_not_called_wrong(corpus):
    found = corpus.verify(WORDS, NIGHT, "the sixth one")
    assert (found.verdict, found.page_is_right, found.page) == ("verbatim", None, "the sixth one")
    assert found.hint.startswith("The page 'the sixth one' was not understood, so it was not compared.")
    wrong = corpus.verify(WORDS, NIGHT, "p. 9999")
    assert (wrong.page_is_right, wrong.hint.startswith("Not on page p. 9999, but on page")) == (False, True)


def test_a_page_of_a_supplement_that_is_not_there_is_not_one_of_the_paper(corpus):
    assert corpus.verify(WORDS, NIGHT, "p. S1:1").page_is_right is None
