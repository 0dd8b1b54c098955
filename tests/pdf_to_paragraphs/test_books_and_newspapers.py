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
    joined,
    kind_of,
    line,
    page,
    paragraph,
    ragged,
    rule,
    run_in,
    stack,
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


def test_a_colon_and_a_dash_end_a_paragraph():
    said = [f"“The pilot {FULL}", "and said to him:—", f"“‘Tom, {FULL}", "and so he did.’"]
    lines = column(*said, x1=280)
    lines[1] = line(said[1], 50, 112)
    assert texts(page(*lines)) == [joined(*said[:2]), joined(*said[2:])]


def test_the_rest_of_a_sentence_is_of_the_paragraph_that_breaks_off_not_of_a_short_one_below_it():
    broken = full_lines(f"There {FULL}", 6, y=100)
    short = line("Upham: Life, vol. 1 p. 260", 50, 196)
    below = column("and so it goes on.", *[f"Below {FULL}"] * 3, y=100, page=2)
    assert texts(page(*broken, short), page(*below, number=2))[1] == short.text


# Verse


def test_stanzas_are_paragraphs_though_the_white_between_them_is_small():
    lines = [one for y in (202, 254, 306) for one in ragged(*SONG, y=y, size=9.0)]
    assert texts(page(*PROSE, *lines))[1:] == [" ".join(SONG)] * 3


@pytest.mark.parametrize(("ends", "whole"), [("day,", True), ("day.", False)])
def test_a_poem_whose_sentences_go_on_over_empty_lines_is_one_paragraph(ends, whole):
    tercets = [
        (SONG[0], SONG[3], f"The pilot sang, and slept until the {end}") for end in ("day.", ends, ends)
    ]
    canto = [one for at, said in enumerate(tercets) for one in ragged(*said, y=100 + 48 * at, size=9.0)]
    below = ragged(SONG[2], SONG[3], y=100, size=9.0, page=2)
    found = texts(page(*canto), page(*below, number=2))
    assert len(found) == (1 if whole else 4)


def test_what_is_turned_over_from_a_line_of_verse_is_of_its_stanza():
    turned = [SONG[0], "The pilot sang, and slept until the mid-", "dle;", *SONG[2:]] * 3
    lines = [
        line(text, 80.0 if text == "dle;" else 50.0, 202 + 12 * at, size=9.0)
        for at, text in enumerate(turned)
    ]
    _, song = find_paragraphs([page(*PROSE, *lines)])
    assert (song.kind, song.rule, len(song.lines)) == ("body", SPOKEN, len(turned))


@pytest.mark.parametrize(("ends", "is_verse"), [(",", True), (".", False)])
def test_most_lines_of_verse_may_be_turned_over_and_entries_that_hang_are_none(ends, is_verse):
    long = [
        "The pilot sang of all the tides and slept until the",
        " middle of the day in harbours of the",
        " west",
    ]
    lines = ragged(*[*long[:2], long[2] + ends] * 6, y=202, size=9.0)
    _, *found = find_paragraphs([page(*PROSE, *lines)])
    assert [one.rule == SPOKEN for one in found] == ([True] if is_verse else [False] * 6)


def test_a_list_whose_lines_begin_with_capitals_and_end_without_marks_is_no_verse():
    names = ["Extract of the salt herbs", "Oil of the dune roses", "Juice of berries from walls", "Green tea"]
    assert SPOKEN not in {
        one.rule for one in find_paragraphs([page(*PROSE, *ragged(*names * 3, y=202, size=9.0))])
    }


# Plays and dictionaries


def test_speeches_are_text_and_go_on_on_the_next_page():
    hangs = ["LANE. I did not think it polite to listen,", " to what one hears in this house."]
    lines = ragged(*hangs, "ALGY. I am sorry for that.", *hangs, "ALGY. It is.", hangs[0], y=202)
    below = [line("nor to what one says.", 65, 100, page=2), *full_lines(f"There {FULL}", 6, y=130, page=2)]
    _, *speeches, _ = find_paragraphs([page(*PROSE, *lines), page(*below, number=2)])
    assert {one.kind for one in speeches} == {"body"}
    assert speeches[-1].text == f"{hangs[0]} nor to what one says."


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


def test_a_further_paragraph_of_an_entry_that_hangs_is_a_paragraph():
    entry = [f"TIDE, n. {FULL}", f" {FULL}", f" {FULL}", " and so on."]
    more = [" A pilot who slept", *[f" {FULL}"] * 2, " and woke."]
    said = [*entry, *more, f"WALL, n. {FULL}", f" {FULL}"]
    lines = [
        line(text.strip(), 50.0 + 15 * (text[0] == " "), 100 + 12 * at, x1=None if text[-1] == "." else 280)
        for at, text in enumerate(said)
    ]
    assert texts(page(*lines))[:2] == [joined(*entry), joined(*more)]


# Notes


@pytest.mark.parametrize("indent", [0, 15])
def test_a_note_may_have_several_paragraphs(indent):
    text = column(*paragraph("Above", 8), y=120)
    first = [raised("1", f" Look {FULL}", 600, x1=280, size=8.0), line("and ends.", 50, 610, size=8.0)]
    more = [line(f"They say {FULL}", 50 + indent, 620, x1=280, size=8.0), line("so.", 50, 630, size=8.0)]
    found = texts(page(*text, *first, *more, drawings=[rule(50, 130, 595)]), kind="footnote")
    assert [one[:8] for one in found] == ["1 Look a", "They say"]


