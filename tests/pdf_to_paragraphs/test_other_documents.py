"""Books, manuscripts, manuals: footnotes, block quotations, code, contents, double spacing, and pages that
fail.
"""

import re
from dataclasses import replace

import pytest

from pipeline.cleaning.clean import clean_code
from pipeline.layout import find_paragraphs, lay_out
from pipeline.layout.captions import is_caption
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
    ragged,
    rule,
    stack,
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


def test_the_rest_of_a_note_without_a_rule_stands_above_the_next_mark():
    left = [*column(*paragraph("Above", 24)[:-1], "and no more.‡", y=120), line("‡ Said", 50, 500, size=8.0)]
    rest = column("so much", f"{FULL} of them.", x=310, x1=540, y=500, size=8.0)
    note = line("§ As others say too.", 310, 526, size=8.0)
    right = column(*paragraph("Beside", 24)[:-1], "and so on.§", x=310, x1=540, y=120)
    found = kinds(page(*left, *right, *rest, note))
    assert [kind for kind, _ in found] == ["body", "footnote", "body", "footnote"]
    assert found[1][1].startswith("‡ Said so much")


def test_a_mark_may_stand_above_its_note():
    text = column(*paragraph("Above", 24)[:-1], "and no more.†", y=120)
    mark = line("†", 50, 488, x1=54, size=8.0, font="Symbols")
    notes = column("“One was often", f"{FULL} said.", " Others were not", "so often.", y=500, size=8.0)
    found = kinds(page(*text, mark, *notes))
    assert [text[:10] for kind, text in found if kind == "footnote"] == ["† “One was", "Others wer"]


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


@pytest.mark.parametrize(("head", "kind"), [("References", "reference"), ("Discussion", "footnote")])
def test_numbers_below_the_heading_of_references_are_no_marks_of_notes(head, kind):
    text = with_twin("1", *paragraph("Above", 24)[:-1], "s−", y=120)
    heading = line(head, 50, 480, bold=True, font="Serif-Bold")
    said = ["A. Smith. The tides. J. Sea 3, 1 (2001).", "B. Jones. The walls. J. Sea 4, 2 (2002)."]
    entries = [line(f"{at}. {one}", 50, 490 + 10 * at, size=8.0) for at, one in enumerate(said, start=1)]
    assert [one for one, _ in kinds(page(*text, heading, *entries))[-2:]] == [kind, kind]


@pytest.mark.parametrize(("white", "kind"), [(24, "footnote"), (12, "body")])
def test_notes_as_large_as_the_text_stand_apart_from_it_behind_a_mark_with_a_twin(white, kind):
    text = with_twin("1", *paragraph("Above", 24)[:-1], "and no more.", y=312)
    notes = [raised("1", f" Here {FULL}", text[-1].y0 + white, x1=280)]
    notes.append(line("and so on.", 50, notes[0].y0 + 12))
    assert kinds(page(*text, *notes))[-1][0] == kind


def test_the_rest_of_a_note_begins_the_notes_of_the_next_page_without_a_rule():
    first = [
        *with_twin("1", *paragraph("Above", 8), y=120),
        raised("1", f" {FULL} and", 600, x1=280, size=8.0),
    ]
    rest = [line("goes on here.", 50, 600, size=8.0, page=2), raised("2", f"{NOTE}.", 610, size=8.0, page=2)]
    second = page(*column(*paragraph("Below", 24), y=120, page=2), *rest, number=2)
    notes = [text for kind, text in kinds(page(*first), second) if kind == "footnote"]
    assert [text[-13:] for text in notes] == ["goes on here.", f"{NOTE}."[-13:]]


def test_what_notes_quote_in_larger_print_below_their_rule_is_a_note():
    def with_note(number, name, *more):
        text = column(*paragraph(f"Above {name}", 8), y=120, page=number)
        note = [raised("1", f" {name} {FULL}", 600, x1=280, size=8.0, page=number)]
        note.append(line(f"so {name} says.", 50, 610, size=8.0, page=number))
        return page(*text, *note, *more, number=number, drawings=[rule(50, 130, 595)])

    quoted = column(f"“They say {FULL}", f"{FULL}", "and rest.”", x=70, x1=260, y=626, page=3)
    found = kinds(with_note(1, "Ann"), with_note(2, "Ben"), with_note(3, "Cid", *quoted))
    assert [kind for kind, text in found if "They say" in text] == ["footnote"]


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


