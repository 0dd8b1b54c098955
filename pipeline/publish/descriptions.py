"""What a release says of itself: comments in its database, metadata in its Parquet files, and its README."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa

import lookup
from lookup.release.schema import PARAGRAPHS, ROW_NUMBER, SENTENCE_TEXT, SENTENCES, TABLES, Column, Table
from lookup.release.sql_macros import FLOATS, VIEWS
from pipeline.extractor import EXTRACTOR

README = "README.md"
LICENCE = "Apache-2.0"

_COMPUTED = {
    "id": "key:paragraph:sentence",
    "text": "the text of the row",
    "paper_sentence": "0-based index of the sentence within the paper",
    "characters": "length of the text",
    "line": "0-based index of the line within its paragraph",
    "first_paragraph": "index of the section's first paragraph",
    "paragraphs": "number of paragraphs",
    "vector": "the embedding as floats, of length 1",
}
"""What the columns of views hold that no table has under the same name."""


def comments(views: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a statement for each table, column, view and macro; `views` are the columns of each view."""
    meanings = {ROW_NUMBER.name: ROW_NUMBER.meaning}
    for table in TABLES:
        yield from table_comments(table)
        for column in table.columns:
            for named in (column, *column.fields):
                meanings.setdefault(named.name, named.meaning)
    yield _on_column(PARAGRAPHS.name, ROW_NUMBER.name, ROW_NUMBER.meaning)
    for view in (*VIEWS, *FLOATS):
        if view.name in views:
            yield f"COMMENT ON VIEW {view.name} IS {_quoted(view.meaning)}"
            for name in views[view.name]:
                yield _on_column(view.name, name, {**meanings, **_COMPUTED}[name])
        elif view not in FLOATS:
            kind = "MACRO TABLE" if " AS TABLE" in view.sql else "MACRO"
            yield f"COMMENT ON {kind} {view.name} IS {_quoted(view.meaning)}"


def table_comments(table: Table) -> Iterator[str]:
    """Yield the statements for a table alone."""
    yield f"COMMENT ON TABLE {table.name} IS {_quoted(table.meaning)}"
    for column in table.columns:
        yield _on_column(table.name, column.name, column.meaning)


def _on_column(table: str, column: str, meaning: str) -> str:
    return f'COMMENT ON COLUMN {table}."{column}" IS {_quoted(meaning)}'


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def with_metadata(rows: pa.Table, table: Table, model: str | None) -> pa.Table:
    """Return the rows with what they are as key-value metadata of the Parquet file.

    The release is not named: its files are shared with later ones, in which they are the same.
    """
    further = [SENTENCE_TEXT] if table is SENTENCES else []
    said = {
        "pagequote.table": table.name,
        "pagequote.meaning": table.meaning,
        "pagequote.columns": json.dumps(dict(_meanings([*table.columns, *further]))),
        "pagequote.sorted_by": ", ".join(table.order),
        "pagequote.extractor": EXTRACTOR,
        "pagequote.model": model or "",
        "pagequote.version": lookup.__version__,
        "pagequote.licence": f"{LICENCE} (of PageQuote; the texts are their publishers')",
    }
    return rows.replace_schema_metadata({**(rows.schema.metadata or {}), **said})


def _meanings(columns: Sequence[Column], prefix: str = "") -> Iterator[tuple[str, str]]:
    for column in columns:
        yield f"{prefix}{column.name}", f"{column.type}: {column.meaning}"
        yield from _meanings(column.fields, f"{prefix}{column.name}.")


def readme(manifest: Mapping[str, Any]) -> str:
    """Return the README of a release: what its files are, with queries that work from its folder."""
    rows = manifest["rows"]
    return _README.format(
        name=manifest["release"],
        papers=rows["papers"],
        version=lookup.__version__,
        created=manifest["created"],
        tables="\n".join(f"- `{one.name}` ({rows[one.name]} rows): {one.meaning}" for one in TABLES),
        where="Each folder of `shards/` is a release of some of the papers.\n"
        if "shards" in manifest
        else "",
        model=manifest["model"] or "none",
    )


_README = """# PageQuote, release {name}

The text of {papers} papers as tables, made by PageQuote {version} at {created}.

{tables}

{where}The same rows are in `corpus.duckdb` (any DuckDB from 1.2 on; open it read-only) and in Parquet:
`papers.parquet`, `failures.parquet`, and files in `pages/`, `paragraphs/`, `sentences/`, `vectors/`.
Each table and column says what it holds: `SELECT table_name, column_name, comment FROM duckdb_columns()` in
the database, `pagequote.columns` in the metadata of the Parquet files. Model of the vectors: {model}.

```sql
-- duckdb -readonly corpus.duckdb
SELECT key, year, title, paragraphs FROM papers ORDER BY year DESC;
SELECT page, text FROM find_quote((SELECT min(key) FROM papers), 'of the');
SELECT kind, count(*) FROM 'paragraphs/*.parquet' GROUP BY kind ORDER BY 2 DESC;
```

`text` is ready to paste, `text_norm` is for matching, `page` counts from 1, boxes are PDF points from the
upper left. `manifest.json` says how it was made, `SHA256SUMS` what its files are. A release never changes.
"""
