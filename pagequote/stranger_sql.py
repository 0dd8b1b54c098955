"""SQL of strangers: one SELECT over the tables of a release, in a process that reaches nothing else.

The process has the release open when it looks at the query, and may open no file and no connection any more:
the kernel refuses. What DuckDB's own parser does not call a SELECT over tables, views and macros of the
release is refused before it runs; memory, time and answer are bounded, and who breaks a bound is killed.
"""

import json
import os
import pickle
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from lookup.corpus import Corpus
from lookup.errors import QueryError, StorageError
from lookup.release.current import CATALOG, Release
from lookup.release.schema import TABLES
from lookup.release.sql_macros import VIEWS
from lookup.storage.object_path import ObjectPath
from objectstore.shards import ShardDatabases
from pagequote.sandbox import bound, run_in_sandbox
from pipeline.processes.operating_system import can_bound, refuse_files

SECONDS = 10.0  # Seconds that a query may take; with the start of its process, 0.3 s.
ROWS = 100_000  # Rows that it may return.
BYTES = 16 << 20  # Bytes that its rows may take on their way, pickled.

_MEMORY = 400 << 20
"""Bytes of address space that a query gets beside the 60 MB that its process holds when it begins."""

_SETTINGS: dict[str, str | bool | int | float | list[str]] = {
    "memory_limit": "300MB",
    "threads": 2,  # each reserves some of the address space
    "temp_directory": "",  # what does not fit into memory is refused
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
}

_CLOSED = (
    "python_enable_replacements = false",  # no variable of ours is a table
    "enable_external_access = false",
    "lock_configuration = true",
)

_LOADED = "SELECT json_serialize_sql('SELECT 1'), uuid(), 1.5::DECIMAL(2, 1), current_date, INTERVAL 1 DAY"
"""Has Python load what it makes values of, while it may open files."""

_NODES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
"""What a query may be made of; a WITH may hold a DELETE, too."""

_LISTS = {"duckdb_columns", "duckdb_functions", "duckdb_tables", "duckdb_views"}
"""What tells of the tables, and not of this machine."""

_OWN = {table.name for table in TABLES} | {view.name for view in VIEWS}
_TABLES = {("", name) for name in _OWN | _LISTS}
_TABLES |= {("main", name) for name in _OWN} | {
    ("information_schema", "tables"),
    ("information_schema", "columns"),
}
"""The tables and views that may be read, each with the schema that a query may name for it."""

_TABLE_FUNCTIONS = _OWN | _LISTS
_TABLE_FUNCTIONS |= {"generate_series", "json_each", "json_tree", "range", "repeat", "unnest"}

_FAMILIES = (
    "array_",
    "bit_",
    "covar_",
    "date",
    "epoch",
    "list_",
    "map_",
    "regexp_",
    "regr_",
    "str",
    "struct_",
)
"""How functions begin that reckon with what they are given, and with nothing else."""

_FUNCTIONS = _OWN | set(
    """
    abs acos add age any_value apply approx_count_distinct approx_quantile approx_top_k arbitrary arg_max
    arg_max_null arg_min arg_min_null argmax argmin ascii asin atan atan2 avg bar base64 bin bool_and
    bool_or cardinality cbrt ceil ceiling century char_length character_length chr coalesce concat
    concat_ws constant_or_null contains corr cos cot count count_if count_star countif cume_dist
    current_date damerau_levenshtein day dayname dayofmonth dayofweek dayofyear decade decode degrees
    dense_rank divide editdist3 element_at encode ends_with entropy enum_range era error even exp
    factorial favg fdiv fill filter first first_value flatten floor fmod format format_bytes
    formatreadablesize from_base64 from_hex from_json fsum gcd gen_random_uuid generate_series
    generate_subscripts geomean geometric_mean get_current_timestamp greatest group_concat grouping
    grouping_id hamming hash hex histogram hour if ilike_escape instr isfinite isinf isnan isodow isoyear
    jaccard jaro_similarity jaro_winkler_similarity json json_array json_array_length json_contains
    json_exists json_extract json_extract_path json_extract_path_text json_extract_string json_group_array
    json_group_object json_keys json_merge_patch json_object json_quote json_structure json_transform
    json_type json_valid json_value julian kahan_sum kurtosis lag last last_day last_value lcase lcm lead
    least left left_grapheme len length length_grapheme levenshtein like_escape list listagg ln log log10
    log2 lower lpad ltrim mad make_date make_time make_timestamp map max max_by md5 mean median
    microsecond millennium millisecond min min_by minute mismatches mod mode month monthname multiply
    nfc_normalize not_ilike_escape not_like_escape now nth_value ntile nullif octet_length ord overlay
    parse_filename percent_rank pi position pow power prefix printf product quantile quantile_cont
    quantile_disc quarter radians random range rank rank_dense reduce repeat replace reverse right
    right_grapheme round round_even row row_number row_to_json rpad rtrim second sem sha1 sha256 sign sin
    skewness split split_part sqrt starts_with stddev stddev_pop stddev_samp substr substring
    substring_grapheme subtract suffix sum sumkahan tan time_bucket to_base to_base64 to_binary to_days
    to_hex to_hours to_json to_minutes to_months to_seconds to_timestamp to_weeks to_years today translate
    trim trunc try_strptime typeof ucase unbin unhex unicode union_extract union_tag union_value unnest
    upper url_decode url_encode uuid var_pop var_samp variance wavg week weekday weekofyear weighted_avg
    xor year yearweek
    """.split()
)
"""The other functions and macros that may be called. What plans or runs SQL that it is given is none of them:
`json_serialize_plan` would tell any setting."""

_OPERATOR = re.compile(r"[^\w\s]+(?:__postfix)?|__between")


