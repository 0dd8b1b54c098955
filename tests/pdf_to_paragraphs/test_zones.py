"""Tables, figures, boxes and sideways pages beside the running text, one fixture for each defect of real
papers.
"""

from dataclasses import replace

from pipeline.layout import find_paragraphs
from pipeline.layout.zones import find_zones
from pipeline.pdf.reading import Rectangle
from tests.support.pages import (
    FULL,
    HEIGHT,
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
    texts,
)

CELLS = ["Dose", "1 mg", "2 mg", "3 mg", "4 mg"]
SHORT = "Notwithstanding characterisations throughout"
"""A line of running text in so few words that it might be a cell."""


def table(x, x1, y):
    """Cells in two columns between three rules, 70 points high."""
    cells = [
        line(text, left, y + 4 + 14 * row, size=9.0)
        for row, dose in enumerate(CELLS)
        for text, left in ((dose, x + 4), ("Effect" if row == 0 else f"{row}.5", (x + x1) / 2 + 30))
    ]
    return cells, [rule(x, x1, y), rule(x, x1, y + 16), rule(x, x1, y + 74)]


def captioned(x, x1, y):
    """A table with its caption above and its notes below, and what is drawn."""
    cells, drawings = table(x, x1, y + 16)
    caption = line("Table 1. Doses and effects", x, y, x1=x + 120, size=9.0)
    note = line("Note: nobody was harmed in any of this.", x, y + 95, size=8.0)
    return [caption, *cells, note], drawings


def kinds(*pages):
    """The kinds of a table's caption, of its cells and of its notes."""
    found = find_paragraphs(pages)
    cells = {
        p.kind for p in found for one in p.lines if one.text in [*CELLS, "Effect", "1.5", "2.5", "3.5", "4.5"]
    }
    return (
        {p.kind for p in found if p.text == "Table 1. Doses and effects"},
        cells,
        {p.kind for p in found if p.text == "Note: nobody was harmed in any of this."},
    )


TOLD = ({"caption"}, {"table"}, {"footnote"})
BEFORE, AFTER = [FULL] * 8, [FULL, FULL, "and there it ends."]


def test_a_ruled_table_in_a_column_is_told_and_the_paragraph_around_it_is_whole():
    floating, drawings = captioned(50, 290, 210)
    left = [*full_lines(FULL, 8, **LEFT), *floating, *column(*AFTER, **LEFT, y=340)]
    one = page(*left, *column(*paragraph("Right", 20), **RIGHT), drawings=drawings)
    assert kinds(one) == TOLD
    assert joined(*BEFORE, *AFTER) in texts(one, kind="body")


def test_a_ruled_table_across_both_columns_is_told_and_the_paragraphs_around_it_are_whole():
    floating, drawings = captioned(50, 550, 210)
    first, second, third = [FULL] * 16, [FULL] * 7, paragraph("Third", 8)
    lines = [
        line("Introduction", 50, 80, bold=True, font="Serif-Bold"),
        *full_lines(FULL, 8, **LEFT),
        *full_lines(FULL, 8, **RIGHT),
        *floating,
        *column(*second, "and it ends.", **LEFT, y=340),
        *column(*third, **RIGHT, y=340),
    ]
    one = page(*lines, drawings=drawings)
    assert kinds(one) == TOLD
    assert texts(one, kind="body") == [joined(*first, *second, "and it ends."), joined(*third)]


def test_a_boxed_table_beside_the_text_is_told_and_the_text_is_whole():
    cells, _ = table(390, 550, 140)
    caption = line("Table 1. Doses and effects", 395, 124, x1=515, size=9.0)
    note = line("Note: nobody was harmed in any of this.", 395, 215, size=8.0)
    text = paragraph("One", 25)
    one = page(*column(*text, x=50, x1=370), caption, *cells, note, drawings=[Rectangle(388, 118, 552, 230)])
    assert kinds(one)[:2] == TOLD[:2]
    assert texts(one, kind="body") == [joined(*text)]


def test_the_rules_of_running_head_and_foot_do_not_make_a_page_of_short_lines_a_table():
    head, foot = line("A. Author: On tides", 50, 40), line("Proceedings", 50, 760)
    short = ragged(*[SHORT] * 20)
    one = page(head, *short, foot, drawings=[rule(50, 550, 54), rule(50, 550, 755)])
    assert find_zones(one, short, [head, foot])[0] == []


def test_what_is_drawn_behind_running_text_is_no_zone():
    text = full_lines(SHORT, 8, **LEFT)
    assert find_zones(page(*text, drawings=[Rectangle(120, 108, 200, 160)]), text)[0] == []


# Order


def order(*lines, drawings=()):
    """The first words of the lines of running text as they are read, each once; the lines are drawn row by
    row.
    """
    drawn = sorted(lines, key=lambda one: (one.y0, one.x0))
    found = find_paragraphs([page(*drawn, drawings=drawings)])
    return list(dict.fromkeys(one.words[0].text for p in found if p.kind == "body" for one in p.lines))


