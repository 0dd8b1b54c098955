"""`pagequote sql`: tables that fit a line, files, and a shell."""

import pyarrow.parquet as pq

from lookup.errors import QueryError
from pagequote.cli.sql import shell

WIDE = "SELECT 'a' AS key, repeat('many words ', 30) AS text"


def test_few_rows_that_are_too_wide_are_shown_whole_below_one_another(run):
    lines = run("sql", f"{WIDE}, NULL AS missing UNION ALL {WIDE}, NULL").stdout.splitlines()
    assert max(map(len, lines)) <= 110
    assert lines[0] == "key      a"
    assert " ".join(lines).count("many words") == 60
    assert lines.count("missing") == 2
    assert lines[-1] == "(2 rows)"


def test_rows_are_written_as_parquet(run, tmp_path):
    file = tmp_path / "it's.parquet"
    assert run("sql", "SELECT key, pages FROM papers ORDER BY key;", "--parquet", str(file)).returncode == 0
    assert pq.read_table(file).column_names == ["key", "pages"]
    assert run("sql", "SELECT nothing", "--parquet", str(tmp_path / "no.parquet")).returncode == 2
    assert [path.name for path in tmp_path.iterdir()] == ["it's.parquet"]


def test_a_shell_answers_statements_and_stays_open_after_an_error(capsys):
    lines = iter(["SELECT", "1;", "", "wrong;", ".quit", "never"])

    def answer(statement):
        if statement == "wrong;":
            raise QueryError("That is wrong.")
        return f"<{statement}>\n"

    shell(answer, lambda _: next(lines))
    printed = capsys.readouterr()
    assert printed.out == "<SELECT\n1;>\n"
    assert "That is wrong." in printed.err
    assert next(lines) == "never"
