"""Keyword search over the sample papers: keys, places, ranks, SQL and the command line."""

import json
import os
import subprocess
import sys

import duckdb
import pytest

import lookup
from retrieval.keywords.indexed_keywords import IndexedKeywords
from retrieval.keywords.paper_texts import Papers, PaperTexts
from retrieval.keywords.parse import keywords_of
from tests.support.command import pagequote

NIGHT = "lindqvist2019"
LIGHT = "haldorsen2020"
CALLS = ("search_context", "search_exact_phrase", "search_boolean_and", "search_fuzzy")


def run(corpus_path, *arguments):
    """A command of the command line."""
    return pagequote(*arguments, "--corpus", corpus_path)


@pytest.mark.parametrize("keys", [NIGHT, [NIGHT, LIGHT], None], ids=["one", "some", "all"])
@pytest.mark.parametrize("call", CALLS)
def test_a_result_is_a_place_in_the_document_text(corpus, call, keys):
    answer = getattr(corpus, call)("salinity gradient", keys=keys, context_chars=200)
    assert answer
    assert {result.key for result in answer} <= {
        key for (key,) in corpus.sql("SELECT key FROM papers").fetchall()
    }
    for result in answer:
        text = corpus.document(result.key)
        assert text[result.start : result.start + len(result.text)] == result.text
        row = corpus.sql(
            "SELECT page, page_end, kind, section_title FROM paragraphs WHERE key = ? AND cursor <= ? ORDER "
            "BY cursor DESC LIMIT 1",
            [result.key, result.start + result.spans[0][0]],
        ).fetchone()
        if call != "search_boolean_and":
            assert row[0] <= result.page <= row[1] or len(result.spans) > 1
        labels = dict(corpus.sql("SELECT page, page_label FROM pages WHERE key = ?", [result.key]).fetchall())
        assert result.page_label == labels[result.page]
    if keys == NIGHT:
        assert {result.key for result in answer} == {NIGHT}


@pytest.mark.parametrize("call", CALLS)
def test_one_paper_is_searched_as_its_document_text_is(corpus, call):
    keywords = "the opaque chamber"
    found = getattr(corpus, call)(keywords, keys=NIGHT, limit=5)
    plain = getattr(lookup.Document(corpus.document(NIGHT)), call)(keywords, limit=5)
    assert found.answered_by == plain.answered_by
    assert {result.cursor for result in found if result.kind == "body"} <= {result.cursor for result in plain}


def test_the_page_is_the_one_that_prints_the_first_of_the_words(corpus):
    rows = corpus.sql(
        "SELECT key, text, lines, page_end FROM paragraphs WHERE page_end > page AND kind = 'body' ORDER BY "
        "key, paragraph"
    ).fetchall()
    checked = 0
    for key, text, lines, page_end in rows:
        line = next(line for line in lines if line["page"] == page_end)
        words = " ".join(text[line["start"] : line["end"]].split()[1:6])
        answer = corpus.search_exact_phrase(words, keys=key, context_chars=100)
        assert answer.answered_by == "phrase"
        assert page_end in {result.page for result in answer}
        checked += 1
    assert checked > 3


def test_all_papers_are_searched_as_each_of_them(corpus):
    keys = [key for (key,) in corpus.sql("SELECT key FROM papers").fetchall()]
    for words in ("salinity", "light-harvesting", "naive", "calibration lamp", "spectrometers"):
        for call in ("search_boolean_and", "search_exact_phrase"):
            together = getattr(corpus, call)(words, limit=200, context_chars=100)
            if together.answered_by not in ("boolean", "phrase"):
                continue
            alone = [
                result
                for key in keys
                for result in getattr(corpus, call)(words, keys=key, limit=200, context_chars=100)
                if getattr(corpus, call)(words, keys=key).answered_by == together.answered_by
            ]
            assert sorted((result.key, result.cursor) for result in together) == sorted(
                (result.key, result.cursor) for result in alone
            )


def test_the_index_finds_the_words_that_python_finds(corpus):
    """Whatever accents and hyphens are printed."""
    key, text = corpus.sql(
        "SELECT key, text FROM paragraphs WHERE text_norm LIKE '%light-harvesting%' LIMIT 1"
    ).fetchone()
    assert text
    for words in ("lightharvesting", "light-harvesting", "LIGHT harvesting", "harvesting"):
        for keys in (None, [key, NIGHT], key):
            answer = corpus.search_boolean_and([words], keys=keys)
            assert answer.answered_by == "boolean"
            assert any("light-harvesting" in result.text.lower() for result in answer)
    assert corpus.search_context("lightharvestng", keys=None).answered_by == "fuzzy"
    nothing = corpus.search_context("zyxwvutsrq")
    assert (nothing.results, nothing.answered_by) == ((), None)


