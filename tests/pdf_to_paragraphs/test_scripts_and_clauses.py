"""Dense scripts, clauses of contracts, notes that lead back to the text, and terms of manuals."""

from dataclasses import replace

import pytest

from pipeline.layout import find_paragraphs
from pipeline.layout.captions import is_caption
from pipeline.layout.list_marks import is_next_clause
from pipeline.pdf.even_sizes import even_lines
from tests.support.pages import FULL, column, full_lines, kind_of, line, page, paragraph, run_in, texts

DENSE = "变量的值可以改变而引用默认是不可变的"


def kinds(*pages):
    return [(one.kind, one.text) for one in find_paragraphs(pages) if one.kind != "furniture"]


# Dense scripts


def dense(text, y, x=50.0, **style):
    return line(text, x, y, x1=x + 10.0 * len(text), **style)


def test_a_label_of_one_indented_line_is_parted_from_the_indented_text_below():
    def indented(y):
        return [dense(DENSE, y, x=70), dense(DENSE + "文字", y + 12), dense("文字。", y + 24)]

    lines = [one for at in range(4) for one in indented(100 + 36 * at)]
    label = dense("文件名：甲", 244, x=70)
    assert texts(page(*lines, label, *indented(256)))[-2:] == ["文件名：甲", f"{DENSE} {DENSE}文字 文字。"]


def test_a_bold_run_in_heading_of_a_dense_script_is_parted_by_the_white_after_it():
    def section(name, y):
        head = line(name, 50, y, x1=50 + 10.0 * len(name), bold=True, font="Song-Bold").words[0]
        rest = dense(DENSE, y, x=50 + 10.0 * len(name) + 10).words
        first = replace(dense(DENSE, y), x1=rest[-1].x1, words=(head, *rest), bold=False)
        return [first, dense(DENSE + "文字文字", y + 12), dense("文字。", y + 24)]

    names = ["整型", "浮点型", "布尔类型"]
    lines = [one for at, name in enumerate(names) for one in section(name, 100 + 60 * at)]
    assert [text for kind, text in kinds(page(*lines)) if kind == "heading"] == names


def test_a_line_of_kanji_with_a_name_in_capitals_is_no_heading_in_the_middle():
    centred = line("PC の変数の値可以改変", 62, 112, x1=228, font="Gothic")
    below = [line(DENSE, 50, 124, x1=240), line("文字。", 50, 136, x1=80)]
    assert len(texts(page(line(DENSE, 50, 100, x1=240), centred, *below))) == 1


def mixed(text, y, x=50.0, latin=10.0):
    """A line of Japanese in 9.2 points, with the words of the alphabet larger, as TeX sets them."""
    made = line(text, x, y, x1=x + 9.2 * len(text), size=9.2, font="Mincho")
    words = tuple(
        word._replace(size=latin, font="Roman") if word.text.isascii() else word for word in made.words
    )
    most = latin if sum(len(word.text) for word in words if word.size == latin) > 12 else 9.2
    return replace(made, words=words, size=most)


def test_a_line_of_latin_words_is_of_the_smaller_japanese_that_it_stands_in():
    lines = [
        "変数の値 stable 可以改変而引用",
        "は可変の URL 変数の値可以改変",
        "引用は apt 不可変の値可以改変",
    ]
    latin = ["aptitude testing unstable の", "変数の値。"]
    assert len(texts(page(*(mixed(text, 100 + 12 * at) for at, text in enumerate(lines + latin))))) == 1


def test_a_title_in_another_font_is_parted_from_dense_text_that_fills_its_last_line():
    def section(title, y):
        text = [dense(DENSE, y + 12), dense(DENSE[:-1] + "。", y + 24)]
        return [dense(title, y, font="Gothic"), *text]

    lines = [*section("引用と値", 100), *section("変数の値", 136), *section("可変の値", 172)]
    assert texts(page(*lines))[2:5:2] == ["変数の値", "可変の値"]


