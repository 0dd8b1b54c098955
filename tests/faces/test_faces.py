"""One promise, each face: a call says the same to programs, to agents, over HTTP and on the command line.

A row of PROMISES has a call, its arguments, and whether its reply, as JSON, says what is promised. What
cannot be answered is in `refusals.toml`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache, partial
from typing import Any

import pytest

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from pagequote.calls.fitting import as_json
from pagequote.mcp.tools import TOOLS
from pagequote.web.api import OPERATIONS
from tests.support.cases import cases
from tests.support.command import pagequote
from tests.support.mcp_clients import Agent, connected, http_server, over_stdio
from tests.support.rooms import Visitor

pytestmark = pytest.mark.system

KEY, OTHER, NOBODY = "lindqvist2019", "okafor2021", "nobody1999"
WORDS = "people prefer to work by day"
INVENTED = "zebras quietly juggle violet theorems"
AT_NIGHT = "carbon released by marshes at night"

Reply = dict[str, Any]
Promise = Callable[[Reply, Corpus], bool]


def _is_that_of_the_corpus(reply: Reply, corpus: Corpus) -> bool:
    (match,) = reply["matches"]
    expected = corpus.quote(KEY, WORDS, context="sentence").matches[0].to_dict() | {"quote": WORDS}
    return bool(match.items() <= (expected | {"latex": match.get("latex", "")}).items())


def _is_near_for_a_denial(reply: Reply, _: Corpus) -> bool:
    (match,) = reply["matches"]
    denials = [one for one in match["differences"] if one["kind"] == "negation" and one["asked"] == "not"]
    return match["verdict"] == "near" and len(denials) == 1


def _is_on_page_1_and_not_on_3(reply: Reply, _: Corpus) -> bool:
    (match,) = reply["matches"]
    there = (match["verdict"], match["page"], match["page_label"]) == ("verbatim", 1, "1650")
    return there and reply["hint"].startswith("Not on page 3, but on page 1")


def _leads_to_the_other_paper(reply: Reply, _: Corpus) -> bool:
    elsewhere = [(one["key"], one["page"]) for one in reply["elsewhere"]]
    return _is_not_found(reply, _) and elsewhere == [(KEY, 1)] and KEY in reply["hint"]


def _is_not_found(reply: Reply, _: Corpus) -> bool:
    return {one["verdict"] for one in reply.get("matches", ())} <= {"related"} and bool(reply["hint"])


def _has_the_places(reply: Reply, corpus: Corpus) -> bool:
    places = corpus.grep("salinity gradient", [KEY, OTHER], context_chars=30)
    found = [(one["key"], one["page"], one["text"]) for one in reply["matches"]]
    return found == [(one.key, one.page, one.text) for one in places] != []


def _has_the_hits(reply: Reply, corpus: Corpus) -> bool:
    hits = corpus.search(AT_NIGHT, 4, "lexical", [KEY]).hits[:3]
    found = [(one["key"], one["paragraph"], one["text"]) for one in reply["hits"]]
    return found == [(one.key, one.paragraph, one.text) for one in hits] != []


def _has_the_hits_of_both(reply: Reply, corpus: Corpus) -> bool:
    hits = corpus.search([AT_NIGHT, "salinity gradient"], 2, "lexical").hits
    return [(one["key"], one["paragraph"]) for one in reply["hits"]] == [(h.key, h.paragraph) for h in hits]


def _found(mode: str, call: str) -> tuple[str, Mapping[str, Any], Promise]:
    keywords = ["opaque chamber", "night"]

    def promise(reply: Reply, corpus: Corpus) -> bool:
        expected = getattr(corpus, call)(keywords, [KEY], 2, 200)
        found = [(one["text"], one["cursor"]) for one in reply["results"]]
        same = found == [(one.text, one.cursor) for one in expected]
        return same and reply["answered_by"] == expected.answered_by

    return "find", {"query": keywords, "mode": mode, "keys": [KEY], "limit": 2, "context_chars": 200}, promise


def _judges_each(reply: Reply, _: Corpus) -> bool:
    results = reply["results"]
    verdicts = [one["verdict"] for one in results]
    right = [one.get("page_is_right") for one in results[:2]] == [True, False]
    led = results[2]["elsewhere"][0]["key"] == KEY and NOBODY in results[3]["hint"]
    judged = verdicts == ["verbatim", "verbatim", "not found", "unknown key", "not covered"]
    return judged and right and led and reply["wrong"] == 4


def _quoted(words: str, promise: Promise, **more: Any) -> tuple[str, Mapping[str, Any], Promise]:
    return "get_quote", {"key": KEY, "quote": words, **more}, promise


_BATCH = [(KEY, WORDS, 1), (KEY, WORDS, 3), (OTHER, WORDS, 0), (NOBODY, WORDS, 0), (KEY, "???", 0)]

PROMISES: Mapping[str, tuple[str, Mapping[str, Any], Promise]] = {
    "a quote is answered as the corpus answers it": _quoted(
        WORDS, _is_that_of_the_corpus, context="sentence"
    ),
    "a misquote is near with its differences": _quoted(
        "people do not prefer to work by day", _is_near_for_a_denial
    ),
    "words on another page are shown where they are": _quoted(WORDS, _is_on_page_1_and_not_on_3, page=3),
    "words of another paper lead to it": _quoted(WORDS, _leads_to_the_other_paper, key=OTHER),
    "words that nobody prints are answered with a hint": _quoted(INVENTED, _is_not_found),
    "a phrase is found in the papers asked": (
        "grep_raw",
        {"quote": "salinity gradient", "keys": [KEY, OTHER], "context_chars": 30},
        _has_the_places,
    ),
    "paragraphs are found by topic": (
        "search",
        {"query": AT_NIGHT, "mode": "lexical", "limit": 3, "keys": [KEY]},
        _has_the_hits,
    ),
    "a topic has several phrasings": (
        "search",
        {"query": [AT_NIGHT, "salinity gradient"], "mode": "lexical", "limit": 2},
        _has_the_hits_of_both,
    ),
    "no year fits": (
        "search",
        {"query": "carbon", "mode": "lexical", "year_from": 1990, "year_to": 1991},
        lambda reply, _: not reply["hits"] and "filter" in reply["hint"],
    ),
    "keywords are found in context": _found("context", "search_context"),
    "keywords are found as phrases": _found("phrase", "search_exact_phrase"),
    "keywords are found together": _found("all", "search_boolean_and"),
    "each quotation of a batch is judged": (
        "check_quotes",
        {"quotes": [{"key": key, "quote": words, "page": page} for key, words, page in _BATCH]},
        _judges_each,
    ),
    "papers are found by their words": (
        "list_papers",
        {"query": "okafor 2021"},
        lambda reply, _: [one["key"] for one in reply["papers"]] == [OTHER],
    ),
    "a page is read": (
        "get_page",
        {"key": KEY, "page": 4},
        lambda reply, corpus: (reply["text"], reply["page_label"]) == (corpus.page(KEY, 4), "1653"),
    ),
    "a cursor has its surroundings": (
        "get_context_at_cursor",
        {"key": KEY, "cursor": 500, "chars_before": 50, "chars_after": 50},
        lambda reply, corpus: (
            reply["text"] == corpus.context(KEY, 500, 50, 50)
            and reply["text"] == corpus.document(KEY)[reply["start"] : reply["end"]]
        ),
    ),
}


class RefusedError(Exception):
    """A call that a face did not answer, and the sentence that it said."""


REFUSALS: Mapping[str, tuple[Any, ...]] = cases("faces/refusals.toml")

Face = Callable[[str, Mapping[str, Any]], Reply]


FACES = ("Python", "MCP over stdio", "MCP over HTTP", "HTTP", "command")


def _at_each_face(rows: Mapping[str, tuple[Any, ...]], options: set[str]) -> list[tuple[str, str]]:
    """Return each row with each face; the command line has what asks for a quote with these options."""
    of_command = {"key", "quote"} | options
    return [
        (face, name)
        for face in FACES
        for name, (call, given, *_) in rows.items()
        if face != "command" or (call == "get_quote" and {"key", "quote"} <= given.keys() <= of_command)
    ]


@pytest.fixture(scope="module")
def faces(corpus: Corpus) -> Iterator[Callable[[str], Face]]:
    """What asks a call at a face, and returns its reply as JSON, or raises RefusedError; opened once."""
    path = corpus.release.folder.parents[1]
    with ExitStack() as stack:

        @cache
        def opened(face: str) -> Face:
            if face == "MCP over stdio":
                return partial(_of_agent, stack.enter_context(over_stdio(path)))
            if face == "MCP over HTTP":
                address, _ = stack.enter_context(http_server(path))
                return partial(_of_agent, stack.enter_context(connected(address)))
            if face == "HTTP":
                return partial(_of_http, Visitor(corpus))
            return partial(_of_command, path) if face == "command" else partial(_of_python, corpus)

        yield opened


def _of_python(corpus: Corpus, name: str, given: Mapping[str, Any]) -> Reply:
    (call,) = (one.call for one in OPERATIONS if one.call.name == name)
    try:
        reply: Reply = json.loads(as_json(call.answer(corpus, 100_000, given, lenient=False)))
    except PageQuoteError as error:
        raise RefusedError(type(error).__name__, str(error)) from error
    return reply


def _of_agent(agent: Agent, name: str, given: Mapping[str, Any]) -> Reply:
    result = agent.call(name, **given)
    text = result.content[0].text
    if not result.is_error:
        reply: Reply = result.structured_content
        assert json.loads(text) == reply
        return reply
    assert any(tool.name in text for tool in TOOLS), "what to call next"
    raise RefusedError("", text)


def _of_http(visitor: Visitor, name: str, given: Mapping[str, Any]) -> Reply:
    (one,) = (operation for operation in OPERATIONS if operation.call.name == name)
    address = f"/api{one.path.format(**given)}"
    if one.method == "POST":
        answer = visitor.post(address, json=given)
    else:
        answer = visitor.get(address, **{k: v for k, v in given.items() if f"{{{k}}}" not in one.path})
    reply: Reply = answer.json()
    if answer.status_code != 200:
        raise RefusedError(reply["error"]["type"], reply["error"]["message"], answer.status_code)
    return reply


def _of_command(path: Any, name: str, given: Mapping[str, Any]) -> Reply:
    assert name == "get_quote"
    options = [word for key in given.keys() - {"key", "quote"} for word in (f"--{key}", given[key])]
    done = pagequote("quote", given["key"], given["quote"], "--json", *options, "--corpus", path)
    if done.returncode == 2:
        assert done.stdout == ""
        raise RefusedError("", done.stderr)
    assert done.returncode in (0, 1), done.stderr
    reply: Reply = json.loads(done.stdout)
    return reply


@pytest.mark.parametrize(("face", "promise"), _at_each_face(PROMISES, {"context"}), ids=str)
def test_each_face_keeps_each_promise(
    faces: Callable[[str], Face], corpus: Corpus, face: str, promise: str
) -> None:
    call, given, kept = PROMISES[promise]
    reply = faces(face)(call, given)
    assert kept(reply, corpus), reply


@pytest.mark.parametrize(("face", "wrong"), _at_each_face(REFUSALS, {"page"}), ids=str)
def test_each_face_refuses_what_cannot_be_answered_in_a_sentence(
    faces: Callable[[str], Face], face: str, wrong: str
) -> None:
    call, given, error, status, said = REFUSALS[wrong]
    with pytest.raises(RefusedError) as refused:
        faces(face)(call, given)
    kind, text, *of_http = refused.value.args
    assert said in text
    assert text.strip().endswith((".", "?"))
    assert len(text) < 500
    assert kind in ("", error)
    assert of_http in ([], [status])
