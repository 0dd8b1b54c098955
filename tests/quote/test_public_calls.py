"""Every public call is documented, and what asks a corpus can be awaited."""

import asyncio
import inspect

import pytest

import lookup

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
