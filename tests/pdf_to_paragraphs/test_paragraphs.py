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

LONG = "a line of running text that is broken before a long"
"""A ragged line that has no room for the word below it."""


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


def test_an_unindented_line_below_a_short_one_begins_a_paragraph_where_no_line_is_indented():
    assert texts(page(*stack(paragraph("One"), paragraph("Two")))) == [
        joined(*paragraph("One")),
        joined(*paragraph("Two")),
    ]


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


def test_consecutive_paragraphs_of_one_indented_line_are_parted():
    lines = stack(
        indented("One"), indented("Two"), [" A short one."], [" And another one."], indented("Three")
    )
    assert [text.split(" ")[0] for text in texts(page(*lines))] == ["One", "Two", "A", "And", "Three"]


def test_paragraphs_of_two_lines_are_no_hanging_entries_though_half_their_lines_are_indented():
    pairs = [(f" Entry{n} {FULL}", f"and some words of {n}") for n in range(5)]
    lines = [one for n, pair in enumerate(pairs) for one in column(*pair, first=2 * n)]
    assert [text.split(" ")[0] for text in texts(page(*lines))] == [f"Entry{n}" for n in range(5)]


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


def test_a_caption_wider_than_the_text_below_does_not_make_its_lines_look_short():
    caption = line("Figure 1. A caption that is set wider than the columns of text below it", 50, 80, x1=550)
    text = [f"One {FULL}", f"{FULL}.", f"And so on {FULL}", "until it ends."]
    below = [line(one, 55, 100 + 12 * i, x1=310 if i < 3 else 150) for i, one in enumerate(text)]
    assert joined(*text) in texts(page(caption, *below, *column(*paragraph("Two", 8), x=330, x1=550)))


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


def test_an_abstract_with_more_white_between_its_lines_is_one_paragraph():
    abstract = [line(f"Wide {FULL}", 50, 60 + 18 * i, x1=550) for i in range(6)]
    text = [*column(*paragraph("One", 30), **LEFT, y=190), *column(*paragraph("Two", 30), **RIGHT, y=190)]
    assert texts(page(*abstract, *text))[0] == joined(*[f"Wide {FULL}"] * 6)


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


def test_after_a_full_stop_in_a_short_line_a_paragraph_does_not_go_on():
    left = column(*[f"One {FULL}"] * 7, "and there it ends.", **LEFT)
    right = column(*paragraph("Two", 8), **RIGHT)
    assert len(texts(page(*left, *right), kind="body")) == 2


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


def test_a_paragraph_goes_on_in_lower_case_past_a_label_that_looks_like_a_heading():
    label = line("Results", 310, 100, bold=True, font="Serif-Bold")
    left = full_lines(f"One {FULL}", 12, **LEFT)
    right = column(*[FULL] * 3, "and there it ends.", **RIGHT, y=190)
    one = page(*left, label, *right)
    assert texts(one, kind="body") == [joined(*[f"One {FULL}"] * 12, *[FULL] * 3, "and there it ends.")]


def test_a_paragraph_goes_on_past_a_page_of_tables():
    left = [*full_lines(f"One {FULL}", 12, **LEFT)]
    cells = [line("12.3 4.5 6.7", 50, 100 + 20 * n, x1=120, page=2) for n in range(12)]
    rest = column(*[FULL] * 3, "and there it ends.", page=3, **LEFT)
    table = page(*cells, number=2, drawings=[rule(50, 550, y) for y in (90, 340)])
    assert texts(page(*left), table, page(*rest, number=3), kind="body") == [
        joined(*[f"One {FULL}"] * 12, *[FULL] * 3, "and there it ends.")
    ]


def test_the_rest_of_a_paragraph_goes_to_the_one_that_breaks_off_not_to_a_finished_one():
    left = [
        *full_lines(f"One {FULL}", 6, **LEFT),
        line("Interests", 50, 200, bold=True, font="Serif-Bold"),
        *column(*paragraph("None of us", 3), **LEFT, y=220),
    ]
    right = column(*[FULL] * 3, "and there it ends.", **RIGHT)
    found = texts(page(*left, *right), kind="body")
    assert found == [
        joined(*[f"One {FULL}"] * 6, *[FULL] * 3, "and there it ends."),
        joined(*paragraph("None of us", 3)),
    ]


def test_text_of_another_size_does_not_go_on():
    left = full_lines(f"One {FULL}", 8, **LEFT)
    right = column(*[FULL] * 3, "and there it ends.", **RIGHT, size=8.0)
    assert len(texts(page(*left, *right))) == 2


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


def test_usual_words_in_italics_without_a_stop_are_no_heading():
    lines = [
        *column(*paragraph("One", 8)),
        *run_in(
            "Disclosures", "We have nothing to say and", y=210, bold=False, font="Serif-Italic", italic=True
        ),
        *column(*paragraph("and", 3), y=222),
    ]
    assert texts(page(*lines), kind="heading") == []


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


def styled(y, x1, *runs):
    """A line of runs, each of its text and how it is set, that fill it up to `x1`."""
    out, x = [], 50.0
    for text, style in runs:
        end = min(x1, x + 4.0 * len(text))
        out.append(line(text, x, y, x1=end, **style))
        x = end + 4.0
    return out


BOLD = {"bold": True, "font": "Serif-Bold"}