def test_text_goes_on_below_a_quotation_in_a_note_as_a_paragraph():
    first = [raised("1", f" Look {FULL}", 560, x1=280, size=8.0), line("and ends.", 50, 570, size=8.0)]
    said = [
        line(text, 62, y, x1=x1, size=8.0)
        for text, y, x1 in [(f"“They say {FULL}", 582, 270), (FULL, 592, 270), ("and rest.”", 602, None)]
    ]
    rest = [line(f"There {FULL}", 50, 614, x1=280, size=8.0), line("as well.", 50, 624, size=8.0)]
    prose = stack(*(paragraph(f" {name}") for name in ("One", "Two", "Three")))
    found = texts(page(*prose, *first, *said, *rest, drawings=[rule(50, 130, 555)]), kind="footnote")
    assert found[-1].startswith("There")


def test_the_rest_of_a_note_may_begin_in_the_upper_half_of_a_page():
    drawn_above, drawn_below = rule(50, 130, 595), rule(50, 130, 245)
    first = [*column(*paragraph("Above", 8), y=120), raised("1", f" {FULL} and", 600, x1=280, size=8.0)]
    rest = column(*[FULL] * 20, "it ends.", y=250, page=2, size=8.0)
    second = page(*column(*paragraph("Below", 8), y=120, page=2), *rest, number=2, drawings=[drawn_below])
    (note,) = texts(page(*first, drawings=[drawn_above]), second, kind="footnote")
    assert note.endswith("it ends.")


def test_an_initial_below_a_note_begins_no_item_where_a_sentence_goes_on():
    note = raised("1", " Look here.", 600, size=8.0)
    above = page(*column(f"Text {FULL}", *[FULL] * 7, y=120)[:-1], note, drawings=[rule(50, 130, 595)])
    below = page(*column(f"M. Dumas {FULL}", *[FULL] * 6, "and so on.", y=100, page=2), number=2)
    assert kind_of("Text", above, below) == "body"
    assert "M. Dumas" in texts(above, below)[0]


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


def test_headings_larger_than_the_text_at_one_height_of_all_pages_are_no_furniture():
    pages = [
        page(
            line(name, 50, 30, page=number, size=16, bold=True, font="Serif-Bold"),
            *column(*paragraph(name, 20), y=90, page=number),
            number=number,
        )
        for number, name in enumerate(["Storms", "Rails", "Harvest", "Museums"], start=1)
    ]
    assert "furniture" not in {one.kind for one in find_paragraphs(pages)}


# Slides


def test_a_long_rule_below_columns_parts_two_stories_however_near_it_is():
    stories = []
    for name, y in (("Harbour", 100), ("Council", 290)):
        stories.append(line(name, 50, y, size=16, bold=True, font="Serif-Bold"))
        for at, x in enumerate((50, 220, 390)):
            stories += column(*paragraph(f"{name}{at}", 12), x=x, x1=x + 160, y=y + 24)
    found = texts(page(*stories, drawings=[rule(50, 550, 269)]))
    assert [text.split()[0] for text in found] == [
        name + end for name in ("Harbour", "Council") for end in ("", "0", "1", "2")
    ]


SLIDE = ["She can act on all of life", "Man selects for his own good", "Nature for that of what she tends"]


def test_a_number_in_a_ball_marks_an_item_of_a_slide():
    lines, balls = [], []
    for at, text in enumerate(SLIDE):
        y = 120 + 30 * at
        lines += [line(str(at + 1), 32, y + 2.5, size=5.0), line(text, 45, y), line("of all.", 45, y + 12)]
        balls.append(Rectangle(29, y + 1, 37, y + 9))
    found = texts(page(line("On selection", 30, 40, size=16), *lines, drawings=balls))
    assert [f"{text} of all." for text in SLIDE] == [text for text in found if text.endswith("of all.")]


def test_bars_at_the_edges_of_a_slide_hold_its_title_and_no_text():
    title, aside = line("On selection", 120, 30, size=16), line("Part 1", 10, 120, size=5)
    said = ragged(*(f"{text}, and that is all" for text in SLIDE), x=120, y=300)
    bars = [Rectangle(0, 0, 600, 80), Rectangle(0, 80, 90, 800)]
    found = {one.text: one.kind for one in find_paragraphs([page(title, aside, *said, drawings=bars)])}
    assert found["On selection"] != "furniture"
    assert [text for text, kind in found.items() if kind == "furniture"] == ["Part 1"]


def test_a_little_white_ends_a_paragraph_whose_last_line_had_room():
    whereas = [f"Whereas {FULL}", FULL, "of the sea,"]
    lines = [one for at in range(4) for one in column(*whereas, y=100 + 39 * at)]
    assert len(texts(page(*lines))) == len(lines) / len(whereas)


def test_dots_behind_a_question_are_of_a_table_of_contents():
    asked = [line(f"What did {FULL} say of it? " + ". " * 20 + str(n), 50, 100 + 12 * n) for n in range(1, 6)]
    assert {one.kind for one in find_paragraphs([page(*asked)])} <= {"furniture", "title"}
