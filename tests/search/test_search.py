"""Searches across papers, and the index of words that a release brings for them."""

import json
import math
import re
import shutil
import sys
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import lookup
from lookup.index.release_index import ASIDE, FOLDER, SECTION_WORDS, TITLE_WORDS, ParagraphId
from lookup.release.schema import KINDS
from lookup.text.folding import fold
from pipeline.models.install import install_model
from retrieval.passages.hit_snippet import SNIPPET, asked_words, snippet_span
from retrieval.scoring.evidence import quotability
from retrieval.scoring.lexical_index import Filters, heading_weights
from retrieval.scoring.relevance import asked_terms, spelled, terms
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.models import models_in, tiny_model

NIGHT = "lindqvist2019"
ROWS = "SELECT key, paragraph, kind, text_norm, section_title FROM paragraphs ORDER BY key, paragraph"
QUERIES = (
    "salinity of the marsh at night",
    "light",
    "the dye that mends itself",
    "carbon release in the dark",
    "Table 1",
)


@pytest.fixture(scope="module")
def embedded(samples, tmp_path_factory):
    """The sample papers with vectors of a tiny model, which says nothing about meaning, but the same each
    time.
    """
    library = tmp_path_factory.mktemp("embedded")
    model = install_model(tiny_model(library / "source"), library / "models" / "tiny")
    build([samples], library, [samples / "samples.bib"], model)
    with models_in(library / "models"), lookup.open(library / "corpus") as corpus:
        yield corpus


def documents(rows):
    """Place, kind, and terms by field of each paragraph: its own, and those of the headings above it."""
    titles: dict[str, str] = {}
    for key, _, kind, text, _ in rows:
        if kind == "title":
            titles.setdefault(key, text)
    for key, paragraph, kind, text, section in rows:
        title = "" if kind == "title" or kind in ASIDE else titles.get(key, "")
        above = "" if kind in ("title", "heading", *ASIDE) else fold(section or "")
        fields = {"words": text, TITLE_WORDS: title, SECTION_WORDS: above}
        yield ParagraphId(key, paragraph), kind, {name: terms(one) for name, one in fields.items()}


def bm25(corpus, query, kinds):
    """The paragraphs of these kinds that hold terms of the query, or are under a heading that does, with
    the sum of their fields' BM25: Robertson and Zaragoza (2009), equation 3.15.
    """
    rows = corpus.sql(ROWS).fetchall()
    scores: dict[ParagraphId, float] = defaultdict(float)
    for field, weight in {"words": 1.0, **heading_weights(Filters())}.items():
        bags = {place: Counter(words[field]) for place, kind, words in documents(rows) if kind in kinds}
        mean = sum(bag.total() for bag in bags.values()) / len(rows)  # tantivy's: without the field, no words
        for term in set(terms(fold(query))):
            holding = sum(term in bag for bag in bags.values())
            idf = math.log(1 + (len(rows) - holding + 0.5) / (holding + 0.5))
            for place, bag in bags.items():
                if bag[term]:
                    length = 1.2 * (0.25 + 0.75 * bag.total() / mean)
                    scores[place] += weight * idf * bag[term] * 2.2 / (bag[term] + length)
    return scores


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("kinds", [None, list(ASIDE), ["reference", "furniture", "body"]])
def test_the_index_finds_what_the_formula_of_bm25_finds(corpus, query, kinds):
    searched = set(KINDS) - set(ASIDE) if kinds is None else set(kinds)
    lexical = corpus._open.searches.lexical
    asked = list(dict.fromkeys(terms(fold(query))))
    found = lexical.find(asked, 10_000, Filters(kinds=kinds))
    if kinds is None or searched <= set(ASIDE):
        expected = bm25(corpus, query, searched)
        assert set(found) == set(expected)
        # Lengths are kept to about one part in eight.
        for one, two in pairwise(found):
            assert expected[one] >= 0.85 * expected[two]
    else:
        rows = corpus.sql(ROWS).fetchall()
        holding = {
            place
            for place, kind, words in documents(rows)
            if kind in searched and set().union(*words.values()) & set(asked)
        }
        assert set(found) == holding
    statistics = lexical.statistics(asked, Filters(kinds=kinds))
    if kinds is None:
        rows = corpus.sql(ROWS).fetchall()
        bags = [words["words"] for _, kind, words in documents(rows) if kind in searched]
        assert statistics.texts == len(bags)
        assert statistics.mean == pytest.approx(sum(map(len, bags)) / len(bags))
        assert statistics.holding == {term: sum(term in bag for bag in bags) for term in asked}


