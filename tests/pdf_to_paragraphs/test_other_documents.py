"""Books, manuscripts, manuals: footnotes, block quotations, code, contents, double spacing, and pages that
fail.
"""

import re
from dataclasses import replace

import pytest

from pipeline.cleaning.clean import clean_code
from pipeline.layout import find_paragraphs, lay_out
from pipeline.layout.paragraphs import STEPS, Step
from pipeline.layout.run_in import split_run_ins
from pipeline.pdf.reading import Rectangle
from tests.support.pages import (
    FULL,
    column,
    full_lines,
    line,
    page,
    paragraph,
    rule,
    texts,
)

NOTE = "what a note says of the word above"


def raised(mark, text, y, **style):
    """A line that begins with a raised mark."""
    made = line(f"{mark}{text}", 50, y, **style)
    first = made.words[0]._replace(superscripts=(0, len(mark)))
    return replace(made, words=(first, *made.words[1:]))


def kinds(*pages):
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


# Footnotes


def test_notes_below_a_rule_are_footnotes_each_its_own_though_as_large_as_the_text():
    text = column(*paragraph("Above", 8), y=120)
    notes = [raised("6", " Below, here.", 600), raised("7", " Ed. 1 reads so.", 620)]
    found = kinds(page(*text, *notes, drawings=[rule(50, 130, 595)]))
    assert found[1:] == [("footnote", "6 Below, here."), ("footnote", "7 Ed. 1 reads so.")]


def test_small_notes_behind_raised_marks_need_no_rule():
    text = column(*paragraph("Above", 24), y=120)
    notes = [raised("1", f"{NOTE}.", 600, size=8.0), raised("2", f"{NOTE} too.", 610, size=8.0)]
    assert [kind for kind, _ in kinds(page(*text, *notes))[1:]] == ["footnote", "footnote"]


def test_notes_longer_than_the_text_are_told_by_their_sign_and_its_twin():
    text = column(*paragraph("Above", 24)[:-1], "and no more.‡", y=120)
    notes = column("‡ Example: one was often", *[FULL] * 40, "and so on.", y=440, size=9.0)
    found = kinds(page(*text, *notes))
    assert [kind for kind, _ in found] == ["body", "footnote"]


def test_a_note_that_breaks_off_goes_on_below_the_rule_of_the_next_page():
    first = [*column(*paragraph("Above", 8), y=120), raised("1", f"{NOTE} and", 600, x1=280, size=8.0)]
    rest = line("goes on here.", 50, 600, size=8.0, page=2)
    second = [*column(*paragraph("Below", 8), y=120, page=2), rest]
    drawn = [rule(50, 130, 595)]
    found = kinds(page(*first, drawings=drawn), page(*second, number=2, drawings=drawn))
    assert ("footnote", f"1{NOTE} and goes on here.") in found


def with_twin(mark, *texts, **style):
    """Lines whose last word ends with a raised mark."""
    *lines, last = column(*texts, **style)
    words = last.words[-1]
    word = words._replace(
        text=f"{words.text}{mark}", superscripts=(len(words.text), len(words.text) + len(mark))
    )
    return [*lines, replace(last, words=(*last.words[:-1], word))]


@pytest.mark.parametrize(("white", "kind"), [(24, "footnote"), (12, "body")])
def test_notes_as_large_as_the_text_stand_apart_from_it_behind_a_mark_with_a_twin(white, kind):
    text = with_twin("1", *paragraph("Above", 24)[:-1], "and no more.", y=312)
    notes = [raised("1", f" Here {FULL}", text[-1].y0 + white, x1=280)]
    notes.append(line("and so on.", 50, notes[0].y0 + 12))
    assert kinds(page(*text, *notes))[-1][0] == kind


def test_text_below_a_short_rule_is_no_note():
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 8), y=600)
    assert {kind for kind, _ in kinds(page(*above, *below, drawings=[rule(50, 130, 590)]))} == {"body"}


# Block quotations


def test_the_lines_that_hang_below_an_entry_are_no_quotation():
    entries = [
        line(
            f"{name} {FULL}" if not hangs else FULL,
            75 if hangs else 50,
            120 + 12 * at,
            x1=255 if hangs else 280,
        )
        for at, (name, hangs) in enumerate(
            (name, hangs) for name in ["Alder", "Birch", "Cedar", "Elm"] for hangs in (0, 1, 1)
        )
    ]
    assert "quote" not in {kind for kind, _ in kinds(page(*column(*paragraph("Above", 4), y=60), *entries))}