CODE = [
    typed("while tide.rising():", 60, 250),
    typed("    harbour.wait(one_hour)".strip(), 84, 262),
    typed("print(harbour.depth, tide.height)", 60, 274),
]


def in_text_with_code(*extra, drawings=()):
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 24), y=310)
    return page(*above, *CODE, *extra, *below, drawings=drawings)


def test_an_item_whose_words_are_code_is_no_code():
    items = [
        replace(one, words=(line("•", 50, y).words[0], *one.words))
        for y in (250, 270)
        for one in [typed("harbour.txt", 60, y)]
    ]
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 24), y=310)
    assert "code" not in dict(kinds(page(*above, *items, *below)))


def test_a_document_in_a_monospaced_font_is_text():
    lines = [typed("the tide comes in and goes out again", 60, 120 + 12 * at) for at in range(12)]
    assert {kind for kind, _ in kinds(page(*lines))} == {"body"}


def test_a_font_is_not_monospaced_for_one_of_its_weights():
    bold = [line("while tide.rising(): wait", 60, y, x1=210, font="Serif-Bold") for y in (250, 262)]
    above, below = column(*paragraph("Above", 8), y=120, font="Serif"), column(*paragraph("Below", 8), y=310)
    assert "code" not in dict(kinds(page(*above, *bold, *below)))


def test_code_keeps_its_indents_and_its_hyphens():
    lines = [typed("run the-", 60, 100), typed("tide", 84, 112)]
    assert (clean_code(lines).text_raw, clean_code(lines).text) == ("run the-\n    tide", "run the- tide")


# Contents, terms


def test_an_entry_of_the_contents_is_furniture():
    above = column(*paragraph("Above", 8), y=120)
    entry = line("1.1 Harbours . . . . . . . . . . . . . . . . 7", 50, 300, x1=280)
    assert entry.text not in dict(map(reversed, kinds(page(*above, entry))))


# Double spacing


def test_in_double_spacing_the_first_line_of_a_page_is_text():
    pages = [
        page(
            *(line(f"{FULL} {name}{at:c}", 50, 60 + 26 * (at - 97), page=number) for at in range(97, 117)),
            number=number,
        )
        for number, name in enumerate(["alder", "birch", "cedar", "elm", "fir"], start=1)
    ]
    assert not texts(*pages, kind="furniture")


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


def test_a_last_line_of_signs_is_no_displayed_formula():
    found = kinds(
        page(*column(FULL, FULL, FULL, "(p = 0.03).", x1=280), *full_lines(FULL, 12, y=300, x1=280))
    )
    assert not [text for kind, text in found if kind == "formula"]


def headed(head, rest, y, gap):
    """A line that begins with a head in bold and goes on after a gap."""
    bold = line(head, y=y, x1=50 + 5 * len(head), bold=True, font="Serif-Bold")
    after = line(rest, bold.x1 + gap, y, x1=280)
    return replace(bold, x1=280, words=(*bold.words, *after.words), bold=False)


def test_headings_above_short_paragraphs_are_headings_where_several_are_set_alike():
    heads = ["Components", "Building", "Running", "Licence"]
    lines = [line("Readme", y=60, size=18, bold=True)]
    for number, head in enumerate(heads):
        lines.append(line(head, y=100 + 60 * number, size=12, bold=True, font="Serif-Bold"))
        lines.append(line("See https://example.org/ for that.", y=130 + 60 * number))
    found = kinds(page(*lines))
    assert [text for kind, text in found if kind == "heading"] == heads


# Manuals: columns, lists, headings


def indented(*names):
    """Paragraphs without white between, with indented first lines."""
    return [text for name in names for text in (f" {name} {FULL}", FULL, FULL, "and ends here.")]


def set_down(*texts, y=100.0, x1=280.0):
    """Lines one under the other, those that end with a stop short; a text begins after 15 points a space."""
    return [
        line(text.strip(), left, y + 12 * at, x1=min(x1, left + 5 * len(text)) if text[-1] == "." else x1)
        for at, text in enumerate(texts)
        for left in [50.0 + 15 * (len(text) - len(text.lstrip()))]
    ]


