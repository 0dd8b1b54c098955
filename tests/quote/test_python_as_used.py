"""Answers and arguments as people write them in Python."""

import pytest

import lookup

NIGHT = "lindqvist2019"
WORDS = "people prefer to work by day"


def test_answers_iterate_have_a_length_and_are_true_where_there_are_places(corpus):
    found = corpus.quote(NIGHT, WORDS)
    assert [*found] == [*found.matches]
    assert (len(found), found[0], bool(found)) == (1, found.matches[0], True)
    hits = corpus.search("measurements at night", mode="lexical")
    assert [*hits] == [*hits.hits]
    assert (len(hits), hits[-1]) == (len(hits.hits), hits.hits[-1])
    assert not corpus.quote(NIGHT, "zzz qqq vvv")


def test_all_places_name_their_words_their_marks_and_how_near_they_are_alike(corpus):
    places = [
        corpus.quote(NIGHT, WORDS)[0],
        corpus.search("night", mode="lexical")[0],
        corpus.search_context("night")[0],
    ]
    for place in places:
        marked = [place.text[start:end].casefold() for start, end in place.spans]
        assert any("night" in words or words in WORDS for words in marked)
        assert place.score > 0


@pytest.mark.parametrize("asked", [(NIGHT, WORDS), (WORDS, NIGHT), (WORDS,), ("", WORDS), (WORDS, "")])
def test_a_key_and_words_are_told_apart_in_either_order(corpus, asked):
    found = corpus.verify(*asked)
    assert (found.verdict, found.key, found.quote) == ("verbatim", NIGHT, WORDS)
    if len(asked) == 2:
        assert corpus.verify_all([asked])[0].key == NIGHT


def test_an_unknown_key_is_the_one_of_the_two_without_spaces(corpus):
    for asked in [("nobody2000", WORDS), (WORDS, "nobody2000")]:
        with pytest.raises(lookup.UnknownKeyError, match="nobody2000"):
            corpus.verify(*asked)
        assert corpus.verify_all([asked])[0].verdict == "unknown key"


def test_questions_in_one_call_are_answered_by_the_corpus_that_is_named(corpus, corpus_path):
    assert lookup.verify(NIGHT, WORDS, corpus=corpus_path) == corpus.verify(NIGHT, WORDS)
    given = {"limit": 3, "mode": "lexical"}
    assert lookup.search("night", corpus=corpus_path, **given) == corpus.search("night", **given)


@pytest.mark.parametrize(
    ("given", "same"),
    [
        ({"years": "2018-2020"}, {"years": (2018, 2020)}),
        ({"years": "2019"}, {"years": 2019}),
        ({"years": "2019-"}, {"years": (2019, None)}),
        ({"years": [2018, 2020]}, {"years": (2018, 2020)}),
        ({"kinds": "body"}, {"kinds": ["body"]}),
        ({"authors": "Lindqvist"}, {"authors": ["Lindqvist"]}),
        ({"keys": NIGHT}, {"keys": [NIGHT]}),
    ],
)
def test_a_filter_is_taken_in_each_form_that_says_it(corpus, given, same):
    found = corpus.search("night", mode="lexical", **given)
    assert found
    assert found == corpus.search("night", mode="lexical", **same)


@pytest.mark.parametrize(
    "call",
    [
        lambda corpus: corpus.quote(2019, WORDS),
        lambda corpus: corpus.quote([NIGHT], WORDS),
        lambda corpus: corpus.quote(NIGHT, None),
        lambda corpus: corpus.quote(NIGHT, WORDS, limit="3"),
        lambda corpus: corpus.quotes([(NIGHT, WORDS, 1, 2, 3)]),
        lambda corpus: corpus.quotes(["no pair"]),
        lambda corpus: corpus.verify_all([(NIGHT,)]),
        lambda corpus: corpus.verify(NIGHT, WORDS, page=2.5),
        lambda corpus: corpus.search("night", years="the nineties"),
        lambda corpus: corpus.search("night", keys=5),
        lambda corpus: corpus.search(5),
        lambda corpus: corpus.ground(NIGHT, "10 mg"),
        lambda corpus: corpus.ground(NIGHT, {"dose": 10}),
        lambda corpus: corpus.search_context(5),
        lambda corpus: corpus.excerpt(NIGHT, 5),
        lambda corpus: corpus.context(NIGHT, "5"),
        lambda corpus: corpus.similar(NIGHT, "5"),
        lambda corpus: corpus.papers(5),
        lambda corpus: corpus.resolve(5),
    ],
)
def test_an_argument_that_cannot_be_meant_is_refused_in_words(corpus, call):
    with pytest.raises(lookup.QueryError, match=r"must (be|have)"):
        call(corpus)