def test_unknown_keys_and_empty_words_are_refused(corpus):
    for call in CALLS:
        with pytest.raises(lookup.UnknownKeyError):
            getattr(corpus, call)("salinity", keys=[NIGHT, "nobody1900"])
        with pytest.raises(lookup.QueryError):
            getattr(corpus, call)("...", keys=NIGHT)
    with pytest.raises(lookup.UnknownKeyError):
        corpus.context("nobody1900", 5)
    with pytest.raises(lookup.QueryError):
        corpus.context(NIGHT, 10**9)


@pytest.mark.long
def test_the_macro_around_gives_the_context_of_a_cursor(corpus):
    document = corpus.document(NIGHT)
    for cursor in range(0, len(document), 491):
        for before, after in ((100, 100), (0, 300), (1000, 1000), (300, 0)):
            rows = corpus.sql(
                "SELECT text FROM around(?, ?, ?, ?)", [NIGHT, cursor, before, after]
            ).fetchall()
            assert rows == [(corpus.context(NIGHT, cursor, before, after),)]


def test_the_command_searches_by_keywords(corpus_path):
    done = run(corpus_path, "search", "--keywords", "--key", NIGHT, "salinity", "gradient", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["answered_by"] == "ranking"
    assert answer["results"][0]["key"] == NIGHT
    for options in ([], ["--key", NIGHT, "--key", LIGHT]):
        some = run(
            corpus_path, "search", "--keywords", *options, "salinity", "-n", "1", "--context-chars", "40"
        )
        assert some.returncode == 0, some.stderr
        assert some.stdout.startswith(f"{NIGHT}, page ")
        assert "cursor" in some.stdout
    within = ("search", "--keywords", "--key", NIGHT)
    phrase = run(corpus_path, *within, "opaque", "chamber", "--mode", "phrase", "--json")
    assert json.loads(phrase.stdout)["answered_by"] == "phrase"
    fuzzy = run(corpus_path, *within, "salinty")
    assert (fuzzy.returncode, "fuzzy" in fuzzy.stderr) == (0, True)
    assert run(corpus_path, *within, "zyxwvut").returncode == 1
    as_one = run(corpus_path, *within, "zyxwvut qqqwww")
    assert "one keyword" in as_one.stderr
    assert run(corpus_path, *within, "...").returncode == 2
    assert run(corpus_path, *within).returncode == 2
    assert run(corpus_path, *within[:3], "nobody1900", "salinity").returncode == 2
    sql = run(corpus_path, "search", "--keywords", "salinity", "--sql").stdout
    with duckdb.connect(str(corpus_path / "current/corpus.duckdb"), read_only=True) as connection:
        connection.execute(sql).fetchall()


def walked(corpus):
    """The texts of all papers, read whole."""
    library = corpus._open.library
    texts = PaperTexts(Papers(library), None)
    return [texts.whole(key) for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key").fetchall()]


def test_the_index_counts_the_paragraphs_that_hold_a_word_as_a_walk_through_all_texts_does(corpus):
    texts = walked(corpus)
    words = sorted(word for word in texts[0].vocabulary if word.isalpha())[::23]
    assert len(words) > 20
    printed = IndexedKeywords(corpus._open.library.index)
    for keyword in keywords_of([*words, "light harvesting", "lightharvesting", "naïve", "o'clock"]):
        hits = {(text.key, hit.paragraph) for text in texts for hit in text.find([keyword])}
        assert printed.count(printed.keyword(keyword.forms)) == len(hits), keyword
        answer = corpus.search_boolean_and([keyword.asked])
        assert answer.paragraphs == len(hits)


@pytest.mark.long
@pytest.mark.system
def test_every_process_gives_the_same_scores(corpus_path):
    program = """
import sys, lookup
from retrieval.scoring.relevance import relevance
from retrieval.snippets.extractor import stems_of_segments
asked = "carbon dioxide released by marshes at night in salt water"
with lookup.open(sys.argv[1]) as corpus:
    hits = corpus.search(asked, 20, "lexical").hits
    text = corpus.document("lindqvist2019")
spans = [(at, at + 300) for at in range(0, len(text) - 300, 300)]
print([hit.score.hex() for hit in hits],
      [one.bm25.hex() for one in relevance(stems_of_segments(text, spans), set(asked.split()))])
"""
    printed = {
        subprocess.run(
            [sys.executable, "-c", program, corpus_path],
            env={**os.environ, "PYTHONHASHSEED": str(seed)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in range(6)
    }
    assert len(printed) == 1
