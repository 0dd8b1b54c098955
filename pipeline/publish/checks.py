"""The checks that a release must pass before readers see it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import duckdb
import numpy as np
import pyarrow.parquet as pq

from lookup.errors import BuildError
from lookup.release.current import DATABASE, SCALES_FILE, SIGNS_FILE, VECTORS_FILE
from lookup.release.schema import KINDS, PAPERS, SHARDED
from pipeline.publish.search_index import indexed_documents
from retrieval.embedding.signs import blocks

_STORED = f"{Path(DATABASE).stem}.main"
"""Before the name of a table: that of the database, whatever views there are."""

_KINDS = ", ".join(f"'{kind}'" for kind in KINDS)

CHECKS = {
    "a key has two papers": "SELECT key FROM papers GROUP BY key HAVING count(*) > 1",
    "a paragraph's paper is missing": "SELECT key FROM paragraphs WHERE key NOT IN (SELECT key FROM papers)",
    "paragraphs are not numbered 0, 1, 2, ...": """
        SELECT key FROM paragraphs GROUP BY key
        HAVING min(paragraph) <> 0 OR max(paragraph) <> count(*) - 1
            OR count(DISTINCT paragraph) <> count(*)""",
    "a paper's count of paragraphs is wrong": """
        SELECT key FROM papers
        LEFT JOIN (SELECT key, count(*) AS counted FROM paragraphs GROUP BY key) USING (key)
        WHERE papers.paragraphs <> coalesce(counted, 0)""",
    "pages are not numbered 1, 2, 3, ...": """
        SELECT key FROM papers LEFT JOIN (
            SELECT key, count(*) AS counted, min(page) AS low, max(page) AS high,
                count(DISTINCT page) AS different
            FROM pages GROUP BY key) USING (key)
        WHERE papers.pages <> coalesce(counted, 0)
            OR (counted > 0 AND (low <> 1 OR high <> counted OR different <> counted))""",
    "a paragraph is on a page that does not exist": """
        SELECT p.key FROM paragraphs p JOIN papers USING (key)
        WHERE p.page < 0 OR p.page_end < p.page OR p.page_end > papers.pages
            OR (p.page = 0 AND (p.page_end > 0 OR p.anchor IS NULL))""",
    "a paragraph is of an unknown kind": f"""
        SELECT key FROM paragraphs WHERE kind IS NULL OR kind NOT IN ({_KINDS})""",
    "hidden text can be answered with": """
        SELECT key FROM paragraphs GROUP BY key
        HAVING bool_or(hidden IS NULL OR (hidden AND kind NOT IN ('furniture', 'covered', 'note')))
            OR min(paragraph) FILTER (hidden) < max(paragraph) FILTER (NOT hidden)
        UNION ALL SELECT key FROM sentences JOIN paragraphs USING (key, paragraph) WHERE hidden""",
    "cursors do not count the document's characters": """
        SELECT key FROM (
            SELECT key, cursor, coalesce(sum(length(text) + 2) OVER (
                PARTITION BY key ORDER BY paragraph ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ), 0) AS counted
            FROM paragraphs)
        WHERE cursor <> counted""",
    "a sentence is out of its paragraph": """
        SELECT s.key FROM sentences s LEFT JOIN paragraphs p USING (key, paragraph)
        WHERE p.key IS NULL OR s.start < 0 OR s.start >= s."end" OR s."end" > length(p.text)""",
    "a vector has no sentence": """
        SELECT v.key FROM vectors v ANTI JOIN sentences s USING (key, paragraph, sentence)""",
    "a vector is not of the length 1": """
        SELECT key FROM vectors
        WHERE NOT abs(sqrt(list_inner_product(vector, vector)) * scale - 1) < 0.02""",
}
"""Each possible problem, and a query for the keys that have it."""


_UNCHECKED = frozenset({"text_raw", "text_norm", "lines", "embedding"})
"""Large columns that no check looks at."""


def _told(papers: Mapping[str, str]) -> list[str]:
    """Return each kind of what is wrong with papers, with a key."""
    return [f"{problem}: {key!r}" for problem, key in {what: key for key, what in papers.items()}.items()]


class BrokenPapersError(BuildError):
    """Papers break the contract: `papers` has what is wrong by key. The others can be published."""

    def __init__(self, papers: Mapping[str, str]) -> None:
        some = "; ".join(_told(papers))
        super().__init__(
            f"The new release is not published: {len(papers)} of its papers break the contract ({some}). "
            "`pagequote build` leaves them out and publishes the others. Please report them."
        )
        self.papers = papers

    def __reduce__(self) -> tuple[type[Self], tuple[Mapping[str, str]]]:
        """Return how another process makes the same error."""
        return type(self), (self.papers,)


def check_release(
    folder: Path,
    manifest: dict[str, Any],
    keys: Sequence[str] | None = None,
    files: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """Raise BuildError, naming papers, where the release in `folder` breaks the contract.

    Only the papers `keys` are looked at, which changed since a release that was checked; without them, all.
    `files` are those, by table, that hold them and no others; papers that are in none of them are gone.
    """
    problems = []
    documents = indexed_documents(folder)
    with duckdb.connect(str(folder / DATABASE), read_only=True) as connection:
        ((paragraphs,),) = connection.execute("SELECT count(*) FROM printed_paragraphs").fetchall()
        if not documents == manifest["search"]["documents"] == paragraphs:
            problems.append(
                f"the index of words has {documents} documents, and there are {paragraphs} paragraphs to find"
            )
        if keys is not None:
            _leave_only(connection, keys)
        for table, names in (files or manifest["files"]).items():
            stored = sum(pq.read_metadata(folder / name).num_rows for name in names)
            ((rows,),) = connection.execute(f"SELECT count(*) FROM {table}").fetchall()
            if stored != rows:
                problems.append(f"{table} has {rows} rows in the database and {stored} in its Parquet files")
        if manifest["model"] is not None:
            problems += _vector_files(folder, connection)
        made_by = [model for (model,) in connection.execute("SELECT DISTINCT model FROM vectors").fetchall()]
        if made_by not in ([], [manifest["model"]]):
            problems.append(f"its vectors are of {made_by}, and its manifest names {manifest['model']!r}")
        papers = _broken(connection)
    if papers and not problems:
        raise BrokenPapersError(papers)
    problems += _told(papers)
    if problems:
        raise BuildError(
            f"The new release is not published, it breaks the contract ({'; '.join(problems)}). "
            "Please report it."
        )


def _broken(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Return what is wrong with the papers that break the contract, by key."""
    found: dict[str, str] = {}
    for problem, query in CHECKS.items():
        for (key,) in connection.execute(f"SELECT DISTINCT key FROM ({query})").fetchall():
            found[key] = f"{found[key]}; {problem}" if key in found else problem
    return found


