"""Page labels: the PDF's own, else what the pages print."""

import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.pdf.page_numbers import counted, page_labels
from pipeline.pdf.reading import read_pdf


def pages(*edges, rules=(), foot=560):
    """Pages that print these lines at their foot, and text above; with the PDF's own label rules."""
    document = pymupdf.open()
    for lines in edges:
        page = document.new_page(width=400, height=600)
        page.insert_text((60, 300), "In 1998 the 12 masons raised the wall by 3 feet", fontsize=10)
        for number, line in enumerate(lines):
            page.insert_text((60, foot + 14 * number), line, fontsize=8)
    if rules:
        document.set_page_labels(list(rules))
    data = document.tobytes()
    document.close()
    return read_pdf(data).pages


def labels(*edges, rules=(), foot=560):
    return list(page_labels(pages(*edges, rules=rules, foot=foot)).values())


FROM_ONE = {"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 1}


def test_the_pdfs_own_labels_come_first():
    rules = [{"startpage": 0, "prefix": "e", "style": "D", "firstpagenum": 110}]
    assert labels(["1"], ["2"], ["3"], rules=rules) == ["e110", "e111", "e112"]


def test_labels_that_only_count_from_one_yield_to_the_printed_numbers():
    assert labels(["1650"], ["1651"], ["1652"], rules=[FROM_ONE]) == ["1650", "1651", "1652"]
    assert labels([], [], [], rules=[FROM_ONE]) == ["1", "2", "3"]


@pytest.mark.parametrize(
    "line",
    [
        "{}",
        "- {} -",
        "Page {} of 99",
        "{}/99",
        "{} Walls and Harbours, 2016, 10, 214-226",
        "Quill et al. Harbours 5 (2019) | {}",
    ],
)
def test_the_number_stands_at_either_end_of_a_line_at_the_edge(line):
    assert labels(*[[line.format(page)] for page in (87, 88, 89)]) == ["87", "88", "89"]


@pytest.mark.parametrize("style", ["r", "R", "a", "A"])
def test_labels_of_roman_numbers_and_letters_count(style):
    rule = {"startpage": 0, "prefix": "", "style": style, "firstpagenum": 1}
    expected = {"r": "i ii iii", "R": "I II III", "a": "a b c", "A": "A B C"}
    assert labels(["365"], ["366"], ["367"], rules=[rule]) == expected[style].split()


def test_a_page_between_or_before_those_that_show_a_number_is_counted():
    assert labels([], ["212"], [], ["214"], ["215"]) == ["211", "212", "213", "214", "215"]


def test_numbers_that_do_not_count_up_are_no_labels():
    assert labels(["2019"], ["2019"], ["2019"]) == [None, None, None]
    assert labels(["5"], ["9"], ["213"]) == [None, None, None]
    assert labels(["5"]) == [None]


@given(st.integers(1, 90000), st.integers(4, 40), st.data())
def test_labels_come_through_whatever_other_numbers_stand_there(first, count, data):
    """The pages' own number, which a quarter of them does not show, among constants and others: it is the
    label wherever it is shown.
    """
    hidden = data.draw(st.sets(st.integers(1, count), max_size=count // 4))
    others = st.lists(st.integers(0, 99999).map(str), max_size=2)
    numbers = {
        page: [*data.draw(others), "2019", *([str(first + page)] if page not in hidden else [])]
        for page in range(1, count + 1)
    }
    found = counted(numbers)
    assert all(label in (None, str(first + page)) for page, label in found.items())
    assert all(found[page] for page in found if page not in hidden)
