"""What manuals and preprints print: listings in boxes, glossaries, notices, pull quotes, tables of sentences,
centred headings, short titles, and formulas whose parts stand beside their lines.
"""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import Rectangle
from tests.support.pages import FULL, column, full_lines, line, page, paragraph, rule, texts


def kinds(*pages):
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


def around(*lines, drawings=(), y=260):
    """The kinds of what stands between two paragraphs."""
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 20), y=y)
    return kinds(page(*above, *lines, *below, drawings=drawings))[1:-1]


def with_word(made, place, text, **style):
    """A line with another word at a place among its words, as wide as the gap that it stands in."""
    words = list(made.words)
    words[place] = words[place]._replace(text=text, **style)
    return replace(made, words=tuple(words))


# Listings


def test_a_notice_that_names_files_is_no_code():
    lines = [
        line("Write to /tide/wall and never to /tide/quay for as long", 58, 226, x1=272),
        line("as the pilot of /tide/harbour has not yet been there, or", 58, 238, x1=272),
        line("the whole of /tide is lost.", 58, 250),
    ]
    assert "code" not in dict(around(*lines, drawings=[Rectangle(50, 218, 280, 266)], y=300))


def test_a_formula_in_a_box_is_no_code():
    box = Rectangle(50, 218, 280, 246)
    assert "code" not in dict(around(line("a = b + c", 100, 226), drawings=[box], y=300))


# Glossaries


def term(name, rest, y, x1=280.0):
    """A line that begins with a term in bold."""
    made = line(f"{name} {rest}", 50, y, x1=x1)
    return with_word(made, 0, name, font="Serif-Bold", bold=True)


# Options of programs: tags in the margin, or terms above what explains them


TAGS = [("-a", "all of the boats are listed here"), ("-b", "boats with two masts"), ("-c", "as -b, by name")]


def test_wide_spaces_of_justified_lines_are_no_tags():
    lines = [line("It is so", 50, 220 + 12 * at, x1=280) for at in range(4)]
    spaced = [
        replace(
            one,
            words=tuple(
                word._replace(x0=50 + 80 * at, x1=80 + 80 * at + (20 if at == 2 else 0))
                for at, word in enumerate(one.words)
            ),
        )
        for one in lines
    ]
    assert around(*spaced, y=290) == [("body", " ".join(["It is so"] * 4))]


def terms(*explained, first=220):
    """Terms in bold, and below each, set in, what explains it."""
    return [
        part
        for at, (name, text) in enumerate(explained)
        for part in (
            line(name, 50, first + 30 * at, bold=True, font="Serif-Bold"),
            line(text, 80, first + 12 + 30 * at),
        )
    ]


def test_what_begins_small_below_a_paragraph_does_not_go_on_with_the_page_before():
    one = page(*full_lines(FULL, 8))
    below = line("tar -c -f boats.tar", 50, 158, page=2)
    heading = line("Examples", 50, 80, bold=True, font="Serif-Bold", page=2)
    other = page(heading, *column(*paragraph("Above", 4), page=2), below, number=2)
    assert ("body", "tar -c -f boats.tar") in kinds(one, other)


def test_what_is_typed_at_a_prompt_is_code_in_bold_too():
    typed = line("$ find /tmp -name core", 80, 232, bold=True, font="Serif-Bold")
    assert around(typed, y=270) == [("code", "$ find /tmp -name core")]


# Notices, pull quotes, tables


def test_a_notice_in_a_frame_of_rules_is_running_text():
    lines = [
        line("Note", 60, 224, bold=True, font="Serif-Bold"),
        line("The harbour is closed for all of the night, and", 80, 240, x1=270),
        line("tomorrow.", 80, 252),
    ]
    frame = [
        rule(50, 280, 218),
        rule(50, 280, 268),
        Rectangle(50, 218, 50.5, 268),
        Rectangle(280, 218, 280.5, 268),
    ]
    found = around(*lines, drawings=frame, y=300)
    assert not {"table", "footnote"} & set(dict(found))
    assert ("body", "The harbour is closed for all of the night, and tomorrow.") in found


