"""SQL of a stranger reads the tables, and nothing else."""

import hashlib
import json
import subprocess
import sys

import pytest

from lookup.errors import QueryError
from pagequote.stranger_sql import safe_sql
from tests.support.cases import cases

CASES = cases("releases/safe_sql.toml")
WRITING, READING = CASES["nothing is written"], CASES["no file is read"]

pytestmark = [pytest.mark.system, pytest.mark.long]

KEYS = "SELECT key FROM papers ORDER BY key"

HONEST = (
    KEYS,
    "FROM find_quote('lindqvist2019', 'people prefer to work by day')",
    "FROM search_words('salinity gradient') LIMIT 10",
    "FROM sentence_texts ORDER BY ALL LIMIT 20",
    "FROM longest_paragraphs LIMIT 3",
    "FROM sections",
    "DESCRIBE papers",
    "SELECT year, count(*) FROM papers GROUP BY year ORDER BY year",
    "WITH long AS (FROM paragraphs WHERE length(text) > 300) SELECT count(*) FROM long",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) FROM n",
    "SELECT line.page FROM paragraphs p, unnest(p.lines) AS lines(line) ORDER BY ALL LIMIT 9",
    "SELECT key FROM papers UNION SELECT key FROM pages ORDER BY key",
    "SELECT table_name, comment FROM duckdb_tables() ORDER BY ALL",
    "SELECT DATE '2020-02-29', 1.5::DECIMAL(4, 2), [1, 2], {'a': 1}, 'b'::BLOB, INTERVAL 1 DAY, 0.5",
    "SELECT uuid() IS NULL, i FROM range(3) AS numbers(i)",
    "/* a comment; with a semicolon */ SELECT ';' AS mark;",
    "SELECT table_name FROM information_schema.tables ORDER BY ALL",
    "SELECT title NOT LIKE 'A%', -year, year BETWEEN 1 AND 2, year IN (1, 2) FROM main.papers ORDER BY ALL",
    "SELECT sum(year) OVER (), upper(title)[1:3], [x + 1 FOR x IN [1, 2]] FROM papers ORDER BY ALL",
    "SELECT strftime(DATE '2020-02-29', '%Y'), regexp_extract('ab', 'a(.)', 1), fold_words('A-\n b')",
    "SELECT CASE WHEN year > 0 THEN 1 END, list(key ORDER BY key) FROM papers GROUP BY 1 ORDER BY 1",
)


OTHER_WAYS, TELLING, SLOW = CASES["other_ways"], CASES["telling"], CASES["slow"]

"""What would tell where on this machine the corpus is."""

GREEDY = (
    "SELECT range(0, 500000000)",
    "SELECT repeat('x', 10000000) FROM range(100000)",
    "SELECT repeat('x', 2000000000)",
    "SELECT range(0, 10000) FROM range(100000)",
    "SELECT len(range(0, 200000000))",
    "SELECT string_agg(repeat('x', 1000000), '') FROM range(1000)",
    "SELECT list(i) FROM range(1000000000) AS numbers(i)",
    "SELECT repeat('x', 1000000) FROM range(1000)",
    "SELECT i, count(*) FROM range(1000000000) AS numbers(i) GROUP BY i",
    "SELECT i FROM range(1000000000) AS numbers(i) ORDER BY hash(i) DESC",
    "WITH RECURSIVE n(t) AS (SELECT 'x' UNION ALL SELECT t || t FROM n) FROM n",
    "SELECT rpad('x', 2000000000, 'y')",
    "SELECT regexp_replace(repeat('a', 100000000), 'a', repeat('b', 1000), 'g')",
    "SELECT array_agg(a.text) FROM paragraphs a, paragraphs b, paragraphs c, paragraphs d",
    "FROM range(1000000)",
    "SELECT " + "(" * 20000 + "1" + ")" * 20000,
    "SELECT [" * 3000 + "1" + "]" * 3000,
)


