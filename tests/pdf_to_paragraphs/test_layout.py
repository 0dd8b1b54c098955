"""Lines to paragraphs: the samples' truth, and one fixture for each defect that real papers showed."""

import re
from dataclasses import replace

import pytest

from lookup.text.folding import blind, fold
from pipeline.layout import PrintedParagraph
from pipeline.layout.page_columns import find_columns
from pipeline.layout.reading_order import columns
from pipeline.layout.sections import sections
from pipeline.pdf.page_labels import labels
from tests.support.pages import WIDTH, column, line, merge_fragments, page, paragraph, texts
from tests.support.samples import sample_papers

# The samples


def body_blocks():
    """The samples' paragraphs, each under its paper's key."""
    return [
        pytest.param(paper.key, text_of(block), id=f"{paper.key}-{block.text[:25]}")
        for paper in sample_papers()
        for block in paper.blocks
        if block.kind == "body"
    ]


def text_of(block):
    """The text of a block without the heading that runs in, which is a paragraph of its own."""
    run_in = re.match(r"\*{1,2}[A-Z][^*]+(?:[.:]\*{1,2} |—\*{1,2})", block.source)
    return block.text[len(run_in.group().replace("*", "")) :] if run_in else block.text


@pytest.mark.parametrize(("key", "expected"), body_blocks())
def test_each_paragraph_of_the_samples_comes_out_whole(corpus, key, expected):
    rows = corpus.sql("SELECT text, kind FROM paragraphs WHERE key = ?", [key]).fetchall()
    kinds = [kind for text, kind in rows if blind(fold(text)) == blind(fold(expected))]
    assert kinds == ["body"]


def test_most_headings_captions_references_and_footnotes_of_the_samples_are_told_as_such(corpus):
    for kind, share in {"heading": 0.9, "caption": 0.8, "footnote": 0.8, "title": 0.99, "list": 0.9}.items():
        blocks = [
            (paper.key, block) for paper in sample_papers() for block in paper.blocks if block.kind == kind
        ]
        told = 0
        for key, block in blocks:
            rows = corpus.sql(
                "SELECT text FROM paragraphs WHERE key = ? AND kind = ?", [key, kind]
            ).fetchall()
            told += any(blind(fold(text)).endswith(blind(fold(block.text))) for (text,) in rows)
        assert told >= share * len(blocks), kind


# Columns


@pytest.mark.parametrize("count", [1, 2, 3])
def test_columns_are_read_one_after_the_other(count):
    wide = (WIDTH - 100) / count
    lines = []
    for number in range(count):
        left = 50 + number * wide
        lines += column(*[f"column {number} line {i}" for i in range(8)], x=left, x1=left + wide - 15)
    drawn = sorted(lines, key=lambda one: (one.y0, -one.x0))
    (page_columns,) = find_columns([(drawn, False)])
    read = [one.text for part in columns(merge_fragments(drawn), page_columns.strips) for one in part.lines]
    assert read == [f"column {number} line {i}" for number in range(count) for i in range(8)]


def test_a_drop_cap_is_the_first_letter_of_the_line_beside_its_head():
    cap = line("D", 50, 98, x1=72, size=34.0)
    text = column(
        "rop capitals are set so high that", "they reach down beside", "several lines of text.", x=76, x1=280
    )
    below = column("And the rest goes on below them.", x=50, x1=280, y=136)
    assert [one.text.split()[0] for one in merge_fragments([cap, *text, *below])] == [
        "Drop",
        "they",
        "several",
        "And",
    ]


@pytest.mark.parametrize(
    ("initial", "rest", "words"),
    [
        ("A", "keeper who had", "A keeper"),
        ("I", "see what they saw of the seen", "I see"),
        ("A", "s one who had 7 s to go", "As one"),
        ("I", "saw that the", "I saw"),
        ("A", "bundance of the", "Abundance of"),
        ("“T", "his morning the", "“This morning"),
    ],
)
def test_an_initial_is_a_word_where_the_page_prints_what_follows(initial, rest, words):
    cap = line(initial, 50, 98, x1=72, size=34.0)
    text = column(rest, "other keepers never saw", "the lamp of the town", x=76, x1=280)
    assert words in [" ".join(one.text.split()[:2]) for one in merge_fragments([cap, *text])]


