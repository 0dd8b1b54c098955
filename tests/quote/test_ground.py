"""Values, wherever a paper prints them."""

import json

import pytest

import lookup
from lookup.quote.grep import spellings
from tests.support.command import pagequote

NIGHT = "lindqvist2019"


@pytest.mark.parametrize(
    ("value", "others"),
    [
        ("10 mg", {"10mg"}),
        ("4000 participants", {"4,000 participants", "4000participants", "4,000participants"}),
        ("15.4%", {"15.4 %"}),
        ("the drug", set()),
    ],
)
def test_a_value_is_looked_for_as_others_print_it(value, others):
    first, *rest = spellings(value)
    assert first == value
    assert set(rest) == others


def test_each_value_has_its_places_with_boxes_or_none(corpus):
    values = {
        "gauge": "0.11 m",
        "joined": "0.11m",
        "other": "0.12 m",
        "words": "people prefer to work by day",
    }
    found = corpus.ground(NIGHT, values)
    assert list(found) == list(values)
    for name in ("gauge", "joined", "words"):
        match = found[name].matches[0]
        assert (match.verdict, bool(match.boxes), found[name].hint) == ("verbatim", True, "")
        assert found[name].query == values[name]
    assert found["gauge"].matches[0].quote == found["joined"].matches[0].quote
    assert not any(match.verdict == "verbatim" for match in found["other"].matches)
    assert found["other"].hint
    with pytest.raises(lookup.QueryError, match="limit"):
        corpus.ground(NIGHT, values, limit=0)
    with pytest.raises(lookup.UnknownKeyError):
        corpus.ground("nobody1999", values)


def test_the_command_prints_each_place_and_says_whether_all_are_printed(corpus_path):
    done = pagequote("ground", NIGHT, "gauge=0.11 m", "--corpus", corpus_path)
    assert done.returncode == 0
    assert f"gauge: {NIGHT}, page " in done.stdout
    assert ": verbatim: " in done.stdout
    missing = pagequote("ground", NIGHT, "gauge=0.11 m", "987 kg", "--json", "--corpus", corpus_path)
    assert missing.returncode == 1
    assert json.loads(missing.stdout)["987 kg"]["matches"] == []