@pytest.mark.parametrize("style", [BOLD, ITALIC], ids=["bold", "italic"])
def test_a_heading_that_runs_in_may_name_a_species(style):
    other = {**style, "italic": True, "font": "Serif-BoldItalic"}
    lines = column(*paragraph("One", 8))
    for y in (210, 270):
        lines += [
            *styled(y, 280, ("Lethal time in", style), ("T. molitor.", other), ("Beetles were kept and", {})),
            *column(*paragraph("and", 3), y=y + 12),
        ]
    assert texts(page(*lines), kind="heading") == ["Lethal time in T. molitor."] * 2


def test_a_numbered_heading_that_runs_in_ends_at_its_stop():
    lines = [
        *column(*paragraph("One", 8)),
        *styled(210, 280, ("3.1.2. Mentha genus. Mentha", ITALIC), ("is a genus of", {})),
        *column(*paragraph("and", 3), y=222),
        line("3.2. Other herbs", 50, 270, x1=130, **ITALIC),
        *styled(282, 280, ("3.2.1. Thyme and salt.", ITALIC), ("Thyme is what we", {})),
        *column(*paragraph("and", 3), y=294),
    ]
    found = ["3.1.2. Mentha genus.", "3.2. Other herbs", "3.2.1. Thyme and salt."]
    assert texts(page(*lines), kind="heading") == found


def test_labels_that_are_set_as_the_parts_of_an_abstract_are_headings():
    lines = column(*paragraph("One", 8))
    labels = ["Methods:", "Blinding (masking):", "Numbers (sample size):", "Keywords:"]
    for number, label in enumerate(labels):
        y = 210 + 60 * number
        lines += [*run_in(label, "We did what is done and", y=y), *column(*paragraph("and", 3), y=y + 12)]
    assert texts(page(*lines), kind="heading") == labels[:3]


def test_a_line_begins_with_each_role_of_the_authors():
    lines = [
        *column(*paragraph("One", 8)),
        line("Author contributions", 50, 220, x1=150, **BOLD),
        *styled(232, 250, ("Formal analysis:", BOLD), ("Ann B. Lee, Eve Fox.", {})),
        *styled(244, 250, ("Methodology:", BOLD), ("Eve Fox, Ann B. Lee.", {})),
        *styled(256, 250, ("Writing – original draft:", BOLD), ("Ann B. Lee.", {})),
    ]
    assert texts(page(*lines))[-3:] == [
        "Formal analysis: Ann B. Lee, Eve Fox.",
        "Methodology: Eve Fox, Ann B. Lee.",
        "Writing – original draft: Ann B. Lee.",
    ]


def test_initials_of_names_are_no_heading_that_runs_in():
    assert texts(parts(["Oyster M. K.", "Feng Y. J."]), kind="heading") == []


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


def test_a_heading_that_runs_in_over_two_lines_is_parted_within_the_second():
    italic = {"italic": True, "font": "Serif-Italic"}
    lines = column(*paragraph("One", 8))
    for y in (210, 270):
        lines += [
            line("Salt on the walls of a harbour as the tide", 50, y, x1=280, **italic),
            *run_in("leaves it.", "We found what we", y=y + 12, **ITALIC),
            *column(*paragraph("and", 2), y=y + 24),
        ]
    assert (
        texts(page(*lines), kind="heading") == ["Salt on the walls of a harbour as the tide leaves it."] * 2
    )


# Headings by themselves


LEAD = line("Introduction", 50, 80, bold=True, font="Serif-Bold")


def test_a_short_line_close_below_the_text_is_no_heading():
    lines = [
        LEAD,
        *column(*paragraph("One", 8)),
        line("Salt on the walls", 50, 196),
        *column(*paragraph("Two", 8), y=233),
    ]
    assert "Salt on the walls" not in texts(page(*lines), kind="heading")


def test_a_heading_in_capitals_is_parted_from_its_first_subheading():
    bold = {"bold": True, "font": "Serif-Bold"}
    lines = [
        LEAD,
        *column(*paragraph("One", 8)),
        *ragged("WALLS AND TIDES", "Salt on the walls", y=216, **bold),
        *column(*paragraph("Two", 8), y=252),
    ]
    assert texts(page(*lines), kind="heading")[1:] == ["WALLS AND TIDES", "Salt on the walls"]


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


def test_lines_of_hangul_that_begin_with_a_stop_are_no_speeches():
    korean = [f"{verb} 설치 메뉴를 고르고 나서 값을 바꿔야 " for verb in ("합니다.", "됩니다.")] * 4
    assert len(texts(page(*column(*korean, "끝입니다.")))) == 1


def test_an_entry_begins_with_the_number_after_the_last_though_the_line_above_is_full():
    said = [
        (f"{n}. Lee A, Fox B. What the tide leaves", f"on walls. J Tide 200{n % 9};4:1.") for n in (8, 9, 10)
    ]
    lines = column(*(text for entry in said for text in entry), "Salt.")[:6]
    found = texts(page(*lines))
    assert [text.split(".")[0] for text in found] == ["8", "9", "10"]


def test_a_numbered_title_in_italics_may_fill_its_column_above_an_indented_line():
    head = line("F. What the tide leaves upon the walls", 50, 100, x1=280, font="Serif-Italic", italic=True)
    found = texts(page(head, *column(*indented("One", 6), y=112), *column(*indented("Two", 6), y=184)))
    assert found[0] == head.text


@pytest.mark.parametrize(("begin", "apart"), [("Theorem 2.1. Let", True), ("Theorem 2.1 of", False)])
def test_a_theorem_begins_a_paragraph_though_it_is_not_indented(begin, apart):
    text = column(
        *indented("One"), "it ends at last.", f"{begin} {FULL}", *indented("Two"), *indented("Three")
    )
    assert any(one.startswith("Theorem") for one in texts(page(*text), kind="body")) == apart
