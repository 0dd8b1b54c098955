"""Tier 3: the nearest passage by words and meaning, related at best; and what is said where there is no
model.
"""

import json
import math
import re
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookup
from lookup.next_step import NextStep
from lookup.papers.paper import PassageSpan
from lookup.quote.candidate import Candidate
from lookup.release.current import SCALES_FILE, SIGNS_FILE, VECTORS_FILE, Release
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from lookup.text.words import index_of, words_in
from pipeline.models.install import install_model
from retrieval.embedding.sentence_vectors import Nearest
from retrieval.embedding.signs import in_blocks
from retrieval.embedding.vectors import Vectors
from retrieval.passages.passage_ranking import Meant, rank, without_citations
from retrieval.passages.thresholds import BOUNDS, LONGER
from retrieval.scoring.evidence import ALIGNED
from retrieval.scoring.relevance import WINDOW, asked_terms, relevance
from retrieval.scoring.stems import stem
from tests.support.builds import build
from tests.support.models import tiny_model
from tests.support.pdfs import pdf

NIGHT = "lindqvist2019"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What fraction of the carbon released in a year is released at night?", "61% of the annual release"),
        (
            "Why were measurements of gases on marshes mostly made during the day?",
            "people prefer to work by day",
        ),
        ("What happened to drained marshes behind dykes?", "drained, oxidised and sank"),
        ("What sank?", "drained, oxidised and sank"),  # too few letters for tier 2
    ],
)
def test_a_question_brings_up_the_passage_that_answers_it(meaningful, question, answer):
    found = meaningful.quote(NIGHT, question, limit=3)
    assert any(answer in " ".join(match.text.split()) for match in found.matches)
    assert {match.verdict for match in found.matches} == {"related"}
    assert "nearest passage" in found.hint


def test_a_word_in_common_with_a_question_in_another_language_does_not_decide(corpus):
    library = corpus._open.library
    paper = library.paper(NIGHT)
    question = "Welche Folgen hatte es, dass man dykes errichtete und das Sumpfland entwässerte?"
    body = [one for one in paper.paragraphs if one.kind == "body"]
    meant = next(one.paragraph for one in body if "dyke" not in library.texts(NIGHT)[one.paragraph])
    nearest = {one.paragraph: Nearest(0.9 if one.paragraph == meant else 0.8, 0) for one in body}
    ranked, _ = rank(paper, question, Meant(nearest))
    assert ranked[0].paragraph.paragraph == meant


def test_words_that_tier_2_found_add_to_the_score_of_their_paragraph(corpus):
    paper = corpus._open.library.paper(NIGHT)
    (body, other) = [one.paragraph for one in paper.paragraphs if one.kind == "body"][:2]
    found = Candidate(PassageSpan(other, 0, other, 5), 0.6, 2, "related")
    nearest = {one: Nearest(0.5, 0) for one in (body, other)}
    plain, lifted = (
        {one.paragraph.paragraph: one.score for one in rank(paper, "xyzzy", meant, wanted=9)[0]}
        for meant in (Meant(nearest), Meant(nearest, aligned={other: found}))
    )
    assert math.isclose(lifted[other] - plain[other], ALIGNED * 0.6)
    assert lifted[body] == plain[body]


def test_each_model_has_a_bound_of_its_own(corpus):
    paper = corpus._open.library.paper(NIGHT)
    nearest = {one.paragraph: Nearest(0.9, 0) for one in paper.paragraphs if one.kind == "body"}

    def shown(model, nearer):
        meant = Meant(nearest, nearer=nearer, bounds=BOUNDS[model])
        return rank(paper, "xyzzy", meant)[1]

    margins = [BOUNDS[model].nearer + LONGER for model in ("all-MiniLM-L6-v2", "multilingual-e5-small")]
    assert [shown("all-MiniLM-L6-v2", margin) for margin in margins] == [True, True]
    assert [shown("multilingual-e5-small", margin) for margin in margins] == [False, True]


def test_what_is_asked_of_any_work_is_not_compared_with_other_papers(corpus):
    paper = corpus._open.library.paper(NIGHT)
    nearest = {one.paragraph: Nearest(0.5, 0) for one in paper.paragraphs if one.kind == "body"}
    far = Meant(nearest, nearer=-1.0)
    for asked in ("What is the conclusion of this report?", "What were the main findings of the study?"):
        assert rank(paper, asked, far)[1]
    for asked in ("What is the conclusion on flamingos?", "What do the authors say of xyzzy?"):
        assert not rank(paper, asked, far)[1]


