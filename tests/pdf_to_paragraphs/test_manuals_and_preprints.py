"""What manuals and preprints print: listings in boxes, glossaries, notices, pull quotes, tables of sentences,
centred headings, short titles, and formulas whose parts stand beside their lines.
"""

from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import Rectangle
from tests.support.pages import column, line, page, paragraph, rule, texts


def kinds(*pages):
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


def around(*lines, drawings=(), y=260):
    """The kinds of what stands between two paragraphs."""
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 20), y=y)
    return kinds(page(*above, *lines, *below, drawings=drawings))[1:-1]


# Options of programs: tags in the margin, or terms above what explains them


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


# Headings, titles, quotations


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
