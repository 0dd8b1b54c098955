"""Forms of one word compare equal by their stems."""

import pytest

from retrieval.scoring.relevance import singular, stem


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("viruses", "viruse"),
        ("studies", "study"),
        ("cells", "cell"),
        ("gas", "gas"),
        ("virus", "virus"),
        ("mass", "mass"),
        ("horse's", "horse"),
        ("series", "sery"),
        ("oxides", "oxide"),
        ("1980s", "1980"),
    ],
)
def test_plurals_and_genitives_lose_their_endings(word, expected):
    assert singular(word) == expected


@pytest.mark.parametrize(
    "forms",
    ["infects infected infection infections", "study studies studied", "city cities", "marsh marshes"],
)
def test_all_forms_of_a_word_have_one_stem(forms):
    assert len(set(map(stem, forms.split()))) == 1
