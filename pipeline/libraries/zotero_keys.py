"""Reads the citation keys of Better BibTeX for the items of a Zotero library."""

import json
import re
import sqlite3
from pathlib import Path
from typing import Any

from lookup.errors import SourceError
from pipeline.libraries.sqlite_copy import copied

_DATABASES = ("better-bibtex.sqlite", "better-bibtex.migrated")
"""Better BibTeX's file of keys, and its name once the keys are in Zotero's own field (from Zotero 8 on)."""

_SPACE = r"[^\S\n]*+"  # within a line
_PINNED = re.compile(
    rf"^{_SPACE}(?:citation[ -]?key|citekey|bibtex){_SPACE}:{_SPACE}(\S++){_SPACE}$",
    re.IGNORECASE | re.MULTILINE,
)
_PINNED_BEFORE = re.compile(r"biblatexcitekey\[([^\[\]]++)\]", re.IGNORECASE)


def pinned_key(extra: str) -> str | None:
    """Return the key in a line of the field Extra, in the forms that Better BibTeX has had."""
    match = _PINNED.search(extra) or _PINNED_BEFORE.search(extra)
    return match[1] if match else None


def extra_line(extra: str, name: str) -> str | None:
    """Return the value of a line "Name: value" of the field Extra."""
    match = re.search(
        rf"^{_SPACE}{re.escape(name)}{_SPACE}:{_SPACE}(.*\S)", extra, re.IGNORECASE | re.MULTILINE
    )
    return match[1] if match else None


def keys_of_better_bibtex(folder: Path, problems: list[str]) -> dict[tuple[int, str], str]:
    """Return the keys of Better BibTeX's database, by library and Zotero's key of the item; none without it.

    A database that cannot be read is a problem: the library is read without it.
    """
    for name in _DATABASES:
        if (folder / name).is_file():
            try:
                return _keys(folder / name)
            except (SourceError, sqlite3.Error, ValueError) as error:
                problems.append(f"{folder / name}: the citation keys in it cannot be read ({error}).")
    return {}


def _keys(database: Path) -> dict[tuple[int, str], str]:
    with copied(database) as connection:
        tables = {
            name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        }
        if "citationkey" in tables:
            rows: Any = connection.execute("SELECT libraryID, itemKey, citationKey FROM citationkey")
        elif "better-bibtex" in tables:
            rows = _from_json(connection)
        else:
            rows = ()
        return {(library, item): key for library, item, key in rows if key}


def _from_json(connection: sqlite3.Connection) -> list[tuple[int, str, str]]:
    """Return the keys of versions before 6: one JSON document in a table of name and data."""
    query = "SELECT data FROM \"better-bibtex\" WHERE name = 'better-bibtex.citekey'"
    (document,) = connection.execute(query).fetchone() or ("{}",)
    rows = json.loads(document).get("data", [])
    return [(row["libraryID"], row["itemKey"], row["citekey"]) for row in rows if row.get("citekey")]