def test_the_nearest_passages_follow_what_is_nearly_printed_where_more_is_asked_for(meaningful):
    printed = next(
        sentence
        for (text,) in meaningful.sql(
            "SELECT text FROM paragraphs WHERE key = ? AND kind = 'body'", [NIGHT]
        ).fetchall()
        for sentence in text.split(". ")
        if len(sentence.split()) > 12
    )
    words = printed.split()
    changed = " ".join([*words[:5], "surprisingly", *words[5:]])
    one, several = (meaningful.quote(NIGHT, changed, limit=n) for n in (1, 5))
    assert [match.verdict for match in one.matches] == ["near"]
    assert several.matches[0] == one.matches[0]
    assert [match.verdict for match in several.matches] == ["near", *["related"] * 4]
    assert len({match.paragraph for match in several.matches}) == 5
    assert several.hint == one.hint


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        (
            "Marshes emit carbon at night (Wu et al., 2010; Li, 2011).",
            "Marshes emit carbon at night  .",
        ),
        ("As Lindqvist et al. (2019) say, marshes emit carbon", "As   say, marshes emit carbon"),
        ("Marshes emit carbon at night [12, 14].", "Marshes emit carbon at night  ."),
        ("Was it Smith and Wu (2010)?", "Was it Smith and Wu (2010)?"),
        (
            "In 1999 the night was long (as ever) for 20 people",
            "In 1999 the night was long (as ever) for 20 people",
        ),
    ],
)
def test_works_that_a_query_cites_are_not_looked_for(asked, left):
    assert without_citations(asked) == left


def test_a_long_query_is_answered_by_its_nearest_sentence(meaningful):
    long = (
        "As Lindqvist et al. (2019) point out, a budget of carbon that rests on measurements at daytime "
        "alone would overstate what a marsh buries, since the release of gas in the nights is left out "
        "of account, however carefully the chambers are read and whatever the weather of the season may be"
    )
    assert meaningful.quote(NIGHT, long).matches
    assert not meaningful.quote("ilmarinen2023", long).matches


def test_the_first_answer_is_the_same_for_any_number(meaningful):
    asked = [
        "What fraction of the carbon released in a year is released at night?",
        "What sank?",
        "measurements have been made by people who prefer to work by day and not by night",
        "plants breathe in the dark and tides keep no hours",
        "the ice of the lake is three centimetres",
    ]
    for question in asked:
        for key in (NIGHT, "okafor2021"):
            ten = [one.text for one in meaningful.quote(key, question, limit=10).matches]
            for n in (1, 3):
                assert [one.text for one in meaningful.quote(key, question, limit=n).matches] == ten[:n]


@pytest.mark.long
def test_a_passage_that_says_the_contrary_is_related_at_best(meaningful):
    rows = meaningful.sql(
        "SELECT key, text FROM paragraphs WHERE kind = 'body' AND text LIKE '% is %' AND length(text) > 300"
    ).fetchall()
    assert len(rows) > 5
    for key, text in rows:
        sentence = next(one for one in re.split(r"(?<=\.)\s", text) if " is " in one)
        found = meaningful.quote(key, sentence.replace(" is ", " is not ", 1), limit=5)
        assert all(match.verdict != "verbatim" for match in found.matches)
        assert all(match.verdict == "related" for match in found.matches if match.tier == 3)


def test_the_nearest_sentence_is_the_one_that_vectors_say(meaningful):
    question = "What fraction of the carbon released in a year is released at night?"
    (match,) = meaningful.quote(NIGHT, question, context="sentence").matches
    query = meaningful._open.searches.vectors.meaning.query(question)
    rows = meaningful.sql(
        'SELECT text[s.start + 1 : s."end"], vector, scale FROM vectors JOIN sentences s USING (key, '
        "paragraph, sentence) "
        "JOIN paragraphs USING (key, paragraph) WHERE key = ? AND paragraph = ?",
        [NIGHT, match.paragraph],
    ).fetchall()
    nearest = max(rows, key=lambda row: np.array(row[1]) @ query * row[2])
    assert match.text == match.quote == nearest[0]
    assert match.tier == 3
    assert 0 < match.score < 1


@pytest.mark.parametrize("room", [1, 20, 90, 200, 500, 5000])
def test_an_excerpt_holds_the_nearest_sentence_and_whole_ones_around_it(meaningful, room):
    question = "What happened to drained marshes behind dykes?"
    (match,) = meaningful.quote(NIGHT, question, context="sentence").matches
    excerpt = meaningful.excerpt(NIGHT, question, max_chars=room)
    assert len(excerpt) <= room
    (paragraph,) = meaningful.sql(
        "SELECT text FROM paragraphs WHERE key = ? AND paragraph = ?", [NIGHT, match.paragraph]
    ).fetchall()[0]
    if room >= len(match.quote):
        assert match.quote in excerpt
        spans = sentence_spans(paragraph)
        start = paragraph.index(excerpt)
        assert start in {start for start, _ in spans}
        assert start + len(excerpt) in {end for _, end in spans}
    if room >= len(paragraph):
        assert excerpt == paragraph


