"""A release says what it is: comments, metadata and a README; and the clients that people have open it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest

from lookup.release.schema import TABLES
from tests.support.optional import needs_polars

OLDEST, OTHERS = "1.2.0", ("1.4.5", "1.5.6")
"""Versions of DuckDB; the newest one is that of the tests."""

_ASK = """
import duckdb, json, sys
with duckdb.connect(sys.argv[1], read_only=True) as connection:
    ask = lambda query: connection.execute(query).fetchall()
    print(json.dumps([
        ask("SELECT count(*) FROM paragraphs"),
        ask("SELECT key, page FROM find_quote('lindqvist2019', 'people prefer to work by day')"),
        ask("SELECT count(*) FROM search_words('salinity')"),
        ask("SELECT count(*) FROM sentence_texts"),
        ask("SELECT count(*) FROM duckdb_columns() WHERE NOT internal AND comment IS NULL"),
    ]))
"""


@pytest.fixture
def release(corpus):
    return Path(corpus.release.folder)


@pytest.mark.parametrize("kind", ["tables", "views", "columns", "functions"])
def test_everything_in_the_database_says_what_it_is(release, kind):
    with duckdb.connect(str(release / "corpus.duckdb"), read_only=True) as connection:
        rows = connection.execute(f"SELECT comment FROM duckdb_{kind}() WHERE NOT internal").fetchall()
    assert rows
    assert all(comment and comment.strip() for (comment,) in rows)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_each_parquet_file_says_what_it_is(release, table):
    files = [*release.glob(f"{table.name}/*.parquet"), *release.glob(f"{table.name}.parquet")]
    assert files
    for file in files:
        said = pq.read_metadata(file).metadata
        assert said[b"pagequote.table"].decode() == table.name
        columns = json.loads(said[b"pagequote.columns"])
        assert {column.name for column in table.columns} <= set(columns)
        assert said[b"pagequote.extractor"]


def test_the_queries_of_the_readme_run_in_its_folder(release, monkeypatch):
    monkeypatch.chdir(release)
    readme = (release / "README.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```sql\n(.*?)```", readme, re.DOTALL)
    queries = [one for one in re.sub(r"--.*", "", block).split(";") if one.strip()]
    assert len(queries) == 3
    with duckdb.connect("corpus.duckdb", read_only=True) as connection:
        for query in queries:
            assert connection.execute(query).fetchall()


def test_vectors_are_floats_for_any_client(meaningful):
    database = Path(meaningful.release.folder) / "corpus.duckdb"
    with duckdb.connect(str(database), read_only=True) as connection:
        rows = connection.execute(
            "SELECT array_cosine_similarity(one.vector, other.vector), "
            "one.sentence = other.sentence AND one.paragraph = other.paragraph AND one.key = other.key "
            "FROM (FROM sentence_vectors LIMIT 1) one, sentence_vectors other ORDER BY 1 DESC"
        ).fetchall()
        near, same = rows[0]
        assert (round(near, 3), same) == (1.0, True)
        comment = "SELECT comment FROM duckdb_views() WHERE view_name = 'sentence_vectors'"
        assert connection.execute(comment).fetchone() not in (None, (None,))


@needs_polars
def test_the_parquet_files_are_enough_for_polars(release, corpus):
    import polars as pl

    paragraphs = pl.read_parquet(release / "paragraphs" / "*.parquet")
    assert paragraphs.height == corpus.sql("SELECT count(*) FROM paragraphs").fetchone()[0]
    assert set(paragraphs["key"]) == set(pl.read_parquet(release / "papers.parquet")["key"])


@pytest.mark.system
@pytest.mark.parametrize("version", [OLDEST, *OTHERS])
def test_older_clients_open_the_database(release, tmp_path, version):
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
    command += ["--only-binary", ":all:", "--timeout", "10", "--retries", "0", "--target", str(tmp_path)]
    try:
        got = subprocess.run([*command, f"duckdb=={version}"], capture_output=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        pytest.skip("no registry answers in time")
    if got.returncode:
        pytest.skip("no registry has this version of DuckDB for this Python")
    asked = [sys.executable, "-c", _ASK, str(release / "corpus.duckdb")]
    said = subprocess.run(
        asked, capture_output=True, check=True, text=True, env={"PYTHONPATH": str(tmp_path)}
    )
    here = subprocess.run(asked, capture_output=True, check=True, text=True)
    assert said.stdout == here.stdout
    assert json.loads(said.stdout)[1] == [["lindqvist2019", 1]]
