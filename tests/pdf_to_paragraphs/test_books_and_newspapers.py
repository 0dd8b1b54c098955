"""Verse, plays, dictionaries, notes of several paragraphs, newspapers, posters and slides."""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.printed_paragraph import SPOKEN
from pipeline.pdf.reading import Rectangle
from tests.support.pages import (
    FULL,
    column,
    full_lines,
    line,
    page,
    paragraph,
    ragged,
    rule,
    run_in,
    texts,
)

SONG = [
    "Of tides that rise and harbours that decay",
    "The pilot sang, and slept until the day;",
    "And nobody who heard him on the quay",
    "Remembered what he sang about the sea.",
]

PROSE = column(*paragraph("Above", 8), x1=450)


def raised(mark, text, y, **style):
    """A line that begins with a raised mark."""
    made = line(f"{mark}{text}", 50, y, **style)
    first = made.words[0]._replace(superscripts=(0, len(mark)))
    return replace(made, words=(first, *made.words[1:]))


# Verse


def test_stanzas_are_paragraphs_though_the_white_between_them_is_small():
    lines = [one for y in (202, 254, 306) for one in ragged(*SONG, y=y, size=9.0)]
    assert texts(page(*PROSE, *lines))[1:] == [" ".join(SONG)] * 3


def test_what_is_turned_over_from_a_line_of_verse_is_of_its_stanza():
    turned = [SONG[0], "The pilot sang, and slept until the mid-", "dle;", *SONG[2:]] * 3
    lines = [
        line(text, 80.0 if text == "dle;" else 50.0, 202 + 12 * at, size=9.0)
        for at, text in enumerate(turned)
    ]
    _, song = find_paragraphs([page(*PROSE, *lines)])
    assert (song.kind, song.rule, len(song.lines)) == ("body", SPOKEN, len(turned))


# Plays and dictionaries


def test_names_in_bold_before_speeches_are_no_headings_though_in_small_letters():
    said = [
        "Did you hear what I was playing here",
        "No; it was not right to listen at all",
        "Thank you so much",
    ]
    names = ["Algernon.", "Bracknell."] * 3
    lines = [
        part
        for at, name in enumerate(names)
        for part in run_in(name, f"{said[at % 3]}, sir.", y=220 + 12 * at)
    ]
    _, *speeches = find_paragraphs([page(*PROSE, *lines)])
    assert [(one.kind, one.rule) for one in speeches] == [("body", SPOKEN)] * len(names)
    assert speeches[1].text == f"Bracknell. {said[1]}, sir."


def test_an_entry_of_one_full_line_ends_where_the_next_begins():
    ale, birch, dice, elm = (f"{term}, n. {FULL}" for term in ("ALE", "BIRCH", "DICE", "ELM"))
    said = [f"{ale}.", birch, " and more.", f"{dice}.", elm, f" {FULL}", " and so on."]
    assert [text.split(",")[0] for text in texts(page(*column(*said)))] == ["ALE", "BIRCH", "DICE", "ELM"]


# Notes


@pytest.mark.parametrize("indent", [0, 15])
def test_a_note_may_have_several_paragraphs(indent):
    text = column(*paragraph("Above", 8), y=120)
    first = [raised("1", f" Look {FULL}", 600, x1=280, size=8.0), line("and ends.", 50, 610, size=8.0)]
    more = [line(f"They say {FULL}", 50 + indent, 620, x1=280, size=8.0), line("so.", 50, 630, size=8.0)]
    found = texts(page(*text, *first, *more, drawings=[rule(50, 130, 595)]), kind="footnote")
    assert [one[:8] for one in found] == ["1 Look a", "They say"]


# Newspapers, posters, manuals


def story(name, x, y):
    """A headline and below it two columns that are one paragraph."""
    left = full_lines(f"{name} {FULL}", 8, x=x, x1=x + 120, y=y + 20)
    right = column(*[FULL] * 7, f"of {name}.", x=x + 130, x1=x + 250, y=y + 20)
    return [line(name, x, y, size=14, bold=True, font="Serif-Bold"), *left, *right]


def test_stories_below_one_another_are_read_one_by_one_where_a_rule_parts_their_columns():
    stories = [story(name, 50, y) for name, y in (("Storm", 100), ("Rail", 240), ("Corn", 380))]
    drawings = [rule(50, 300, y) for y in (232, 372)]
    found = texts(page(*[one for lines in stories for one in lines], drawings=drawings))
    assert [one.split()[0] for one in found[::2]] == ["Storm", "Rail", "Corn"]
    assert all(one.endswith(f"of {one.split()[0]}.") for one in found[1::2])


# Slides


SLIDE = ["She can act on all of life", "Man selects for his own good", "Nature for that of what she tends"]


def test_a_number_in_a_ball_marks_an_item_of_a_slide():
    lines, balls = [], []
    for at, text in enumerate(SLIDE):
        y = 120 + 30 * at
        lines += [line(str(at + 1), 32, y + 2.5, size=5.0), line(text, 45, y), line("of all.", 45, y + 12)]
        balls.append(Rectangle(29, y + 1, 37, y + 9))
    found = texts(page(line("On selection", 30, 40, size=16), *lines, drawings=balls))
    assert [f"{text} of all." for text in SLIDE] == [text for text in found if text.endswith("of all.")]


def test_dots_behind_a_question_are_of_a_table_of_contents():
    asked = [line(f"What did {FULL} say of it? " + ". " * 20 + str(n), 50, 100 + 12 * n) for n in range(1, 6)]
    assert {one.kind for one in find_paragraphs([page(*asked)])} <= {"furniture", "title"}
