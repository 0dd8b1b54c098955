"""The weighted words of a sparse model, in the index of words."""

import re

import numpy as np
import pytest

import lookup
from lookup.index.release_index import ASIDE, LEVEL
from pipeline.models.install import install_model
from retrieval.embedding.encoder import Encoder
from retrieval.embedding.model import read_model, unpacked
from retrieval.passages.passage_ranking import Meant, rank
from tests.support.builds import build
from tests.support.models import tiny_model, tiny_sparse_model

NIGHT = "lindqvist2019"
QUESTION = "why is more carbon released at night"


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """A folder with a model of vectors, and a sparse one."""
    folder = tmp_path_factory.mktemp("models")
    install_model(tiny_model(folder / "source"), folder / "tiny")
    install_model(tiny_sparse_model(folder / "sparse source"), folder / "words")
    return folder


@pytest.fixture
def library(samples, models, tmp_path, monkeypatch):
    """The sample papers, built with both."""
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(models))
    build([samples], tmp_path, [samples / "samples.bib"], read_model(models / "tiny"))
    return tmp_path


@pytest.mark.long
def test_the_log_tells_weighed_words_from_vectors(samples, models, tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(models))
    build([samples], tmp_path, [], read_model(models / "tiny"))
    told = re.findall(r"^(\w+): \d+ of \d+ sentences", capsys.readouterr().err, re.MULTILINE)
    assert told == ["embed", "weigh"]


@pytest.mark.long
def test_a_paragraph_scores_by_the_words_that_it_shares_with_a_query(library, models):
    encoder = Encoder(read_model(models / "words"))

    def weighed(texts):
        bag: dict[int, float] = {}
        for numbers, weights in zip(*unpacked(encoder.encode(texts)), strict=True):
            for number, weight in zip(numbers.tolist(), weights.tolist(), strict=True):
                bag[number] = max(bag.get(number, 0), weight)
        return bag

    with lookup.open(library / "corpus") as corpus:
        assert corpus.release.manifest["search"]["terms"].startswith("words@")
        found = corpus._open.searches.expanded.within(NIGHT, QUESTION, 1000)
        texts = "SELECT paragraph, list(text) FROM sentence_texts WHERE key = ? GROUP BY ALL"
        asked = {number: weight for number, weight in weighed([QUESTION]).items() if weight >= 0.05}
        whole = sum(weight**2 for weight in asked.values())
        expected = {}
        for paragraph, sentences in corpus.sql(texts, [NIGHT]).fetchall():
            levels = {
                number: np.rint(weight / LEVEL) * LEVEL for number, weight in weighed(sentences).items()
            }
            score = sum(weight * levels.get(number, 0) for number, weight in asked.items()) / whole
            expected[paragraph] = score
        embedded = {
            row
            for (row,) in corpus.sql(
                "SELECT DISTINCT paragraph FROM vectors WHERE key = ?", [NIGHT]
            ).fetchall()
        }
        assert set(found) == {paragraph for paragraph in embedded if expected[paragraph]}
        assert found == pytest.approx({paragraph: expected[paragraph] for paragraph in found}, abs=1e-4)
        assert corpus.search(QUESTION, mode="hybrid")
        assert corpus.quote(NIGHT, "how much is released at night").hint
        keys = [key for (key,) in corpus.sql("SELECT key FROM papers").fetchall()]
        words = corpus._open.searches.expanded
        best = [max(words.within(key, QUESTION, 1000).values(), default=0.0) for key in keys]
        assert words.greatest(keys, QUESTION) == pytest.approx(max(best))
        assert words.greatest([], QUESTION) == 0


@pytest.mark.long
def test_a_search_of_one_paper_ranks_as_a_quote_by_meaning_does(library, monkeypatch):
    with lookup.open(library / "corpus") as corpus:
        parts = corpus._open.searches
        paper = parts.library.paper(NIGHT)
        last = [one.paragraph for one in paper.paragraphs if one.kind == "body"][-1]
        orders = []
        for expanded in (parts.expanded.within(NIGHT, QUESTION, 1000), {last: 100.0}):
            monkeypatch.setattr(parts.expanded, "within", lambda *_, found=expanded: found)
            meant = Meant(parts.vectors.nearest(NIGHT, QUESTION), expanded)
            ranked, _ = rank(paper, QUESTION, meant, wanted=1000)
            expected = [one.paragraph for one in ranked if one.paragraph.kind not in ASIDE]
            hits = corpus.search(QUESTION, 1000, keys=[NIGHT]).hits
            orders.append([hit.paragraph for hit in hits])
            assert orders[-1] == [one.paragraph for one in expected]
        assert orders[0].index(last) > orders[1].index(last)


@pytest.mark.long
def test_the_words_stay_without_their_model_and_a_search_does_without_them(
    library, models, monkeypatch, samples
):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(library / "none"))
    install_model(tiny_model(library / "source"), library / "none" / "tiny")
    _, published = build([samples], library, [samples / "samples.bib"], read_model(models / "tiny"))
    assert not published.new
    with lookup.open(library / "corpus") as corpus:
        assert corpus.release.manifest["search"]["terms"].startswith("words@")
        assert not corpus._open.searches.expanded.within(NIGHT, QUESTION, 1000)
        assert corpus.search(QUESTION, mode="hybrid")
