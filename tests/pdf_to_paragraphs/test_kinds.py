"""What a paragraph is: statements, captions, headings, references and running heads, one fixture for each
defect of real papers.
"""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.sections import sections
from pipeline.pdf.reading import Rectangle
from tests.support.pages import (
    FULL,
    LEFT,
    RIGHT,
    column,
    full_lines,
    joined,
    kind_of,
    line,
    page,
    paragraph,
    run_in,
    texts,
)

BOLD = {"bold": True, "font": "Serif-Bold"}
TITLE = line("What the tide leaves upon the walls of a harbour", 50, 60, x1=500, size=18.0)
HEADING = line("Introduction", 50, 100, **BOLD)


def in_text(*lines):
    """A page of text with these lines between its paragraphs, from 240 to 560 points."""
    above, below = column(*paragraph("Above", 8), y=120), column(*paragraph("Below", 8), y=600)
    return page(HEADING, *above, *lines, *below)


# Statements


@pytest.mark.parametrize(
    "text",
    [
        (
            "Keywords: harbour; tide; salt; stone; mason; winter; ladder; rope; gull; lantern; ballast; "
            "cargo; anchor"
        ),
        "Palabras clave: puerto, marea, sal",
        (
            "This is an open access article distributed under the terms of the Creative Commons Attribution "
            "License."
        ),
        "What is printed here may be copied by anybody who says so, as a Creative Commons licence has it.",
        "© 2001 The Authors. Printed by the harbour office, and given to whoever may ask for it in person.",
        "Received 3 March 2001; accepted 4 May 2001.",
        "How to cite this: Author A. What the tide leaves upon the walls of a harbour. Tides 2001.",
        "Correspondence: A. Author, Harbour Road 1, Tidetown, who answers whatever she is asked of it.",
        "Department of Tides, University of Saltburgh, Harbour Road 1, Tidetown, Norland",
    ],
)
@pytest.mark.parametrize("size", [10.0, 7.0])
def test_a_statement_of_the_publication_is_front_matter_wherever_it_stands(text, size):
    assert kind_of(text, in_text(line(text, 50, 300, x1=280, size=size))) == "front"


def test_an_institution_named_in_a_sentence_is_text():
    text = "The University of Saltburgh keeps a gauge at the harbour, which it reads, on most days, at noon."
    assert kind_of(text, in_text(line(text, 50, 300, x1=280))) == "body"


# Headings


@pytest.mark.parametrize(
    "text",
    ["A B S T R A C T", "Conﬂict of Interest", "Ⅰ", "Acknowledgement", "MÉTODOS", "Discusión", "2 | METHODS"],
)
def test_a_usual_heading_is_told_however_its_letters_are_set(text):
    told = kind_of(text, in_text(line(text, 50, 300), *column(*paragraph("And", 8), y=330)))
    assert (told == "heading") is (text != "Ⅰ")


def test_the_label_of_a_table_at_the_head_of_pages_is_no_running_head():
    pages = [
        page(
            line(f"Table {number}", 50, 40, x1=85, size=8.0, **BOLD),
            line(f"What {who} measured at each of the gauges.", 50, 52, x1=220, size=8.0, **BOLD),
            *column(*paragraph("Below", 30), y=120),
            number=number,
        )
        for number, who in ((1, "Ada"), (2, "the others"), (3, "nobody"))
    ]
    assert texts(*pages, kind="furniture") == []


@pytest.mark.parametrize("label", ["(kDa)", "(Work in progress)"])
def test_what_stands_wholly_in_brackets_is_no_heading(label):
    assert kind_of(label, in_text(line(label, 50, 300, **BOLD))) != "heading"
    assert kind_of(label[1:-1].title(), in_text(line(label[1:-1].title(), 50, 300, **BOLD))) == "heading"


def test_the_line_of_authors_is_no_heading():
    authors = line("Yu Feng, Jia Liu and Mary Oyster", 50, 90, **BOLD)
    one = page(
        TITLE,
        authors,
        *column(*paragraph("Abstract text", 8), y=120),
        line("Introduction", 50, 230, **BOLD),
        *column(*paragraph("One", 8), y=250),
    )
    assert [kind_of(TITLE.text, one), kind_of(authors.text, one), kind_of("Introduction", one)] == [
        "title",
        "front",
        "heading",
    ]


