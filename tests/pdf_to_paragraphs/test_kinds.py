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
    ragged,
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


def test_a_paragraph_on_keywords_is_no_label():
    one = in_text(
        line("Keywords", 50, 300, **BOLD),
        *column("harbour, tide, salt", y=314),
        *column(*paragraph("And", 4), y=340),
    )
    assert kind_of("And", one) == "body"


# Headings


@pytest.mark.parametrize(
    "text",
    ["A B S T R A C T", "Conﬂict of Interest", "Ⅰ", "Acknowledgement", "MÉTODOS", "Discusión", "2 | METHODS"],
)
def test_a_usual_heading_is_told_however_its_letters_are_set(text):
    told = kind_of(text, in_text(line(text, 50, 300), *column(*paragraph("And", 8), y=330)))
    assert (told == "heading") is (text != "Ⅰ")


def test_a_heading_in_smaller_print_is_known_by_a_usual_one_set_alike():
    style = {"size": 8.0, **BOLD}
    lines = [
        line("Methods", 50, 300, **style),
        *column(*paragraph("One", 4), y=320),
        line("The walls of the harbour", 50, 390, **style),
        *column(*paragraph("Two", 8), y=410),
    ]
    assert kind_of("The walls of the harbour", in_text(*lines)) == "heading"


def test_a_heading_that_names_a_species_in_italics_is_set_as_the_others_are():
    named = line("Oils of Salvia in summer", 50, 400, x1=200, font="Sans", size=9.5)
    first, other, third, *rest = named.words
    words = (first, other, third._replace(font="Sans-Italic", italic=True), *rest)
    parts = [
        column(*paragraph("Some", 3), y=140),
        [line("Plant material", 50, 200, x1=130, font="Sans", size=9.5)],
        column(*paragraph("More", 3), y=220),
        [line("Other methods", 50, 300, x1=130, font="Sans", size=9.5)],
        column(*paragraph("Again", 3), y=320),
        [replace(named, words=words)],
        column(*paragraph("Last", 3), y=420),
    ]
    assert kind_of("Oils of", page(HEADING, *(one for part in parts for one in part))) == "heading"


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


def test_an_equation_in_another_font_is_no_heading():
    assert kind_of("Energy = abc", in_text(line("Energy = abc", 50, 300, **BOLD))) != "heading"


@pytest.mark.parametrize("label", ["(kDa)", "(Work in progress)"])
def test_what_stands_wholly_in_brackets_is_no_heading(label):
    assert kind_of(label, in_text(line(label, 50, 300, **BOLD))) != "heading"
    assert kind_of(label[1:-1].title(), in_text(line(label[1:-1].title(), 50, 300, **BOLD))) == "heading"


def test_a_label_tied_to_the_abstract_by_a_dash_is_its_heading():
    lines = column("Abstract—What the tide leaves", *paragraph("is salt", 6), y=100, **BOLD)
    one = page(TITLE, *lines, line("Introduction", 50, 230, **BOLD), *column(*paragraph("One", 8), y=250))
    assert texts(one, kind="heading") == ["Abstract—", "Introduction"]
    assert kind_of("What the tide leaves is salt", one) == "body"


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


def test_points_that_count_on_are_no_headings_though_one_stands_before_text():
    points = [line(f"{n}. Harbour walls and tides", 50, 240 + 12 * n) for n in (1, 2, 3)]
    assert not [text for text in texts(in_text(*points), kind="heading") if text[0].isdigit()]


def test_the_rest_of_a_framed_abstract_goes_on_on_the_next_page_without_a_frame():
    text = paragraph("Abstract text", 8)
    framed = [*column(*paragraph("Before it", 4), y=600), *column(*text[:4], "end", y=648)[:4]]
    beside = column(*paragraph("Beside", 20), **RIGHT)
    first = page(TITLE, *framed, *beside, drawings=[Rectangle(45, 595, 285, 700)])
    second = page(*column(*text[4:], y=60, page=2), *column(*paragraph("More", 9), y=200, page=2), number=2)
    assert joined(*text) in texts(first, second)


def test_what_is_no_keyword_is_text_though_the_label_stands_before_it():
    beside = column(*paragraph("Abstract text", 8), x=250.0, x1=550.0, y=110)
    label = line("Keywords:", 50, 200, x1=100)
    introduction = line("Introduction", 50, 300, **BOLD)
    found = page(TITLE, label, *beside, introduction, *column(*paragraph("One", 8), y=330))
    assert [kind_of("Abstract text", found), kind_of("Introduction", found)] == ["body", "heading"]


def test_labels_of_an_abstract_are_headings_in_its_font_too():
    parts = [
        one
        for at, label in enumerate(("Methods:", "Results:", "Note:"))
        for one in column(*paragraph(f"{label} The tide", 5), y=120 + 80 * at)
    ]
    found = page(TITLE, line("Abstract", 50, 100, **BOLD), *parts)
    assert texts(found, kind="heading") == ["Abstract", "Methods:", "Results:"]


