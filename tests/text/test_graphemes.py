"""Boundaries of grapheme clusters, against the `regex` library's."""

import regex
from hypothesis import given
from hypothesis import strategies as st

from retrieval.raw_text.graphemes import is_boundary

CLUSTERS = (
    "e\u0301",
    "한",
    "\u1112\u1161\u11ab",
    "👩‍👩‍👧",
    "🇩🇪",
    "👍🏽",
    "❤️",
    "क्षि",
    "नी",
    "กำ",
    "\r\n",
    "🏴\U000e0067\U000e007f",
    "\u0600ا",
    "ﾊﾞ",
    "©️‍❤",
    "字",
    " ",
    "a",
)
KNOWN = st.characters(exclude_categories=("Cs", "Cn", "Co"))  # what this Python's tables know


@given(st.lists(st.one_of(st.sampled_from(CLUSTERS), st.sampled_from("".join(CLUSTERS)), KNOWN), max_size=12))
def test_no_cut_falls_within_what_unicode_calls_a_character(parts):
    text = "".join(parts)
    allowed = {match.start() for match in regex.finditer(r"\X", text)} | {len(text)}
    assert {at for at in range(len(text) + 1) if is_boundary(text, at)} <= allowed


@given(st.lists(st.sampled_from(CLUSTERS), max_size=8))
def test_a_text_of_known_characters_may_be_cut_between_any_of_them_but_joined_ones(parts):
    text = " ".join(parts)
    ends = {match.end() for match in regex.finditer(r"\X", text)}
    refused = [at for at in ends if not is_boundary(text, at)]
    assert refused == []
