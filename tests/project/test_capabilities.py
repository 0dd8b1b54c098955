"""docs/capabilities.md names what the project can do: each folder has a row, each row users and a measure."""

import re
import sys
from runpy import run_path

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

TABLE = run_path(str(ROOT / "tools/capabilities.py"))
ROWS = TABLE["CAPABILITIES"]
MEASURES = run_path(str(ROOT / "benchmarks/gate_measures.py"))["MEASURES"]


@pytest.mark.parametrize("package", ["lookup", "pipeline", "pagequote"])
def test_each_folder_and_file_belongs_to_a_capability(package):
    assert [file for file in TABLE["files"]([package]) if TABLE["row_of"](file) is None] == []


def test_tests_belong_to_a_capability_too_but_for_those_of_the_project():
    without = {file for file in TABLE["files"](["tests"]) if TABLE["row_of"](file, "tests") is None}
    assert {file for file in without if not re.match(r"tests/(project/|support/|\w+\.py$)", file)} == set()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.what)
def test_a_capability_has_a_user_and_a_measure(row):
    assert row.users.split()
    assert set(row.users.split()) <= set(TABLE["USERS"])
    measures = [measure.strip() for measure in row.measures.split(",")]
    named = [measure for measure in measures if not measure.startswith("gate ")]
    assert measures
    assert [name for name in named if not re.match(r"tests/|benchmarks/results/", name)] == []
    assert [name for name in named if not (ROOT / name).is_file()] == []
    assert {name.removeprefix("gate ") for name in measures if name.startswith("gate ")} <= set(MEASURES)


@pytest.mark.parametrize("attribute", ["code", "tests"])
def test_a_capability_names_what_exists_and_what_no_other_names(attribute):
    named = [name for row in ROWS for name in getattr(row, attribute).split()]
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert len(named) == len(set(named))
    assert all(getattr(row, attribute).split() for row in ROWS)


def test_a_file_belongs_to_the_innermost_folder_that_is_named():
    inner, outer = (TABLE["row_of"](name) for name in ("lookup/quote/semantic.py", "lookup/quote/exact.py"))
    assert "embedding" in inner.code
    assert outer.code.startswith("lookup/quote")
    assert TABLE["row_of"]("lookup/quote") is outer
    assert TABLE["row_of"]("lookup/unheard_of/module.py") is None


def test_the_page_is_generated_from_the_table():
    """But for the lines, which are those of the last `make reference`: a change of code needs no new page."""
    written = TABLE["PAGE"].read_text(encoding="utf-8")
    without_lines = [re.sub(r"\d[\d,]*(?= \|| lines)", "", text) for text in (written, TABLE["page"]())]
    assert without_lines[0] == without_lines[1], "Run `make reference`."