def test_a_line_that_hangs_out_of_its_column_does_not_move_its_edge():
    lines = set_down(*indented(*"ABCDEFGH"))
    lines[5] = line(FULL, 44, lines[5].y0, x1=280)
    assert len(texts(page(*lines), kind="body")) == 8


def entry(name):
    """An entry of a list of terms: its lines hang below the first."""
    return [f"{name} is what {FULL}", f"  {FULL}", f"  {FULL}", "  and it ends here."]


def explained(*terms, y):
    """Terms, and set in below each of them two lines that explain it, with white between the entries."""
    return [
        one
        for at, term in enumerate(terms)
        for one in (
            line(term, 80, y + 50 * at),
            *set_down(f"    It is {FULL}", "    and no more.", y=y + 50 * at + 12),
        )
    ]


@pytest.mark.parametrize(
    ("head", "style", "below"),
    [
        ("A.2.1 Harbours of the north", {"font": "Serif-Bold", "bold": True}, "harbourmasters"),
        ("6.3.1.1.2 harbours of the north", {}, "Harbourmasters"),
        ("2.3 Of tides", {"size": 14, "font": "Sans"}, "harbourmasters"),
    ],
)
def test_headings_in_other_print_or_with_a_long_number(head, style, below):
    above = column(*paragraph("Above", 8), y=120)
    text = column(f"{below} {FULL}", FULL, FULL, y=275)
    assert ("heading", head) in kinds(page(*above, line(head, y=245, **style), *text))


def test_the_number_of_a_heading_may_stand_far_from_its_title():
    above = column(*paragraph("Above", 8), y=120)
    style = {"size": 14, "font": "Sans"}
    number, title = line("3.3", 50, 245, x1=72, **style), line("Harbours", 86, 245, **style)
    deeper = [line("3.3.1", 50, 275, x1=72, **style), line("Tides", 86, 275, **style)]
    below = column(*paragraph("Below", 4), y=300)
    assert ("heading", "3.3 Harbours") in kinds(page(*above, number, title, *deeper, *below))


def test_capitals_centred_above_an_indented_line_are_a_heading():
    above = column(*paragraph("Above", 8), y=120)
    head = line("II. OF THE HARBOURS AND THEIR TIDES IN SPRING", 62, 238, x1=268)
    below = column(f" Below {FULL}", FULL, FULL, y=251)
    assert ("heading", head.text) in kinds(page(*above, head, *below))


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


def test_lines_of_few_words_that_are_spaced_out_are_no_rows_of_columns():
    lines = column(*[FULL] * 5)[:4]
    for row, widths in enumerate([(40, 60, 30), (70, 30, 50), (35, 45, 80), (60, 40, 40)]):
        x, space = 50.0, (230 - sum(widths)) / 2
        for width in widths:
            lines.append(line("tides", x, 148 + 12 * row, x1=x + width))
            x += width + space
    lines += column(*[FULL] * 4, "and no more.", y=196)
    assert len(texts(page(*lines))) == 1


def test_a_line_that_had_room_is_not_joined_with_the_next_page():
    first = page(*column(*paragraph("Above", 8), y=120), line("Of the price of harbours", 50, 760))
    second = page(*column(*paragraph("There", 8), y=100, page=2), number=2)
    assert texts(first, second)[-1].startswith("There")


def test_a_mark_after_the_stop_ends_a_paragraph_all_the_same():
    above = column(*[f"{FULL} {at}" for at in range(8)], y=120)
    last = line("and that is what was paid for copper.24", 50, 216, x1=280)
    raised_mark = last.words[-1]._replace(superscripts=(7, 9))
    first = page(*above, replace(last, words=(*last.words[:-1], raised_mark)))
    below = [f" There {FULL}", *[FULL] * 6, "and it ends."]
    second = page(*column(*below, y=100, page=2), number=2)
    assert texts(first, second)[-1].startswith("There")


def test_a_stanza_goes_on_on_the_next_page():
    above = ["Of tides that rise and harbours that decay", "The pilot sang and slept until the day"]
    below = ["When all the bells of all the quays rang out", "And nobody remembered what about,", "Nor why."]
    first = page(*ragged(*above * 5, y=100))
    second = page(*ragged(*below * 4, y=60, page=2), number=2)
    assert any(" ".join([above[1], below[0]]) in text for text in texts(first, second))


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


