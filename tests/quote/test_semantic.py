"""Tier 3: the nearest passage by words and meaning, related at best; and what is said where there is no
model.
"""

import json
import math
import re
import subprocess
import sys

import numpy as np
import pytest

import lookup
from lookup.errors import NextStep
from lookup.release.current import SCALES_FILE, SIGNS_FILE, VECTORS_FILE, Release
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from pipeline.models.install import install_model
from retrieval.embedding.signs import in_blocks
from retrieval.embedding.vectors import Vectors
from retrieval.passages.passage_ranking import without_citations
from retrieval.scoring.relevance import asked_terms
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
def library(tmp_path, monkeypatch):
    """One paper with vectors of a tiny model of the user's."""
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(tmp_path / "models"))
    model = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    (tmp_path / "pdfs").mkdir()
    (tmp_path / "pdfs" / "cat.pdf").write_bytes(
        pdf("Front", "Matter", "A cat sat on a large grey mat. Nobody minded the cat at all.")
    )
    build([tmp_path / "pdfs"], tmp_path, model=model)
    return tmp_path


def test_the_model_is_that_of_the_vectors_and_of_the_user_and_never_another_one(library, monkeypatch):
    with lookup.open(library / "corpus") as corpus:
        corpus.warm()
        assert "by words alone" not in corpus.quote("cat", "the grey mat of a large animal").hint
    card = library / "models" / "tiny" / "model.json"
    card.write_text(json.dumps(json.loads(card.read_text()) | {"id": "tiny@other"}))
    with lookup.open(library / "corpus") as corpus:
        with pytest.raises(lookup.ModelError, match=r"'tiny@other'.*they cannot be compared"):
            corpus.warm()
        assert "they cannot be compared" in corpus.quote("cat", "the grey mat of a large animal").hint
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(library / "none"))
    with (
        lookup.open(library / "corpus") as corpus,
        pytest.raises(lookup.ModelError, match=r"Get it\. .* may have come with the corpus") as refused,
    ):
        corpus.warm()
    assert refused.value.next_step == NextStep("get_model")
    (manifest,) = (library / "corpus/releases").glob("*/manifest.json")
    manifest.write_text(manifest.read_text().replace('"tiny@', f'"{library}/models/tiny@'))
    with lookup.open(library / "corpus") as corpus, pytest.raises(lookup.ModelError, match="is not in"):
        corpus.warm()


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


@pytest.mark.parametrize("by_signs_from", [20_000, 0])
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
