"""Side headings of Acts, and text that goes on around boxes and below displayed formulas."""

from pipeline.layout import find_paragraphs
from pipeline.layout.zones import is_formula
from pipeline.pdf.reading import Rectangle
from tests.support.pages import FULL, column, line, page, paragraph, texts

TITLES = ("Short title", "Duties of the pilot", "Fees and charges", "Appeals")


def section(number, y, name="quay"):
    return column(f"{number}. {name} {FULL} and one", f"{FULL} of the", f"{name} ends.", x=200, x1=500, y=y)


def act(*numbers, size=8.0):
    """A page of an Act: short titles in the margin next to its sections."""
    lines = [one for at, number in enumerate(numbers) for one in section(number, 100 + 60 * at)]
    titles = [line(text, 60, 102 + 60 * at, size=size) for at, text in enumerate(TITLES[: len(numbers)])]
    return page(*lines, *titles)


def kinds(*pages):
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


def test_short_titles_in_the_margin_are_headings_before_their_sections():
    found = kinds(act("1", "2", "3", "4"))
    assert [text for kind, text in found if kind == "heading"] == list(TITLES)
    assert [text[:2] for _, text in found[1::2]] == ["1.", "2.", "3.", "4."]


def test_notes_in_the_margin_that_are_level_with_no_section_are_no_headings():
    lines = column(*paragraph("Above", 24), x=200, x1=500, y=100)
    notes = [
        line(f"{name}, of which one says more.", 60, 112 + 60 * at, x1=180, size=8.0)
        for at, name in enumerate(TITLES)
    ]
    assert not [text for kind, text in kinds(page(*lines, *notes)) if kind == "heading"]


def test_lines_that_are_not_flush_go_on_below_a_box_beside_them():
    above = [
        line(f"Above {FULL} of the harbour", 50, 100, x1=330),
        line(f"{FULL} that is", 50, 112, x1=322),
        line(f"{FULL} of the", 50, 124, x1=326),
    ]
    below = [line(f"{FULL} in the town and {FULL} of it", 50, 136, x1=540), line("and so on.", 50, 148)]
    boxed = [line("In the box there is one sentence", 360, 104, x1=520, size=8.0)]
    boxed += [line("that goes on, and it ends here.", 360, 114, x1=510, size=8.0)]
    found = texts(page(*above, *below, *boxed, drawings=[Rectangle(350, 92, 545, 130)]))
    assert f"{FULL} of the {FULL} in the town" in found[0]


def test_a_sentence_goes_on_below_a_formula_though_a_stop_stands_above():
    text = column(*paragraph("Above", 6)[:-1], "and Above ends.", y=100)
    formula = [line("b = lim", 120, 190, x1=160), line("n→∞ϕ(n)", 140, 199, x1=180, size=7.0)]
    rest = column(f"where n is {FULL[5:]}", *paragraph("Below", 3)[1:], y=220)
    found = kinds(page(*text, *formula, *rest))
    assert [text[:5] for kind, text in found if kind == "body"] == ["Above"]


def test_names_of_operators_are_letters_of_formulas():
    assert is_formula("b = lim")
    assert is_formula("max f(x)")
    assert not is_formula("the max of it")


def test_a_figure_in_the_first_sentence_below_a_title_makes_it_no_front_matter():
    title = line("On the House of the Clerks", 50, 50, size=16.0, bold=True, font="Serif-Bold")
    first = line(f"Of this {FULL} of the", 50, 80, x1=280)
    caption = line("Figure 1: A picture of the house", 70, 240)
    rest = line(f"{FULL[2:]} too.", 50, 270, x1=270)
    below = column(*paragraph("Below", 8), y=300)
    found = kinds(page(title, first, caption, rest, *below, drawings=[Rectangle(80, 100, 250, 230)]))
    assert ("body", f"Of this {FULL} of the {FULL[2:]} too.") in found


def test_large_print_in_bold_is_a_heading_though_what_follows_begins_small():
    title = line("Questions to the pilots of the harbour", 50, 60, size=20.0, bold=True, font="Serif-Bold")
    text = [title, *column(*paragraph("Above", 8), y=100)]
    head = line("Section B: That they should be", 50, 220, size=14.0, bold=True, font="Serif-Bold")
    below = column(f"as soon as {FULL}", *paragraph("Below", 3)[1:], y=245)
    assert [text for kind, text in kinds(page(*text, head, *below)) if kind == "heading"] == [head.text]