def test_short_paragraphs_with_indented_first_lines_are_no_quotation():
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 8), y=282)
    lines = [
        line("everybody may leave the harbour at any time of the day.", 75, y, x1=x1)
        for y, x1 in ((232, 255), (244, 215))
    ]
    assert "quote" not in {kind for kind, _ in kinds(page(*above, *lines, *below))}


# Code


def typed(text, x, y):
    """A line in a font whose characters are all as wide."""
    return line(text, x, y, x1=x + 6.0 * len(text), font="Typed-Regular")


def test_an_item_whose_words_are_code_is_no_code():
    items = [
        replace(one, words=(line("•", 50, y).words[0], *one.words))
        for y in (250, 270)
        for one in [typed("harbour.txt", 60, y)]
    ]
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 24), y=310)
    assert "code" not in dict(kinds(page(*above, *items, *below)))


def test_code_keeps_its_indents_and_its_hyphens():
    lines = [typed("run the-", 60, 100), typed("tide", 84, 112)]
    assert (clean_code(lines).text_raw, clean_code(lines).text) == ("run the-\n    tide", "run the- tide")


# Contents, terms


def test_an_entry_of_the_contents_is_furniture():
    above = column(*paragraph("Above", 8), y=120)
    entry = line("1.1 Harbours . . . . . . . . . . . . . . . . 7", 50, 300, x1=280)
    assert entry.text not in dict(map(reversed, kinds(page(*above, entry))))


# Pages that fail


def test_a_page_on_which_a_rule_fails_keeps_its_lines_and_the_others_their_paragraphs(monkeypatch):
    def fails_on_page_2(paragraphs):
        if any(one.page == 2 for one in paragraphs):
            raise IndexError
        return split_run_ins(paragraphs)

    monkeypatch.setitem(STEPS, "run_in", Step(fails_on_page_2, fails_on_page_2))
    pages = [page(*column(*paragraph(f"Page {number}"), page=number), number=number) for number in (1, 2, 3)]
    found = lay_out(pages)
    assert list(found.errors) == [2]
    assert re.fullmatch(r"IndexError in test_other_documents\.py:\d+", found.errors[2])
    assert [(one.page, one.kind, len(one.lines)) for one in found.paragraphs] == [
        (n, "body", 4) for n in (1, 2, 3)
    ]


@pytest.mark.parametrize("failing", ["line_merging", "stitching"])
def test_no_text_is_lost_where_all_pages_fail(monkeypatch, failing):
    monkeypatch.setitem(STEPS, failing, Step(lambda *_, **__: 1 / 0, list))
    pages = [page(*column(*paragraph(f"Page {number}"), page=number), number=number) for number in (1, 2)]
    found = lay_out(pages)
    assert list(found.errors) == [1, 2]
    assert [len(one.lines) for one in found.paragraphs] == [4, 4]


def around_a_formula(below):
    """A page of text that breaks off, and one with a formula between two pieces of text."""
    on = {"page": 2}
    formula = (
        line("S = x + y", 120, 150, x1=170, **on),
        line("n", 173, 143, x1=177, size=7, **on),
        line("2k", 172, 158, x1=182, **on),
        line("(3)", 265, 150, x1=280, **on),
    )
    upper = column(" " + FULL, FULL, "we can write", x1=280, **on)
    first = page(*full_lines(FULL, 12, x1=280))
    return kinds(first, page(*upper, *formula, *column(below, FULL, FULL, y=190, x1=280, **on), number=2))


def test_a_sentence_that_begins_below_a_formula_is_of_no_paragraph_of_another_page():
    found = around_a_formula("Hence x is the first of the two numbers we have")
    assert any(text.startswith("Hence x is the first") for kind, text in found if kind == "body")


def test_headings_above_short_paragraphs_are_headings_where_several_are_set_alike():
    heads = ["Components", "Building", "Running", "Licence"]
    lines = [line("Readme", y=60, size=18, bold=True)]
    for number, head in enumerate(heads):
        lines.append(line(head, y=100 + 60 * number, size=12, bold=True, font="Serif-Bold"))
        lines.append(line("See https://example.org/ for that.", y=130 + 60 * number))
    found = kinds(page(*lines))
    assert [text for kind, text in found if kind == "heading"] == heads


# Manuals: columns, lists, headings


def entry(name):
    """An entry of a list of terms: its lines hang below the first."""
    return [f"{name} is what {FULL}", f"  {FULL}", f"  {FULL}", "  and it ends here."]


