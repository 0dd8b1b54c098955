"""Paragraphs of a text, and the one that is nearest in meaning."""

import logging

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup import extract_relevant_excerpt, split_paragraphs

TEXT = """# Tides

The tide rises twice a day and falls twice a day. Its height follows the moon, and the sun to a lesser degree.

Herons fish at night when the water is low. They stand still for an hour (or more). Then they strike, and they seldom miss what they strike at.

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


@pytest.mark.parametrize(
    "heading", ["## Sites", "2.1 Sites", "2. Sites and plots", "Sites\n-----", "Sites\n====="]
)
def test_a_heading_begins_a_paragraph_without_a_blank_line(heading):
    before, after = (
        "Before it comes a long enough line of prose, as it should.",
        "After it another line that is long enough to stay.",
    )
    assert split_paragraphs(f"{before}\n{heading}\n{after}") == [before, f"{heading}\n{after}"]


def test_a_numbered_list_is_no_row_of_headings():
    text = "What we did on that day:\n1. Walk to the plots\n2. Count the herons\n3. Walk back"
    assert split_paragraphs(text, min_length=5) == [text]


def test_fenced_code_is_not_split():
    text = "Some words before the code.\n\n```python\n# not a heading\n\nx = 1\n```\n\nSome words after the code."
    assert split_paragraphs(text, min_length=10)[1] == "```python\n# not a heading\n\nx = 1\n```"


def test_what_is_too_short_goes_with_the_next_and_at_the_end_with_the_one_before():
    text = "Short.\n\nAlso short.\n\nThis one is long enough for the limit.\n\nEnd."
    assert split_paragraphs(text, min_length=30) == [text]
    assert split_paragraphs(text, min_length=25) == [text]
    assert split_paragraphs("", min_length=5) == split_paragraphs(" \n\n ", min_length=5) == []
    assert split_paragraphs("Short.", min_length=50) == ["Short."]


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


def test_the_excerpt_is_cut_at_a_sentence():
    excerpt = extract_relevant_excerpt(toward("heron"), TEXT, WordEncoder(), max_chars=100)
    assert excerpt == "Herons fish at night when the water is low. They stand still for an hour (or more)."


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


def test_without_a_model_and_a_query_it_is_the_beginning(caplog):
    excerpt = extract_relevant_excerpt(toward("salt"), TEXT, None, max_chars=70)
    assert excerpt == "# Tides\n\nThe tide rises twice a day and falls twice a day."
    assert len(caplog.records) == 1


def test_when_words_fail_as_well_it_is_the_first_characters(monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr("lookup.snippet.excerpt.extract_snippet", fail)
    assert extract_relevant_excerpt(toward("tide"), TEXT, WordEncoder(), max_chars=10) == TEXT[:10]
    assert [record.levelname for record in caplog.records] == ["WARNING", "WARNING"]


@given(st.text(max_size=80), st.integers(-3, 60), st.text(max_size=8))
def test_an_excerpt_is_never_too_long_and_never_raises(content, max_chars, query):
    for encoder in (None, WordEncoder()):
        excerpt = extract_relevant_excerpt(toward("salt"), content, encoder, max_chars, query=query)
        assert len(excerpt) <= max(0, max_chars)