def test_a_large_capital_right_before_a_small_letter_on_its_baseline_belongs_to_it():
    read = line("T his morning the keepers", 50, 98, x1=200)
    cap, first, *others = read.words
    large = cap._replace(size=2.7 * first.size, x1=first.x0 - 1)
    (made,) = merge_fragments([replace(read, words=(large, first, *others))])
    assert made.text == "This morning the keepers"


def test_words_beside_a_gutter_stay_apart():
    left, right = column(*["left"] * 4, x=50, x1=290), column(*["right"] * 4, x=300, x1=540)
    wide = line("A title that is set over both of the columns", 50, 80, x1=540)
    assert len(merge_fragments([wide, *left, *right])) == 9


# Furniture


def test_running_heads_and_page_numbers_are_furniture():
    pages = [
        page(
            line("A. Author and B. Author", 50, 30, page=n),
            line(str(100 + n), 290, 770, page=n),
            *column(*paragraph(f"Page{n}", 12), page=n),
            number=n,
        )
        for n in range(1, 6)
    ]
    assert texts(*pages, kind="furniture") == [
        t for n in range(1, 6) for t in ("A. Author and B. Author", str(100 + n))
    ]


def test_turned_text_in_the_margin_is_furniture():
    stamp = line("Preprint 12 March", 20, 300, x1=30, upright=False)
    assert texts(page(stamp, *column(*paragraph("one", 8))), kind="furniture") == ["Preprint 12 March"]


@pytest.mark.parametrize("sides", [[20], [300], [20, 300]])
def test_the_numbers_of_a_manuscripts_lines_are_furniture(sides):
    numbers = [line(str(10 + i), x, 100 + 12 * i) for x in sides for i in range(12)]
    body = column(*paragraph("one", 12))
    assert texts(page(*numbers, *body), kind="furniture") == [" ".join(map(str, range(10, 22)))] * len(sides)


# Sections and labels


def test_a_section_has_its_heading_as_printed_and_its_number():
    kinds = [
        ("title", "T"),
        ("body", "a"),
        ("heading", "2.1. Field sites"),
        ("body", "b"),
        ("heading", "Results"),
        ("body", "c"),
    ]
    found = sections([(PrintedParagraph(kind, (line(text, 50, 100),)), text) for kind, text in kinds])
    assert [(one.number, one.title) for one in found] == [
        (None, None),
        (None, None),
        ("2.1", "2.1. Field sites"),
        ("2.1", "2.1. Field sites"),
        (None, "Results"),
        (None, "Results"),
    ]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ([], ["", "", ""]),
        ([{"startpage": 0, "prefix": "", "style": "D", "firstpagenum": 1650}], ["1650", "1651", "1652"]),
        ([{"startpage": 0, "prefix": "", "style": "r", "firstpagenum": 9}], ["ix", "x", "xi"]),
        ([{"startpage": 0, "style": "R"}, {"startpage": 2, "style": "D"}], ["I", "II", "1"]),
        ([{"startpage": 0, "prefix": "S", "style": "D"}], ["S1", "S2", "S3"]),
        ([{"startpage": 0, "prefix": "", "style": "a", "firstpagenum": 26}], ["z", "aa", "bb"]),
        (
            [{"startpage": 0, "prefix": "<FEFF0065>", "style": "D", "firstpagenum": 110}],
            ["e110", "e111", "e112"],
        ),
        ([{"startpage": 0, "prefix": "ageLabel", "style": "D", "firstpagenum": 7}], ["7", "8", "9"]),
    ],
)
def test_page_labels_follow_the_rules_of_the_pdf(rules, expected):
    assert labels(rules, 3) == expected