def test_the_rest_of_a_framed_abstract_goes_on_on_the_next_page_without_a_frame():
    text = paragraph("Abstract text", 8)
    framed = [*column(*paragraph("Before it", 4), y=600), *column(*text[:4], "end", y=648)[:4]]
    beside = column(*paragraph("Beside", 20), **RIGHT)
    first = page(TITLE, *framed, *beside, drawings=[Rectangle(45, 595, 285, 700)])
    second = page(*column(*text[4:], y=60, page=2), *column(*paragraph("More", 9), y=200, page=2), number=2)
    assert joined(*text) in texts(first, second)


def test_a_running_foot_is_no_rest_of_a_caption():
    caption = line("Table 4. What the tide leaves upon the walls of a harbour", 50, 700, x1=290)
    feet = [
        line(f"harbour.example.com (Reprinted) Volume 4, Number 6 {n}", 50, 780, page=n) for n in (1, 2, 3)
    ]
    above = [column(*paragraph(f"Text {n}", 30), page=n) for n in (1, 2, 3)]
    pages = [page(*above[n - 1], *([caption] if n == 1 else []), feet[n - 1], number=n) for n in (1, 2, 3)]
    assert caption.text in texts(*pages, kind="caption")


# References


def entries(*texts_, y):
    return [line(text, 50, y + 20 * n, x1=550) for n, text in enumerate(texts_)]


@pytest.mark.parametrize(
    "heading",
    ["References", "Referencias bibliográficas", "Referências", "Literaturverzeichnis", "5. REFERENCES"],
)
def test_what_follows_the_heading_of_the_references_is_references(heading):
    lines = [
        line(heading, 50, 250, **BOLD),
        *entries(
            "The harbour office. On tides, in three parts.", "Tides and what they leave, 2nd edn.", y=280
        ),
    ]
    one = page(HEADING, *column(*paragraph("Above", 8), y=120), *lines)
    assert texts(one, kind="reference") == [
        "The harbour office. On tides, in three parts.",
        "Tides and what they leave, 2nd edn.",
    ]


def test_references_end_at_a_heading_set_as_theirs_is():
    style = {"size": 12.0, **BOLD}
    lines = [
        line("References", 50, 250, **style),
        *entries("On tides, in three parts.", y=280),
        line("Walls of the north", 50, 320, **style),
        *column(*paragraph("Walls", 8), y=350),
    ]
    one = page(TITLE, HEADING, *column(*paragraph("Above", 8), y=120), *lines)
    assert [kind_of("Walls of the north", one), kind_of("Walls a", one)] == ["heading", "body"]


def test_an_entry_keeps_the_words_in_bold_that_run_over_its_lines_and_its_link():
    title = line("what the tide leaves upon the walls of the whole", 60, 292, x1=280, size=8.0, **BOLD)
    first = run_in("Anchor A, Bell B:", "What is known of the north of", y=280, bold=False, font="Serif")
    first = [replace(one, size=8.0) for one in first]
    first[1] = replace(first[1], words=tuple(w._replace(bold=True) for w in first[1].words))
    last = line("harbour. Tides 2001; 4: 12-14.", 60, 304, x1=280, size=8.0)
    link = line("https://doi.org/10.1234/tides.4.12", 60, 316, size=8.0)
    others = [
        one
        for n in range(3)
        for one in column(
            "Cable C, Dock D: What is", "not known of it. Tides 1999.", x=60, y=328 + 24 * n, size=8.0
        )
    ]
    others = [replace(one, x0=50.0) if one.text.startswith("Cable") else one for one in others]
    lines = [line("References", 50, 250, **BOLD), *first, title, last, link, *others]
    one = page(HEADING, *column(*paragraph("Above", 8), y=120), *lines)
    assert texts(one, kind="reference")[0] == (
        "Anchor A, Bell B: What is known of the north of what the tide leaves upon the walls of the "
        "whole harbour. "
        "Tides 2001; 4: 12-14. https://doi.org/10.1234/tides.4.12"
    )


# Captions and notes


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Table 1 summarizes what the tide left upon the walls of a harbour.", "body"),
        ("Additional file 1: Figure S1. The walls of a harbour. (PDF 115 kb)", "caption"),
        ("Tables 1 and 2 refer to what the tide left upon the walls of a harbour.", "body"),
        ("Figure 1a proves that the tide leaves salt upon the walls of a harbour.", "body"),
        ("Table 1. What the tide left upon the walls of a harbour.", "caption"),
        ("Figure 2 shows what the tide left upon the walls of a harbour.", "body"),
        ("Fig. 2 and 3 show what the tide left upon the walls of a harbour.", "body"),
        ("FI G U R E 2 What the tide left upon the walls of a harbour.", "caption"),
        ("Tabla 3. Lo que la marea ha dejado en los muros.", "caption"),
    ],
)
def test_a_caption_is_told_from_a_sentence_about_a_table(text, kind):
    assert kind_of(text, in_text(line(text, 50, 300, x1=280))) == kind


