"""Books, manuscripts, manuals: footnotes, block quotations, code, contents, double spacing, and pages that
fail.
"""

import re
from dataclasses import replace

import pytest

from pipeline.cleaning.clean import clean_code
from pipeline.layout import lay_out
from pipeline.layout.paragraphs import STEPS, Step
from pipeline.layout.run_in import split_run_ins
from pipeline.pdf.reading import Rectangle
from tests.support.pages import (
    FULL,
    column,
    kinds,
    line,
    page,
    paragraph,
    texts,
)

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


# Manuals: columns, lists, headings


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
