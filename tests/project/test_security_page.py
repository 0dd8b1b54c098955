"""The page on security names a test for each input, face and bound, and these tests are there."""

import re

import pytest

from tests.support.project import ROOT

PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
ROWS = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
HEADS = [
    after for after, line in zip(PAGE.splitlines(), PAGE.splitlines()[1:], strict=False) if "| ---" in line
]
_TESTS = re.compile(r"`(test_\w+\.py)`(?:: ([^|`]*))?")


def missing(row: str) -> list[str]:
    """Return what the last cell of a row names that is no test; all of it where it names none."""
    named = _TESTS.findall(row.rstrip("| ").rpartition(" | ")[2])
    out = [] if named else [row]
    for file, phrases in named:
        found = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob(file)]
        tests = [name for text in found for name in re.findall(r"def test_(\w+)", text)]
        begun = [re.sub(r"\W+", "_", one.strip().lower()) for one in re.split("[;,]", phrases)]
        out += [
            f"{file}: {one}" for one in begun if not found or not any(name.startswith(one) for name in tests)
        ]
    return out


@pytest.mark.parametrize("row", [row for row in ROWS if row not in HEADS])
def test_each_row_names_tests_that_are_there(row):
    assert missing(row) == []


def test_a_row_without_a_test_or_with_another_one_is_found():
    assert missing("| a file | anybody | nothing | none |")
    assert missing("| a file | anybody | nothing | `test_safe_sql.py`: nothing is read |")
    assert missing("| a file | anybody | nothing | `test_no_such.py` |")


def test_what_is_said_outside_of_tables_is_not_promised_or_about_the_page():
    begins = (
        "# ",
        "## ",
        "Each input, who",
        "Not promised: ",
        "The wheel has no code",
    )
    said = [part for part in PAGE.split("\n\n") if not part.startswith("| ")]
    assert [part for part in said if not part.startswith((*begins, "<!-- ", "```"))] == []
