"""Passages of any text that answer a query, and silence where nothing answers."""

import itertools
import json

import numpy as np
import pytest

import lookup
from tests.support.needs import needs
from tests.support.project import ROOT

TIDES = """# Tides

The tide rises twice a day where two bodies of water meet, and the moon draws both of them.

Harbours are dredged every spring, which costs the town more than its schools.

The height of the tide was measured with a float in a pipe, every ten minutes for a year.
"""
SPANS = ROOT.parent / "shared" / "corpus" / "spans" / "rows.jsonl"


class Letters:
    """Makes vectors of texts from how often each letter occurs: texts of the same words are alike."""

    def encode(self, texts):
        counts = np.array(
            [[text.casefold().count(chr(97 + at)) for at in range(26)] for text in texts], float
        )
        return counts / np.linalg.norm(counts, axis=1, keepdims=True).clip(1e-9)


def passages(text, query, model=None):
    return [text[start:end] for start, end, _ in lookup.relevant_spans(text, query, model)]


@pytest.mark.parametrize("model", [None, Letters()], ids=["words", "vectors"])
def test_the_paragraph_that_answers_is_returned_as_the_text_has_it(model):
    found = passages(TIDES, "how was the height of the tide measured?", model)
    assert (
        "The height of the tide was measured with a float in a pipe, every ten minutes for a year." in found
    )
    assert not any("dredged" in passage for passage in found)


def test_nothing_is_returned_where_nothing_answers():
    assert passages(TIDES, "which enzymes digest cellulose in termites?") == []
    assert passages("", "tides") == passages(" \n\n ", "tides") == []


def test_spans_ascend_are_apart_and_have_a_chance_as_their_score():
    found = lookup.relevant_spans(TIDES, "tide", None)
    assert len(found) > 1
    assert all(before.end <= after.start for before, after in itertools.pairwise(found))
    assert all(0 <= one.score <= 1 for one in found)
    assert all(TIDES[one.start : one.end] == TIDES[one.start : one.end].strip() for one in found)


@pytest.mark.parametrize("query", ["", "  ", "?!"])
def test_a_query_without_a_word_is_refused(query):
    with pytest.raises(lookup.QueryError, match="has no word"):
        lookup.relevant_spans(TIDES, query)


def test_a_model_that_is_named_must_be_there_and_the_automatic_one_need_not(monkeypatch, tmp_path):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(tmp_path))
    with pytest.raises(lookup.ModelError, match="nowhere"):
        lookup.relevant_spans(TIDES, "tide", "nowhere")
    monkeypatch.chdir(tmp_path)
    assert lookup.relevant_spans(TIDES, "tide") == lookup.relevant_spans(TIDES, "tide", None)


@needs("the shared spans")
def test_half_of_the_texts_that_answer_nothing_are_met_with_silence_by_words_alone():
    rows = [json.loads(line) for line in SPANS.read_text(encoding="utf-8").splitlines()]
    silent = [not lookup.relevant_spans(row["text"], row["query"], None) for row in rows]
    assert sum(each for each, row in zip(silent, rows, strict=True) if not row["spans"]) >= 13
    assert sum(each for each, row in zip(silent, rows, strict=True) if row["spans"]) <= 8
