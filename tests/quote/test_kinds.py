"""Forged and honest quotes by kind, in many languages: `kinds/*.toml`, written apart from the code."""

import tomllib
from dataclasses import dataclass
from itertools import count

import pytest

from lookup.quote.cascade import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED
from tests.support.printed import asked, paper
from tests.support.project import ROOT

KINDS = ROOT / "tests/quote/kinds"


@dataclass(frozen=True)
class Case:
    """One quote of a kind, its name ("KIND (LANGUAGE NUMBER)"), and the verdicts that are right."""

    name: str
    printed: str
    quote: str
    wanted: frozenset[str]


def _table(name):
    return tomllib.loads((KINDS / name).read_text(encoding="utf-8"))


def _cases(file):
    for kind in _table(file)["kind"]:
        wanted = frozenset([kind["wanted"]] if "wanted" in kind else ["near", "related", "not found"])
        seen = {language: count(1) for language, _, _ in kind["cases"]}
        for language, printed, quote in kind["cases"]:
            yield Case(f"{kind['name']} ({language} {next(seen[language])})", printed, quote, wanted)


CASES = [*_cases("forged.toml"), *_cases("honest.toml")]


@pytest.mark.parametrize("case", CASES, ids=[one.name for one in CASES])
def test_a_quote_of_each_kind_gets_its_verdict(case):
    found = asked(case.quote, case.printed)
    assert (found[0].verdict if found else "not found") in case.wanted


ADVERSARY = [
    (f"{section}: {case[0]}", *case[:2], "".join(case[2:]), kind == "honest")
    for section, kinds in _table("adversary.toml").items()
    for kind, cases in kinds.items()
    for case in cases
]


@pytest.mark.parametrize(("name", "quote", "printed", "words", "honest"), ADVERSARY)
def test_what_an_adversary_tried_is_called_printed_if_it_is_honest(name, quote, printed, words, honest):
    """Paragraphs are parted by an empty line; other ends of lines are those of the print."""
    raw = printed.split("\n\n")
    texts = [one.replace("-\n", "").replace("\n", " ") for one in raw]
    found = by_words(ExactSearch(paper(*texts, raw=raw)), parse(quote, beside=(words, "")))
    assert any(one.verdict in PRINTED for one in found[:1]) == honest, name