def test_a_title_as_wide_as_the_column_is_parted_from_the_indented_text_below():
    title = "引用の値と変数の値可以改変而引用"
    below = [dense(DENSE[:-1], 112, x=60), dense(DENSE[:-1] + "。", 124)]
    assert texts(page(dense(title, 100, font="Gothic"), *below))[0] == title


def test_a_short_line_of_thai_ends_its_paragraph_though_the_next_words_have_no_spaces():
    thai = "โดยที่การยอมรับนับถือเกียรติศักดิ์ประจำตัวและสิทธิ"
    full, short = (line(thai[:letters], 50, 0, x1=50 + 5.0 * letters) for letters in (48, 25))
    lines = [full, full, short, full, full]
    at = [100, 112, 124, 139, 151]  # white of a quarter of a line is above the fourth
    moved = [line(one.text, 50, y, x1=one.x1) for one, y in zip(lines, at, strict=True)]
    assert len(texts(page(*moved))) == 2


def test_white_of_a_quarter_of_a_line_parts_paragraphs_of_thai_whose_last_lines_are_full():
    thai = "โดยที่การยอมรับนับถือเกียรติศักดิ์ประจำตัวและสิทธิ"
    at = [100, 112, 124, 139, 151, 163]
    assert len(texts(page(*(line(thai, 50, y, x1=290) for y in at)))) == 2
    assert len(texts(page(*(line(FULL, 50, y, x1=290) for y in at)))) == 1


def test_a_translation_beside_a_text_that_breaks_off_does_not_go_on_with_it():
    german = [
        "da es notwendig ist, den Menschen durch das Recht",
        "zu schützen, und zum Aufstand zu greifen,",
    ]
    russian = ["принимая во внимание, что необходимо содействовать", "развитию дружественных отношений,"]

    def beside(one, other):
        return page(
            *full_lines(FULL, 4, y=52),
            *(line(text, 50, 100 + 12 * at, x1=280) for at, text in enumerate(one)),
            *(line(text, 310, 100 + 12 * at, x1=540) for at, text in enumerate(other)),
        )

    assert len(texts(beside(german, russian))) == 2
    assert len(texts(beside(german, german))) == 1


# Clauses


def test_the_number_of_a_clause_belongs_to_its_text_though_this_begins_small():
    def beside(number, text, y):
        below = line(f"{FULL} too.", 95, y + 12, x1=300)
        return [line(number, 50, y, x1=70), line(text, 95, y, x1=550), below]

    lines = [
        *beside("12.1", "male salmons have been observed fighting all day", 100),
        *beside("12.2", "the males of certain insects have been seen", 130),
        *beside("12.3", "though to them and to others special means", 160),
    ]
    assert [text[:8] for text in texts(page(*lines))] == ["12.1 mal", "12.2 the", "12.3 tho"]


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("12.2", "12.3", True),
        ("4.1.9", "4.1.10", True),
        ("(b)", "(c)", True),
        ("12.2", "13.3", False),
        ("12.2", "12.2.1", False),
        ("(b)", "(d)", False),
        ("1987", "1988", False),
    ],
)
def test_a_clause_counts_on_within_its_parent(before, after, expected):
    first = line(f"{before} of the harbour", 50)
    assert is_next_clause(line(f"{after} of the sea", 50, 112), first) is expected


def test_thai_which_has_no_full_stops_indents_paragraphs_of_one_line_too():
    thai = "ทุกคนมีสิทธิในการศึกษา" * 2
    made, y = [], 100
    for count in (3, 3, 3, 3, 1, 3, 1, 3):
        for at in range(count):
            end = 400 if at < count - 1 else 395 if count == 1 and y > 320 else 200
            made.append(line(thai, 70 if at == 0 else 50, y, x1=end))
            y += 14
    assert len(texts(page(*made))) == 8


