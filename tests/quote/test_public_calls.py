"""Every public call is documented, and what asks a corpus can be awaited."""

import asyncio
import inspect

import pytest

import lookup
from lookup.errors import PageQuoteError
from tests.support.samples import sample_papers

KEY = sample_papers()[1].key

LIFECYCLE = {"close", "refresh", "warm"}
"""Calls that ask nothing, and so need no twin for asyncio."""

FILES_ONLY = {"original", "page_number"}
"""Calls that look at one name or path: they wait for nothing."""


def _methods(one):
    return {
        name: member
        for name, member in vars(one).items()
        if not name.startswith("_") and inspect.isfunction(member)
    }


@pytest.mark.parametrize("name", [name for name in lookup.__all__ if name != "__version__"])
def test_a_public_name_is_documented(name):
    one = getattr(lookup, name)
    assert len(inspect.getdoc(one) or "") > 20
    for inner, method in _methods(one).items() if inspect.isclass(one) else ():
        assert len(inspect.getdoc(method) or "") > 20, f"{name}.{inner}"


def test_each_call_that_asks_has_a_twin_for_asyncio():
    calls = _methods(lookup.Corpus)
    asking = {name for name in calls if not inspect.iscoroutinefunction(calls[name])} - LIFECYCLE - FILES_ONLY
    assert {f"a{name}" for name in asking} == {
        name for name, call in calls.items() if inspect.iscoroutinefunction(call)
    }


def test_twins_answer_as_the_calls_do(corpus):
    async def together():
        return await asyncio.gather(
            corpus.asearch_context("night"), corpus.apapers(), corpus.asql("SELECT count(*) FROM papers")
        )

    found, papers, rows = asyncio.run(together())
    assert found == corpus.search_context("night")
    assert papers == corpus.papers()
    assert rows.fetchall() == corpus.sql("SELECT count(*) FROM papers").fetchall()


_USUAL = {
    "key": KEY,
    "keys": [KEY],
    "query": "night",
    "phrase": "night",
    "keywords": "night",
    "quote": "by day",
    "page": 0,
    "limit": 2,
    "cursor": 0,
    "values": {"a": "night"},
    "paragraph": 3,
    "id": f"{KEY}#0",
    "words": "",
    "name": "Lindqvist",
    "text": "night",
    "asked": [("by day", KEY)],
}
"""What each argument of a call may be."""

_ANSWERED = {
    ("verify", "key"),  # alone it is the words
    ("verify", "page"),
    ("ground", "values"),
    ("grep", "page"),
    ("papers", "limit"),
    ("papers", "words"),
}
"""Calls, with the argument of which any value has an answer."""

_WRONG = {
    "key": "nobody",
    "keys": ["nobody"],
    "page": 99_999,
    "limit": 0,
    "query": "",
    "phrase": "",
    "keywords": "",
    "id": "nothing",
    "cursor": -1,
    "paragraph": 99_999,
    "values": {},
    "words": "\0",
}
"""What it may not be."""


def _wrong_calls():
    for name, call in _methods(lookup.Corpus).items():
        if not inspect.iscoroutinefunction(call) and name not in {"close", "refresh", "sql"}:
            arguments = inspect.signature(call).parameters
            for wrong in (one for one in _WRONG if one in arguments):
                yield pytest.param(name, wrong, id=f"{name} {wrong}")


@pytest.mark.parametrize(("name", "wrong"), list(_wrong_calls()))
def test_a_docstring_names_each_error_that_a_wrong_argument_raises(corpus, name, wrong):
    call = getattr(corpus, name)
    needed = {
        argument: _USUAL[argument]
        for argument, one in inspect.signature(call).parameters.items()
        if one.default is inspect.Parameter.empty and argument in _USUAL
    }
    raised = None
    try:
        call(**needed | {wrong: _WRONG[wrong]})
    except PageQuoteError as error:
        raised = type(error).__name__
    assert raised is None or raised in str(inspect.getdoc(call))
    assert raised or (name, wrong) in _ANSWERED
