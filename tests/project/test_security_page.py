"""The page on security names a test for each input, face and bound, and these tests are there."""

import re

from tests.support.project import ROOT

_TESTS = re.compile(r"`(test_\w+\.py)`(?:: ([^|`]*))?")


def missing(row: str) -> list[str]:
    """Return what the last cell of a row names that is no test; all of it where it names none."""
    named = _TESTS.findall(row.rstrip("| ").rpartition(" | ")[2])
    out = [] if named else [row]
    for file, phrases in named:
        text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob(file))
        begun = [re.sub(r"\W+", "_", one.strip().lower()) for one in re.split("[;,]", phrases)]
        out += [f"{file}: {one}" for one in begun if f"def test_{one}" not in text]
    return out


def test_each_row_names_tests_that_are_there():
    lines = (ROOT / "docs" / "security.md").read_text(encoding="utf-8").splitlines()
    heads = {number for number, line in enumerate(lines[1:]) if line.startswith("| ---")}
    rows = [line for number, line in enumerate(lines) if line.startswith("| ") and number not in heads]
    assert len(rows) > 20
    assert [one for row in rows if not row.startswith("| ---") for one in missing(row)] == []
    assert missing("| a file | anybody | nothing | `test_safe_sql.py`: nothing is read |")
