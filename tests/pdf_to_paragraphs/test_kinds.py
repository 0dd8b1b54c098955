"""What a paragraph is: statements, captions, headings, references and running heads, one fixture for each
defect of real papers.
"""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.sections import sections
from tests.support.pages import (
    column,
    line,
    page,
    paragraph,
    run_in,
    texts,
)

BOLD = {"bold": True, "font": "Serif-Bold"}
TITLE = line("What the tide leaves upon the walls of a harbour", 50, 60, x1=500, size=18.0)
HEADING = line("Introduction", 50, 100, **BOLD)


def in_text(*lines):
    """A page of text with these lines between its paragraphs, from 240 to 560 points."""
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 8), y=600)
    return page(HEADING, *above, *lines, *below)


# References


def test_an_entry_keeps_the_words_in_bold_that_run_over_its_lines_and_its_link():
    title = line("what the tide leaves upon the walls of the whole", 60, 292, x1=280, size=8.0, **BOLD)
    first = run_in("Anchor A, Bell B:", "What is known of the north of", y=280, bold=False, font="Serif")
    first = [replace(one, size=8.0) for one in first]
    first[1] = replace(first[1], words=tuple(w._replace(bold=True) for w in first[1].words))
    last = line("harbour. Tides 2001; 4: 12-14.", 60, 304, x1=280, size=8.0)
    link = line("https://doi.org/10.1234/tides.4.12", 60, 316, size=8.0)
    others = [
        one
        for n in range(3)
        for one in column(
            "Cable C, Dock D: What is", "not known of it. Tides 1999.", x=60, y=328 + 24 * n, size=8.0
        )
    ]
    others = [replace(one, x0=50.0) if one.text.startswith("Cable") else one for one in others]
    lines = [line("References", 50, 250, **BOLD), *first, title, last, link, *others]
    one = page(HEADING, *column(*paragraph("Above", 8), y=120), *lines)
    assert texts(one, kind="reference")[0] == (
        "Anchor A, Bell B: What is known of the north of what the tide leaves upon the walls of the "
        "whole harbour. "
        "Tides 2001; 4: 12-14. https://doi.org/10.1234/tides.4.12"
    )


# Sections


def in_sections(*pages):
    return sections([(one, one.text) for one in find_paragraphs(pages)])


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("Walls and tides", None),
        ("2.1 Walls and tides", "2.1"),
        ("II. Walls and tides", "II"),
        ("3. Walls and tides", "3"),
    ],
)
def test_a_section_has_the_number_of_its_heading(heading, number):
    one = in_text(line(heading, 50, 300, **BOLD), *column(*paragraph("And", 8), y=320))
    assert (number, heading) in {(found.number, found.title) for found in in_sections(one)}