def test_without_a_model_an_excerpt_goes_by_words_and_warns(corpus, caplog):
    assert "drained, oxidised" in corpus.excerpt(NIGHT, "What happened to drained marshes behind dykes?")
    assert "by words" in caplog.text
    with pytest.raises(lookup.UnknownKeyError):
        corpus.excerpt("lindqvist2109", "marshes")
    with pytest.raises(lookup.QueryError, match="empty"):
        corpus.excerpt(NIGHT, " ")
    with pytest.raises(lookup.QueryError, match="max_chars"):
        corpus.excerpt(NIGHT, "marshes", max_chars=0)


def test_a_page_restricts_what_is_nearest(meaningful):
    question = "What fraction of the carbon released in a year is released at night?"
    pages = meaningful.sql("SELECT pages FROM papers WHERE key = ?", [NIGHT]).fetchall()[0][0]
    for page in range(1, pages + 1):
        for match in meaningful.quote(NIGHT, question, page=page, limit=5).matches:
            (on,) = meaningful.sql(
                "SELECT ? BETWEEN page AND page_end FROM paragraphs WHERE key = ? AND paragraph = ?",
                [page, NIGHT, match.paragraph],
            ).fetchall()
            assert on == (True,)


def test_what_has_nothing_to_do_with_a_paper_is_not_answered(meaningful):
    found = meaningful.quote(NIGHT, "Who won the chess championship of the year 1972 in Reykjavik?")
    assert found.matches == ()
    assert found.hint


def test_verify_does_not_take_the_nearest_passage_for_the_quote(meaningful):
    found = meaningful.verify("What fraction of the carbon released in a year is released at night?", NIGHT)
    assert (found.verdict, found.match) == ("not found", None)


def test_without_vectors_words_alone_decide_and_the_hint_says_so(corpus):
    found = corpus.quote(NIGHT, "What happened to drained marshes behind dykes?")
    assert "drained, oxidised and sank" in " ".join(found.matches[0].text.split())
    assert (found.matches[0].verdict, found.matches[0].tier) == ("related", 3)
    assert "by words alone" in found.hint
    assert "has no vectors" in found.hint
    assert found.next_step == NextStep(
        "get_page", "lindqvist2019", found.matches[0].page, also="build_with_model"
    )
    with pytest.raises(lookup.ModelError, match="has no vectors"):
        corpus.warm()


@pytest.fixture
def library(tmp_path):
    """One paper with vectors of a tiny model, which is kept beside the corpus."""
    model = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "cat.pdf").write_bytes(
        pdf("Front", "Matter", "A cat sat on a large grey mat. Nobody minded the cat at all.")
    )
    build([tmp_path / "pdfs"], tmp_path, model=model)
    return tmp_path


def test_the_model_is_found_beside_the_corpus_and_never_another_one(library):
    with lookup.open(library / "corpus") as corpus:
        corpus.warm()
        assert "by words alone" not in corpus.quote("cat", "the grey mat of a large animal").hint
    card = library / "models" / "tiny" / "model.json"
    card.write_text(json.dumps(json.loads(card.read_text()) | {"id": "tiny@other"}))
    with lookup.open(library / "corpus") as corpus:
        with pytest.raises(lookup.ModelError, match=r"'tiny@other'.*they cannot be compared"):
            corpus.warm()
        assert "they cannot be compared" in corpus.quote("cat", "the grey mat of a large animal").hint
    (library / "models").rename(library / "elsewhere")
    with (
        lookup.open(library / "corpus") as corpus,
        pytest.raises(lookup.ModelError, match="Get it") as refused,
    ):
        corpus.warm()
    assert refused.value.next_step == NextStep("get_model")


def test_damaged_vectors_are_named(library):
    (library / "corpus" / "current" / VECTORS_FILE).write_bytes(b"no matrix")
    with (
        lookup.open(library / "corpus") as corpus,
        pytest.raises(lookup.DamagedError, match="Build the corpus again"),
    ):
        corpus.warm()


