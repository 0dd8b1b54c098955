"""What a paper is: title, authors, year, DOI, venue and abstract of PDFs that the tests typeset, and nothing
that is not sure.
"""

import textwrap

import pymupdf
import pytest

from pipeline.extract import extract
from pipeline.libraries.entries import Metadata
from pipeline.metadata.assemble import statement
from pipeline.metadata.names import authors_of_line, authors_of_list, family_first
from tests.support.cases import cases

CASES = cases("pdf_to_paragraphs/metadata.toml")

TITLE = ["The slow tides of the inner harbour and what they", "leave upon its walls"]
WHOLE = " ".join(TITLE)
TEXT = "The harbour is older than the town, and its walls were raised three times. " * 6
ABSTRACT = (
    "Tides leave salt upon the walls of a harbour, and nobody knows how much of it stays there. We weighed "
    "the salt of nine "
    "winters on each of the walls of the inner harbour. It was less than the masons say."
)


def lines(text, y, *, size=10, x=60):
    """The text as lines of a paragraph, at most 78 characters each."""
    return [(x, y + 12 * number, size, line) for number, line in enumerate(textwrap.wrap(text, 78))]


def paper(
    *pieces, title=TITLE, authors=("Mara Quill1, Ivo T. Brandt2* and Ana de la Cruz1",), xmp="", **information
):
    """A PDF of one page: `pieces` are (x, y, size, text) beside a title at 18 points, the lines of authors at
    11, and text below.
    """
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    for number, line in enumerate(title):
        page.insert_text((60, 120 + 22 * number), line, fontsize=18)
    for number, line in enumerate(authors):
        page.insert_text((60, 180 + 14 * number), line, fontsize=11)
    for x, y, size, text in pieces:
        page.insert_text((x, y), text, fontsize=size)
    page.insert_text((60, 470), "1. Introduction", fontsize=12)
    page.insert_textbox((60, 480, 535, 760), TEXT * 3, fontsize=10)
    if xmp:
        document.set_xml_metadata(xmp)
    data = document.tobytes()
    document.close()
    return data


def metadata(*pieces, **options):
    """What the extraction of such a paper says."""
    return Metadata(**extract(paper(*pieces, **options)).column("metadata")[0].as_py())


def packet(**values):
    """An XMP packet with these elements; a tuple is a list."""
    elements = []
    for name, value in values.items():
        items = "".join(f"<rdf:li>{item}</rdf:li>" for item in value) if isinstance(value, tuple) else value
        tag = name.replace("_", ":", 1)
        inner = f"<rdf:Seq>{items}</rdf:Seq>" if isinstance(value, tuple) else items
        elements.append(f"<{tag}>{inner}</{tag}>")
    return f"<x:xmpmeta><rdf:RDF><rdf:Description>{''.join(elements)}</rdf:Description></rdf:RDF></x:xmpmeta>"


# Title


def test_the_largest_lines_above_the_authors_are_the_title():
    assert metadata((60, 60, 9, "RESEARCH ARTICLE")).title == WHOLE


def test_a_journals_name_set_larger_is_not_the_title():
    assert metadata((60, 70, 24, "Journal of Walls and Harbours")).title == WHOLE


@pytest.mark.parametrize(
    "stated", ["Microsoft Word - walls_final3.docx", "untitled", "HBR_A_1207 11..19", "walls.dvi"]
)
def test_a_file_name_in_the_information_is_not_the_title(stated):
    assert metadata(xmp=packet(dc_title=(stated,))).title == WHOLE


def test_a_page_of_text_alone_has_no_title_and_no_authors():
    found = metadata(title=[], authors=())
    assert (found.title, found.authors, found.doi, found.year, found.abstract) == (None, (), None, None, None)


# Authors


def test_authors_are_printed_below_the_title_with_marks_that_are_not_theirs():
    assert metadata().authors == ("Quill, Mara", "Brandt, Ivo T.", "de la Cruz, Ana")


@pytest.mark.parametrize("line", ["Rising Prices", "Pierre Brandt"])
def test_two_words_that_may_be_a_headline_are_no_author(line):
    assert metadata(authors=[line]).authors == ()
    assert metadata((60, 210, 9, "University of Eskmere"), authors=[f"{line}1"]).authors != ()


@pytest.mark.parametrize(
    ("line", "expected"),
    CASES["a line is read as authors only where it holds nothing else"],
)
def test_a_line_is_read_as_authors_only_where_it_holds_nothing_else(line, expected):
    assert list(authors_of_line(line)) == expected


def test_a_list_keeps_names_that_begin_with_the_family_name():
    assert authors_of_list(["Quill, Mara", "Brandt, Ivo"]) == ("Quill, Mara", "Brandt, Ivo")
    assert authors_of_list(["Mara Quill, Ivo Brandt, and Lea Sund"]) == (
        "Quill, Mara",
        "Brandt, Ivo",
        "Sund, Lea",
    )
    assert authors_of_list(["user1"]) == ()
    assert family_first("Rao T. K.") == "Rao, T. K."


# DOI


def test_a_printed_doi_is_the_papers():
    assert metadata((60, 800, 8, "https://doi.org/10.5555/Walls.2019(3)7")).doi == "10.5555/walls.2019(3)7"


def test_a_cited_doi_is_not():
    note = "[1] Quill M. The walls. Harbours 2011;3:4. doi:10.5555/other.2011"
    assert metadata((60, 400, 8, note)).doi is None
    assert metadata((60, 400, 8, note), (60, 800, 8, "doi:10.5555/walls.2019")).doi == "10.5555/walls.2019"


# Year


@pytest.mark.parametrize(
    "line",
    CASES["the year is read from what prints it"],
)
def test_the_year_is_read_from_what_prints_it(line):
    assert metadata((60, 800, 8, line)).year == 2019


@pytest.mark.parametrize(
    "line",
    [
        "Received 2 May 2017; Accepted 3 June 2018",
        "as was shown before (Walls 1996, 14:1451)",
        "in the winter of 2004",
    ],
)
def test_other_years_are_not_that_of_the_paper(line):
    assert metadata((60, 400, 8, line)).year is None


# Venue


def test_no_venue_is_guessed_from_what_a_page_prints():
    assert metadata((60, 30, 8, "Walls and Harbours 2018, 25(6), 597-617")).venue is None


# Abstract


def test_the_abstract_stands_under_its_heading():
    assert metadata((60, 232, 12, "Abstract"), *lines(ABSTRACT, 250)).abstract == ABSTRACT


# What a PDF says of itself


def test_a_broken_packet_says_nothing():
    assert statement("<x:xmpmeta><dc:title><rdf:li>half a", {}) == statement("", {})