def test_a_hit_is_quoted_from_the_place_that_it_names(corpus):
    for query in QUERIES:
        answer = corpus.search(query, mode="lexical")
        assert answer
        assert (answer.mode, answer.hint) == ("lexical", "")
        scores = [hit.score for hit in answer.hits]
        assert scores == sorted(scores, reverse=True)
        for hit in answer.hits:
            assert 0 < len(hit.text) <= SNIPPET
            assert corpus.document(hit.key)[hit.cursor :].startswith(hit.text)
            if len(hit.text) < 4:
                continue  # the number of a formula is no quote
            quoted = corpus.quote(hit.key, hit.text, page=hit.page, limit=50).matches
            assert quoted[0].verdict == "verbatim"
            assert hit.cursor in {match.cursor for match in quoted}
            row = corpus.sql(
                "SELECT kind, section_number, section_title FROM paragraphs WHERE key = ? AND paragraph = ?",
                [hit.key, hit.paragraph],
            ).fetchone()
            assert (hit.kind, hit.section_number, hit.section_title) == row


def test_the_paragraph_with_all_of_the_words_comes_first(corpus):
    rows = corpus.sql(
        "SELECT key, paragraph, text FROM paragraphs WHERE kind = 'body' AND length(text) > 300"
    ).fetchall()
    assert len(rows) > 5
    for key, paragraph, text in rows:
        words = text.split()
        hit = corpus.search(" ".join(words[10:25]), mode="lexical").hits[0]
        assert (hit.key, hit.paragraph) == (key, paragraph)


@pytest.mark.parametrize(
    ("asked", "terms"),
    [("covid19", ["covid", "19"]), ("h1n1 il60", ["h1n1", "il60"]), ("sars-2", ["sar", "2"])],
)
def test_a_code_that_is_not_printed_so_is_read_with_a_hyphen(asked, terms):
    assert asked_terms(spelled(asked, {"il60"}.__contains__)) == terms


def test_without_vectors_words_alone_decide_and_the_hint_says_so(corpus):
    lexical = corpus.search("salinity", mode="lexical")
    for mode in ("hybrid", "semantic"):
        answer = corpus.search("salinity", mode=mode)
        assert answer.mode == "lexical"
        assert "by words alone" in answer.hint
        assert "has no vectors" in answer.hint
        assert answer.hits == lexical.hits
    with pytest.raises(lookup.ModelError, match="has no vectors"):
        corpus.similar(NIGHT, 0)


def test_the_words_that_a_query_asks_for_are_marked_in_any_form(corpus):
    for hit in corpus.search("salinities of the marsh", mode="lexical").hits:
        words = [hit.text[start:end] for start, end in hit.spans]
        assert {word.casefold() for word in words} <= {"salinity", "salinities", "marsh", "marshes"}
        assert len(words) == len(re.findall(r"(?i)\b(salinit(y|ies)|marsh(es)?)\b", hit.text))


WORKS = (
    "[2] p. k. nayak, s. mahesh, h. j. snaith, nat. rev. mater. 2019, 4, 269 - 285.",
    "wu, j., & li, x. y. (2010b). salinity of marshes. ecological indicators, 12(3), 345-367.",
    "smith ja, jones b. salinity of marshes in spring. j ecol 1998;86:12-9.",
    "lowe, c.f. baker, and c.j. fillmore. 1997. a semantic approach. in proceedings, pp. 18-24.",
    "garcia m. et al. marshes at night. doi: 10.1000/182 (2021)",
)
SENTENCES = (
    "in 2019 the salinity of 4 marshes fell by 10 to 12 % as wu et al. (2010) had expected it to.",
    "the doi: a name of a paper that does not change, whatever becomes of its publisher in 2030",
    "from 1998 to 2009 the ratio was 1:10-12, and in spring of each of these years it was more",
)


