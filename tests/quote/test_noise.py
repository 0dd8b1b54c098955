"""What print and copies do to words must not hide them; what changes them must not pass."""

from itertools import pairwise

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from lookup.compare.differences import align
from lookup.errors import QueryError
from lookup.quote.cascade import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED
from lookup.text.folding import fold
from tests.support.cases import cases
from tests.support.printed import asked, paper

CASES = cases("quote/noise.toml")

VOCABULARY = CASES["vocabulary"]
WORDS = st.lists(st.sampled_from(VOCABULARY), min_size=6, max_size=40)
DENIALS_AND_NUMBERS = {"none", "fail", "nine"}  # a quote may not begin or end beside these
WORD = st.text(alphabet="aefilno", min_size=4, max_size=9).filter(
    lambda word: word not in DENIALS_AND_NUMBERS
)
LETTERS = st.lists(WORD, min_size=6, max_size=40)


def run_of(data, words):
    """The ends of a run of at least five of the words."""
    start = data.draw(st.integers(0, len(words) - 5))
    return start, data.draw(st.integers(start + 5, len(words)))


@pytest.mark.long
@given(LETTERS, st.data())
def test_copies_of_printed_words_are_verbatim(words, data):
    text = " ".join(words)
    start, end = run_of(data, words)
    query = list(" ".join(words[start:end]))
    for at in range(len(query) - 1, 0, -1):
        if query[at].isalpha() and query[at - 1].isalpha() and data.draw(st.integers(0, 9)) == 0:
            query.insert(at, data.draw(st.sampled_from(["\u00ad", "\u200b", "-\n", "\u00ad\n", "-\u200b\n"])))
        elif query[at] == " " and data.draw(st.integers(0, 4)) == 0:
            query[at] = data.draw(st.sampled_from(["\n", "  ", "\u00a0", " \n "]))
    copied = "".join(query)
    for plain, ligature in (("ffi", "ﬃ"), ("fi", "ﬁ"), ("fl", "ﬂ"), ("ff", "ﬀ")):
        copied = copied.replace(plain, ligature)
    assert asked(copied, text)[0].verdict == "verbatim"


@pytest.mark.long
@settings(max_examples=300)
@given(WORDS, st.data())
@example(["non", "significant", "pores", "in", "the", "salt"], None)
def test_one_changed_word_is_never_verbatim(words, data):
    if data is None:
        assert (
            asked("significant pores in the salt", "non-significant pores in the salt")[0].verdict == "near"
        )
        return
    start, end = run_of(data, words)
    query = words[start:end]
    at = data.draw(st.integers(0, len(query) - 1))
    query[at] = data.draw(st.sampled_from(VOCABULARY).filter(lambda word: word != query[at]))
    said = " ".join(query)
    assume(sum(map(str.isalnum, said)) > 1)  # a query of signs, or of one letter, is refused
    # The run may be printed elsewhere in the text, or be the same words with other spaces or punctuation.
    assume(fold(said) not in fold(" ".join(words)))
    assume(plainest(said) not in plainest(" ".join(words)))
    assume(not said.startswith("> "))  # the mark of a copied quotation, which is none of its words
    assert all(one.verdict != "verbatim" for one in asked(said, " ".join(words)))


@pytest.mark.long
@given(
    st.lists(WORD, min_size=11, max_size=40, unique=True), st.integers(10, 99), st.integers(0, 9), st.data()
)
def test_words_around_an_elision_are_printed_and_one_changed_digit_is_seen(words, number, digit, data):
    printed = " ".join([*words[:2], str(number), *words[2:], "end."])
    first = data.draw(st.integers(4, len(words) - 6))
    second = data.draw(st.integers(first + 2, len(words) - 4))  # over one word an ellipsis is near
    parts = pairwise(sorted({word[::-1] for word in words}))
    assume(not any(longer.startswith(word) for word, longer in parts))  # "aaaaa" may deny "aaaa"
    mark = data.draw(st.sampled_from([" ... ", " … ", " [...] ", " [. . .] "]))
    left, right = " ".join([*words[:2], "{}", *words[2:first]]), " ".join(words[second:])
    assert asked(f"{left.format(number)}{mark}{right}", printed)[0].verdict in PRINTED
    assume(digit != number % 10)
    changed = asked(f"{left.format(number // 10 * 10 + digit)}{mark}{right}", printed)
    assert all(match.verdict not in PRINTED for match in changed)


def plainest(text):
    """Words and signs without what may differ in a quote: brackets, stops, spaces beside signs."""
    return "".join(char for char in fold(text) if char not in " ()[],=").replace("[3]", "3")


@pytest.mark.parametrize("signs", ["0123456789", "+-<>=±%‰°"])
@given(data=st.data())
def test_one_changed_digit_or_sign_is_never_verbatim(signs, data):
    number = data.draw(st.from_regex(r"\A[-+<>±]?[1-9][0-9]{0,2}(\.[0-9]{1,2})?( ?[%‰°])?\Z"))
    before, after = "the samples were kept at a level of ", " for most of the time"
    at = data.draw(st.integers(0, len(number) - 1))
    other = data.draw(st.sampled_from([*signs, ""]))
    changed = number[:at] + other + number[at + 1 :]
    assume(changed.strip() != number.strip())
    assume(changed.replace(" ", "") != number.replace(" ", "") and any(map(str.isdigit, changed)))
    found = asked(f"{before}{changed}{after}", f"It is said that {before}{number}{after}.")
    assert found
    assert found[0].verdict != "verbatim"


@given(
    st.lists(
        st.text(alphabet="abcdefilmnorst", min_size=5, max_size=9), min_size=6, max_size=30, unique=True
    ),
    st.data(),
)
def test_misread_words_are_found_and_near(words, data):
    start, end = run_of(data, words)
    query = words[start:end]
    at = data.draw(st.integers(1, len(query) - 2))
    query[at] = query[at][:2] + "x" + query[at][3:]
    found = asked(" ".join(query), " ".join(words))[0]
    assert found.verdict == "near"
    assert [(one.asked, one.printed) for one in found.differences] == [(query[at], words[start + at])]
    text = paper(" ".join(words)).paragraphs[0].text_norm
    assert text[found.span.start : found.span.end] == " ".join(words[start:end])


@given(
    st.lists(st.sampled_from(["ab", "cd", "abcd", "ef", "gh", "x"]), max_size=12),
    st.lists(st.sampled_from(["ab", "cd", "abcd", "ef", "gh", "y"]), max_size=12),
)
def test_an_alignment_covers_both_sides_in_order_and_changes_no_more_than_it_must(one, other):
    blocks = align(one, other)
    for side, words in (("asked", one), ("printed", other)):
        spans = [getattr(block, side) for block in blocks]
        assert [at for span in spans for at in range(*span)] == list(range(len(words)))
    for block in blocks:
        if block.same:
            assert one[slice(*block.asked)] == other[slice(*block.printed)]
    changes = sum(
        max(block.asked[1] - block.asked[0], block.printed[1] - block.printed[0])
        for block in blocks
        if not block.same
    )
    assert changes <= len(one) + len(other)
    assert (one == other) == all(block.same for block in blocks)


@given(st.text(max_size=80), st.text(max_size=200))
def test_no_query_and_no_text_break_the_search(words, text):
    try:
        query = parse(words)
    except QueryError:
        return
    made = paper(text.replace("^{", "") or "x")
    for one in by_words(ExactSearch(made), query, wanted=3):
        assert one.verdict in ("verbatim", "near", "related")
        assert one.verdict == "verbatim" or one.differences
        assert 0 <= one.span.start < one.span.end <= len(made.paragraphs[0].text_norm)