# Sentences about figures


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Figures 2, 5 and 6 of the harbour, all in one place, show the tides", False),
        ("Tables 1 and 2 of the annex, as amended by the committee, are given", False),
        ("Figures 1–3. Harbours of the north", True),
        ("Figs 1, 2. Harbours of the north", True),
        ("Figure 3, of the harbour", True),
    ],
)
def test_a_list_of_figures_without_a_stop_begins_a_sentence(text, expected):
    assert is_caption(text) is expected


@pytest.mark.parametrize(
    "text",
    [
        "表4.2 产品列表",
        "图2-1\u3000系统架构",
        "图 1 中国人口",
        "図 3 実験の結果",
        "图 1：港口",
        "그림 1. 구조",
        "<표 2> 결과",
        "[그림 3] 모형",
        "Abbildung 3: Der Hafen",
        "Tabelle 2.1 Werte",
        "Tableau 3 – Valeurs",
        "Рис. 2. Гавань",
        "Rysunek 4.2. Port",
        "Obrázek 2: Přístav",
        "Hình 2. Cảng",
        "รูปที่ 3 ท่าเรือ",
        "الشكل 3: ميناء",
        "Πίνακας 2. Τιμές",
    ],
)
def test_captions_are_known_in_many_languages(text):
    assert is_caption(text)


@pytest.mark.parametrize(
    "text",
    [
        "图2-1所示的港口",
        "图 2-1 显示了港口",
        "表 2 是港口",
        "図 3 に示すように",
        "表4.2は港を",
        "図 1、2 の港",
        "그림 1은 항구를",
        "Abbildung 3 zeigt den Hafen",
        "Tabelle 2 fasst die Werte",
        "Рис. 2 показывает гавань",
        "Tabela 2 zawiera dane",
    ],
)
def test_sentences_about_figures_are_no_captions_in_any_language(text):
    assert not is_caption(text)


# Notes


def test_small_notes_with_a_number_on_the_line_are_known_by_its_twin():
    above = column(*paragraph("Above", 24)[:-1], "and no more.", y=120)
    word = above[-1].words[-1]
    raised = word._replace(text=f"{word.text}1", superscripts=(len(word.text), len(word.text) + 1))
    with_twin = [*above[:-1], replace(above[-1], words=(*above[-1].words[:-1], raised))]
    note = line("1. What a note says of the word above.", 62, 430, size=8.0)
    assert kinds(page(*with_twin, note))[-1][0] == "footnote"
    assert kinds(page(*above, note))[-1][0] != "footnote"


def test_small_print_above_text_of_its_column_is_no_footnote():
    above = column(*paragraph("Above", 34), x1=500, y=80)
    small = column(f"Evidence: {FULL}", "and is old.", x1=500, y=500, size=8.0)
    below = column(*paragraph("Below", 6), x1=500, y=540)
    assert kind_of("Evidence", page(*above, *small)) == "footnote"
    assert kind_of("Evidence", page(*above, *small, *below)) == "body"


def test_the_sign_at_the_end_of_a_proof_is_no_item():
    text = column(*paragraph("Proof", 8), x1=500, y=80)
    assert kind_of("□", page(*text, line("□", 494, 164, x1=500))) == "formula"


# Headings


BOLD = {"bold": True, "font": "Serif-Bold"}


def test_a_numbered_heading_is_not_cut_behind_the_initial_of_a_species():
    text = column(*paragraph("Above", 8), x1=500, y=100)
    head = run_in("3.4. Analysis of S.", "guaranitica leaves", y=212, x1=500, bold=False, font="Sans")
    below = column(*paragraph("Below", 8), x1=500, y=236)
    assert not [text for kind, text in kinds(page(*text, *head, *below)) if text == "3.4. Analysis of S."]


def test_the_name_of_a_file_is_no_heading():
    text = column(*paragraph("Above", 8), x1=500, y=100)
    below = column(*paragraph("Below", 8), x1=500, y=250)
    for said, kind in (("Filename: src/main.rs", "body"), ("Of the main harbour", "heading")):
        assert kind_of(said, page(*text, line(said, 50, 220, **BOLD), *below)) == kind


