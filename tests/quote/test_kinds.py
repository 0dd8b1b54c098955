"""Forged and honest quotes by kind, in many languages: `kinds/*.toml`, written apart from the code.

What is wrong today stands in `kinds/expected_failures.toml`, with its reason; a mend has to take it out.
"""

import tomllib
from dataclasses import dataclass
from itertools import count

import pytest

from lookup.results.difference import PRINTED
from tests.support.printed import asked
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
FAILURES = {name: reason for reason, names in _table("expected_failures.toml").items() for name in names}


def _marks(case):
    return pytest.mark.xfail(reason=FAILURES[case.name], strict=True) if case.name in FAILURES else ()


@pytest.mark.parametrize("case", [pytest.param(one, id=one.name, marks=_marks(one)) for one in CASES])
def test_a_quote_of_each_kind_gets_its_verdict(case):
    found = asked(case.quote, case.printed)
    assert (found[0].verdict if found else "not found") in case.wanted


def test_each_expected_failure_is_a_case_of_its_name_only():
    names = [one.name for one in CASES]
    assert len(set(names)) == len(names)
    assert set(names) >= FAILURES.keys()


def test_every_verdict_of_a_kind_is_a_verdict():
    assert {one for case in CASES for one in case.wanted} <= {*PRINTED, "near", "related", "not found"}