@pytest.mark.parametrize(
    "note",
    [
        "* Above the wall.",
        "Abbreviations: NW, north wall.",
        "Notes: by the north wall",
        "a Measured at noon.",
        "NW = north wall",
    ],
)
def test_a_note_in_the_size_of_the_text_below_a_caption_is_a_footnote(note):
    one = in_text(line("Table 1. What the tide left", 50, 300), line(note, 50, 330))
    assert kind_of(note, one) == "footnote"


def test_a_caption_in_two_columns_below_its_figure_is_one():
    small = {"size": 8.0}
    left = [
        *full_lines(FULL, 12, **LEFT),
        *full_lines("Figure 1. What the tide leaves upon the walls", 1, **LEFT, y=600, **small),
        *full_lines("of a harbour, as it was seen by those who", 1, **LEFT, y=612, **small),
    ]
    right = [
        *column(*paragraph("Right", 12), **RIGHT),
        *column("live beside its northern gate in winter and", "at noon.", **RIGHT, y=600, **small),
    ]
    assert texts(page(HEADING, *left, *right), kind="caption") == [
        (
            "Figure 1. What the tide leaves upon the walls of a harbour, as it was seen by those who live "
            "beside its northern gate in winter and at noon."
        )
    ]


# Sections


def in_sections(*pages):
    return sections([(one, one.text) for one in find_paragraphs(pages)])


def test_an_abstract_without_a_heading_is_called_abstract():
    one = page(
        TITLE,
        *column(*paragraph("Walls", 6), x1=550, y=100),
        line("Introduction", 50, 200, **BOLD),
        *column(*paragraph("One", 8), y=230),
    )
    found = {one.title for one in in_sections(one)}
    assert found == {None, "Abstract", "Introduction"}


@pytest.mark.parametrize(
    ("heading", "number"),
    [
        ("Walls and tides", None),
        ("2.1 Walls and tides", "2.1"),
        ("II. Walls and tides", "II"),
        ("3. Walls and tides", "3"),
    ],
)
def test_a_section_has_the_number_of_its_heading(heading, number):
    one = in_text(line(heading, 50, 300, **BOLD), *column(*paragraph("And", 8), y=320))
    assert (number, heading) in {(found.number, found.title) for found in in_sections(one)}


# Running heads


def test_a_running_head_that_says_something_else_on_each_page_is_known_by_its_place():
    heads = ["Salt on the walls", "Tides at night", "Gulls and ladders", "The last winter"]
    pages = [
        page(line(head, 50, 40, page=n), *column(*paragraph(f"Text{n}", 12), page=n), number=n)
        for n, head in enumerate(heads, 1)
    ]
    assert texts(*pages, kind="furniture") == heads


# Other scripts

PROSE = {
    "ja": "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다.",
    "hi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है।",
    "ru": "Все люди рождаются свободными и равными в своем достоинстве и правах.",
}


@pytest.mark.parametrize(
    ("language", "heading"),
    [
        ("ja", "前文"),
        ("ja", "第１条"),
        ("ja", "2.4 利用できるメディア"),
        ("ko", "제1조"),
        ("hi", "प्रस्तावना"),
        ("ru", "Преамбула"),
        ("ru", "2.1 Время"),
    ],
)
def test_a_heading_is_told_in_any_script(language, heading):
    below = full_lines(PROSE[language], 6, y=320.0)
    assert kind_of(heading, in_text(line(heading, 50, 300, size=12), *below)) == "heading"


@pytest.mark.parametrize("language", PROSE)
def test_text_is_neither_front_matter_nor_formula_in_any_script(language):
    lines = full_lines(PROSE[language], 8)
    assert kind_of(PROSE[language], page(*lines)) == "body"


@pytest.mark.parametrize(
    ("rows", "kind"),
    [
        (
            (
                "I, the undersigned, ........................ of the parish of Easton,",
                "declare that all is true.",
            ),
            "body",
        ),
        (
            ("He said: ......... and nobody asked him what he had meant by that,", "or whether he had."),
            "body",
        ),
        (("The first winter of the long ice ................................ 12",), "furniture"),
        (
            ("The second winter, and what the masons said of it when it was over", "and done .......... xiv"),
            "furniture",
        ),
    ],
)
def test_only_dots_up_to_a_number_are_of_a_table_of_contents(rows, kind):
    text = column(*paragraph("Text"))
    found = page(*text, *column(*rows, y=text[-1].y1 + 30))
    assert kind_of(rows[0][:12], found) == kind
