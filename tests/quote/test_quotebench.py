"""The benchmark of quotes, over the sample papers and XML made of what is true of them."""

import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import pytest

from tests.support.samples import typesetter

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))

from quotebench.__main__ import measure
from quotebench.cases import KINDS, make_cases
from quotebench.papers import read_paper
from quotebench.spans import score as score_of_spans
from quotebench.systems import PageQuote, PlainSearch

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