def _files(folder):
    return {
        path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def untouched(corpus, corpus_path, tmp_path):
    """A secret file in an empty folder; neither that nor the corpus may change."""
    before = _files(corpus.release.folder)
    secret = tmp_path / "secret.csv"
    secret.write_text("a,b\n1,swordfish\n")
    yield secret
    assert [path.name for path in tmp_path.iterdir()] == [secret.name]
    assert secret.read_text() == "a,b\n1,swordfish\n"
    assert _files(corpus.release.folder) == before


def _refusal(corpus, query):
    """What a stranger is told, which says nothing of this machine."""
    with pytest.raises(QueryError) as refused:
        safe_sql(corpus, query)
    said = str(refused.value)
    assert "swordfish" not in said
    assert str(corpus.release.folder) not in said
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("query", HONEST)
def test_honest_queries_have_the_answers_of_any_client(corpus, query):
    asked = corpus.sql(query)
    answer = safe_sql(corpus, query)
    assert (answer.columns, answer.rows) == (asked.columns, asked.fetchall())
    assert answer.rows


@pytest.mark.parametrize("query", WRITING)
def test_nothing_is_written(corpus, untouched, query):
    folder = corpus.release.folder
    for target in (
        untouched,
        untouched.parent / "new.csv",
        folder / "corpus.duckdb",
        folder / "corpus.duckdb.wal",
    ):
        _refusal(corpus, query.format(target=target))


@pytest.mark.parametrize("query", READING)
def test_no_file_is_read(corpus, untouched, query):
    variable = [1]
    _refusal(corpus, query.format(file=untouched, folder=untouched.parent))
    assert variable


@pytest.mark.parametrize("query", OTHER_WAYS + TELLING)
def test_everything_else_is_refused(corpus, untouched, query):
    _refusal(corpus, query)


def test_a_query_that_takes_long_is_killed(corpus, untouched, monkeypatch):
    monkeypatch.setattr("pagequote.stranger_sql.SECONDS", 1.0)
    for query in SLOW:
        assert _refusal(corpus, query) == "The query took more than 1 s. Ask for less."


def test_no_query_takes_more_than_512_mb(corpus, untouched):
    program = (
        "import json, resource, sys, lookup\nfrom pagequote import stranger_sql\n"
        "from pagequote.stranger_sql import safe_sql\n"
        "stranger_sql.SECONDS = 4.0  # within which each has taken all that it can get\n"
        "corpus = lookup.open(sys.argv[1])\n"
        "answered = []\n"
        "for query in json.load(sys.stdin):\n"
        "    try:\n"
        "        answered.append(len(safe_sql(corpus, query).rows))\n"
        "    except lookup.QueryError:\n"
        "        pass\n"
        "print(json.dumps([answered, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, corpus.release.folder],
        input=json.dumps(GREEDY),
        capture_output=True,
        text=True,
        check=True,
    )
    answered, kilobytes = json.loads(done.stdout)
    assert answered == []
    assert kilobytes < 512 << 10


def test_the_kernel_refuses_what_the_parser_would_let_pass(corpus, untouched, monkeypatch):
    """DuckDB may call a new function a SELECT: no file can be opened all the same."""
    program = (
        "import sys\nfrom pathlib import Path\nimport duckdb\nfrom pagequote import stranger_sql\n"
        "connection = duckdb.connect(sys.argv[1], read_only=True)\n"
        "stranger_sql.bound(stranger_sql._MEMORY, 9)\n"
        "stranger_sql.refuse_files()\n"
        "print(connection.execute('SELECT count(*) FROM papers').fetchone()[0] > 0)\n"
        "for query in (f\"FROM read_text('{sys.argv[2]}')\", f\"COPY papers TO '{sys.argv[2]}'\"):\n"
        "    try:\n"
        "        print(connection.execute(query).fetchall())\n"
        "    except duckdb.IOException:\n"
        "        print('refused')\n"
    )
    call = [sys.executable, "-c", program, corpus.release.database, untouched]
    done = subprocess.run(call, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "refused", "refused"]
