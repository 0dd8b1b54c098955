"""Lines to paragraphs: where they end, where they go on, and what runs in, one fixture for each defect of
real papers.
"""

import pytest

from pipeline.layout import find_paragraphs
from tests.support.pages import (
    FULL,
    column,
    joined,
    line,
    page,
    paragraph,
    ragged,
    run_in,
    stack,
    texts,
)


def indented(name, count=4):
    """A paragraph whose first line is indented."""
    first, *rest = paragraph(name, count)
    return [f" {first}", *rest]


# Indents and short lines


@pytest.mark.parametrize(
    ("begin", "end", "depth", "parted"),
    [
        ("Here", "full", 15.0, True),
        ("Here", "full", 19.0, False),  # not as deep as others
        ("here", "full", 15.0, False),
        ("Here", "fu-", 15.0, False),
    ],
)
def test_a_line_as_deep_as_first_lines_are_begins_a_paragraph_below_a_full_line(begin, end, depth, parted):
    lines = stack(
        indented("One"), indented("Two"), indented("Three"), [FULL, FULL, f"{FULL} {end}", FULL, FULL]
    )
    full, first = lines[14], lines[15]
    lines[14] = line(full.text, 50, full.y0, x1=280)
    lines[15] = line(f"{begin} {FULL}", 50 + depth, first.y0, x1=280)
    assert any(text.startswith(begin) for text in texts(page(*lines))) == parted


VERSE = [
    "Of the first frost and all the winter’s way,",
    "And of the lake that froze before the day",
    "Had come to those who listened on the shore,",
    "To hear it sing and then to hear no more.",
    "Who was it first that laid upon the snow",
    "An ear of glass to catch the sound below?",
    "The ice was thin; the tone was high and clear,",
    "And fell each night as winter’s heart drew near",
    "Until the thaw undid what cold had made.",
]


def test_verse_is_parted_by_its_stanzas_not_by_its_stops():
    first, second = ragged(*VERSE), ragged(*VERSE, y=100 + 12 * (len(VERSE) + 1))
    assert texts(page(*first, *second)) == [joined(*VERSE)] * 2


def test_a_justified_line_of_a_narrow_column_is_one_however_wide_its_spaces():
    wide = [
        [("every", 50, 75), ("person", 100, 130), ("has", 165, 180)],
        [("rights", 50, 80), ("which", 112, 137), ("stay", 160, 180)],
    ]
    lines = []
    for n in range(10):
        y = 100 + 12 * n
        parts = wide[n // 2 % 2] if n % 2 else [("some words that fill their line", 50, 180)]
        lines += [line(text, x, y, x1=x1) for text, x, x1 in parts]
    (found,) = texts(page(*lines))
    assert found.startswith("some words that fill their line every person has some words")


def test_the_list_of_references_below_does_not_make_the_text_hang():
    text = [paragraph("One"), indented("Two")]
    entries = [
        one
        for n in range(4)
        for one in (
            f"Author {n}, A. and B. wrote this in the year of 2001",
            f" {FULL}",
            f" {FULL}",
            " and on 1-9.",
        )
    ]
    found = texts(page(*stack(*text), *column(*entries, y=212)))
    assert found[:2] == [joined(*paragraph("One")), joined(*indented("Two"))]
    assert [one.split(",")[0] for one in found[2:]] == [f"Author {n}" for n in range(4)]


# Headings that run in


def parts(heads, **style):
    """A page of paragraphs that begin with words in another font."""
    lines = column(*paragraph("One", 8))
    for number, head in enumerate(heads):
        y = 210 + 60 * number
        lines += [
            *run_in(head, "We did what is done and", y=y, **style),
            *column(*paragraph("and", 3), y=y + 12),
        ]
    return page(*lines)


# Headings by themselves


def test_every_line_is_in_one_paragraph():
    one = parts(["Salt on walls.", "Tides at night."])
    words = [word for passage in find_paragraphs([one]) for line_ in passage.lines for word in line_.words]
    assert sorted(word.text for word in words) == sorted(
        word.text for line_ in one.lines for word in line_.words
    )