def test_a_running_foot_is_no_rest_of_a_caption():
    caption = line("Table 4. What the tide leaves upon the walls of a harbour", 50, 700, x1=290)
    feet = [
        line(f"harbour.example.com (Reprinted) Volume 4, Number 6 {n}", 50, 780, page=n) for n in (1, 2, 3)
    ]
    above = [column(*paragraph(f"Text {n}", 30), page=n) for n in (1, 2, 3)]
    pages = [page(*above[n - 1], *([caption] if n == 1 else []), feet[n - 1], number=n) for n in (1, 2, 3)]
    assert caption.text in texts(*pages, kind="caption")


def test_a_numbered_heading_in_bold_may_end_with_code():
    found = in_text(
        line("4.4 The log:", 50, 320, x1=110, **BOLD),
        line("debian/changelog", 114, 320, x1=200, bold=True, font="Mono-Bold"),
        *column(*paragraph("One", 4), y=345),
    )
    assert kind_of("4.4 The log: debian/changelog", found) == "heading"


def test_a_title_in_bold_is_hardly_larger_than_the_text_and_names_of_authors_are_front_matter():
    title = "What the tide leaves upon the walls of a harbour, and what it takes away from them"
    names = [
        "Ann Lee, who sees what the tide leaves, and Eve Fox, who sees the stones",
        "of a harbour, and more",
    ]
    lines = ragged(title[:49], title[50:], y=45, size=11.5, **BOLD)
    lines += [*(line(text, 50, 75 + 12 * at, x1=540, size=11.0) for at, text in enumerate(names))]
    found = page(*lines, line("Introduction", 50, 110, **BOLD), *column(*paragraph("One", 20), y=130))
    assert kind_of(title, found) == "title"
    assert kind_of(" ".join(names), found) == "front"


def test_the_same_statement_at_the_end_is_a_section():
    last = page(
        *column(*paragraph("Text", 20), page=3),
        line("Funding", 50, 400, page=3, **BOLD),
        *column(*paragraph("Money", 4), y=420, page=3),
        number=3,
    )
    pages = [*(page(*column(*paragraph(f"Text{n}", 20), page=n), number=n) for n in (1, 2)), last]
    assert kind_of("Funding", *pages) == "heading"


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


def test_references_end_at_a_usual_heading_but_not_at_an_entry_in_bold():
    lines = [
        line("References", 50, 250, size=12.0, **BOLD),
        *entries("The harbour office. On tides, in three parts.", y=280),
        line("Salt and tides of the north", 50, 300, size=10.0, **BOLD),
        *entries("Tides and what they leave, 2nd edn.", y=320),
        line("Acknowledgements", 50, 350),
        *column(*paragraph("Thanks", 4), y=380),
    ]
    one = page(HEADING, *column(*paragraph("Above", 8), y=120), *lines)
    assert len(texts(one, kind="reference")) == 3
    assert [kind_of("Acknowledgements", one), kind_of("Thanks", one)] == ["heading", "body"]


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


@pytest.mark.parametrize(
    "text",
    [
        "Strains of E. coli and S. aureus were bought in 2012 from a culture collection of the harbour.",
        "Leaves of O. sanctum were collected in 2005 by Dr. V. Rao, who knows the plants of a harbour.",
    ],
)
def test_text_about_species_is_no_reference(text):
    lines = [*ragged(text[:46], text[47:], y=240), *column(*paragraph("Then", 2), y=264)]
    assert not texts(in_text(*lines), kind="reference")


def test_a_long_paragraph_that_begins_as_an_entry_does_is_none():
    lines = ["SIN, SFV, and VEE were tried as vectors in 2004 by A. and B.", *paragraph("Then", 12)]
    assert not texts(in_text(*column(*lines, y=240)), kind="reference")


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


def test_a_caption_in_two_fonts_with_a_short_title_is_one_paragraph():
    lines = [
        line("Figure 1. What the tide left.", 50, 300, **BOLD),
        *column("The walls are those of the north harbour", "at noon.", y=312),
    ]
    assert texts(in_text(*lines), kind="caption") == [
        "Figure 1. What the tide left. The walls are those of the north harbour at noon."
    ]


def test_a_title_in_small_capitals_below_its_label_is_of_the_caption():
    title = line("WHAT THE TIDE LEFT", 50, 312, size=8)
    assert texts(in_text(line("TABLE II", 100, 300), title), kind="caption") == [
        "TABLE II WHAT THE TIDE LEFT"
    ]


def test_two_captions_one_below_the_other_are_two():
    lines = ragged("Figure 1. What the tide left.", "Figure 2. What the tide took.", y=300)
    assert len(texts(in_text(*lines), kind="caption")) == 2


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