def test_a_letter_before_two_spaces_is_a_ring():
    items = [line("o", 50, 200 + 12 * at, x1=55) for at in (0, 1)]
    items += [line(f"item {at} of tides", 67, 200 + 12 * at) for at in (0, 1)]
    assert texts(page(*column(*paragraph("Above", 8)), *items), kind="list") == [
        "o item 0 of tides",
        "o item 1 of tides",
    ]


def test_a_letter_in_the_font_of_the_text_begins_no_item():
    above = column(*paragraph("Above", 8), y=120)
    below = [item("o", "quays", 242, font="Serif")]
    assert ("list", "o quays") not in kinds(page(*above, item("o", "tides", 230, font="Serif"), *below))


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


@pytest.mark.parametrize("drawn", [{"size": 9.0}, {"before": 40.0}], ids=["as large as letters", "far away"])
def test_other_drawings_begin_no_items(drawn):
    lines = [line("quays", 70, 230), line("ropes", 70, 242)]
    assert "list" not in [kind for kind, _ in kinds(with_discs(*lines, **drawn))]


def test_discs_beside_a_column_begin_no_items():
    text = column(*paragraph("Beside", 8), x=70, y=228)
    drawn = with_discs(text[2], text[4]).drawings
    assert [kind for kind, _ in kinds(page(*text, drawings=drawn))] == ["body"]


def test_a_disc_between_two_texts_begins_no_item():
    made = with_discs(line("quays", 100, 230))
    label = line("high water", 35, 230, x1=85)
    assert "list" not in [kind for kind, _ in kinds(replace(made, lines=(*made.lines, label)))]


def test_the_next_number_of_a_list_begins_no_heading():
    above = column(*paragraph("Above", 8), y=120)
    steps = [
        line("1. Look at the mast on the quay.", 60, 245),
        line("2. Ask the clock of the harbour:", 60, 257),
    ]
    found = kinds(page(*above, *steps, *column(*paragraph("Below", 4), y=285)))
    assert [kind for kind, _ in found] == ["body", "list", "list", "body"]


def test_a_head_an_eighth_of_the_page_below_its_edge_is_furniture():
    def numbered(number):
        name = "CHAPTER 1. TUTORIALS" if number % 2 else f"1.{number}. A SECTION"
        head = line(name, 50, 92, x1=250, font="Slanted", page=number)
        text = [line(FULL, 50, 118 + 18 * at, x1=500, page=number) for at in range(20)]
        return page(head, *text, number=number)

    found = find_paragraphs([numbered(number) for number in range(1, 9)])
    assert {one.kind for one in found if one.font == "Slanted"} == {"furniture"}


def test_the_lines_of_a_large_heading_are_as_far_apart_as_the_texts():
    text = [line(FULL, 50, 100 + 18 * at, x1=500) for at in range(10)]
    large = {"size": 17, "bold": True}
    head = [
        line("1.5 The Administrator and the", 50, 310, x1=500, **large),
        line("System of Permissions", 80, 337, **large),
    ]
    more = [line(FULL, 50, 376 + 18 * at, x1=500) for at in range(10)]
    assert "1.5 The Administrator and the System of Permissions" in texts(page(*text, *head, *more))


def test_an_indented_line_below_a_caption_set_as_the_text_begins_a_paragraph():
    indented = " the text of this document begins its paragraphs"
    text = stack(*[(indented, *[FULL] * 3, "and ends.")] * 4)
    below = stack(("Table 2. Sizes and names", "of the files"), (indented, FULL, "and ends."), y=352)
    assert texts(page(*text, *below), kind="caption") == ["Table 2. Sizes and names of the files"]


def test_a_paragraph_below_a_caption_of_one_line_that_is_set_in_as_paragraphs_are_is_apart():
    indented = " the text of this document begins its paragraphs"
    text = stack(*[(indented, *[FULL] * 3, "and ends.")] * 4)
    caption = line("Figure 2. The harbour", 65, 352, x1=190)
    below = stack((indented, FULL, "and ends."), y=364)
    assert texts(page(*text, caption, *below), kind="caption") == ["Figure 2. The harbour"]


def test_a_photo_has_a_caption():
    assert is_caption("Photo 6: The plain after the flood")
    assert not is_caption("Photo 6 shows the plain after the flood")


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
