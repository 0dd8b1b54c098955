"""Each call that gives a verdict, in Python and through every way in, refuses each forgery of the tables.

The verdict is made in one place (test_certify.py); these are the ways to it.
"""

import json
import re
import shutil
import tomllib
from html import escape
from itertools import accumulate

import pytest

import lookup
from lookup.results.difference import PRINTED
from pagequote.calls.fitting import as_json
from pagequote.calls.registry import CALLS
from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.check.configuration import Configuration
from pagequote.highlights.pdf import read_highlights
from pagequote.lsp.draft import draft
from pagequote.mcp.tools import ToolServer
from tests.support.builds import build
from tests.support.cases import cases
from tests.support.command import pagequote
from tests.support.pdfs import pdf
from tests.support.project import ROOT
from tests.support.rooms import Visitor

RULES = cases("quote/verdicts.toml")
TABLES = [
    RULES[rule]["cases"]
    for rule in (
        "a changed fact is never verbatim, and named first",
        "a changed word is never verbatim",
        "a quote that cuts a number, a compound or a denial is near",
        "an ellipsis never goes over a negation",
        "conditions, hedges and lists are not left out",
        "numbers in lists, primes and raised citations are held to the print",
        "a negation beside a quote",
        "brackets that say otherwise are near",
        "an end of a sentence that moves, comes or goes is near",
        "an ellipsis never goes over a word that weakens or turns",
    )
]
RAISED = str.maketrans("0123456789-−–+", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻⁻⁺")
FACTS = {
    f"fact{number}": (words, printed)
    for number, (words, printed, *_) in enumerate(row for table in TABLES for row in table)
    if printed.isprintable()
}
"""By the key of a paper of its own: words that it does not print, and those that it prints."""


def _kinds(file):
    """The first quote of each kind of a table (test_kinds.py), and its print, by key.

    XML has no lines of verse.
    """
    table = tomllib.loads((ROOT / "tests/quote/kinds" / file).read_text(encoding="utf-8"))
    for number, kind in enumerate(table["kind"]):
        _, printed, words = kind["cases"][0]
        if "\n" not in printed:
            yield f"fact-{file[0]}{number}", (words, printed)


FORGED_KINDS, HONEST_KINDS = dict(_kinds("forged.toml")), dict(_kinds("honest.toml"))

_ROWS = list(accumulate((sum(row[1].isprintable() for row in table) for table in TABLES), initial=0))
SOME = {key for begins in _ROWS for key in list(FACTS)[begins : begins + 2]}
"""The first facts of each table: ways that hand on what another gives are tried with these alone."""

DECIDE = {"quote", "verify", "grep"}
"""The ways that give verdicts themselves, and are tried with all facts."""

FORGED = [(key, words) for key, (words, _) in FACTS.items()]
HONEST = [
    (key, re.sub(r"\^\{([^}]*)\}", lambda one: one[1].translate(RAISED), printed))
    for key, (_, printed) in FACTS.items()
]

ON_PAGES = {key for key, (_, printed) in FACTS.items() if printed.isascii() and "^" not in printed}
"""Those whose paper has a PDF beside it, in which their words can be marked."""

AT_ONCE = 7
"""Quotations in a call of `check_quotes`."""


def _article(printed):
    marked = re.sub(r"\^\{([^}]*)\}", r"<sup>\1</sup>", escape(printed))
    return f"<article><body><sec><title>Results</title><p>{marked}</p></sec></body></article>"


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    root = tmp_path_factory.mktemp("facts")
    for key, (_, printed) in {**FACTS, **FORGED_KINDS, **HONEST_KINDS}.items():
        (root / f"{key}.xml").write_text(_article(printed), encoding="utf-8")
        if key in ON_PAGES:
            (root / f"{key}.pdf").write_bytes(pdf(f"Results\n{printed}"))
    build(sorted(root.glob("fact*")), root)
    return root


@pytest.fixture(scope="module")
def corpus(library):
    with lookup.open(library / "corpus") as opened:
        yield opened


def _manuscript(library, quotes):
    path = library / "draft.md"
    path.write_text("".join(f"> {words} [@{key}]\n\n" for key, words in quotes), encoding="utf-8")
    return path


def _verdicts(answer):
    return [match.verdict for match in answer.matches]


def _of_default_corpus(library, quotes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGEQUOTE_CORPUS", str(library / "corpus"))
        return [
            [match.verdict for match in lookup.get_quote(key, words, limit=5).matches]
            for key, words in quotes
        ]


def _of_call(corpus, name, arguments):
    (call,) = [one for one in CALLS if one.name == name]
    return json.loads(as_json(call.answer(corpus, 100_000, arguments, lenient=True)))


def _some(quotes):
    """The quotations as `check_quotes` takes them, some at a time."""
    asked = [{"key": key, "quote": words} for key, words in quotes]
    return [{"quotes": asked[at : at + AT_ONCE]} for at in range(0, len(asked), AT_ONCE)]


def _each(results):
    return [[one["verdict"]] for some in results for one in some]


def _of_command(library, quotes, *call):
    """The verdicts that a command prints as JSON, of all quotes in one call or of each."""
    found = []
    for key, words in quotes:
        done = pagequote(call[0], key, words, *call[1:], "--json", "--corpus", library / "corpus")
        assert done.returncode in (0, 1), done.stderr
        told = json.loads(done.stdout)
        places = told if isinstance(told, list) else told.get("matches", [told])
        found.append([one["verdict"] for one in places])
    return found


def _pinned(library, quotes):
    lock = library / "pagequote.lock"
    lock.unlink(missing_ok=True)
    pagequote("pin", _manuscript(library, quotes), "--corpus", library / "corpus")
    pins = json.loads(lock.read_text(encoding="utf-8"))["pins"] if lock.exists() else []
    there = {one["key"]: one["verdict"] for one in pins}
    return [[there[key]] if key in there else [] for key, _ in quotes]


def _highlighted(library, quotes):
    """Green marks in copies of the PDFs are printed words; near ones have another colour."""
    out, green = library / "marked", [0.66, 0.9, 0.6]
    shutil.rmtree(out, ignore_errors=True)
    pagequote("highlight", _manuscript(library, quotes), "--out", out, "--corpus", library / "corpus")
    marks = {path.stem: read_highlights(path.read_bytes()) for path in out.iterdir()}
    colours = {key: [round(value, 2) for value in mark.colour] for key, (mark,) in marks.items()}
    return [["verbatim" if colours.get(key) == green else "near"] for key, _ in quotes]


def _in_editor(corpus, path):
    judged = draft(path, path.read_text(encoding="utf-8"), corpus, Configuration())
    return [[one.verdict] for one in judged.findings]


WAYS = {
    "quote": lambda c, _, quotes: [
        [m.verdict for m in c.quote(key, words, limit=5).matches] for key, words in quotes
    ],
    "quotes": lambda c, _, quotes: [[m.verdict for m in one.matches] for one in c.quotes(quotes, limit=5)],
    "get_quote": lambda _, root, quotes: _of_default_corpus(root, quotes),
    "verify": lambda c, _, quotes: [[c.verify(words, key).verdict] for key, words in quotes],
    "verify_all": lambda c, _, quotes: [
        [one.verdict] for one in c.verify_all([(words, key) for key, words in quotes])
    ],
    "grep": lambda c, _, quotes: [[m.verdict for m in c.grep(words, [key])] for key, words in quotes],
    "the call get_quote": lambda c, _, quotes: [
        [m["verdict"] for m in _of_call(c, "get_quote", {"key": key, "query": words})["matches"]]
        for key, words in quotes
    ],
    "the call check_quotes": lambda c, _, quotes: _each(
        _of_call(c, "check_quotes", some)["results"] for some in _some(quotes)
    ),
    "MCP": lambda c, _, quotes: _each(
        ToolServer(lambda: c, 100_000).call("check_quotes", some).structured_content["results"]
        for some in _some(quotes)
    ),
    "HTTP": lambda c, _, quotes: _each(
        Visitor(c).post("/api/verify", json=some).json()["results"] for some in _some(quotes)
    ),
    "a manuscript": lambda c, root, quotes: [
        [one.verdict] for one in judge(c, read_manuscripts([_manuscript(root, quotes)], Vocabulary()))
    ],
    "an editor": lambda c, root, quotes: _in_editor(c, _manuscript(root, quotes)),
    "highlight": lambda _, root, quotes: _highlighted(root, quotes),
    "pin": lambda _, root, quotes: _pinned(root, quotes),
    "pagequote quote": lambda _, root, quotes: _of_command(root, quotes, "quote"),
    "pagequote verify": lambda _, root, quotes: _of_command(root, quotes, "verify"),
}
"""Each public call that gives a verdict, as a function of a corpus, its folder and quotations with keys."""


def _asked(way, quotes):
    wanted = FACTS if way in DECIDE else SOME & ON_PAGES if way == "highlight" else SOME
    return [(key, words) for key, words in quotes if key in wanted]


@pytest.mark.parametrize("way", WAYS)
def test_no_call_blesses_a_forgery(way, corpus, library):
    forged = _asked(way, FORGED)
    verdicts = WAYS[way](corpus, library, forged)
    assert len(verdicts) == len(forged)
    assert [one for one, given in zip(forged, verdicts, strict=True) if set(given) & set(PRINTED)] == []


@pytest.mark.parametrize("way", WAYS)
def test_each_call_blesses_the_words_that_are_printed(way, corpus, library):
    """Without this, a call that blesses nothing would pass the test above."""
    honest = _asked(way, HONEST)
    verdicts = WAYS[way](corpus, library, honest)
    assert [one for one, given in zip(honest, verdicts, strict=True) if "verbatim" not in given] == []


@pytest.mark.long
@pytest.mark.parametrize("way", [way for way in WAYS if way != "highlight"])
def test_each_call_judges_quotes_of_each_kind(way, corpus, library):
    """Forged ones are blessed by none, honest ones by all but `grep`, which looks for words as they are."""
    for kinds, wanted in ((FORGED_KINDS, False), (HONEST_KINDS, way != "grep")):
        asked = [(key, words) for key, (words, _) in kinds.items()]
        verdicts = WAYS[way](corpus, library, asked)
        given = [bool(set(one) & {*PRINTED}) for one in verdicts]
        assert len(given) == len(asked)
        assert [one for one, is_blessed in zip(asked, given, strict=True) if is_blessed < wanted] == []
        assert kinds is HONEST_KINDS or not any(given)


@pytest.mark.parametrize(
    ("draft", "verdict"),
    [
        ("There was “evidence of a benefit was seen” [@{key}].", "near"),
        ("There was *no* “evidence of a benefit was seen” [@{key}].", "verbatim"),
        ("It is never said that there is “evidence of a benefit was seen” [@{key}].", "near"),
    ],
)
def test_a_denial_in_the_writers_own_words_is_not_cut_off(corpus, library, draft, verdict):
    (key,) = [key for key, (_, printed) in FACTS.items() if printed == "no evidence of a benefit was seen"]
    path = library / "beside.md"
    path.write_text(draft.format(key=key), encoding="utf-8")
    (finding,) = judge(corpus, read_manuscripts([path], Vocabulary()))
    assert finding.verdict == verdict