def test_a_sentence_with_cells_beside_it_is_no_note_of_a_table():
    cells = [
        cell
        for at, place in enumerate(["Quay", "Wall", "Pier", "Dock"])
        for cell in (
            line(place, 54, 226 + 14 * at, x1=80, size=8.0, bold=True, font="Serif-Bold"),
            line("where the ships of a pilot wait for him", 140, 226 + 14 * at, x1=276, size=8.0),
        )
    ]
    drawn = [rule(50, 280, 220), rule(50, 280, 236), rule(50, 280, 286)]
    assert {kind for kind, _ in around(*cells, drawings=drawn, y=320)} == {"table"}


# Headings, titles, quotations


def test_a_centred_heading_in_bold_is_apart_from_the_heading_at_the_edge_below_it():
    bold = {"bold": True, "font": "Serif-Bold"}
    heads = [line("Discussion", 140, 230, **bold), line("I. The harbour was open.", 50, 242, **bold)]
    found = around(*heads, y=270)
    assert [text for _, text in found] == ["Discussion", "I. The harbour was open."]


def test_the_word_abstract_in_the_middle_of_the_column_is_a_heading():
    names = [
        line("On the tides of harbours", 105, 60),
        line("Anna Alder", 140, 72),
        line("Abstract", 145, 84),
    ]
    text = column(" " + FULL, *[FULL] * 7, "and it ends.", y=96)
    found = kinds(page(*names, *text))
    assert ("heading", "Abstract") in found
    assert found[-1] == ("body", " ".join(one.text for one in text))


HEADS = [
    line(f"Of the harbours of {name}", 50, y, size=12, bold=True, font="Serif-Bold")
    for name, y in (("Alder", 120), ("Birch", 300), ("Cedar", 480))
]
SECTIONS = [one for y in (140, 320, 500) for one in column(*paragraph("There", 10), y=y)]


@pytest.mark.parametrize(("others", "kind"), [(HEADS, "title"), (HEADS[:1], "front")])
def test_a_short_first_line_is_the_title_where_only_headings_are_large(others, kind):
    top = line("Tidebook", 50, 80, size=16, bold=True, font="Serif-Bold")
    assert dict(map(reversed, kinds(page(top, *others, *SECTIONS))))["Tidebook"] == kind


def test_a_japanese_heading_may_begin_with_a_small_latin_letter_and_so_may_the_text_below():
    dense = "このシステムに入っているプログラムの多くは自由に配布できます。"
    heading = line("tide の利用", 50, 300, size=12, bold=True, font="Serif-Bold")
    below = [line(f"wall は{dense}", 50, 320, x1=280), *full_lines(dense, 6, y=332)]
    found = kinds(page(*full_lines(dense, 8, y=120), heading, *below))
    assert ("heading", "tide の利用") in found


def test_the_places_of_authors_are_front_matter_though_four_are_set_alike():
    title = line("On the tides of harbours", 50, 60, size=16, bold=True, font="Serif-Bold")
    places = [
        line(f"University of {name}", 50, 90 + 30 * at, italic=True, font="Serif-Italic")
        for at, name in enumerate(["Alder", "Birch", "Cedar", "Elm", "Fir"])
    ]
    head = line("Abstract", 50, 240, bold=True, font="Serif-Bold")
    found = kinds(page(title, *places, head, *column(*paragraph("Above", 20), y=260)))
    assert [kind for kind, _ in found] == ["title", *["front"] * 5, "heading", "body"]


# Formulas


def test_a_mark_at_the_height_of_a_line_that_covers_a_word_is_not_put_into_it():
    lines = column(*paragraph("Above", 8), y=120)
    over = lines[3].words[4]
    found = texts(page(*lines, line("►", over.x0, 156, x1=over.x1)))
    assert not any("running ►" in text for text in found)


def test_a_sentence_at_the_top_of_a_page_is_not_of_the_paragraph_above_a_formula():
    above = column(*[FULL] * 8, "we can write", y=120)
    formula = [line("S = x + y", 140, 236, x1=190), line("(3)", 265, 236, x1=280)]
    first = page(*above, *formula)
    below = full_lines(f"Hence {FULL}", 1, x=64, x1=294, page=2)
    second = page(*below, *full_lines(FULL, 7, x=64, x1=294, y=112, page=2), number=2)
    found = texts(first, second, kind="body")
    assert found[0].endswith("we can write")
    assert found[1].startswith("Hence")