@pytest.mark.long
@pytest.mark.system
def test_the_model_is_loaded_by_the_first_question_and_not_before(library):
    ask = (
        "import sys, lookup\ncorpus = lookup.open(sys.argv[1])\nheavy = {'onnxruntime', 'tokenizers', "
        "'numpy'}\n"
        "assert corpus.quote('cat', 'sat on a large grey mat').matches[0].verdict == 'verbatim'\n"
        "print(sorted(heavy & set(sys.modules)))\ncorpus.quote('cat', 'who minded the animal there')\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", ask, str(library / "corpus")], capture_output=True, text=True, check=True
    )
    assert ran.stdout.splitlines() == ["[]", "['numpy', 'onnxruntime', 'tokenizers']"]


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """9,000 random vectors as a release stores them, and what they are multiplied out."""
    folder = tmp_path_factory.mktemp("vectors")
    made = np.random.default_rng(3).standard_normal((9000, 16)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    scales = (np.abs(made).max(axis=1) / 127).astype(np.float32)
    whole = np.rint(made / scales[:, None]).astype(np.int8)
    np.save(folder / VECTORS_FILE, whole)
    np.save(folder / SCALES_FILE, scales)
    np.save(folder / SIGNS_FILE, np.stack(list(in_blocks(whole))))
    return Vectors(Release(folder, {})), whole * scales[:, None]


@pytest.mark.parametrize("by_signs_from", [200_000, 0])
@pytest.mark.parametrize("ranges", [None, [(0, 10), (100, 700), (4000, 8200)], [(5, 5)], []])
def test_the_nearest_vectors_are_those_of_a_plain_product(stored, ranges, by_signs_from, monkeypatch):
    monkeypatch.setattr("retrieval.embedding.vectors._BY_SIGNS", by_signs_from)
    monkeypatch.setattr("retrieval.embedding.vectors._EACH_RANGE", 0)
    monkeypatch.setattr("retrieval.embedding.vectors._CHOSEN", 2700)
    vectors, plain = stored
    query = plain[17] + np.float32(0.1)
    rows = (
        range(len(plain)) if ranges is None else [row for first, last in ranges for row in range(first, last)]
    )
    lots = list(vectors.nearest(query, ranges))
    found = [row for lot, _ in lots for row in lot.tolist()]
    assert sorted(found) == list(rows)
    if found:
        similarities = np.concatenate([similarity for _, similarity in lots])
        assert np.allclose(similarities, (plain @ query)[found], atol=1e-5)
        expected = sorted(rows, key=lambda row: -(plain[row] @ query))[:10]
        assert len(set(expected) & set(found[:10])) >= 9


@pytest.mark.parametrize("ranges", [[(0, 10), (100, 700), (4000, 8200)], [(18, 9000)], [(0, 17)]])
def test_the_greatest_similarity_is_that_of_a_plain_product(stored, ranges, monkeypatch):
    monkeypatch.setattr("retrieval.embedding.vectors._CHOSEN_FOR_ONE", 4000)  # of 16 signs few tell much
    vectors, plain = stored
    rows = [row for first, last in ranges for row in range(first, last)]
    for row in rows[::500]:
        query = plain[row] + np.float32(0.1)
        assert math.isclose(vectors.greatest(query, ranges), (plain[rows] @ query).max(), rel_tol=1e-5)


TEXTS = st.lists(st.text("abcd ", max_size=120), min_size=1, max_size=8)


@given(TEXTS, st.text("abcde ", max_size=20))
def test_relevance_is_that_of_the_formulas(texts, asked):
    ranked = range(0, len(texts), 2)
    found = relevance(index_of(texts), asked, ranked)
    terms = set(asked_terms(asked))
    bags = {number: [stem(word) for word in words_in(texts[number])] for number in ranked}
    idf = {}
    for term in terms:
        holding = sum(term in bag for bag in bags.values())
        idf[term] = math.log(1 + (len(bags) - holding + 0.5) / (holding + 0.5))
    mean = sum(map(len, bags.values())) / len(bags)
    total = sum(idf.values())
    for number, bag in bags.items():
        windows = [set(bag[at : at + WINDOW]) & terms for at in range(len(bag))]
        mass = max((sum(idf[term] for term in window) for window in windows), default=0)
        counts = Counter(bag)
        bm25 = sum(
            idf[term] * counts[term] / (counts[term] + 1.2 * (0.25 + 0.75 * len(bag) / mean))
            for term in terms
            if counts[term]
        )
        if number not in found:
            assert mass == 0
            continue
        assert math.isclose(found[number].mass, mass / total)
        assert math.isclose(found[number].bm25, bm25 / total)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("what are the effects of heating on heated wings", ["effect", "heat", "wing"]),
        ("what is it", ["what", "is", "it"]),  # nothing else is asked for
        ("10 % of CO2", ["10", "co2"]),
        ("...", []),
    ],
)
def test_a_query_asks_for_its_telling_words_by_their_stems(asked, expected):
    assert asked_terms(fold(asked)) == expected
