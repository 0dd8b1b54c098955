"""Lines to paragraphs: where they end, where they go on, and what runs in, one fixture for each defect of
real papers.
"""

import pytest

from pipeline.layout import find_paragraphs
from tests.support.pages import (
    FULL,
    LEFT,
    RIGHT,
    column,
    full_lines,
    joined,
    line,
    page,
    paragraph,
    ragged,
    rule,
    run_in,
    stack,
    texts,
)


def indented(name, count=4):
    """A paragraph whose first line is indented."""
    first, *rest = paragraph(name, count)
    return [f" {first}", *rest]


def short_of(text, x1, y, **style):
    """A line that ends at `x1`."""
    return line(text, 50, y, x1=x1, **style)


# Indents and short lines


def test_an_unindented_line_below_a_short_one_goes_on_where_first_lines_are_indented():
    lines = stack(indented("One"), indented("Two"), indented("Three", 8))
    lines[10] = short_of("as they say in the books.", 200, lines[10].y0)
    lines[11] = short_of(f"Nothing begins here, {FULL}", 280, lines[11].y0)
    assert [text.split()[0] for text in texts(page(*lines))] == ["One", "Two", "Three"]


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


def test_sentences_of_one_short_line_each_are_no_verse():
    measured = [f"{word} is measured twice." for word in ("Height", "Weight", "Depth", "Heat", "Force")] * 2
    lines = ragged("A longer line that is wider than those of the sentences below.", *measured)
    assert [text.split(" ")[-2] for text in texts(page(*lines))] == ["measured"] * 10


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


def test_a_ragged_line_without_room_for_the_next_word_does_not_end_a_paragraph():
    text = ragged(
        "Lines are set ragged here, and are not stretched at all.",
        "What ends with a stop may go on below it.",
        "Notwithstanding this, a paragraph ends where the next",
        "word would have fitted. And it is so.",
        "So this is another, and it goes on for some while as",
        "one does, until it ends.",
    )
    assert [one.split()[0] for one in texts(page(*text))] == ["Lines", "So"]


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


def test_an_indented_paragraph_begins_below_the_last_item_of_a_list():
    text = stack(indented("One"), indented("Two", 6), indented("Three", 6))
    items = [
        line("1.", 60, 292, x1=68),
        line("an item that is long enough for two lines", 75, 292, x1=280),
        line("and ends.", 75, 304),
    ]
    after = [
        line(f"After {FULL}", 65, 316, x1=280),
        *full_lines(FULL, 2, y=328),
        short_of("and ends.", 100, 352),
    ]
    found = texts(page(*text, *items, *after))
    assert found[-1] == joined(f"After {FULL}", FULL, FULL, "and ends.")


# Paragraphs that go on


def test_a_paragraph_goes_on_over_a_footnote():
    note = line("* A note below the text, in smaller type.", 50, 700, size=7.0)
    left = [*full_lines(FULL, 8, **LEFT, y=600), note]
    right = column(*[FULL] * 3, "and there it ends.", **RIGHT, y=600)
    assert texts(page(*left, *right), kind="body") == [joined(*[FULL] * 11, "and there it ends.")]


@pytest.mark.parametrize(("begin", "count"), [("", 1), (" ", 2)])
def test_after_a_full_stop_in_a_full_line_a_paragraph_goes_on_unless_the_next_is_indented(begin, count):
    left = [*full_lines(f"One {FULL}", 7, **LEFT), short_of(f"{FULL}.", 290, 184)]
    right = column(f"{begin}Then it {FULL}", *[FULL] * 6, "and there it ends.", **RIGHT)
    assert len(texts(page(*left, *right), kind="body")) == count


@pytest.mark.parametrize(("begin", "count"), [("where c is", 1), ("Here c is", 2)])
def test_a_paragraph_goes_on_below_a_formula_if_it_does_so_in_lower_case(begin, count):
    formula = line("a = b + 2 c", 120, 205, x1=180)
    left = [
        *full_lines(f"One {FULL}", 8, **LEFT),
        formula,
        *column(f"{begin} {FULL}", *paragraph("two", 6), **LEFT, y=228),
    ]
    one = page(*left)
    assert texts(one, kind="formula") == ["a = b + 2 c"]
    assert len(texts(one, kind="body")) == count


