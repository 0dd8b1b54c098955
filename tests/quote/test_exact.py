"""Tier 1 over papers made of a few folded paragraphs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.papers.paper import Paper, Paragraph
from lookup.quote import exact
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.text.folding import fold
from tests.support.cases import cases

CASES = cases("quote/exact.toml")


def paper(*texts, kinds=()):
    kinds = [*kinds, *["body"] * (len(texts) - len(kinds))]
    paragraphs = [
        Paragraph(i, 1, 1, kind, fold(text), (), i)
        for i, (text, kind) in enumerate(zip(texts, kinds, strict=True))
    ]
    return Paper("k", tuple(paragraphs), read=lambda one: (texts[one.paragraph],) * 2)


def places(words, *texts, kinds=()):
    made = paper(*texts, kinds=kinds)
    found = []
    for finding in exact.find(ExactSearch(made), parse(words).readings[0], wanted=99):
        where = finding.span
        if where.first == where.last:
            found.append(made.paragraphs[where.first].text_norm[where.start : where.end])
        else:
            found.append(
                made.paragraphs[where.first].text_norm[where.start :]
                + " | "
                + made.paragraphs[where.last].text_norm[: where.end]
            )
    return found


def test_words_are_found_whatever_their_case_quotes_and_dashes():
    assert places("“self–Assembled” ﬁlms", 'The "self-assembled" films grew.') == ['"self-assembled" films']


@pytest.mark.parametrize("between", ["caption", "furniture", "footnote", "table", "formula"])
def test_a_quote_goes_on_past_what_stands_between_two_paragraphs(between):
    kinds = ["body", between, "body"]
    assert places("is cut by a float", "It is cut", "Figure 1. Something", "by a float.", kinds=kinds) == [
        "is cut | by a float"
    ]


def test_a_query_whose_hyphens_and_spaces_a_copy_changed_is_found_by_its_letters():
    assert places(
        "self assembled mono-\nlayers were well\u2010known", "Self-assembled monolayers were well-known then."
    ) == ["self-assembled monolayers were well-known"]


@pytest.mark.parametrize(
    ("words", "printed"),
    CASES["a changed fact is not found"],
)
def test_a_changed_fact_is_not_found(words, printed):
    assert places(words, printed) == []


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("cooled to −5 °C over night", "It was cooled to -5 °C over night."),
        ("-5 °C was kept for a day or two", "At −5 °C was kept for a day or two"),
        ("IL6 was raised in all patients", "that IL-6 was raised in all patients"),
        ("values of 1.5 and 2.5 were seen", "values of 1.5 and 2.5 were seen."),
        ("a share of 10% was measured", "a share of 10 % was measured"),
    ],
)
def test_other_spaces_and_hyphens_do_not_hide_a_quote(words, printed):
    assert len(places(words, printed)) == 1


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("固有の尊厳と平等で譲ること", "構成員の固有の尊厳と平等で譲ることのできる権利を承認する"),
        ("鑑定の結果は後で", "DNA鑑定の結果は後で知らされた"),
        ("所有的人都可以通行", "因此所有的人都可以通行到早上"),
    ],
)
def test_words_without_spaces_between_them_may_begin_and_end_a_quote(words, printed):
    assert places(words, printed) == [words.casefold()]


WORDS = st.lists(st.text(alphabet="abcdé", min_size=1, max_size=4), min_size=3, max_size=30)


@given(WORDS, st.data())
def test_every_run_of_whole_words_is_found_where_a_textbook_search_finds_it(words, data):
    start = data.draw(st.integers(0, len(words) - 2))
    end = data.draw(st.integers(start + 2, len(words)))
    asked = words[start:end]
    expected = []
    at = 0
    while at + len(asked) <= len(words):
        if words[at : at + len(asked)] == asked:
            expected.append(at)
            at += len(asked)
        else:
            at += 1
    found = exact.find(ExactSearch(paper(" ".join(words))), parse(" ".join(asked)).readings[0], wanted=99)
    text = " ".join(words)
    assert [text[: one.span.start].count(" ") for one in found] == expected


@given(WORDS, st.data())
def test_soft_hyphens_line_breaks_and_ligatures_in_a_query_do_not_hide_it(words, data):
    asked = " ".join(words)
    inside = [at for at in range(1, len(asked)) if asked[at - 1] != " " != asked[at]]
    for at in sorted(data.draw(st.sets(st.sampled_from(inside), max_size=5)) if inside else (), reverse=True):
        asked = asked[:at] + data.draw(st.sampled_from(["\u00ad", "\u200b", "-\n"])) + asked[at:]
    asked = asked.replace(" ", data.draw(st.sampled_from(["\n", "  ", "\u00a0"])))
    assert exact.find(ExactSearch(paper(" ".join(words))), parse(asked).readings[0])


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("they had to re-\nsign at the end", "they had to re-sign at the end"),
        ("the con- cept of a light harvesting cell", "the concept of a light-harvesting cell"),
        ("the drug, given twice, was safe", "the drug (given twice) was safe"),
        ("they had to re-sign at the end", "they had to re-\nsign at the end"),
        ("in the low-lying part of the coast", "in the low-\nlying part of the coast"),
        ("was 5mg in the IL6 group of ours", "was 5 mg in the IL-6 group of ours"),
    ],
)
def test_what_a_line_break_or_a_copy_did_to_a_word_does_not_hide_it(words, printed):
    assert len(places(words, printed)) == 1


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("the distance was 1.", "The distance was 1. It grew."),
        ("-5 mg were added", "Then −5 mg were added"),
        ("cell responses", "The T-cell responses"),
        ("agreed with 3,", "it agreed with 3, 4 and 5"),
    ],
)
def test_what_is_whole_is_found_at_its_own_stops_and_hyphens(words, printed):
    assert len(places(words, printed)) == 1
