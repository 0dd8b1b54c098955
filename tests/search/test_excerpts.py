"""Paragraphs of a text, and the one that is nearest in meaning."""

import logging
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup import clean_for_quote, extract_relevant_excerpt, segment_paragraphs, split_paragraphs
from lookup.text.folding import fold

TEXT = """# Tides

The tide rises twice a day and falls twice a day. Its height follows the moon, and the sun to a lesser degree.

Herons fish at night when the water is low. They stand still for an hour (or more). Then they strike, and \
they seldom miss what they strike at.

Salt
----
Salt keeps most plants away from the marsh. Those that stay have ways of their own to get rid of it.
"""


class WordEncoder:
    """Vectors by whether a text has words of the topics: tide, heron, salt, none of them."""

    topics = ("tide", "heron", "salt")

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        rows = np.array(
            [[float(topic in text.lower()) for topic in self.topics] + [0.01] for text in texts], np.float32
        )
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)


class BrokenEncoder:
    def __init__(self, result):
        self.result = result

    def encode(self, texts):
        if isinstance(self.result, Exception):
            raise self.result
        return self.result


def toward(topic):
    return np.array([float(topic == other) for other in WordEncoder.topics] + [0.0], np.float32)


def test_paragraphs_end_at_blank_lines_and_before_headings():
    assert [part.split()[:3] for part in split_paragraphs(TEXT)] == [
        ["#", "Tides", "The"],
        ["Herons", "fish", "at"],
        ["Salt", "----", "Salt"],
    ]
    assert split_paragraphs(TEXT, min_length=0)[0] == "# Tides"


@given(
    st.lists(
        st.sampled_from(["word ", "\n", "\n\n", "# Head\n", "1.2 Head\n", "===\n", "```\n", " \r\n"]),
        max_size=30,
    ).map("".join),
    st.integers(0, 40),
)
def test_paragraphs_lose_nothing_and_are_long_enough(text, min_length):
    parts = split_paragraphs(text, min_length)
    assert "".join("".join(parts).split()) == "".join(text.split())
    assert all(parts)
    assert len(parts) < 2 or all(len(part) >= min_length for part in parts)


@pytest.mark.parametrize(("topic", "begins"), [("tide", "# Tides"), ("heron", "Herons"), ("salt", "Salt\n")])
def test_the_excerpt_is_the_paragraph_nearest_in_meaning(topic, begins, caplog):
    excerpt = extract_relevant_excerpt(toward(topic), TEXT, WordEncoder())
    assert excerpt in split_paragraphs(TEXT)
    assert excerpt.startswith(begins)
    assert caplog.records == []


def test_with_a_query_words_and_meaning_decide_together():
    text = (
        "The tide was at its highest when the heron came, and it was high again at noon.\n\n"
        "Herons wait, and they wait, and they wait some more, until something at last moves."
    )
    assert extract_relevant_excerpt(toward("heron"), text, WordEncoder(), query="highest noon").startswith(
        "The tide"
    )


def test_an_excerpt_by_sentences_begins_and_ends_where_the_meaning_changes():
    text = (
        "The tide rises twice a day, as it has always done here. Herons fish at night when the water is low. "
        "A heron may stand still for an hour. Salt keeps most plants away from the marsh."
    )
    found = extract_relevant_excerpt(toward("heron"), text, WordEncoder(), max_chars=120, by_sentences=True)
    assert found == "Herons fish at night when the water is low. A heron may stand still for an hour."
    cut = extract_relevant_excerpt(toward("heron"), text, WordEncoder(), max_chars=20, by_sentences=True)
    assert cut in text
    assert 0 < len(cut) <= 20


