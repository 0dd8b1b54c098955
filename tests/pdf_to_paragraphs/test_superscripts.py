"""Superscripts stay in the text, and where they stand is known."""

import re
from dataclasses import replace
from unicodedata import normalize

import pymupdf
import pytest
import typst

from pipeline.cleaning.clean import clean
from pipeline.layout import find_paragraphs
from pipeline.pdf.reading import read_pdf
from pipeline.pdf.superscripts import superscript_runs
from tests.support.pages import line, merge_fragments
from tests.support.samples import sample_papers

MARKED = re.compile(r"\^\{([^}]+)\}|\[\^([^\]]+)\]")
"""A superscript, or the mark of a footnote, in the samples' markup."""


def printed(*pieces, turn=0):
    """The superscripts of a page on which the pieces (text, size, points by which it is raised) stand side by
    side.
    """
    with pymupdf.open() as document:
        page = document.new_page()
        x = 72.0
        for text, size, rise in pieces:
            page.insert_text((x, 100 - rise), text, fontsize=size)
            x += pymupdf.get_text_length(text, fontsize=size)
        page.set_rotation(turn)
        (passage,) = find_paragraphs(read_pdf(document.tobytes()).pages)
    made = clean(passage.lines, {})
    return made.text, runs(made.text, made.superscripts)


def runs(text, superscripts):
    return [text[start:end] for start, end in zip(superscripts[::2], superscripts[1::2], strict=True)]


def marked_blocks():
    for paper in sample_papers():
        for block in paper.blocks:
            if MARKED.search(block.source) and block.kind in {"body", "caption", "reference"}:
                yield pytest.param(paper.key, block, id=f"{paper.key}-{block.text[:25]}")


@pytest.mark.parametrize(("key", "block"), list(marked_blocks()))
def test_the_superscripts_of_the_samples_are_known(corpus, key, block):
    found = corpus.sql(
        "SELECT text, superscripts FROM paragraphs WHERE key = ? AND text = ?", [key, block.text]
    ).fetchall()
    if not found:
        pytest.skip("the paragraph does not come out as it is, for another reason")
    marked = [first or second for first, second in MARKED.findall(block.source)]
    assert [runs(*one) for one in found] == [marked]


@pytest.mark.parametrize(
    ("pieces", "text", "superscripts"),
    [
        ([("as shown", 11, 0), ("12,13", 7, 4)], "as shown12,13", ["12,13"]),
        ([("shown", 11, 0), ("12, 13", 7, 4), (" before", 11, 0)], "shown12, 13 before", ["12, 13"]),
        ([("1", 7, 4), ("Department of Text", 11, 0)], "1Department of Text", ["1"]),
        ([("10", 11, 0), ("5", 7, 4), (" of ", 11, 0), ("O", 11, 0), ("2", 7, -2)], "105 of O2", ["5"]),
        ([("so.", 11, 0), ("1,3,5,7-9", 7, 4)], "so.1,3,5,7-9", ["1,3,5,7-9"]),
        ([("S", 11, 0), ("MALL", 8, 0), (" capitals", 11, 0)], "SMALL capitals", []),
        ([("of H", 11, 0), ("2", 7, -3), ("O here", 11, 0)], "of H2O here", []),
    ],
    ids=[
        "after a word",
        "with a space",
        "before a word",
        "and a subscript",
        "more than the rest",
        "small capitals",
        "subscript",
    ],
)
def test_superscripts_are_told_by_size_and_baseline(pieces, text, superscripts):
    assert printed(*pieces) == (text, superscripts)


def test_superscripts_are_known_on_a_page_that_is_shown_turned():
    assert printed(("as shown", 11, 0), ("2", 7, 4), (" here", 11, 0), turn=90)[1] == ["2"]


def test_the_lines_beside_a_drop_cap_are_no_superscripts():
    assert printed(("D", 33, 0), ("rop capitals are large", 10, 12))[1] == []


def test_text_beside_a_large_sign_is_no_superscript():
    assert printed(("∫", 20, -5), ("which goes on for a good part of the line", 11, 0))[1] == []


def test_a_superscript_that_the_pdf_draws_apart_is_one_of_the_printed_line():
    mark = replace(line("7", 100.0, 99.0, x1=103.5, size=7.0), baseline=104.0)
    text = replace(line("word after", 50.0, 100.0, x1=100.0), baseline=108.0)
    (merged,) = merge_fragments([mark, text])
    assert [(word.text, word.superscripts) for word in merged.words] == [("word", ()), ("after7", (5, 6))]


def test_characters_that_are_superscripts_of_themselves_count():
    made = clean([line("5 m² s⁻¹ and CO₂")], {})
    assert runs(made.text, made.superscripts) == ["²", "⁻¹"]


def test_superscripts_are_counted_in_the_clean_text():
    words = line("eﬃcient12 ﬁlms")
    first = words.words[0]._replace(superscripts=(7, 9))
    made = clean([replace(words, words=(first, words.words[1]))], {})
    assert made.text == "efficient12 films"
    assert made.superscripts == (9, 11)


def test_what_a_space_parts_is_one_run():
    assert superscript_runs("so.12, 13 and", [(7, 9), (3, 6)]) == (3, 9)


SUPERIORS = """#set text(font: "{font}")
They counted 10#super[5] sacks of grain#footnote[Of which three were empty.] and H#sub[2]O in twelve harbours,
105 times#super[12], and the rest was written down by the wardens of the north coast in 2019.#super[a]"""


@pytest.mark.parametrize("font", ["Libertinus Serif", "New Computer Modern"])
def test_raised_figures_that_are_glyphs_of_their_own_are_superscripts(font):
    pdf = typst.compile(SUPERIORS.format(font=font).encode())
    first = find_paragraphs(read_pdf(pdf).pages)[0]
    made = clean(first.lines, {})
    raised = [normalize("NFKC", one) for one in runs(made.text, made.superscripts)]
    assert raised == ["5", "1", "12", "a"]
    assert "105 times" in made.text
    assert "H2O" in normalize("NFKC", made.text)


def test_figures_of_old_style_stand_on_the_line():
    old = '#text(number-type: "old-style")[1934 to 2567 and 80]'
    words = f'#set text(font: "Libertinus Serif")\nFrom 1934 to 2567 and {old}.'
    made = clean(find_paragraphs(read_pdf(typst.compile(words.encode())).pages)[0].lines, {})
    assert (made.text, made.superscripts) == ("From 1934 to 2567 and 1934 to 2567 and 80.", ())
