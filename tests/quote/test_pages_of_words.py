"""The page that an answer names prints the words, wherever their paragraph begins."""

from itertools import pairwise

import pymupdf
import pytest

from lookup.papers.boxes import boxes
from tests.support.builds import corpus_of
from tests.support.pdfs import pdf

RUNNING = [
    "The ferry timetable of the northern islands was kept by hand until the harbour",
    "office burned down, and the copies that the captains carried are what remains of",
    "the winter crossings. We read all nine of them and compared the hours of sailing",
    "with the tables of the tide, which had been printed every year in the same town,",
    "and the two sources agree wherever both name an hour, apart from one short",
    "passage in which a captain wrote down the time of the church clock, and that one",
    "ran late for a decade without anybody on the islands who took notice of it. The",
    "error is visible in the crossings of the mail boat alone.",
]
"""Lines of one paragraph: a page has the first four, the next page the rest."""

ON_SECOND = "apart from one short passage in which a captain wrote down"
OFTEN = "the lantern was lit"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """Two papers: one with a paragraph on two pages and a phrase on each line of others, and one without."""
    many = [f"In the night numbered {n} of that winter, {OFTEN} at dusk by the keeper." for n in range(1, 26)]
    last = f"On the last page a sentence tells once more that {OFTEN} by somebody else."
    pages = ["\n".join(RUNNING[:4]), "\n".join(RUNNING[4:]), "\n\n".join(many), last]
    other = pdf("Another paper tells of railways and of their guards.")
    files = {"ferry.pdf": pdf(*pages), "other.pdf": other}
    with corpus_of(tmp_path_factory.mktemp("pages"), files) as opened:
        shared = opened.sql("SELECT page, page_end FROM paragraphs WHERE key = 'ferry' LIMIT 1").fetchone()
        assert shared == (1, 2)
        yield opened


def test_a_hint_names_the_page_of_the_words(corpus):
    assert corpus.quote("ferry", ON_SECOND).matches[0].page == 2
    assert corpus.quote("ferry", ON_SECOND, page=3).hint.startswith("Not on page 3, but on page 2:")


def test_the_nearest_passage_is_read_on_the_page_of_its_words(corpus):
    answer = corpus.quote("ferry", "a captain noted the time of the old church clock, which always ran fast")
    assert [one.verdict for one in answer.matches] == ["related"]
    assert answer.matches[0].page == answer.next_step.page == 2


def test_verify_looks_at_the_given_page_first(corpus):
    assert len(corpus.quote("ferry", OFTEN, limit=50).matches) == 26
    for page in (3, 4):
        found = corpus.verify(OFTEN, "ferry", page)
        assert (found.verdict, found.page_is_right, found.match.page) == ("verbatim", True, page)
    batch = corpus.verify_all([(OFTEN, "ferry", page) for page in (3, 4, (1, 4), 2, 9)])
    assert [one.page_is_right for one in batch] == [True, True, True, False, False]
    assert [one.match.page for one in batch] == [3, 4, 4, 3, 3]


def test_the_page_of_a_paragraph_that_does_not_print_the_words_is_wrong(corpus):
    assert corpus.verify(ON_SECOND, "ferry", 1).page_is_right is False
    near = ON_SECOND.replace("captain", "pilot")
    assert [corpus.verify(near, "ferry", page).page_is_right for page in (1, 2)] == [False, True]


@pytest.mark.parametrize("font", ["tiro", "helv"])
@pytest.mark.parametrize(
    ("before", "words", "after", "superscripts"),
    [
        ("", "removal", "12", (7, 9)),
        ("", "illnesses", ".12-14", (10, 15)),
        ("(", "WMW", ")", ()),
        ("Fig", "MMill", "/Willi", ()),
        ("", "0.001", "),[16]", ()),
    ],
)
def test_a_word_is_cut_where_the_quote_ends(font, before, words, after, superscripts):
    text, drawn = before + words + after, pymupdf.Font(font)
    sizes = [6.6 if superscripts and superscripts[0] <= i < superscripts[1] else 10 for i in range(len(text))]
    ends = [0.0]
    for char, size in zip(text, sizes, strict=True):
        ends.append(ends[-1] + size * drawn.glyph_advance(ord(char)))
    line = {"page": 1, "start": 0, "end": len(text), "words": [0, len(text), 0, 0, round(10 * ends[-1]), 100]}
    start, end = len(before), len(before) + len(words)
    (box,) = boxes([line], text, superscripts, start, end)
    middles = [(x0 + x1) / 2 for x0, x1 in pairwise(ends)]
    assert [i for i, x in enumerate(middles) if box.x0 <= x <= box.x1] == list(range(start, end))