def _leave_only(connection: duckdb.DuckDBPyConnection, keys: Sequence[str]) -> None:
    """Have the names of the tables mean these papers alone, for this connection: copies of their rows.

    So each table is searched for them once, and not by each check.
    """
    connection.execute("CREATE TEMP TABLE changed AS SELECT unnest(?::VARCHAR[]) AS key", [list(keys)])
    for table in (PAPERS, *SHARDED):
        columns = ", ".join(f'"{column.name}"' for column in table.columns if column.name not in _UNCHECKED)
        connection.execute(
            f"CREATE TEMP TABLE {table.name} AS "
            f"SELECT {columns} FROM {_STORED}.{table.name} SEMI JOIN changed USING (key)"
        )


def _vector_files(folder: Path, connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the problems of the matrix of vectors: it must have the rows of the table, in their order."""
    names = (VECTORS_FILE, SCALES_FILE, SIGNS_FILE)
    matrix, scales, signs = (np.load(folder / name, mmap_mode="r") for name in names)
    stored = connection.execute(f"SELECT scale FROM {_STORED}.vectors ORDER BY rowid").fetchnumpy()["scale"]
    if len(matrix) != len(stored) or len(signs) != blocks(len(stored)) or not np.array_equal(scales, stored):
        return [
            f"{VECTORS_FILE}, {SCALES_FILE} and {SIGNS_FILE} do not have the {len(stored)} rows of the table"
        ]
    return []