@pytest.mark.parametrize("kind", ["body", "list", "footnote", "caption", "reference"])
def test_a_cited_work_comes_last_and_a_fragment_after_sentences_whatever_kind_the_layout_gave(kind):
    works = [quotability(kind, text) for text in (*WORKS, "references " + " ".join(WORKS * 3))]
    fragments = [quotability(kind, text) for text in ("salinity of marshes", "12 34 56 78 90 12 34", "")]
    long = WORKS[0] + " the salinity of marshes fell in spring." * 20
    sentences = [quotability(kind, text) for text in (*SENTENCES, long)]
    assert max(works) < min(fragments)
    assert max(fragments) < min(sentences)


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_filters_leave_what_they_name_and_all_of_it(embedded, mode):
    every = embedded.search("the marsh at night", 10_000, mode, per_paper=0).hits
    years = dict(embedded.sql("SELECT key, year FROM papers").fetchall())
    authors = dict(embedded.sql("SELECT key, authors FROM papers").fetchall())
    places = {(hit.key, hit.paragraph) for hit in every}
    assert len(places) == len(every)
    assert not {hit.kind for hit in every} & set(ASIDE)
    for filters, within in (
        ({"keys": [NIGHT]}, lambda hit: hit.key == NIGHT),
        ({"keys": [NIGHT, "okafor2021"]}, lambda hit: hit.key in {NIGHT, "okafor2021"}),
        ({"kinds": ["heading", "caption"]}, lambda hit: hit.kind in {"heading", "caption"}),
        ({"years": 2019}, lambda hit: years[hit.key] == 2019),
        ({"years": (2020, None)}, lambda hit: years[hit.key] >= 2020),
        ({"years": (None, 2020)}, lambda hit: years[hit.key] <= 2020),
        (
            {"authors": ["lindqvist et al.", "OKAFOR, et al", "Nobody et al"]},
            lambda hit: any("Lindqvist" in a or "Okafor" in a for a in authors[hit.key]),
        ),
        ({"section": "INTRO"}, lambda hit: "intro" in (hit.section_title or "").lower()),
        (
            {"section": "Introduction", "keys": [NIGHT], "kinds": ["body"]},
            lambda hit: (
                hit.key == NIGHT
                and hit.kind == "body"
                and "introduction" in (hit.section_title or "").lower()
            ),
        ),
    ):
        found = embedded.search("the marsh at night", 10_000, mode, per_paper=0, **filters).hits
        here = {(hit.key, hit.paragraph) for hit in found}
        expected = {(hit.key, hit.paragraph) for hit in every if within(hit)}
        # Within one paper its title counts for nothing: what has no other word of the query is not found.
        assert here == expected or (len({key for key, _ in expected}) == 1 and here < expected)
        assert found, filters
        assert len(embedded.search("the marsh at night", 1, mode, **filters).hits) == 1


def test_hybrid_ranks_by_both_kinds_of_evidence(embedded):
    hits = embedded.search("the salinity of marshes", 50, per_paper=0).hits
    lexical = embedded.search("the salinity of marshes", 50, "lexical", per_paper=0).hits
    semantic = embedded.search("the salinity of marshes", 50, "semantic", per_paper=0).hits
    assert [hit.paragraph for hit in hits] not in (
        [hit.paragraph for hit in lexical],
        [hit.paragraph for hit in semantic],
    )
    assert all(-1 <= hit.score <= 1.001 for hit in (*hits, *lexical, *semantic))


def test_semantic_hits_are_the_paragraphs_of_the_nearest_sentences(embedded):
    query = "What is released at night?"
    vector = embedded._open.searches.vectors.query(query)
    best: dict[tuple[str, int], float] = {}
    for key, paragraph, stored, scale in embedded.sql(
        "SELECT key, paragraph, vector, scale FROM vectors"
    ).fetchall():
        similarity = float(np.array(stored) @ vector * scale)
        best[key, paragraph] = max(best.get((key, paragraph), -1), similarity)
    hits = embedded.search(query, 20, "semantic", per_paper=0).hits
    for hit, expected in zip(hits, sorted(best.values(), reverse=True), strict=False):
        assert hit.score == pytest.approx(expected, abs=1e-5)
        assert hit.score == pytest.approx(best[hit.key, hit.paragraph], abs=1e-5)


