"""Side headings of Acts, and text that goes on around boxes and below displayed formulas."""

from pipeline.layout import find_paragraphs
from pipeline.layout.zones import is_formula
from tests.support.pages import FULL, column, line, page, paragraph

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


def test_notes_in_the_margin_that_are_level_with_no_section_are_no_headings():
    lines = column(*paragraph("Above", 24), x=200, x1=500, y=100)
    notes = [
        line(f"{name}, of which one says more.", 60, 112 + 60 * at, x1=180, size=8.0)
        for at, name in enumerate(TITLES)
    ]
    assert not [text for kind, text in kinds(page(*lines, *notes)) if kind == "heading"]


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


def test_large_print_in_bold_is_a_heading_though_what_follows_begins_small():
    title = line("Questions to the pilots of the harbour", 50, 60, size=20.0, bold=True, font="Serif-Bold")
    text = [title, *column(*paragraph("Above", 8), y=100)]
    head = line("Section B: That they should be", 50, 220, size=14.0, bold=True, font="Serif-Bold")
    below = column(f"as soon as {FULL}", *paragraph("Below", 3)[1:], y=245)
    assert [text for kind, text in kinds(page(*text, head, *below)) if kind == "heading"] == [head.text]