@pytest.mark.parametrize("label", ["Article", "المادة", "条文"])
def test_numbered_headings_at_the_top_of_pages_are_no_running_heads(label):
    pages = [
        page(
            line(f"{label} {number}", y=40, size=14, font="Sans", bold=True, page=number),
            *column(*paragraph(f"Text {number}", 12), y=100, page=number),
            number=number,
        )
        for number in (1, 2, 3, 4)
    ]
    found = [text for text in texts(*pages, kind="heading") if text.startswith(label)]
    assert found == [f"{label} {number}" for number in (1, 2, 3, 4)]


@pytest.mark.parametrize("label", ["Article {}", "მუხლი {}.", "제 {} 조"])
def test_headings_that_count_are_known_whatever_their_font_is_and_at_the_head_of_pages(label):
    def section(number, y, page):
        below = column(f"  Of tides {number} {FULL}", FULL, f"{FULL}.", y=y + 22, page=page)
        return [line(label.format(number), y=y, page=page), *below]

    pages = [
        page(
            *(one for at in range(3) for one in section(3 * number + at, 80 + 90 * at, number)), number=number
        )
        for number in (1, 2, 3)
    ]
    assert texts(*pages, kind="heading") == [label.format(number) for number in range(3, 12)]


def test_a_mark_after_the_stop_ends_a_paragraph_all_the_same():
    above = column(*[f"{FULL} {at}" for at in range(8)], y=120)
    last = line("and that is what was paid for copper.24", 50, 216, x1=280)
    raised_mark = last.words[-1]._replace(superscripts=(7, 9))
    first = page(*above, replace(last, words=(*last.words[:-1], raised_mark)))
    below = [f" There {FULL}", *[FULL] * 6, "and it ends."]
    second = page(*column(*below, y=100, page=2), number=2)
    assert texts(first, second)[-1].startswith("There")


# Lists of word processors


def item(mark, text, y, *, printed="", font="Symbol"):
    """A line with a mark in another font than the rest, as it is coded and as it is printed."""
    made = line(f"{mark} {text}", 65, y)
    first = made.words[0]._replace(printed=printed, font=font)
    return replace(made, words=(first, *made.words[1:]))


@pytest.mark.parametrize(("mark", "printed"), [("\uf0b7", "•"), ("§", "▪"), ("o", "")])
def test_marks_out_of_a_font_of_signs_begin_items(mark, printed):
    above = column(*paragraph("Above", 8), y=120)
    items = [item(mark, text, 230 + 12 * at, printed=printed) for at, text in enumerate(["tides", "quays"])]
    found = kinds(page(*above, *items))
    assert found[-2:] == [("list", f"{mark} tides"), ("list", f"{mark} quays")]


# Catchwords


def pages_of_a_book(catchword, *, x1=280.0, first="Then the pilots went home", **style):
    """Two pages of text; below the first one a word that ends at `x1`."""
    above = [f" Above {FULL}", *[FULL] * 7]
    below = [first, *[FULL] * 6, "and it ends."]
    word = line(catchword, x1 - 5 * len(catchword), 110 + 12 * 8, x1=x1, **style)
    return page(*column(*above), word), page(*column(*below, page=2), number=2)


@pytest.mark.parametrize(
    ("last", "x1"), [("Then", 90.0), ("That", 280.0)], ids=["a last line", "another word"]
)
def test_a_short_last_line_that_is_no_catchword_is_text(last, x1):
    assert last not in [
        one.text for one in find_paragraphs(pages_of_a_book(last, x1=x1)) if one.kind == "furniture"
    ]


# Lists of browsers


def with_discs(*lines, size=3.2, before=8.0):
    """A page of text and below it these lines, each with a disc before it that is drawn."""
    above = column(*paragraph("Above", 8), y=120)
    discs = [
        Rectangle(one.x0 - before - size, one.middle - size / 2, one.x0 - before, one.middle + size / 2)
        for one in lines
    ]
    return replace(page(*above, *lines), drawings=tuple(discs))


def test_a_single_disc_begins_no_item():
    assert kinds(with_discs(line("quays", 70, 230)))[-1] != ("list", "quays")


@pytest.mark.parametrize(("ends", "paragraphs"), [("and so it ends here.", 4), ("and so it goes on", 1)])
def test_white_that_is_even_and_stands_below_ends_of_sentences_parts_paragraphs(ends, paragraphs):
    """A quarter of a line, as word processors set it between lines of one and a half."""
    made, y = [], 100.0
    for _ in range(4):
        for text in (FULL, FULL, ends):
            made.append(line(text, 50, y, x1=280))
            y += 12
        y += 3
    assert len(texts(page(*made))) == paragraphs