def test_similar_paragraphs_are_of_other_papers_and_by_the_cosine_of_their_means(embedded):
    sums: dict[tuple[str, int], Any] = defaultdict(int)
    for key, paragraph, stored, scale in embedded.sql(
        "SELECT key, paragraph, vector, scale FROM vectors"
    ).fetchall():
        sums[key, paragraph] = sums[key, paragraph] + np.array(stored) * scale
    means = {place: total / np.linalg.norm(total) for place, total in sums.items()}
    place = next(place for place in means if place[0] == NIGHT)
    answer = embedded.similar(*place, limit=10_000, per_paper=0)
    assert {(hit.key, hit.paragraph) for hit in answer.hits} == {
        other for other in means if other[0] != NIGHT
    }
    scores = [hit.score for hit in answer.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in answer.hits:
        assert hit.score == pytest.approx(float(means[place] @ means[hit.key, hit.paragraph]), abs=1e-4)
    assert max(Counter(hit.key for hit in embedded.similar(*place).hits).values()) <= 3
    assert {hit.key for hit in embedded.similar(*place, keys=["okafor2021"]).hits} == {"okafor2021"}


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda c: c.search("..."), lookup.QueryError, "no letter or digit"),
        (lambda c: c.search("salt", 0), lookup.QueryError, "limit must be at least 1, got 0"),
        (lambda c: c.search("salt", per_paper=-1), lookup.QueryError, "per_paper must be at least 0"),
        (lambda c: c.search("salt", mode="fuzzy"), lookup.QueryError, "'hybrid', 'lexical' or 'semantic'"),
        (lambda c: c.search("salt", kinds=["figure"]), lookup.QueryError, "no kind of paragraph 'figure'"),
        (lambda c: c.search("salt", keys=["nobody1900"]), lookup.UnknownKeyError, "nobody1900"),
        (lambda c: c.similar("nobody1900", 0), lookup.UnknownKeyError, "nobody1900"),
        (lambda c: c.similar(NIGHT, 100_000), lookup.QueryError, "no paragraph 100000"),
    ],
)
def test_a_call_that_makes_no_sense_says_why(embedded, call, error, said):
    with pytest.raises(error, match=said):
        call(embedded)


def test_what_nobody_writes_is_not_found_and_the_hint_says_what_to_do(corpus):
    answer = corpus.search("zyxomma", mode="lexical")
    assert not answer
    assert "Ask for other words" in answer.hint
    assert "drop a filter" in corpus.search("salinity", mode="lexical", years=1900).hint
    assert json.loads(answer.to_json())["hits"] == []


@pytest.mark.parametrize(
    ("query", "answered"),
    [
        ("How much carbon dioxide do tidal marshes release at night?", True),
        ("salinity", True),
        ("zyxomma quokka brontide fjordling sprackle marsh", False),
    ],
)
def test_a_question_that_no_paper_answers_is_told_so(corpus, query, answered):
    answer = corpus.search(query, mode="lexical")
    assert answer
    assert answer.answered == answered
    assert ("Most likely no paper answers this" in answer.hint) != answered
    assert json.loads(answer.to_json())["answered"] == answered
    assert corpus.search([query, "salinity"], mode="lexical").answered


@pytest.fixture
def library(samples, tmp_path):
    """The sample papers, to be built again."""
    (tmp_path / "pdfs").mkdir()
    for path in samples.glob("*.pdf"):
        shutil.copy(path, tmp_path / "pdfs")
    return tmp_path


def _built(library):
    return build([library / "pdfs"], library)[1].release


def _found(folder):
    with lookup.open(folder) as corpus:
        lexical = corpus._open.searches.lexical
        return {
            query: set(lexical.find(terms(fold(query)), 10_000, Filters(kinds=kinds)))
            for query in (*QUERIES, "the", "a", "of")
            for kinds in (None, list(KINDS))
        }


@pytest.mark.long
def test_a_release_takes_over_the_index_of_the_one_before_and_holds_the_same_as_one_made_anew(
    library, monkeypatch
):
    monkeypatch.setattr("pipeline.publish.search_index._DELETED", 0.9)
    first = _built(library)
    before = {path.name: path.read_bytes() for path in (first.folder / FOLDER).iterdir()}
    (library / "pdfs" / "okafor2021.pdf").rename(library / "okafor2021.pdf")
    second = _built(library)
    shutil.copy(library / "okafor2021.pdf", library / "pdfs" / "abbot2000.pdf")
    third = _built(library)
    assert {path.name: path.read_bytes() for path in (first.folder / FOLDER).iterdir()} == before
    for one, two in ((first, second), (second, third)):
        shared = {path.stat().st_ino for path in (one.folder / FOLDER).iterdir()}
        assert shared & {path.stat().st_ino for path in (two.folder / FOLDER).iterdir()}
    assert second.manifest["search"]["deleted"] > 0
    shutil.rmtree(library / "corpus")
    anew = _built(library)
    assert anew.manifest["search"]["deleted"] == 0
    assert _found(third.folder if third.folder.exists() else anew.folder) == _found(anew.folder)


