"""SQL of a stranger reaches the tables, and nothing else."""

import pytest

from lookup.errors import QueryError
from lookup.release import safe_sql
from tests.support.command import pagequote

KEYS = "SELECT key FROM papers ORDER BY key"


def test_the_tables_views_and_macros_are_there(corpus):
    assert corpus.safe_sql(KEYS).rows == corpus.sql(KEYS).fetchall()
    assert corpus.safe_sql("SELECT count(*) FROM papers WHERE key = ?", ["lindqvist2019"]).rows == [(1,)]
    assert corpus.safe_sql("FROM find_quote('lindqvist2019', 'people prefer to work by day')").rows


@pytest.mark.parametrize(
    "query",
    [
        "FROM read_text('{file}')",
        "FROM '{file}'",
        "FROM glob('{folder}/*')",
        "COPY papers TO '{folder}/out.csv'",
        "EXPORT DATABASE '{folder}/out'",
        "ATTACH '{folder}/out.duckdb'",
        "SELECT 1; COPY (SELECT 1) TO '{folder}/out.csv'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "SET memory_limit = '64GB'",
        "FROM variable",
        "DELETE FROM papers",
        "SELECT string_agg(repeat('x', 1000000), '') FROM range(1000)",
        "FROM range(1000000)",
    ],
)
def test_everything_else_is_refused(corpus, tmp_path, query):
    variable = [1]
    (tmp_path / "secret.csv").write_text("a,b\n1,2\n")
    with pytest.raises(QueryError):
        corpus.safe_sql(query.format(folder=tmp_path, file=tmp_path / "secret.csv"))
    assert [path.name for path in tmp_path.iterdir()] == ["secret.csv"]
    assert variable
    assert corpus.sql(KEYS).fetchall()


def test_a_query_that_takes_long_is_ended(corpus, monkeypatch):
    monkeypatch.setattr(safe_sql, "SECONDS", 0.05)
    with pytest.raises(QueryError, match=r"took more than 0\.05 s"):
        corpus.safe_sql("SELECT count(*) FROM range(100000000000)")


def test_the_command_has_it(corpus_path, tmp_path):
    file = tmp_path / "secret.txt"
    file.write_text("secret")
    query = f"SELECT content FROM read_text('{file}')"
    assert "secret" in pagequote("sql", query, "--corpus", corpus_path).stdout
    refused = pagequote("sql", "--safe", query, "--corpus", corpus_path)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "lindqvist2019" in pagequote("sql", "--safe", KEYS, "--corpus", corpus_path).stdout
