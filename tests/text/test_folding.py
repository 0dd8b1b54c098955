"""Folding: one form for matching, and the way back."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.text.folding import _COMPOSE_BACKWARD, blind, fold, fold_with_offsets
from tests.support.cases import cases

CASES = cases("text/folding.toml")

ODD = st.text(
    alphabet=st.one_of(
        st.sampled_from("aZé ̈́ﬁ™½٣بּِ\ufb2aـﬃ\u00ad\u200b-‐–−“’«…½²ℓßİŉΐ가각োͅ\n\t\r .,5%‰"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=40,
)


@pytest.mark.parametrize(
    ("printed", "folded"),
    CASES["what people see alike folds alike"],
)
def test_what_people_see_alike_folds_alike(printed, folded):
    assert fold(printed) == folded


@pytest.mark.parametrize(
    ("one", "other"), [("1.5", "15"), ("-5", "5"), ("p < 0.05", "p > 0.05"), ("10 %", "10 ‰")]
)
def test_what_differs_in_meaning_stays_different(one, other):
    assert fold(one) != fold(other)


@given(ODD)
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(ODD)
def test_the_offset_map_belongs_to_the_same_folded_text(text):
    folded = fold_with_offsets(text)
    assert folded.text == fold(text)
    assert len(folded.starts) == len(folded.ends) == len(folded.text)
    assert list(folded.starts) == sorted(folded.starts)
    assert all(0 <= a < b <= len(text) for a, b in zip(folded.starts, folded.ends, strict=True))


@given(st.text(alphabet="abcdeß ﬁ\u00ad’", min_size=1, max_size=30), st.data())
def test_a_span_of_folded_text_comes_from_what_folds_to_it(text, data):
    folded = fold_with_offsets(text)
    if not folded.text:
        return
    start = data.draw(st.integers(0, len(folded.text) - 1))
    end = data.draw(st.integers(start + 1, len(folded.text)))
    s, e = folded.source_span(start, end)
    assert folded.text[start:end].strip() in fold(text[s:e])


def test_the_characters_that_compose_backward_are_those_of_unicode():
    derived = set()
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            first, second = (chr(int(part, 16)) for part in parts)
            if not unicodedata.combining(second) and unicodedata.normalize("NFC", first + second) == chr(
                code
            ):
                derived.add(second)
    assert derived <= set(_COMPOSE_BACKWARD)


def test_the_blind_key_is_letters_and_digits():
    assert blind(fold("Self-assembled, at 1.5 °C (n = 3)")) == "selfassembledat15cn3"
