"""The page that says what the tables of a release hold, for people: docs/reference/schema.md."""

from lookup.release.schema import (
    KINDS,
    PARAGRAPHS,
    ROW_NUMBER,
    SENTENCE_TEXT,
    SENTENCES,
    TABLES,
    Column,
)
from lookup.release.sql_macros import FLOATS, VIEWS


def as_markdown() -> str:
    """Return the tables and kinds as the Markdown of docs/reference/schema.md."""
    out = [
        "# Schema",
        "",
        (
            "Generated from `lookup/release/schema.py` by `pagequote sql --schema`. Types are DuckDB's. "
            "`start` and `end` are words of SQL:"
        ),
        'write `"end"` in quotation marks.',
    ]
    for table in TABLES:
        out += ["", f"## {table.name}", "", f"{table.meaning} Sorted by {', '.join(table.order)}.", ""]
        out += ["| column | type | meaning |", "| --- | --- | --- |"]
        for column in table.columns:
            out += _rows(column, "")
    out += [
        "",
        (
            f"In `corpus.duckdb`, `{PARAGRAPHS.name}` has one column more: `{ROW_NUMBER.name}` "
            f"({ROW_NUMBER.type}), {ROW_NUMBER.meaning}. In the Parquet files, `{SENTENCES.name}` has "
            f"`{SENTENCE_TEXT.name}` ({SENTENCE_TEXT.type}), {SENTENCE_TEXT.meaning}, and vectors are "
            "lists of a fixed size."
        ),
    ]
    out += [
        "",
        "## Views and macros",
        "",
        "Only in `corpus.duckdb`; macros are called as tables or functions.",
    ]
    out += ["", "| name | holds |", "| --- | --- |"]
    out += [f"| {view.name} | {view.meaning.replace('|', chr(92) + '|')} |" for view in (*VIEWS, *FLOATS)]
    out += ["", "## Kinds of paragraph", "", "| kind | holds |", "| --- | --- |"]
    out += [f"| {kind} | {meaning} |" for kind, meaning in KINDS.items()]
    return "\n".join(out) + "\n"


def _rows(column: Column, prefix: str) -> list[str]:
    rows = [f"| {prefix}{column.name} | {column.type} | {column.meaning} |"]
    for field in column.fields:
        rows += _rows(field, f"{prefix}{column.name}.")
    return rows
