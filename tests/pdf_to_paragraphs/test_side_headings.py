"""Side headings of Acts, and text that goes on around boxes and below displayed formulas."""

from tests.support.pages import FULL, column, kinds, line, page, paragraph

TITLES = ("Short title", "Duties of the pilot", "Fees and charges", "Appeals")


def test_notes_in_the_margin_that_are_level_with_no_section_are_no_headings():
    lines = column(*paragraph("Above", 24), x=200, x1=500, y=100)
    notes = [
        line(f"{name}, of which one says more.", 60, 112 + 60 * at, x1=180, size=8.0)
        for at, name in enumerate(TITLES)
    ]
    assert not [text for kind, text in kinds(page(*lines, *notes)) if kind == "heading"]


def test_large_print_in_bold_is_a_heading_though_what_follows_begins_small():
    title = line("Questions to the pilots of the harbour", 50, 60, size=20.0, bold=True, font="Serif-Bold")
    text = [title, *column(*paragraph("Above", 8), y=100)]
    head = line("Section B: That they should be", 50, 220, size=14.0, bold=True, font="Serif-Bold")
    below = column(f"as soon as {FULL}", *paragraph("Below", 3)[1:], y=245)
    assert [text for kind, text in kinds(page(*text, head, *below)) if kind == "heading"] == [head.text]
