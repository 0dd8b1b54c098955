"""Views for usual questions, and macros that need no Python, beside the tables of a release."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb

from lookup.errors import DamagedError
from lookup.release.current import CATALOG
from lookup.release.schema import PARAGRAPHS, ROW_NUMBER, TABLES

_COMPOSED = (range(0xDF, 0x250), range(0x390, 0x460), range(0x1E00, 0x2000))
"""Latin, Greek and Cyrillic letters with accents; folded text has no other form of them."""


@cache
def accented() -> dict[str, str]:
    """For each letter, return its forms with accents, as folded text has them."""
    forms: dict[str, str] = {}
    for char in (chr(code) for codes in _COMPOSED for code in codes):
        parts = unicodedata.normalize("NFD", char)
        if len(parts) > 1 and char.islower():
            letter = parts[0]
            forms[letter] = forms.get(letter, "") + char
    return forms


class View(NamedTuple):
    """A view or macro: its meaning, and the statement that creates it."""

    meaning: str
    sql: str

    @property
    def name(self) -> str:
        """Return what the statement calls it."""
        return re.split(r"[\s(]+", self.sql.strip(), maxsplit=3)[2]


_CURLY = "‘’‚‛′“”„‟″«»‐‑‒–—―−"
_PLAIN = "'" * 5 + '"' * 7 + "-" * 7
_DROPPED = "™℠®©\u00ad\u200b\u200c\u200d\u2060\ufeff"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def _any_accent(word: str) -> str:
    """Return SQL for a pattern of `word` (without accents): with any accents, and hyphens anywhere in it."""
    pattern = f"regexp_replace({word}, '([\\pL\\pN])', '-?\\1', 'g')"
    for letter, others in accented().items():
        pattern = f"replace({pattern}, '{letter}', '[{letter}{others}]')"
    return f"substring({pattern}, 3)"


_PUT_IN = {
    "hyphen": "[-‐\u00ad][\u200b]?",
    "signs": _quoted(_CURLY + _DROPPED),
    "plain": _quoted(_PLAIN),
    "any accent": _any_accent("word"),
}
"""What stands for the names in << >> of `views.sql`."""


def _read_views() -> Iterator[View]:
    """Yield the views and macros of `views.sql`, each with what is said above it."""
    text = Path(__file__).with_name("views.sql").read_text(encoding="utf-8")
    for name, sql in _PUT_IN.items():
        text = text.replace(f"<<{name}>>", sql)
    for each in text.split("\n\n")[1:]:
        said, create, sql = each.partition("CREATE ")
        yield View(said.replace("-- ", "").replace("\n", " ").strip(), f"{create}{sql}".rstrip(";\n"))


_EVERY = tuple(_read_views())
VIEWS = tuple(one for one in _EVERY if "{dimensions}" not in one.sql)
"""Views and macros, in an order in which each only uses those before it."""

FLOATS = tuple(one for one in _EVERY if "{dimensions}" in one.sql)
"""Views whose type has the number of dimensions of the model."""

_DEFINED = """
SELECT view_name, sql FROM duckdb_views() WHERE NOT internal AND database_name <> $ours
UNION ALL
SELECT function_name, macro_definition FROM duckdb_functions() WHERE NOT internal AND database_name <> $ours
"""


def check_definitions(cursor: duckdb.DuckDBPyConnection, ours: str) -> None:
    """Raise DamagedError for a view or macro that is not word for word one of the contract's.

    Those of the catalog `ours` are not looked at.
    """
    for name, definition in cursor.execute(_DEFINED, {"ours": ours}).fetchall():
        length = _LENGTH.search(definition or "")
        if _definitions(int(length[1]) if length else 1).get(name) != definition:
            raise DamagedError(
                f"The database defines {name!r} as this PageQuote does not: another version wrote it, or "
                "somebody changed it. Build it again."
            )


STORAGE = "v1.2.0"
"""The oldest version of DuckDB with which the file, its views and its macros were tried; it is as large with
older and newer ones, and with newer ones fewer clients open it (decision 1)."""

_LENGTH = re.compile(r"AS FLOAT\[(\d{1,5})\]")  # Of a vector, in the views that have it.


@cache
def _definitions(dimensions: int) -> dict[str, str]:
    """Return the contract's views and macros as DuckDB reads them from a file, made over empty tables."""
    with TemporaryDirectory() as folder, duckdb.connect() as connection:
        attach = f"ATTACH '{folder}/{CATALOG}' AS {CATALOG} (STORAGE_VERSION '{STORAGE}')"
        connection.execute(attach)
        connection.execute(f"USE {CATALOG}")
        for table in TABLES:
            columns = (*table.columns, ROW_NUMBER) if table is PARAGRAPHS else table.columns
            named = ", ".join(f'"{column.name}" {column.sql_type}' for column in columns)
            connection.execute(f"CREATE TABLE {table.name} ({named})")
        for view in VIEWS:
            connection.execute(view.sql)
        for view in FLOATS:
            connection.execute(view.sql.format(dimensions=dimensions))
        connection.execute(f"USE memory; DETACH {CATALOG}; {attach}")
        return dict(connection.execute(_DEFINED, {"ours": ""}).fetchall())