class SafeRows(NamedTuple):
    """The rows of a query, and the names of their columns."""

    columns: list[str]
    rows: list[tuple[Any, ...]]

    def fetchall(self) -> list[tuple[Any, ...]]:
        """Return all rows, as `Rows` does."""
        return self.rows


def safe_sql(corpus: Corpus, query: str, params: Sequence[Any] | None = None) -> SafeRows:
    """Return all rows of a stranger's `query`, or raise QueryError, also beyond SECONDS, ROWS and BYTES.

    Raise StorageError for a corpus in object storage, where reading is using the network.
    """
    release = corpus.release
    if not can_bound():
        raise QueryError("SQL of strangers needs a system that bounds what a process may do: Linux or macOS.")
    if isinstance(release.folder, ObjectPath):
        raise StorageError("SQL of strangers is for a corpus on a disk. Copy the release to one.")
    given = (replace(release, folder=Path()), query, params, ROWS, SECONDS)
    return SafeRows(
        *run_in_sandbox(_answered, *given, label="The query", seconds=SECONDS, folder=release.folder)
    )


@cache
def _connection() -> duckdb.DuckDBPyConnection:
    """Return the connection of this process, which ends with it: closing takes memory."""
    return duckdb.connect(config=_SETTINGS)


def _answered(
    release: Release, query: str, params: Sequence[Any] | None, most: int, seconds: float
) -> tuple[list[str], list[tuple[Any, ...]]]:
    """Return columns and rows: the work of a process whose folder is that of the release.

    Before it looks at the query, the kernel refuses to open anything, to write into any file, and to give
    more memory and time.
    """
    here = f"{Path.cwd()}{os.sep}"
    connection = _connection()
    try:
        _attach(connection, release)
        bound(_MEMORY, seconds)
        refuse_files()
        _check(connection, query)
        return _rows(connection.execute(query, params), most)
    except duckdb.OutOfMemoryException:
        raise MemoryError from None
    except duckdb.Error as error:
        words = str(error).replace(here, "").partition(", due to the following Python exception")[0]
        raise QueryError(f"DuckDB refused the query: {words}") from None


def _attach(connection: duckdb.DuckDBPyConnection, release: Release) -> None:
    """Open the release, whose folder is where this process is: no name in it tells where that is."""
    if release.shards:
        ShardDatabases(connection, release).cursor().close()
    else:
        connection.execute(f"ATTACH '{release.database}' AS {CATALOG} (READ_ONLY)")
    connection.execute(f"USE {CATALOG}")
    connection.execute(_LOADED).fetchall()
    for setting in _CLOSED:
        connection.execute(f"SET {setting}")


def _check(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise QueryError where the query is not one SELECT over the tables, views and macros of the release."""
    if any("\ud800" <= char <= "\udfff" for char in query):
        raise QueryError("The query has a character that is half of one. Send it as UTF-8.")
    types = [statement.type for statement in connection.extract_statements(query)]
    ((said,),) = connection.execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchall()
    try:
        tree = json.loads(said)
    except RecursionError:
        raise QueryError("The query is nested too deeply. Make it in steps, with WITH.") from None
    if types != [duckdb.StatementType.SELECT] or tree["error"]:
        raise QueryError("Give one SELECT: nothing else is run for strangers.")
    defined = {str(one["key"]) for node in _nodes(tree) for one in node.get("cte_map", {}).get("map", ())}
    hiding = {row[0] for row in connection.execute(_INTERNAL).fetchall()} & set(map(str.lower, defined))
    refused = min(hiding, default=None) or next(
        filter(None, (_refused(node, defined) for node in _nodes(tree))), None
    )
    if refused is not None:
        raise QueryError(f"{refused!r} is not for strangers, who have the tables, views and macros.")


_INTERNAL = "SELECT view_name FROM duckdb_views() WHERE internal"
"""The views of the system: no WITH has such a name, or it would be read where the WITH does not reach."""


def _refused(node: dict[str, Any], defined: Container[str]) -> str | None:
    """Return the name of what no stranger may use, if this part of a query is such a thing.

    `defined` are the names that a WITH of the query gives.
    """
    kind = str(node.get("type", ""))
    if kind == "TABLE_FUNCTION":
        name = str(node["function"]["function_name"]).lower()
        return None if name in _TABLE_FUNCTIONS else name
    if kind == "BASE_TABLE":
        name, schema = str(node["table_name"]), str(node["schema_name"]).lower()
        known = (schema, name.lower()) in _TABLES or (not schema and name in defined)
        return None if known else name
    if "function_name" in node:
        name = str(node["function_name"]).lower()
        known = name in _FUNCTIONS or name.startswith(_FAMILIES) or name in _TABLE_FUNCTIONS
        return None if known or _OPERATOR.fullmatch(name) else name
    if kind == "SHOW_REF":
        return None if node["query"] else str(node["table_name"])
    return kind if kind.endswith("_NODE") and kind not in _NODES else None


def _nodes(tree: Any) -> Iterator[dict[str, Any]]:
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            yield one
            waiting += one.values()
        elif isinstance(one, list):
            waiting += one


def _rows(cursor: duckdb.DuckDBPyConnection, most: int) -> tuple[list[str], list[tuple[Any, ...]]]:
    columns = [column[0] for column in cursor.description or ()]
    rows: list[tuple[Any, ...]] = []
    size = 0
    while some := cursor.fetchmany(500):
        size += len(pickle.dumps(some))
        rows += some
        if len(rows) > most:
            raise QueryError(f"The query has more than {most} rows. Add a LIMIT.")
        if size > BYTES:
            raise QueryError(f"The rows of the query take more than {BYTES >> 20} MB. Ask for less.")
    return columns, rows
