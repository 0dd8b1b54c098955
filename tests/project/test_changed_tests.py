"""`make check` runs the tests of what changed, by the table of capabilities, or all that it may."""

import sys
from runpy import run_path

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "tools"))

MODULE = run_path(str(ROOT / "tools/changed_tests.py"))
ALWAYS = set(MODULE["ALWAYS"])


@pytest.mark.parametrize(
    ("changed", "tests"),
    [
        (["lookup/compare/gaps.py"], {"tests/quote"}),
        (["lookup/compare/gaps.py", "pagequote/lsp/draft.py"], {"tests/quote", "tests/faces/test_lsp.py"}),
        (["tests/search/test_snippets.py"], {"tests/search/test_snippets.py"}),
        (["pagequote/lsp/draft.py", "README.md"], {"tests/faces/test_lsp.py"}),
    ],
)
def test_the_tests_of_a_change_are_those_of_its_capability(changed, tests):
    assert set(MODULE["tests_of"](changed)) == tests | ALWAYS


@pytest.mark.parametrize(
    "changed", [[], ["README.md"], ["lookup/compare/gaps.py", "tests/support/pdfs.py"], ["pyproject.toml"]]
)
def test_all_tests_run_where_what_changed_belongs_to_all_or_to_none(changed):
    assert MODULE["tests_of"](changed) == []


def test_a_test_that_was_removed_is_not_run():
    assert set(MODULE["tests_of"](["tests/quote/test_gone.py", "pagequote/lsp/draft.py"])) == {
        "tests/faces/test_lsp.py",
        *ALWAYS,
    }