def test_a_paragraph_goes_on_past_a_page_of_tables():
    left = [*full_lines(f"One {FULL}", 12, **LEFT)]
    cells = [line("12.3 4.5 6.7", 50, 100 + 20 * n, x1=120, page=2) for n in range(12)]
    rest = column(*[FULL] * 3, "and there it ends.", page=3, **LEFT)
    table = page(*cells, number=2, drawings=[rule(50, 550, y) for y in (90, 340)])
    assert texts(page(*left), table, page(*rest, number=3), kind="body") == [
        joined(*[f"One {FULL}"] * 12, *[FULL] * 3, "and there it ends.")
    ]


# Headings that run in


@pytest.mark.parametrize(
    "label", ["Background:", "Main outcome measures", "2.1. Cells.", "Funding:", "Acknowledgements"]
)
def test_a_usual_heading_runs_in(label):
    lines = [
        *column(*paragraph("One", 8)),
        *run_in(label, "We did what is done and", y=210),
        *column(*paragraph("and", 3), y=222),
    ]
    assert texts(page(*lines), kind="heading") == [label]


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


ITALIC = {"bold": False, "italic": True, "font": "Serif-Italic"}


@pytest.mark.parametrize("style", [{}, ITALIC], ids=["bold", "italic"])
def test_headings_of_ones_own_run_in_if_a_paper_has_several_alike(style):
    assert texts(parts(["Salt on walls.", "Tides at night."], **style), kind="heading") == [
        "Salt on walls.",
        "Tides at night.",
    ]
    assert texts(parts(["Salt on walls."], **style), kind="heading") == []


@pytest.mark.parametrize(
    "labels",
    [
        ["Theorem 2.1.", "Theorem 2.2."],
        ["Lemma 1 (Tides of spring).", "Lemma 2."],
        ["3.1. Definition.", "3.2. Remark."],
        ["Satz 4.", "Satz 5."],
        ["Proof.", "Proof (of the lemma)."],
    ],
)
@pytest.mark.parametrize("style", [{}, ITALIC], ids=["bold", "italic"])
def test_the_label_of_a_theorem_is_of_its_statement(labels, style):
    found = texts(parts(labels, **style))
    assert all(any(text.startswith(f"{label} We did") for text in found) for label in labels[1:])


def test_a_bold_word_within_a_sentence_is_no_heading():
    bold = {"bold": True, "font": "Serif-Bold"}
    lines = column(*paragraph("One", 8))
    for y in (210, 270):
        lines += [
            line("The salt.", 50, y, x1=95, **bold),
            line("is what we found here and", 99, y, x1=280),
            *column(*paragraph("and", 3), y=y + 12),
        ]
    assert texts(page(*lines), kind="heading") == []


# Headings by themselves


LEAD = line("Introduction", 50, 80, bold=True, font="Serif-Bold")


def test_a_heading_over_two_lines_is_one():
    bold = {"bold": True, "font": "Serif-Bold"}
    lines = [
        LEAD,
        *column(*paragraph("One", 8)),
        *ragged("Salt on the walls of a harbour that", "nobody has seen", y=216, **bold),
        *column(*paragraph("Two", 8), y=252),
    ]
    assert texts(page(*lines), kind="heading")[1:] == ["Salt on the walls of a harbour that nobody has seen"]


def test_every_line_is_in_one_paragraph():
    one = parts(["Salt on walls.", "Tides at night."])
    words = [word for passage in find_paragraphs([one]) for line_ in passage.lines for word in line_.words]
    assert sorted(word.text for word in words) == sorted(
        word.text for line_ in one.lines for word in line_.words
    )


def test_each_speech_of_a_play_is_a_paragraph_whose_lines_hang_below_its_name():
    said = [
        ["LANE. I did not think it right to listen,", " to what one hears."],
        ["ALGY. I am sorry for that."],
    ]
    speeches = [*said, ["LANE. Yes, sir."], ["ALGY. It is a great truth."], ["LANE. It is."]]
    lines = ragged(*(text for speech in speeches for text in speech))
    assert texts(page(*lines)) == [joined(*speech) for speech in speeches]


def test_an_entry_begins_with_the_number_after_the_last_though_the_line_above_is_full():
    said = [
        (f"{n}. Lee A, Fox B. What the tide leaves", f"on walls. J Tide 200{n % 9};4:1.") for n in (8, 9, 10)
    ]
    lines = column(*(text for entry in said for text in entry), "Salt.")[:6]
    found = texts(page(*lines))
    assert [text.split(".")[0] for text in found] == ["8", "9", "10"]
