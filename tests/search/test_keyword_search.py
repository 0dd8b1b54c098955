"""Keyword search over plain text: which words match, how places are ranked, and what is shown of them."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lookup
from retrieval.keywords.parse import keywords_of, near_words
from retrieval.keywords.searched_text import SearchText
from retrieval.raw_text.graphemes import around, is_boundary
from tests.support.cases import cases

CASES = cases("search/keyword_search.toml")

MARSH = """Night-time release of carbon

Marshes breathe at night. The opaque chamber closed every forty minutes, and the release fell with salinity.

Salinity complicates the inference: sulphate feeds bacteria that leave no methane. The chamber was opaque by \
day.

The naïve reading of Schrödinger's light-harvesting dye is that the dye harvests light. A non-linear model \
was re-\nfitted.

People prefer to work by day. Their budgets are fitted to daytime data, and the night is left to a model."""

CALLS = ("search_context", "search_exact_phrase", "search_boolean_and", "search_fuzzy")


def shown(answer):
    """The matched words of each result."""
    return [[result.text[start:end] for start, end in result.spans] for result in answer]


def matches(text, keyword):
    """Whether the text has the keyword as a whole word, by the search that does not go on to another."""
    return bool(lookup.Document(text).search_boolean_and([keyword]))


# --- which words match


@pytest.mark.parametrize(
    ("keyword", "text"),
    CASES["a word matches whatever its case accents and hyphens are"],
)
def test_a_word_matches_whatever_its_case_accents_and_hyphens_are(keyword, text):
    assert matches(text, keyword)


@pytest.mark.parametrize(
    ("keyword", "text"),
    CASES["a part of a word or a number is no match"],
)
def test_a_part_of_a_word_or_a_number_is_no_match(keyword, text):
    assert not matches(text, keyword)


LETTERS = st.sampled_from("aàb")


@given(
    text=st.text(st.sampled_from("aàbAB\u0301- \n.é"), max_size=40),
    keyword=st.text(LETTERS, min_size=1, max_size=4),
)
@example(text="b-a-b", keyword="ab")
@example(text="a\u0301-b", keyword="ab")
@example(text="a-\u0301\n\u0301b", keyword="ab")
def test_words_are_found_as_by_a_walk_through_all_tokens(text, keyword):
    def plain(part):
        return "".join(c for c in unicodedata.normalize("NFD", part) if not unicodedata.combining(c)).lower()

    wanted = plain(keyword)
    expected = []
    # Compounds: letters with their marks, joined by single hyphens, which may end a line. An accent without
    # a letter, as a damaged layer of text has it beside a hyphen, counts for nothing, as on a letter.
    part_of_word = r"[^\W_][\w\u0301]*"
    hyphen = r"-\u0301*(?:[ \u0301]*\n[ \u0301]*)?"
    for compound in re.finditer(f"{part_of_word}(?:{hyphen}{part_of_word})*", text):
        parts = list(re.finditer(part_of_word, compound[0]))
        runs = [parts[i:j] for i in range(len(parts)) for j in range(i + 1, len(parts) + 1)]
        expected += [
            (compound.start() + run[0].start(), compound.start() + run[-1].end())
            for run in runs
            if plain("".join(part[0] for part in run)) == wanted
        ]
    hits = SearchText(text, [0]).find(keywords_of([keyword]))
    assert [(hit.start, hit.end) for hit in hits] == sorted(expected)


# --- ranking


def test_a_keyword_that_stands_nowhere_goes_on_to_the_fuzzy_search_and_says_so():
    document = lookup.Document(MARSH)
    answer = document.search_context("salinty")
    assert answer.answered_by == "fuzzy"
    assert shown(answer) == [["salinity", "Salinity"]]
    nothing = document.search_context("zyxwvut")
    assert (nothing.results, nothing.answered_by, bool(nothing), len(nothing)) == ((), None, False, 0)


def test_boolean_wants_all_keywords_within_the_window_and_prefers_them_close():
    far = "opaque " + "word " * 30 + "chamber"
    document = lookup.Document(f"{far}\n\n{'filler ' * 40}\n\nThe chamber was opaque.\n\nopaque")
    answer = document.search_boolean_and("opaque chamber", context_chars=250)
    assert [set(result.matched) for result in answer] == [{"opaque", "chamber"}] * 2
    assert "The chamber was opaque" in answer[0].text
    assert answer[0].score > answer[1].score
    assert lookup.Document("opaque chamber").search_boolean_and("opaque chamber")[0].score == 1.0
    # Where they are looked for does not depend on how much is shown; a page apart is too far.
    assert len(document.search_boolean_and("opaque chamber", context_chars=60)) == 2
    assert not lookup.Document("opaque " + "word " * 600 + "chamber").search_boolean_and("opaque chamber")
    assert not document.search_boolean_and("opaque methane")


def test_a_phrase_is_found_as_it_stands_before_anything_like_it():
    document = lookup.Document(MARSH)
    exact = document.search_exact_phrase("Release fell, with salinity", context_chars=100)
    assert (exact.answered_by, shown(exact)) == ("phrase", [["release fell with salinity"]])
    assert document.search_exact_phrase(["opaque", "chamber"]).answered_by == "phrase"
    near = document.search_exact_phrase("the release of salinity fell", context_chars=100)
    assert near.answered_by == "proximity"
    assert "release fell with salinity" in near[0].text
    assert document.search_exact_phrase("zyxw vutsr").answered_by is None


def test_fuzzy_takes_words_that_contain_a_keyword_or_are_in_it_or_are_a_slip_away():
    near = dict(
        near_words(
            "harvest", {"harvest", "harvesting", "harves", "harvets", "harvast", "vest", "have", "dye"}
        )
    )
    assert near["harvest"] == 1.0
    assert set(near) == {"harvest", "harvesting", "harves", "harvets", "harvast", "vest"}
    assert all(0 < likeness < 1 for word, likeness in near.items() if word != "harvest")
    assert [word for word, _ in near_words("theme", {"the", "themes", "hem", "me"})] == ["themes", "hem"]
    assert near_words("cats", {"cat", "at"})[0][0] == "cat"
    answer = lookup.Document("harvest\n\nharvesting dyes\n\nvest\n\nhave").search_fuzzy(
        "harvest", context_chars=10
    )
    assert answer.answered_by == "fuzzy"
    assert shown(answer) == [["harvest"], ["harvesting"], ["vest"]]
    assert shown(lookup.Document("the temperature rose").search_fuzzy("tempreature")) == [["temperature"]]


# --- what is shown


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("chars", [0, 15, 40, 120, 5000])
def test_results_do_not_overlap_and_have_their_cursor_at_the_centre_of_the_match(call, chars):
    text = (MARSH + "\n\n") * 4
    document = lookup.Document(text)
    keywords = "the opaque chamber" if call == "search_exact_phrase" else "chamber opaque"
    answer = getattr(document, call)(keywords, limit=50, context_chars=chars)
    taken: list[tuple[int, int]] = []
    for result in answer:
        end = result.start + len(result.text)
        assert text[result.start : end] == result.text
        assert all(end <= start or result.start >= stop for start, stop in taken)
        taken.append((result.start, end))
        assert result.start <= result.cursor < end
        assert result.matched
        assert result.spans
        match = max(stop for _, stop in result.spans) - min(start for start, _ in result.spans)
        assert len(result.text) <= max(chars, match) + 1
        assert (result.key, result.page, result.page_label, result.section_title) == (None,) * 4
    if call != "search_boolean_and":
        assert answer


@pytest.mark.parametrize("call", CALLS)
def test_what_makes_no_sense_is_refused(call):
    search = getattr(lookup.Document(MARSH), call)
    for nothing in ("", "  ", "... &", [], ["", "-"]):
        with pytest.raises(lookup.QueryError, match="letter or digit"):
            search(nothing)
    with pytest.raises(lookup.QueryError):
        search("dye", limit=0)
    with pytest.raises(lookup.QueryError):
        search("dye", context_chars=-1)
    assert not getattr(lookup.Document(""), call)("dye")
    assert not getattr(lookup.Document("  \n\n "), call)("dye")


# --- around a cursor


@pytest.mark.parametrize(
    "whole",
    [
        "e\u0301\u0302",
        "👩🏽‍🔬",
        "👨‍👩‍👧",
        "🇫🇷",
        "❤️",
        "\ud83d\ude00",
        "\u1112\u1161\u11ab",
        "각",
        "\r\n",
        "नि",
        "か\u3099",
    ],
)
def test_a_character_is_never_cut(whole):
    text = whole * 200
    for cursor in range(100, 100 + 2 * len(whole)):
        part = lookup.Document(text).context(cursor, 80, 80)
        if whole != "\r\n":
            assert part
            assert len(part) % len(whole) == 0
            assert part == whole * (len(part) // len(whole))


@given(
    text=st.text(st.sampled_from("ab .\n\u0301👩\u200d🔬🇫合") | st.characters(), max_size=80),
    cursor=st.integers(0, 80),
    before=st.integers(0, 40),
    after=st.integers(0, 40),
)
def test_the_text_around_a_cursor_cuts_no_character_and_no_short_word(text, cursor, before, after):
    cursor = min(cursor, len(text))
    start, end = around(text, cursor, before, after)
    assert 0 <= start <= end <= len(text)
    assert is_boundary(text, start)
    assert is_boundary(text, end)
    for at in (start, end):
        near = text[max(0, at - 1) : at + 1]
        unspaced = "合" in near or any("\u2e80" <= char <= "\U0003ffff" for char in near)
        assert (
            len(near) < 2 or at in (0, len(text)) or unspaced or any(map(str.isspace, near)) or len(text) > 60
        )
    assert start >= cursor - before - 60
    assert end <= cursor + after + 60
    words = re.findall(r"\S+|\s+", text)
    if max(map(len, words), default=0) <= min(before, after):  # no word is longer than what is asked for
        assert start >= cursor - before
        assert end <= cursor + after
