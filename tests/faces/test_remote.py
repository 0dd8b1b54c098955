"""Calls from outside the process: what they take, what they refuse, and how their replies are kept short."""

import json
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import lookup
from lookup.errors import PageQuoteError, QueryError
from pagequote.calls.answers import get_paper
from pagequote.calls.arguments import ArgumentError, fields_of, read_arguments
from pagequote.calls.fitting import LEAST_CHARACTERS, as_json, fits
from pagequote.calls.registry import ALIASES, CALLS, Call, object_schema
from pagequote.calls.replies import without_folders
from pagequote.calls.table import About

ALL_CALLS = [*CALLS, ALIASES["grep_raw"], Call(get_paper)]
"""Those of agents, and those that only programs have."""

BY_NAME = {call.name: call for call in ALL_CALLS}


@dataclass(frozen=True)
class Inner:
    word: Annotated[str, About("A word.", least=1, most=3)]
    count: int = 0


@dataclass(frozen=True)
class Outer:
    """One field of every type that calls take."""

    text: Annotated[str, About("A text.", most=5)]
    number: Annotated[int, About("A number.", least=-2, most=2)] = 0
    choice: Literal["one", "two"] = "one"
    several: Annotated[tuple[Annotated[str, About("Each.", least=1)], ...], About("Texts.", most=2)] = ()
    inner: Annotated[tuple[Inner, ...], About("Objects.", least=1, most=2)] = (Inner("a"),)


OUTER = fields_of(Outer)


def _reply(corpus: lookup.Corpus, name: str, chars: int, arguments: dict[str, Any]) -> Any:
    return BY_NAME[name].answer(corpus, chars, arguments, lenient=False)


_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-4, 4)
    | st.integers()
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "a", "one", "two", "abcd", "abcdef", "1", "\0"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["word", "count", "x"]), inner, max_size=3)
    ),
    max_leaves=6,
)
_OBJECTS = st.dictionaries(
    st.sampled_from(["text", "number", "choice", "several", "inner", "more"]), _JSON, max_size=5
)
_LIKELY = st.fixed_dictionaries(
    {"text": st.text("ab", max_size=6)},
    optional={
        "number": st.integers(-3, 3) | st.sampled_from([1.0, 1.5, True]),
        "several": st.lists(st.text("a", max_size=2), max_size=3),
        "inner": st.lists(
            st.fixed_dictionaries({"word": st.text("a", max_size=4)}, optional={"count": _JSON}), max_size=3
        ),
    },
)


@given(_OBJECTS | _LIKELY)
def test_arguments_are_read_exactly_where_their_schema_allows_them(given_arguments):
    schema = object_schema(OUTER, closed=True)
    allowed = jsonschema.Draft202012Validator(schema).is_valid(given_arguments)
    try:
        Outer(**read_arguments(OUTER, given_arguments, lenient=False))
        read = True
    except ArgumentError:
        read = False
    assert read is allowed


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ({"number": "2"}, ("number", 2)),
        ({"number": 2.0}, ("number", 2)),
        ({"number": None}, ("number", 0)),
        ({"several": "a"}, ("several", ("a",))),
        ({"several": '["a", "b"]'}, ("several", ("a", "b"))),
        ({"inner": {"word": "a"}}, ("inner", (Inner("a"),))),
        ({"inner": '[{"word": "a", "count": "3"}]'}, ("inner", (Inner("a", 3),))),
        ({"inner": ['{"word": "b"}']}, ("inner", (Inner("b"),))),
    ],
)
def test_what_models_write_for_numbers_and_lists_is_understood(written, value):
    name, expected = value
    assert read_arguments(OUTER, {"text": "a", **written}, lenient=True)[name] == expected
    with pytest.raises(ArgumentError) if written != {"number": 2.0} else _nothing():
        read_arguments(OUTER, {"text": "a", **written}, lenient=False)


def _nothing():
    from contextlib import nullcontext

    return nullcontext()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (
            {"text": "\ud83d"},
            ("text holds half of a character (a surrogate without its pair). Send whole characters."),
        ),
        ({"text": "a", "number": True}, "number must be a whole number, got true."),
        ({"text": "a", "number": 10**400}, "number must be at most 2, got a number of that size."),
        ({"text": "a", "number": float("inf")}, "number must be a whole number, got a number of that size."),
        ({"text": "a", "choice": ["one"]}, "choice must be 'one' or 'two', got a list."),
        ({"text": "a", "several": {}}, "item 1 of several must be a text, got an object."),
        ({"text": "a", "several": [""]}, "item 1 of several must have at least 1 character, got 0."),
        (
            {"text": "a", "inner": [{"word": "b", "page": 1}]},
            ("Unknown argument 'page' in item 1 of inner. Available: word, count."),
        ),
        ({"text": "a", "inner": [7]}, "item 1 of inner must be an object with word, count, got 7."),
        ({"text": "a", "number": "y" * 10_000}, "number must be a whole number, got '" + "y" * 40 + "...'."),
    ],
)
def test_a_wrong_argument_is_told_with_what_is_right(wrong, said):
    with pytest.raises(QueryError) as caught:
        read_arguments(OUTER, wrong, lenient=True)
    assert str(caught.value) == said


