"""Whoever wrote a corpus runs no SQL with the rights of those who read it."""

import shutil
import threading
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest

import lookup
from lookup.errors import ClosedCorpusError, DamagedError, PageQuoteError, QueryError

NIGHT, WORDS = "lindqvist2019", "people prefer to work by day"


@pytest.fixture
def forged(corpus_path, tmp_path):
    """Return a function that makes a copy of the corpus in whose database statements were run."""

    def make(*statements):
        corpus = tmp_path / "corpus"
        shutil.copytree(corpus_path, corpus, symlinks=True)
        (tmp_path / "secret.csv").write_text("the words of a key")
        with duckdb.connect(str(corpus / "current/corpus.duckdb")) as connection:
            for statement in statements:
                connection.execute(statement.format(secret=tmp_path / "secret.csv"))
        return lookup.open(corpus)

    return make


_READ = "(SELECT content FROM read_text('{secret}'))"
TABLE = (
    "CREATE TABLE kept AS FROM papers",
    "DROP TABLE papers",
    f"CREATE VIEW papers AS SELECT * REPLACE ({_READ} AS title) FROM kept",
)
FORGED = {
    "a view in place of a table": TABLE,
    "a macro in place of a function": (f"CREATE MACRO lower(x) AS {_READ}",),
    "another view": (f"CREATE VIEW more AS {_READ}",),
    "a view of the contract that reads a file": (f"CREATE OR REPLACE VIEW sections AS {_READ}",),
    "a view of the contract over a file after a comma": (
        "CREATE OR REPLACE VIEW sentence_texts AS SELECT papers.key, s.* FROM papers, '{secret}' s",
    ),
    "a macro of the contract over a file": (
        "CREATE OR REPLACE MACRO fold_words(words) AS (SELECT a FROM (VALUES (1)) v(a), '{secret}')",
    ),
    "a macro of the contract over a function that reads": (
        "CREATE OR REPLACE MACRO find_quote(key, words) AS TABLE FROM parquet_kv_metadata('{secret}')",
    ),
    "a view of the contract over a file by its name": ("CREATE OR REPLACE VIEW sections AS FROM '{secret}'",),
}


@pytest.mark.parametrize("statements", FORGED.values(), ids=FORGED)
def test_a_release_that_defines_what_is_none_of_the_contract_reads_no_file(forged, statements):
    with forged(*statements) as corpus:
        for ask in (
            corpus.papers,
            lambda: corpus.quote(NIGHT, WORDS),
            lambda: corpus.search("greenhouse", mode="lexical"),
        ):
            try:
                said = repr(ask())
            except PageQuoteError as error:
                said = str(error)
            assert "the words of a key" not in said
        with pytest.raises(DamagedError, match="somebody changed it"):
            corpus.sql("FROM papers")


def test_a_users_own_sql_may_read_files_and_lookups_may_not(corpus, tmp_path):
    (tmp_path / "mine.csv").write_text("a\n1\n")
    query = f"SELECT a FROM read_csv('{tmp_path}/mine.csv')"
    assert corpus.sql(query).fetchall() == [(1,)]
    with pytest.raises(QueryError, match="disabled by config"):
        corpus._open.database.select(query)


def test_closing_ends_the_calls_of_other_threads_with_one_kind_of_error(corpus_path):
    for _ in range(5):
        corpus, started = lookup.open(corpus_path), threading.Barrier(9)

        def ask(corpus=corpus, started=started):
            started.wait()
            said = set()
            for turn in range(40):
                try:
                    corpus.quote(NIGHT, f"{WORDS} {turn}")
                    corpus.sql("SELECT count(*) FROM papers").fetchall()
                except PageQuoteError as error:
                    said.add(type(error))
            return said

        with ThreadPoolExecutor(8) as threads:
            asking = [threads.submit(ask) for _ in range(8)]
            started.wait()
            corpus.close()
            assert {kind for one in asking for kind in one.result()} <= {ClosedCorpusError}
        with pytest.raises(ClosedCorpusError, match="was closed"):
            corpus.papers()
        with pytest.raises(ClosedCorpusError, match="was closed"):
            corpus.sql("SELECT 1")
        corpus.close()
