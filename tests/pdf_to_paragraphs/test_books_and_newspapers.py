"""Verse, plays, dictionaries, notes of several paragraphs, newspapers, posters and slides."""

from pipeline.layout import find_paragraphs
from pipeline.layout.printed_paragraph import SPOKEN
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