@pytest.mark.parametrize("call", ALL_CALLS, ids=lambda call: call.name)
def test_what_a_call_takes_and_gives_has_a_valid_schema(call):
    for schema in (
        object_schema(call.arguments, closed=True),
        object_schema(fields_of(call.reply), closed=False),
    ):
        jsonschema.Draft202012Validator.check_schema(schema)
        json.dumps(schema)
        assert "$ref" not in json.dumps(schema)
    assert all(
        "description" in one for one in object_schema(call.arguments, closed=True)["properties"].values()
    )


TEXT_CALLS = [call for call in ALL_CALLS if call.name not in ("search_sentences", "show_page")]
"""Not those that read vectors, or give a picture."""


@pytest.fixture(scope="module")
def asked(corpus):
    """A call of every kind whose reply is long, over the sample papers."""
    words = corpus.page("lindqvist2019", 2)[:200]
    cursor = corpus.outline("lindqvist2019")[2].cursor
    quotes = [{"key": "lindqvist2019", "quote": words, "page": 2}, {"key": "okafor2021", "quote": words}]
    return {
        "get_quote": {"key": "lindqvist2019", "query": "the", "n": 20},
        "grep_raw": {"quote": "the", "limit": 100, "context_chars": 2000},
        "get_page": {"key": "lindqvist2019", "page": 2},
        "search": {"query": "carbon from marshes at night", "n": 50, "mode": "lexical"},
        "get_context_at_cursor": {"key": "lindqvist2019", "cursor": cursor, "chars_after": 20_000},
        "check_quotes": {"quotes": quotes * 25},
        "list_papers": {"limit": 100},
        "get_paper": {"key": "lindqvist2019"},
        "find": {"query": "marsh night", "limit": 50, "context_chars": 1000},
    }


@pytest.mark.parametrize("call", TEXT_CALLS, ids=lambda call: call.name)
@pytest.mark.parametrize("chars", [LEAST_CHARACTERS, 2_000, 8_000])
def test_a_reply_has_no_more_characters_than_it_may_and_says_what_was_left_out(corpus, asked, call, chars):
    whole = call.answer(corpus, 10_000_000, asked[call.name], lenient=False)
    reply = call.answer(corpus, chars, asked[call.name], lenient=False)
    assert fits(reply, chars)
    jsonschema.Draft202012Validator(object_schema(fields_of(call.reply), closed=False)).validate(
        json.loads(as_json(reply))
    )
    if fits(whole, chars):
        assert reply == whole
    else:
        assert reply.truncated
        assert reply.more


@pytest.mark.parametrize(
    ("name", "items"),
    [
        ("grep_raw", "matches"),
        ("search", "hits"),
        ("find", "results"),
        ("list_papers", "papers"),
        ("get_paper", "outline"),
    ],
)
def test_the_offsets_of_replies_lead_through_everything_once(corpus, asked, name, items):
    call = BY_NAME[name]
    arguments = asked[name] | ({"context_chars": 60} if name in ("grep_raw", "find") else {})
    if name == "grep_raw":
        arguments["quote"] = "marsh"
    everything = getattr(call.answer(corpus, 10_000_000, arguments, lenient=False), items)
    collected: list[object] = []
    offset: int | None = 0
    while offset is not None:
        reply: Any = call.answer(corpus, 3_000, {**arguments, "offset": offset}, lenient=False)
        collected += getattr(reply, items)
        offset = reply.next_offset
    assert len(collected) > 1
    assert tuple(collected) == everything


def test_a_paper_can_be_read_on_from_cursor_to_cursor(corpus):
    text, cursor, end = "", 0, -1
    while end < 0 or cursor < len(corpus.document("haldorsen2020")):
        reply = _reply(
            corpus,
            "get_context_at_cursor",
            2_000,
            {"key": "haldorsen2020", "cursor": cursor, "chars_before": 0},
        )
        text += " " * (reply.start > end) + reply.text
        assert reply.end > cursor
        cursor = end = reply.end
    assert text.split() == corpus.document("haldorsen2020").split()


@settings(max_examples=30)
@given(
    st.text(max_size=400),
    st.integers(LEAST_CHARACTERS, 3_000),
    st.sampled_from([call.name for call in CALLS]),
)
def test_whatever_is_asked_the_reply_fits(corpus, words, chars, name):
    arguments = {
        one.name: words for one in BY_NAME[name].arguments if one.name in ("query", "quote", "quotes")
    }
    if "quotes" in arguments:
        arguments["quotes"] = [{"key": "okafor2021", "quote": words}] * 3
    required = {"key": "okafor2021", "page": 1, "cursor": 0}
    arguments |= {
        one.name: required[one.name]
        for one in BY_NAME[name].arguments
        if one.required and one.name in required
    }
    try:
        reply = BY_NAME[name].answer(corpus, chars, arguments, lenient=False)
    except PageQuoteError:
        return
    assert fits(reply, chars)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "neither '/srv/my library/models' nor \"/opt/x/y.onnx\" has it",
            ("neither 'models' nor \"y.onnx\" has it"),
        ),
        (
            "Its PDF /srv/papers/a.pdf could not be read: and/or, 1/2, https://a.org/b/c.",
            ("Its PDF a.pdf could not be read: and/or, 1/2, https://a.org/b/c."),
        ),
        ("papers/{key}/pages/{page}", "papers/{key}/pages/{page}"),
    ],
)
def test_folders_of_this_machine_are_not_told(text, said):
    assert without_folders(text) == said