def test_the_caption_below_a_figure_with_its_label_above_is_one():
    small = {"size": 8.0}
    drawn = [Rectangle(60, 250, 260, 350), Rectangle(60, 305, 260, 306)]
    lines = [
        line("Figure 1", 70, 252, **small),
        *column("What the tide leaves upon the walls of a harbour", "in winter.", y=360, **small),
    ]
    one = replace(in_text(*lines), drawings=tuple(drawn))
    assert texts(one, kind="caption") == [
        "Figure 1 What the tide leaves upon the walls of a harbour in winter."
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


def test_a_paper_without_a_first_heading_goes_on_below_its_abstract_in_no_section():
    one = page(
        TITLE,
        line("ABSTRACT", 50, 90, **BOLD),
        *column(*paragraph("Walls", 6), x1=550, y=110, size=8.0),
        *column(*paragraph("One", 8), y=230),
        line("Methods", 50, 350, **BOLD),
        *column(*paragraph("Two", 8), y=370),
    )
    found = [
        (passage.text[:3], one.title)
        for passage, one in zip(find_paragraphs([one]), in_sections(one), strict=True)
    ]
    assert found[-4:] == [("Wal", "ABSTRACT"), ("One", None), ("Met", "Methods"), ("Two", "Methods")]


def test_a_box_ends_where_the_text_of_its_section_goes_on():
    one = page(
        TITLE,
        HEADING,
        *column(*paragraph("One", 6), x1=550, y=115),
        line("What we know", 50, 200, size=9.0, bold=True, font="Sans-Bold"),
        *column(*paragraph("Walls", 6), x1=550, y=220, size=8.0, font="Sans"),
        *column(*paragraph("Two", 12), x1=550, y=330),
    )
    assert [one.title for one in in_sections(one)][-3:] == ["What we know", "What we know", "Introduction"]


def test_an_abstract_with_a_heading_keeps_it():
    lines = [
        line("SUMMARY", 50, 90, **BOLD),
        *column(*paragraph("Walls", 6), x1=550, y=110),
        line("Introduction", 50, 200, **BOLD),
        *column(*paragraph("One", 8), y=230),
    ]
    assert {one.title for one in in_sections(page(TITLE, *lines))} == {None, "SUMMARY", "Introduction"}


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


def test_a_first_line_close_above_the_text_is_no_running_head():
    names = ["salt", "tide", "gull", "wall"]
    pages = [
        page(*column(*[f"{name} on {FULL}"] * 12, y=50, page=n), number=n) for n, name in enumerate(names, 1)
    ]
    assert texts(*pages, kind="furniture") == []


def test_a_line_drawn_over_itself_is_read_once():
    text = paragraph("One", 8)
    shadow = line("Salt on the walls", 50.6, 60.4, size=14.0)
    one = page(line("Salt on the walls", 50, 60, size=14.0), shadow, *column(*text))
    assert texts(one, kind="furniture") == ["Salt on the walls"]
    assert len(texts(one)) == 3


def test_full_lines_of_one_paragraph_fill_both_columns():
    one = page(*full_lines(f"One {FULL}", 20, **LEFT), *column(*[FULL] * 10, "and it ends.", **RIGHT))
    assert texts(one) == [joined(*[f"One {FULL}"] * 20, *[FULL] * 10, "and it ends.")]


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


def test_a_bold_heading_in_large_print_may_end_with_a_stop():
    lines = in_text(line("Article 5.", 50, 300, size=13, **BOLD))
    assert kind_of("Article 5.", lines) == "heading"


FRONT_MATTER = """Inhaltsverzeichnis Abkürzungsverzeichnis Danksagung Índice_general Lista_de_abreviaturas
Spis_treści Wykaz_skrótów Elenco_delle_figure Список_сокращений 参考文献 はじめに 서론 Literaturverzeichnis"""


@pytest.mark.parametrize("heading", [word.replace("_", " ") for word in FRONT_MATTER.split()])
def test_front_matter_of_theses_has_headings_in_the_font_of_the_text(heading):
    lines = [*column(*paragraph("First")), line(heading, y=170.0), *column(*paragraph("Second"), y=186)]
    assert kind_of(heading, page(*lines)) == "heading"


@pytest.mark.parametrize(
    ("title", "begin", "kind"),
    [
        ("What does it keep?", "tides.example.org is the server that", "heading"),
        ("What does it keep?", "whose names are those that", "body"),
        ("tides.example.org: what is kept there", "If the tide is high,", "heading"),
        ("tides and walls: what is kept there", "If the tide is high,", "body"),
    ],
)
def test_the_name_of_a_host_is_no_small_beginning(title, begin, kind):
    head = line(title, 50, 230, font="Sans", x1=50 + 7 * len(title))
    lines = column(f"{begin} {FULL}", *paragraph("Between", 6), y=254)
    other = line("Of other walls", 50, 350, font="Sans", x1=106)  # not as wide for each letter
    assert kind_of(title, in_text(head, *lines, other)) == kind


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
