"""One call is asked alike at all faces: its record says by which names, and with which defaults.

`pagequote/calls/table.py` has the record; here stands what `Corpus` and the command line call the same.
"""

import inspect
from importlib import import_module
from typing import Any

import pytest

from lookup.corpus import Corpus
from pagequote.calls.registry import CALLS, Call
from pagequote.cli.commands import _COMMANDS

NOT_HERE = None
FACES = {
    "get_quote": ("quote", "quote"),
    "list_papers": ("papers", "papers"),
    "search": ("search", "search"),
    "find": ("search_context", "search"),
    "search_sentences": ("sentences", "search"),
    "get_page": ("page", "read"),
    "get_context_at_cursor": ("context", "read"),
}
"""Each call, the method of `Corpus` that answers it, and the command."""

OTHERWISE: dict[str, dict[str, Any]] = {
    "get_quote": {"quote": ("query", "words"), "detail": NOT_HERE, "template": (NOT_HERE, "template")},
    "list_papers": {"query": ("words", "words"), "offset": ("offset", NOT_HERE)},
    "search": {
        "query": ("query", "words"),
        "author": ("authors", "authors"),
        "year_from": ("years", "years"),
        "year_to": ("years", "years"),
        "like": (NOT_HERE, "like"),
        "offset": NOT_HERE,
    },
    "find": {"query": ("keywords", "words"), "mode": (NOT_HERE, "mode"), "offset": NOT_HERE},
    "search_sentences": {
        "query": ("query", "words"),
        "beside": NOT_HERE,
        "steps": ("offset", "offset"),
        "offset": NOT_HERE,
    },
    "get_page": {"offset": NOT_HERE},
}
"""Arguments that have another name in Python or as an option, or that a face does not have: pages of lists
are for agents, a mode is a method of its own, and a paragraph that others are like is `Corpus.similar`."""

AS_MANY_AS_A_FACE_SHOWS = {"limit", "context"}  # Of which each face has its own default.


def _command(name):
    module, attribute = _COMMANDS[name][0].split(":")
    return {one.name for one in getattr(import_module(f"pagequote.cli.{module}"), attribute).params}


@pytest.mark.parametrize("name", FACES)
def test_a_call_has_the_arguments_of_its_record_in_python_and_as_options(name):
    call = next(one for one in CALLS if one.name == name)
    method, command = FACES[name]
    taken, options = inspect.signature(getattr(Corpus, method)).parameters, _command(command)
    for one in Call(call.function, fixed=call.fixed).arguments:
        usual = (one.name, "count" if one.name == "limit" else one.name)
        here = OTHERWISE.get(name, {}).get(one.name, usual) or (NOT_HERE, NOT_HERE)
        assert here[1] is NOT_HERE or here[1] in options, one.name
        if here[0] is not NOT_HERE:
            assert here[0] in taken, one.name
            given = taken[here[0]].default
            own = one.name != here[0] or one.name in AS_MANY_AS_A_FACE_SHOWS
            assert own or given is inspect.Parameter.empty or (given or None) == (one.default or None)


def test_each_call_is_in_the_table_but_for_those_that_no_other_face_asks_so():
    others = {"check_quotes", "show_page"}  # many records at once; a picture
    assert {one.name for one in CALLS} - others == FACES.keys()