@pytest.mark.long
def test_a_damaged_index_is_named_by_a_search_and_made_anew_by_a_build(library):
    first = _built(library)
    (first.folder / FOLDER / "meta.json").write_text("{}")
    with (
        lookup.open(library / "corpus") as corpus,
        pytest.raises(lookup.DamagedError, match="Build the corpus again"),
    ):
        corpus.search("salinity", mode="lexical")
    (library / "pdfs" / "okafor2021.pdf").unlink()
    _built(library)
    with lookup.open(library / "corpus") as corpus:
        assert corpus.search("salinity", mode="lexical")


@pytest.mark.long
def test_an_index_of_another_version_is_refused_and_not_taken_over(library):
    release = _built(library)
    path = release.folder / "manifest.json"
    said = json.loads(path.read_text())
    said["search"]["version"] = "0.0"
    path.write_text(json.dumps(said))
    with (
        lookup.open(library / "corpus") as corpus,
        pytest.raises(lookup.SearchError, match="Build the corpus again"),
    ):
        corpus.search("salinity", mode="lexical")
    (library / "pdfs" / "okafor2021.pdf").unlink()
    assert _built(library).manifest["search"]["version"] != "0.0"


def test_without_tantivy_meaning_alone_decides_and_the_hint_says_so(embedded, monkeypatch):
    monkeypatch.setitem(sys.modules, "tantivy", None)
    with lookup.open(embedded.release.folder.parents[1]) as corpus:
        answer = corpus.search("salinity")
        assert answer
        assert answer.mode == "semantic"
        assert "pip install" in answer.hint
        with pytest.raises(lookup.SearchError, match="pip install"):
            corpus.search("salinity", mode="lexical")


@pytest.mark.parametrize("length", [20, 80, 300])
def test_a_snippet_is_whole_words_of_its_paragraph_with_the_words_asked_for(corpus, length):
    rows = corpus.sql("SELECT text FROM paragraphs WHERE kind = 'body' AND length(text) > 200").fetchall()
    for (text,) in rows:
        word = max(text.split(), key=len)
        start, end = snippet_span(text, frozenset(terms(fold(word))), None, length)
        assert 0 <= start < end <= len(text)
        assert end - start <= max(length, len(word))
        assert start == 0 or text[start - 1].isspace()
        assert end == len(text) or text[end].isspace() or end - start == length
        assert set(terms(fold(word))) & set(terms(fold(text[start:end]))) or len(word) > length
    assert snippet_span("", frozenset({"a"}), None) == (0, 0)


def test_a_number_asked_for_is_no_part_of_another_one():
    text = "at pH 7.2, with 0.2 ml for 2 h"
    assert [text[slice(*span)] for span, _ in asked_words(text, frozenset({"2"}))] == ["2"]


def test_the_command_prints_hits_and_ends_with_status_1_where_there_are_none(corpus_path):
    def run(*arguments):
        return pagequote(*arguments, "--corpus", corpus_path)

    found = run("search", "salinity", "gradient", "--mode", "lexical", "--year", "2015-2019", "-n", "2")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(f"{NIGHT}, page ")
    said = json.loads(
        run("search", "salinity", "--mode", "lexical", "--format", "json", "--author", "saga").stdout
    )
    assert {hit["key"] for hit in said["hits"]} == {NIGHT}
    nothing = run("search", "salinity", "--mode", "lexical", "--year", "-1900")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert "drop a filter" in nothing.stderr
    for wrong in ("20", "2015-2019-", "-", "1999x"):
        assert run("search", "salinity", "--year", wrong).returncode == 2
    similar = run("search", "--like", f"{NIGHT}:5")
    assert similar.returncode == 2
    assert "has no vectors" in similar.stderr


def test_several_phrasings_give_what_answers_all_of_them(corpus):
    phrasings = ["carbon released at night", "opaque chamber"]
    ranks: dict[tuple[str, int], float] = {}
    for one in phrasings:
        for rank, hit in enumerate(corpus.search(one, 5, "lexical").hits, start=1):
            ranks[hit.key, hit.paragraph] = ranks.get((hit.key, hit.paragraph), 0) + 1 / (60 + rank)
    expected = sorted(ranks, key=lambda place: (-ranks[place], place))[:5]
    assert [(hit.key, hit.paragraph) for hit in corpus.search(phrasings, 5, "lexical").hits] == expected
    assert corpus.search(phrasings[:1], 5, "lexical") == corpus.search(phrasings[0], 5, "lexical")
    with pytest.raises(lookup.QueryError, match="no query"):
        corpus.search([], 5)