def test_a_side_bar_of_addresses_is_read_before_the_abstract_and_the_columns_after_both():
    title = line("What the tide leaves upon the walls", 50, 60, x1=500, size=18.0)
    bar = [
        *ragged("A. Author", "Harbour Road", "Tidetown", size=8.0, y=140),
        *ragged("B. Author", "Mill Lane", "Saltburgh", size=8.0, y=200),
    ]
    abstract = full_lines("abstract", 8, x=190, x1=550, y=140)
    left, right = full_lines("left", 15, **LEFT, y=260), full_lines("right", 15, **RIGHT, y=260)
    drawn = sorted([title, *bar, *abstract, *left, *right], key=lambda one: (one.y0, one.x0))
    read = [one.text for passage in find_paragraphs([page(*drawn)]) for one in passage.lines]
    assert read == [
        title.text,
        *[one.text for one in bar],
        *["abstract"] * 8,
        *["left"] * 15,
        *["right"] * 15,
    ]


def test_columns_are_read_above_a_float_across_them_and_then_below():
    cells, drawings = table(50, 550, 210)
    quarters = [
        *full_lines(f"First {FULL}", 8, **LEFT),
        *full_lines(f"Second {FULL}", 8, **RIGHT),
        *full_lines(f"Third {FULL}", 8, **LEFT, y=300),
        *full_lines(f"Fourth {FULL}", 8, **RIGHT, y=300),
    ]
    assert order(*cells, *quarters, drawings=drawings) == ["First", "Second", "Third", "Fourth"]


def test_a_figure_across_two_of_three_columns_does_not_stop_the_third():
    places = [{"x": 50 + 170 * i, "x1": 200 + 170 * i} for i in range(3)]
    quarters = [
        *full_lines(f"First {FULL}", 8, **places[0]),
        *full_lines(f"Second {FULL}", 8, **places[1]),
        *full_lines(f"Third {FULL}", 8, **places[0], y=320),
        *full_lines(f"Fourth {FULL}", 8, **places[1], y=320),
    ]
    caption = line("Figure 1. The tide and the harbour", 50, 300, x1=360)
    last = full_lines(f"Fifth {FULL}", 26, **places[2])
    assert order(*quarters, *last, caption) == ["First", "Second", "Third", "Fourth", "Fifth"]


# Sideways pages


def sideways(one):
    """A line of a page that is 800 points wide and 600 high, on that page turned to the left: its text runs
    upwards.
    """

    def turned(box):
        return {"x0": box.y0, "y0": HEIGHT - box.x1, "x1": box.y1, "y1": HEIGHT - box.x0}

    words = tuple(word._replace(**turned(word)) for word in one.words)
    return replace(one, **turned(one), words=words, upright=False)


def test_a_sideways_table_is_read_turned_and_its_lines_keep_their_places():
    text = [page(*column(*paragraph(f"Text{n}", 20), page=n), number=n) for n in (1, 2)]
    caption = line("Table 1. Doses and effects", 50, 60, page=3)
    cells = [
        line(text, x, 100 + 14 * row, page=3)
        for row, dose in enumerate(CELLS)
        for text, x in ((dose, 50), (f"{row}.5", 300))
    ]
    lines = [sideways(one) for one in (caption, *cells)]
    found = [passage for passage in find_paragraphs([*text, page(*lines, number=3)]) if passage.page == 3]
    assert [found[0].kind, found[0].text] == ["caption", "Table 1. Doses and effects"]
    assert {passage.kind for passage in found[1:]} == {"table"}
    read = {one.text: (one.x0, one.y0, one.x1, one.y1) for passage in found for one in passage.lines}
    assert read["Table 1. Doses and effects"] == (lines[0].x0, lines[0].y0, lines[0].x1, lines[0].y1)
    words = [word for passage in found for one in passage.lines for word in one.words]
    assert sorted(words) == sorted(word for one in lines for word in one.words)


def test_text_turned_downwards_is_read_in_its_order():
    def falling(one):
        words = tuple(
            word._replace(x0=600 - word.y1, y0=word.x0, x1=600 - word.y0, y1=word.x1) for word in one.words
        )
        return replace(
            one, x0=600 - one.y1, y0=one.x0, x1=600 - one.y0, y1=one.x1, words=words, upright=False
        )

    wide = [
        line(text, 50, 100 + 12 * i, x1=700 if i < 7 else 120) for i, text in enumerate(paragraph("one", 8))
    ]
    assert texts(page(*map(falling, wide))) == [joined(*paragraph("one", 8))]


def test_below_a_head_between_them_two_columns_are_read_left_first():
    """The left one begins with the last word of a sentence: the head stands above the right one alone."""
    left = [line("harbour.", 60, 90), *column(*["left it is"] * 6, x=60, x1=290, y=102)]
    right = column(*["right it is"] * 7, x=310, x1=540, y=90)
    found = texts(page(line("Psalm 22", 268, 66, size=16, x1=336, bold=True), *left, *right))
    assert [text.split()[0] for text in found] == ["Psalm", "harbour.", "right"]
