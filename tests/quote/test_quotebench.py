"""The benchmark of quotes, over the sample papers and XML made of what is true of them."""

import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from tests.support.samples import typesetter

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from quotebench.__main__ import measure, score
from quotebench.cases import KINDS, make_cases
from quotebench.gold import score as score_of_gold
from quotebench.gold import values_of
from quotebench.papers import MARK, read_paper
from quotebench.spans import SYSTEMS
from quotebench.spans import score as score_of_spans
from quotebench.systems import Answer, PageQuote, PlainSearch

_DRAWN = [kind for kind in KINDS if kind != "published"]
"""The kinds of which MuPDF's words alone say what is true."""


@pytest.fixture(scope="module")
def papers(samples, tmp_path_factory):
    folder = tmp_path_factory.mktemp("xml")
    for paper in typesetter().papers():
        body = "".join(f"<p>{escape(one.text)}</p>" for one in paper.blocks if one.kind == "body")
        (folder / f"{paper.key}.xml").write_text(f"<article><body>{body}</body></article>", encoding="utf-8")
    return {
        key: read_paper(key, samples / f"{key}.pdf", folder / f"{key}.xml")
        for key in sorted(one.stem for one in folder.iterdir())
    }


@pytest.fixture(scope="module")
def cases(papers):
    return make_cases(list(papers.values()), 3, 1, _DRAWN)


def test_cases_are_what_they_say(papers, cases):
    assert {case.kind for case in cases} == {*_DRAWN} - {"uncited"}  # the samples' XML marks no citations
    assert cases == make_cases(list(papers.values()), 3, 1, _DRAWN)
    for case in cases:
        assert papers[case.key].prints(case.words) == (case.expected == "printed")
        assert case.page != getattr(case.place, "page", None)


@pytest.mark.long
def test_page_quote_is_right_and_a_plain_search_is_not(papers, cases, corpus_path):
    rows, _ = measure(PageQuote(corpus_path), papers, cases, "")
    verdicts = {row[0]: row[3] for row in rows if row[1] != "0"}
    by_chance = {"elided", "fragment"}  # what is left out, or cut off, may turn the meaning round
    assert all(float(verdicts.pop(kind)) > 0.9 for kind in by_chance)
    assert verdicts == dict.fromkeys({case.kind for case in cases} - by_chance, "1.000")
    assert {row[0]: row[5] for row in rows}["verbatim"] == "1.000"
    plain, _ = measure(PlainSearch(), papers, cases, "")
    assert {row[0]: row[3] for row in plain}["elided"] == "0.000"


def test_what_a_publisher_says_is_found_where_it_is_printed(papers, corpus_path):
    cases = make_cases(list(papers.values()), 3, 1, ["published"])
    rows, _ = measure(PageQuote(corpus_path), papers, cases, "")
    assert [row[:4] for row in rows] == [["published", "12", "1.000", "1.000"]]


def test_a_place_elsewhere_or_too_large_is_not_right(cases):
    case = next(one for one in cases if one.kind == "verbatim")
    page = case.place.page
    assert score(case, Answer("printed", page, case.place.words)) == (True, True, True, True)
    assert score(case, Answer("printed", page + 1, case.place.words))[3] is False
    assert score(case, Answer("printed", page, [(0, 0, 5000, 5000)])) == (True, True, False, False)
    assert score(case, Answer("printed", page, case.place.words[1:]))[2] is False
    assert score(case, Answer("not printed", page, case.place.words))[1] is False
    assert score(case, Answer("printed", page)) == (True, True, False, False)


def test_a_mark_glued_to_its_word_is_left_out(papers):
    place = papers["okafor2021"].places("A flooded sheet does betray itself.")[0]
    assert len(place.of("flooded sheet betray").words) == 3
    assert place.of("flooded sheets") is None
    assert place.prints(f"A flooded sheet {MARK}does{MARK} betray-itself.")
    assert not place.prints("A flooded sheet does betray itself!")


ROWS: list[dict[str, Any]] = [
    {"query": "sea ice", "text": "Sea ice melts in May.\n\nBoats are red.", "spans": [[0, 21]]},
    {"query": "turnips", "text": "Nothing is known.\n\nNor will it be.", "spans": []},
]


@pytest.mark.parametrize(
    ("choose", "expected"),
    [
        (lambda text, query: [(0, 21)] if "ice" in text else [], (1.0, 1.0, 1.0, 1, 1)),
        (lambda text, query: [], (0.0, 0.0, 0.0, 1, 1)),
        (lambda text, query: [(0, len(text))], (5 / 15, 1.0, 10 / 20, 0, 1)),
        (lambda text, query: [(0, 7)], (2 / 3, 2 / 5, 4 / 8, 0, 1)),
    ],
    ids=["right", "silent", "everything", "a part"],
)
def test_spans_are_scored_by_words_and_silence_is_counted(choose, expected):
    assert score_of_spans(ROWS, choose) == pytest.approx(expected)


def test_each_system_chooses_spans_of_the_text():
    for choose in (one for name, one in SYSTEMS.items() if name != "relevant_spans"):
        text, query = ROWS[0]["text"], ROWS[0]["query"]
        spans = choose(text, query)
        assert all(0 <= start < end <= len(text) for start, end, *_ in spans)
        assert any(text[start:end].startswith("Sea ice") for start, end, *_ in spans)


@pytest.mark.system
def test_values_of_a_document_are_found_on_its_pages(samples):
    gold = {"title": "NOT_FOUND", "wanted": [True, None, "people prefer to work by day", 2019]}
    gold |= {"made up": ["the moon is made of green cheese", 98765432], "dated": "2019-02-30"}
    assert [*values_of(gold)] == [
        ("name", "people prefer to work by day"),
        ("number", "2019"),
        ("name", "the moon is made of green cheese"),
        ("number", "98765432"),
        ("date", "2019-02-30"),
    ]
    counted = score_of_gold(samples / "lindqvist2019.pdf", gold)
    assert [counted["name", column] for column in ("asked", "on a page", "with a box")] == [2, 1, 1]
    assert [counted["number", column] for column in ("asked", "on a page", "with a box")] == [2, 1, 1]
    assert [counted["date", column] for column in ("asked", "on a page", "with a box")] == [1, 0, 0]