# Running heads


def headed(number, *heads, first="Above"):
    lines = [line(text, 50, y, page=number) for text, y in heads]
    return page(*lines, *column(*paragraph(first, 30), x1=500, y=110, page=number), number=number)


def test_the_number_of_a_heading_at_the_head_of_a_page_is_no_page_number():
    text = column(*paragraph("Below", 30), x1=500, y=110)
    head = [line(said, x, 50, size=14.0, **BOLD) for said, x in (("4", 50), ("Of the harbour", 90))]
    assert texts(page(*head, *text, line("3", 300, 770)), kind="furniture") == ["3"]


def test_a_label_of_two_letters_and_a_number_is_no_heading_however_often_it_comes():
    made = []
    for at in range(5):
        made.append(line(f"In [{at}]:", 50, 60 + 120 * at))
        made += column(*paragraph("Below", 6), x1=500, y=80 + 120 * at)
    assert "heading" not in [kind for kind, _ in kinds(page(*made))]


def test_headings_that_count_on_and_the_ends_of_sentences_are_no_running_heads():
    def clauses(number, first, *names):
        lines = [line(first, 50, 20, page=number, **(BOLD if first[0].isdigit() else {}))]
        for at, name in enumerate(names):
            lines.append(line(f"{3 * number + at}. Of {name}", 50, 60 + 180 * at, page=number, **BOLD))
            lines += column(*paragraph(name, 8), x1=500, y=84 + 180 * at, page=number)
        return page(*lines, number=number)

    pages = [
        clauses(1, "2. The tide", "ebb", "flood"),
        clauses(2, "prey.", "neap", "spring", "pool"),
        clauses(3, "20. The harbour", "pier", "quay"),
    ]
    assert texts(*pages, kind="furniture") == []


def test_a_first_line_no_further_from_the_text_than_paragraphs_are_is_no_running_head():
    def spaced(number, *names):
        lines = [line(f"{names[0]} ends.", 50, 12, page=number)]
        for at, name in enumerate(names):
            lines += [line(f"{name} {FULL}", 50, 34 + 36 * at, x1=550, page=number)]
            lines += [line(f"and {name} ends.", 50, 46 + 36 * at, page=number)]
        return page(*lines, number=number)

    pages = [
        spaced(1, "ebb", "flood", "neap", "spring", "pool", "pier"),
        spaced(2, "wall", "quay", "dock", "lock", "mole", "mast"),
        spaced(3, "keel", "sail", "oar", "hull", "deck", "helm"),
    ]
    assert not [one for one in find_paragraphs(pages) if one.kind == "furniture"]


# Manuals


def test_the_last_line_of_a_paragraph_may_be_names_in_smaller_capitals():
    last = line("below in SHELL COMMANDS AND WORDS.", 50, 136, x1=200)
    smaller = [word._replace(size=8.0) if word.text.isupper() else word for word in last.words]
    last = replace(last, words=tuple(smaller), size=8.0)
    assert len(texts(page(*column(*[FULL] * 4, y=100)[:3], last))) == 1


# Text layers of scans


def test_sizes_that_ocr_measured_are_those_of_the_text_its_notes_or_the_lines_around():
    measured = [8.0, 8.2, 7.8, 8.0, 10.2, 8.0, 8.0, 8.1, 8.0, 8.0, 6.2, 6.7, 6.4, 7.7, 6.4, 6.5]
    lines = [line(FULL, 50, 100 + 10 * at, x1=280, size=size) for at, size in enumerate(measured)]
    assert [one.size for one in even_lines(lines)] == [8.0] * 10 + [6.4] * 6
    heading = [line(FULL, 50, 100 + 12 * at, x1=280, size=size) for at, size in enumerate([8, 8, 11, 8, 8])]
    assert [one.size for one in even_lines(heading)] == [8.0, 8.0, 11.0, 8.0, 8.0]
