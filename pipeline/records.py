"""The contract's tables as Arrow, and a paper's extraction as one row of a record batch."""

import sys
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lookup.release.schema import PAGES, PAPERS, PARAGRAPHS, PUBLISHED, SENTENCES, Column, Table

_TYPES = {
    "VARCHAR": pa.string(),
    "TINYINT": pa.int8(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "FLOAT": pa.float32(),
    "DOUBLE": pa.float64(),
    "BOOLEAN": pa.bool_(),
}


def arrow_type(column: Column, dimensions: int | None = None) -> pa.DataType:
    """Return the Arrow type of a column of the contract; of vectors, with so many `dimensions` if known."""
    if column.type == "TINYINT[]" and dimensions:
        return pa.list_(pa.int8(), dimensions)
    if column.type.endswith("[]"):
        return pa.list_(arrow_type(Column(column.name, column.type[:-2], column.meaning, column.fields)))
    if column.type == "STRUCT":
        return pa.struct([pa.field(field.name, arrow_type(field)) for field in column.fields])
    return _TYPES[column.type]


def arrow_schema(table: Table, *, extracted: bool = False, dimensions: int | None = None) -> pa.Schema:
    """Return the Arrow schema of a table of the contract, or of what is `extracted` of it.

    Vectors are lists of `dimensions` numbers, where these are known.
    """
    columns = [c for c in table.columns if not (extracted and c.name in PUBLISHED)]
    return pa.schema([pa.field(c.name, arrow_type(c, dimensions)) for c in columns])


PARTS = (PAGES, PARAGRAPHS, SENTENCES)  # The tables whose rows an extraction holds.

_ABOUT = ("title", "authors", "year", "doi", "venue", "abstract")
METADATA = pa.struct([arrow_schema(PAPERS).field(name) for name in _ABOUT])

TOLD = pa.list_(pa.struct({"reason": pa.string(), "detail": pa.string()}))

RECORD = pa.schema(
    [
        pa.field("extractor", pa.string()),
        pa.field("metadata", METADATA),
        pa.field("scanned", pa.int32()),  # pages that show something but have no text, not read by OCR
        pa.field("timed_out", pa.list_(pa.int32())),  # the numbers of those that OCR had no time to read
        pa.field("told", TOLD),  # what `failures` says of it
        *(pa.field(t.name, pa.list_(pa.struct(list(arrow_schema(t, extracted=True))))) for t in PARTS),
    ]
)
"""An extraction: one row a PDF, its tables as nested lists."""


def record(
    extractor: str,
    metadata: dict[str, Any],
    parts: dict[str, list[pa.Array]],
    scanned: int = 0,
    timed_out: Sequence[int] = (),
    told: Sequence[dict[str, str]] = (),
) -> pa.RecordBatch:
    """Return an extraction; `parts` holds the columns of each of PARTS, in the contract's order."""
    columns: list[pa.Array] = [
        pa.array([extractor]),
        pa.array([metadata], METADATA),
        pa.array([scanned], pa.int32()),
        pa.array([list(timed_out)], pa.list_(pa.int32())),
        pa.array([list(told)], TOLD),
    ]
    for table in PARTS:
        fields = list(arrow_schema(table, extracted=True))
        rows = pa.StructArray.from_arrays(parts[table.name], fields=fields)
        columns.append(pa.ListArray.from_arrays(pa.array([0, len(rows)], pa.int32()), rows))
    return pa.RecordBatch.from_arrays(columns, schema=RECORD)


def arrays(rows: Sequence[tuple[Any, ...]], fields: Sequence[pa.Field]) -> list[pa.Array]:
    """Return the columns of the rows, as of these fields."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(fields)
    return [pa.array(values, field.type) for values, field in zip(columns, fields, strict=True)]


def table_of(record: pa.RecordBatch, table: Table) -> pa.Table:
    """Return the rows of `table` in an extraction (one row), without keys."""
    return pa.Table.from_struct_array(record.column(table.name).flatten())


def leave_out_pandas() -> None:
    """Have Arrow find no pandas: it would load it, where it is installed, to make any array (0.35 s).

    For processes of our own alone: `to_pandas` does not work in them.
    """
    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([])  # it looks once
    finally:
        sys.meta_path.remove(_NoPandas)


class _NoPandas:
    """What Python asks first where a module is, and learns that there is no pandas."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)
