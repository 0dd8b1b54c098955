"""Sentence boundaries in scientific prose."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.text.sentences import sentence_spans
from tests.support.cases import cases

CASES = cases("text/sentences.toml")


def split(text):
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    "text",
    CASES["boundaries fall where a reader puts them"],
)
def test_boundaries_fall_where_a_reader_puts_them(text):
    parts = text.split(" | ")
    assert split(" ".join(parts)) == parts


def test_no_space_follows_a_sentence_of_chinese_or_japanese():
    parts = ["人類は自由である。", "彼は「よい。」と言った。", "何故か？", "第2条を見よ。"]
    assert split("".join(parts)) == parts


@given(st.text(alphabet="aB .?!,\n\"'()[]1", max_size=80))
def test_sentences_cover_all_but_spaces_in_order(text):
    spans = sentence_spans(text)
    assert [c for start, end in spans for c in text[start:end] if not c.isspace()] == [
        c for c in text if not c.isspace()
    ]
    assert all(a < b for a, b in spans)
    assert all(first[1] <= second[0] for first, second in pairwise(spans))