def test_the_encoder_may_be_called_generator_and_be_the_folder_of_a_model(monkeypatch, caplog):
    asked: list[str] = []

    def found(named: Any) -> str:
        asked.append(str(named))
        return "a model"

    monkeypatch.setattr("retrieval.embedding.model.find_model", found)
    monkeypatch.setattr("retrieval.embedding.encoder.shared_encoder", lambda _: WordEncoder())
    ways: list[tuple[Any, Any]] = [(WordEncoder(), None), ("models/one", None), (None, Path("models/two"))]
    for generator, encoder in ways:
        excerpt = extract_relevant_excerpt(toward("heron"), TEXT, encoder, generator=generator)
        assert excerpt.startswith("Herons fish")
    assert asked == ["models/one", "models/two"]
    assert caplog.records == []


@pytest.mark.parametrize(
    "encoder",
    [
        None,
        BrokenEncoder(RuntimeError("no model")),
        BrokenEncoder(np.zeros((3, 7))),
        BrokenEncoder(np.zeros((1, 4))),
        BrokenEncoder(np.full((3, 4), np.nan)),
        BrokenEncoder("nonsense"),
        BrokenEncoder(None),
    ],
    ids=["none", "raises", "dimensions", "rows", "nan", "text", "nothing"],
)
def test_without_a_model_that_works_it_is_the_snippet_by_words(encoder, caplog):
    with caplog.at_level(logging.WARNING):
        excerpt = extract_relevant_excerpt(
            toward("tide"), TEXT, encoder, max_chars=90, query="what do they seldom miss"
        )
    assert excerpt == "Then they strike, and they seldom miss what they strike at."
    assert [record.levelname for record in caplog.records] == ["WARNING"]


@pytest.mark.parametrize("way", ["generate", "embed", "callable"])
def test_what_makes_the_vector_of_one_text_is_taken(way, caplog):
    def make(text):
        return 3 * WordEncoder().encode([text])[0]

    given = make if way == "callable" else SimpleNamespace(**{way: make})
    assert extract_relevant_excerpt(toward("heron"), TEXT, generator=given).startswith("Herons fish")
    assert caplog.records == []


@given(st.text(max_size=80), st.integers(-3, 60), st.text(max_size=8))
def test_an_excerpt_is_never_too_long_and_never_raises(content, max_chars, query):
    for encoder in (None, WordEncoder()):
        for by_sentences in (False, True):
            excerpt = extract_relevant_excerpt(
                toward("salt"), content, encoder, max_chars, query=query, by_sentences=by_sentences
            )
            assert len(excerpt) <= max(0, max_chars)


RAW = """The con-
cept of \ufb01ne mud is well-
known.
   A well-known one: the coopera-\u200b
tive mud\u00adflat, 10 \u02daC.

1.2 Sites
Two sites, water-
and wind-swept."""


def test_raw_text_becomes_paragraphs_that_are_ready_to_paste():
    found = segment_paragraphs(RAW)
    assert [one.text for one in found] == [
        "The concept of fine mud is well-known.",
        "A well-known one: the cooperative mudflat, 10 °C.",
        "1.2 Sites Two sites, water- and wind-swept.",
    ]
    assert [RAW[one.start :].startswith(one.text_raw) for one in found] == [True] * 3
    assert [one.text_norm for one in found] == [fold(one.text) for one in found]
    assert segment_paragraphs(" \n\n \u200b\n") == []
    assert [one.page for one in found] == [0] * len(found)
    assert segment_paragraphs(RAW, page=7) == [one._replace(page=7) for one in found]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("con-\ncept", "concept"),
        ("con-\u200b\n  cept", "concept"),
        ("soft\u00ad\nware", "software"),
        ("IL-\n6 and T-\ncell", "IL-6 and T-cell"),
        ("\ufb01ve \ufb02ags", "five flags"),
        ("“Curly” – dashes", "“Curly” – dashes"),
        ("  one \t two\r\n\nthree ", "one two three"),
        ("我们测量\n了它", "我们测量了它"),
        ("", ""),
        ("\u200b", ""),
    ],
)
def test_raw_text_is_cleaned_for_a_quote(raw, text):
    assert clean_for_quote(raw) == text
