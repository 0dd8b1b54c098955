"""A release says what it is: comments, metadata and a README; and the clients that people have open it."""

import json
import re
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from lookup.release.schema import TABLES
from tests.support.needs import needs

OLDEST, OTHERS = "1.2.0", ("1.4.1", "1.4.5", "1.5.6")
"""Versions of DuckDB; the newest one is that of the tests."""

_ASK = """
import duckdb, json, sys
with duckdb.connect(sys.argv[1], read_only=True) as connection:
    ask = lambda query: connection.execute(query).fetchall()
    print(json.dumps([
        ask("SELECT count(*) FROM paragraphs"),
        ask("SELECT key, page FROM find_quote('lindqvist2019', 'people prefer to work by day')"),
        ask("SELECT count(*) FROM search_words('salinity')"),
        ask("SELECT text FROM around('lindqvist2019', 2131, 100, 200)"),
        ask("SELECT key, page FROM find_phrase('people prefer to work by day')"),
        ask("SELECT * FROM printed_lines WHERE key = 'lindqvist2019' ORDER BY paragraph, line LIMIT 3"),
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


def test_sentences_have_their_text_in_parquet(release):
    sentences = (
        ds.dataset(release / "sentences")
        .to_table()
        .sort_by([(name, "ascending") for name in ("key", "paragraph", "sentence")])
    )
    with duckdb.connect(str(release / "corpus.duckdb"), read_only=True) as connection:
        texts = connection.execute(
            "SELECT text FROM sentence_texts ORDER BY key, paragraph, sentence"
        ).fetchall()
    assert [(text,) for text in sentences["text"].to_pylist()] == texts


def test_vectors_are_lists_of_a_fixed_size_in_parquet(meaningful):
    release = Path(meaningful.release.folder)
    embedding = ds.dataset(release / "paragraphs").to_table(["embedding"])["embedding"]
    (vector,) = ds.dataset(release / "vectors").head(1)["vector"].to_pylist()
    assert embedding.type == pa.list_(pa.int8(), len(vector))
    with_vector = len(embedding) - embedding.null_count
    assert 0 < with_vector < len(embedding)
    with duckdb.connect(str(release / "corpus.duckdb"), read_only=True) as connection:
        count = connection.execute("SELECT count(*) FROM paragraph_vectors").fetchone()
    assert count == (with_vector,)


@needs("pandas")
def test_the_parquet_files_are_enough_for_pandas(meaningful):
    import numpy as np
    import pandas as pd

    release = Path(meaningful.release.folder)
    columns = ["key", "page", "paragraph", "text_norm", "embedding", "embedding_scale"]
    paragraphs = pd.read_parquet(release / "paragraphs", columns=columns).sort_values(["key", "paragraph"])
    papers = pd.read_parquet(release / "papers.parquet")
    assert [*paragraphs.groupby("key").size().items()] == meaningful.sql(
        "SELECT key, count(*) FROM paragraphs GROUP BY key ORDER BY key"
    ).fetchall()
    assert set(paragraphs["key"]) == set(papers["key"])

    words = "people prefer to work by day"
    found = paragraphs[paragraphs["text_norm"].str.contains(words, regex=False)]
    assert [*zip(found["key"], found["page"], strict=True)] == meaningful.sql(
        "SELECT key, page FROM printed_paragraphs WHERE contains(text_norm, ?) ORDER BY key, paragraph",
        [words],
    ).fetchall()

    known = paragraphs.dropna(subset="embedding")
    matrix = np.stack(known["embedding"].to_list()) * known["embedding_scale"].to_numpy()[:, None]
    near = matrix @ matrix[0]
    order = near.argsort(kind="stable")[::-1][:3]
    nearest = known.iloc[order][["key", "paragraph"]].itertuples(index=False, name=None)
    assert [*nearest] == meaningful.sql(
        "SELECT other.key, other.paragraph "
        "FROM (FROM paragraph_vectors ORDER BY key, paragraph LIMIT 1) one, "
        "paragraph_vectors other ORDER BY array_inner_product(one.vector, other.vector) DESC LIMIT 3"
    ).fetchall()


@pytest.mark.system
@pytest.mark.parametrize("version", [OLDEST, *OTHERS])
@pytest.mark.long
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
