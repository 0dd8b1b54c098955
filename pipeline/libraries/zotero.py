"""Reads a Zotero data folder: the items of its database, their citation keys, and their PDFs."""

import json
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

from lookup.errors import SourceError
from lookup.storage.untrusted_files import open_file, read_file, read_json
from pipeline.files.atomic import remove
from pipeline.formats import LARGEST
from pipeline.libraries.csl_json import csl_metadata
from pipeline.libraries.entries import (
    Bibliography,
    LibraryEntry,
    Metadata,
    arxiv_in,
    collected,
    normal_key,
)

DATABASE = "zotero.sqlite"

_LINKED = 2
"""itemAttachments.linkMode of a linked file; 0 and 1 are files in `storage`, 3 is a URL, 4 a picture in a
note."""

_IN_STORAGE = "storage:"
_FROM_BASE = "attachments:"
"""The prefix of an attachment's path in its folder below `storage`, or below the folder for linked files."""


@dataclass
class _Item:
    """An item of the database; `fields` are by the base field ('publicationTitle' for 'bookTitle')."""

    item: int
    library: int
    zotero_key: str
    fields: dict[str, str] = field(default_factory=dict)
    authors: list[str] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)


def read_zotero(folder: Path) -> Bibliography:
    """Return the items of all libraries of the database in `folder`, without feeds and trash, and their PDFs.

    An item's key is its citation key: that of Zotero itself, the line "Citation Key:" in Extra, or Better
    BibTeX's; without one, Zotero's own key of the item, which is unique and never changes. A PDF without an
    item is an entry of its own. The database is read from a copy; Zotero may be running. Raises SourceError
    where it cannot be read.
    """
    folder = folder.absolute()
    database = folder / DATABASE
    problems: list[str] = []
    with copied(database) as connection:
        try:
            _refuse_computed(connection)
            items = _items(connection)
            _add_attachments(connection, items, folder, problems)
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite may name a table of odd bytes
            raise SourceError(
                f"{str(database)!r} cannot be read as a Zotero database ({_why(error)}). "
                "Open it once with a current Zotero, or export the library as .bib."
            ) from error
    keys = keys_of_better_bibtex(folder, problems)
    entries: dict[str, LibraryEntry] = {}
    for item in sorted(items.values(), key=lambda one: (one.library, one.item)):
        arxiv = arxiv_in(" ".join(item.fields.get(name, "") for name in ("archiveID", "url", "extra", "DOI")))
        extra = item.fields.get("extra", "")
        of_better_bibtex = keys.get((item.library, item.zotero_key))
        named = (item.fields.get("citationKey"), pinned_key(extra), of_better_bibtex, item.zotero_key)
        key = next(filter(None, (normal_key((one or "").strip()) for one in named)), "")
        entry = LibraryEntry(key, tuple(dict.fromkeys(item.files)), _metadata(item), arxiv)
        other = entries.get(entry.key)
        if other is None or (not other.files and entry.files):
            entries[entry.key] = entry
        elif entry.files and entry.files != other.files:
            problems.append(
                f"{database}, item {item.zotero_key} of library {item.library}, {entry.key!r}: "
                "another item has the same key; this one is left out. Give it another citation key."
            )
    sound = collected((f"{database}, {entry.key!r}", entry, ()) for entry in entries.values())
    return Bibliography(sound.entries, (*problems, *sound.problems))


_ITEMS = """
SELECT itemID, coalesce(CAST(items.libraryID AS INT), 0), coalesce(CAST(items.key AS TEXT), '')
FROM items JOIN itemTypesCombined USING (itemTypeID) JOIN libraries USING (libraryID)
WHERE typeName NOT IN ('attachment', 'note', 'annotation') AND libraries.type <> 'feed'
AND itemID NOT IN (SELECT itemID FROM deletedItems)
"""

_FIELDS = """
SELECT base.fieldName IS NULL, coalesce(CAST(own.fieldID AS INT), 0),
itemID, coalesce(base.fieldName, own.fieldName), CAST(value AS TEXT)
FROM itemData JOIN items USING (itemID) JOIN itemDataValues USING (valueID)
JOIN fieldsCombined own USING (fieldID)
LEFT JOIN baseFieldMappingsCombined mapping
ON mapping.itemTypeID = items.itemTypeID AND mapping.fieldID = own.fieldID
LEFT JOIN fieldsCombined base ON base.fieldID = mapping.baseFieldID
"""

_AUTHORS = """
SELECT coalesce(CAST(orderIndex AS INT), 0), itemID, CAST(lastName AS TEXT), CAST(firstName AS TEXT)
FROM itemCreators JOIN items USING (itemID) JOIN creators USING (creatorID)
LEFT JOIN itemTypeCreatorTypes allowed
ON allowed.itemTypeID = items.itemTypeID AND allowed.creatorTypeID = itemCreators.creatorTypeID
WHERE allowed.primaryField = 1
OR itemCreators.creatorTypeID IN (SELECT creatorTypeID FROM creatorTypes WHERE creatorType = 'author')
"""

_ATTACHMENTS = """
SELECT coalesce(CAST(dateAdded AS TEXT), ''), coalesce(CAST(itemID AS INT), 0),
itemID, coalesce(CAST(items.libraryID AS INT), 0), coalesce(CAST(items.key AS TEXT), ''), parentItemID,
linkMode, CAST(path AS TEXT), contentType
FROM itemAttachments JOIN items USING (itemID) JOIN libraries USING (libraryID)
WHERE linkMode IN (0, 1, 2) AND path IS NOT NULL AND libraries.type <> 'feed'
AND itemID NOT IN (SELECT itemID FROM deletedItems)
"""


def _items(connection: sqlite3.Connection) -> dict[int, _Item]:
    items = {row[0]: _Item(*row) for row in connection.execute(_ITEMS)}
    for item, name, value in _sorted(connection, _FIELDS):
        if item in items:
            items[item].fields.setdefault(name, str(value))
    for item, last, first in _sorted(connection, _AUTHORS, 1):
        if item in items:
            items[item].authors.append(
                ", ".join(filter(None, (" ".join(str(one or "").split()) for one in (last, first))))
            )
    return items


def _sorted(connection: sqlite3.Connection, query: str, columns: int = 2) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query, sorted by its first columns, without them.

    SQLite would write all of a row to the disk to sort it, before it shows how much text there is.
    """
    return (row[columns:] for row in sorted(connection.execute(query), key=itemgetter(*range(columns))))


def _add_attachments(
    connection: sqlite3.Connection, items: dict[int, _Item], folder: Path, problems: list[str]
) -> None:
    """Give the items their PDFs, in the order of attachment; a PDF without an item becomes an item."""
    base = linked_files_base(folder)
    for item, library, key, parent, mode, path, kind in _sorted(connection, _ATTACHMENTS):
        if kind != "application/pdf" and not path.lower().endswith(".pdf"):
            continue
        file = _file(path, mode, key, folder, base)
        if file is None:
            problems.append(
                f"{folder / DATABASE}, attachment {key}: {path!r} is below the base directory "
                "for linked files, which is not known here."
            )
            file = folder / path.removeprefix(_FROM_BASE)
        if parent is None:
            items[item] = _Item(item, library, key, files=[file])
        elif parent in items:
            items[parent].files.append(file)


def _file(path: str, mode: int, key: str, folder: Path, base: Path | None) -> Path | None:
    if mode != _LINKED:
        return folder / "storage" / key / path.removeprefix(_IN_STORAGE)
    if not path.startswith(_FROM_BASE):
        return (
            Path(path) if path.startswith("/") else folder / path
        )  # another system's path is kept as a name
    return base / path.removeprefix(_FROM_BASE) if base else None


def _metadata(item: _Item) -> Metadata:
    fields = item.fields
    in_csl = {
        "title": fields.get("title"),
        "author": [{"literal": author} for author in item.authors],
        # '0000-00-00 c. 1998': what is unknown is 0, and as written behind it.
        "issued": {"raw": re.sub(r"^0000-\d\d-\d\d(?:\s|$)", "", fields.get("date", ""))},
        "DOI": fields.get("DOI") or extra_line(fields.get("extra", ""), "DOI"),
        "container-title": fields.get("publicationTitle"),
        "publisher": fields.get("publisher"),
    }
    abstract = " ".join(fields.get("abstractNote", "").split()) or None  # of no markup
    return replace(csl_metadata(in_csl), abstract=abstract)


_PROFILES = (
    ".zotero/zotero",
    "Library/Application Support/Zotero/Profiles",
    "AppData/Roaming/Zotero/Zotero/Profiles",
    "snap/zotero-snap/common/.zotero/zotero",
    ".var/app/org.zotero.Zotero/data/zotero",
)
"""The folders of profiles below the home folder: Linux, macOS, Windows, and packaged Zoteros."""

_LARGEST_PREFERENCES = 1 << 24  # Bytes of prefs.js: those of a long-used Zotero have some 100,000.
_PREFERENCE = re.compile(
    r'^user_pref\("extensions\.zotero\.(baseAttachmentPath|dataDir)",\s*("(?:\\.|[^"\\])*")\);'
)


def linked_files_base(folder: Path) -> Path | None:
    """Return the "Linked Attachment Base Directory" of the profile of the data folder; None without one.

    Else it is that of the only profile that names such a directory. Profiles inside the folder or beside it
    count: a copy of a library may have them there.
    """
    bases = []
    beside = [file for one in (folder, folder.parent) if (file := one / "prefs.js").is_file()]
    homes = (sorted((Path.home() / profiles).glob("*/prefs.js")) for profiles in _PROFILES)
    for file in chain(beside, *homes):
        preferences = _read(file)
        base = preferences.get("baseAttachmentPath")
        named = preferences.get("dataDir")
        if base and named and Path(named).resolve() == folder.resolve():
            return Path(base)
        if base:
            bases.append(base)
    return Path(bases[0]) if len(set(bases)) == 1 else None


def _read(file: Path) -> dict[str, str]:
    try:
        lines = read_file(file, _LARGEST_PREFERENCES).decode("utf-8", "replace").splitlines()
    except OSError:
        return {}
    found: dict[str, str] = {}
    for match in filter(None, map(_PREFERENCE.match, lines)):
        with suppress(ValueError):  # an escape of JavaScript that JSON lacks
            found[match[1]] = json.loads(match[2], strict=False)
    return found


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
                with copied(folder / name) as connection:
                    return {(library, item): key for library, item, key in _keys(connection) if key}
            except (SourceError, sqlite3.Error, ValueError) as error:
                problems.append(f"{folder / name}: the citation keys in it cannot be read ({_why(error)}).")
    return {}


def _keys(connection: sqlite3.Connection) -> Iterable[tuple[int, str, str]]:
    """Return library, item and key: of versions before 6 from one JSON document in a table."""
    _refuse_computed(connection)
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if "citationkey" in tables:
        return connection.execute(
            "SELECT CAST(libraryID AS INT), CAST(itemKey AS TEXT), CAST(citationKey AS TEXT) FROM citationkey"
        )
    if "better-bibtex" not in tables:
        return ()
    query = "SELECT data FROM \"better-bibtex\" WHERE name = 'better-bibtex.citekey'"
    (document,) = connection.execute(query).fetchone() or ("{}",)
    try:
        rows = read_json(str(document))["data"] if document != "{}" else []
        return [(int(row["libraryID"]), str(row["itemKey"]), str(row.get("citekey") or "")) for row in rows]
    except (AttributeError, KeyError, TypeError) as error:
        raise ValueError("its table has another form than Better BibTeX writes") from error


_BESIDE = ("-wal", "-journal")
"""The files of SQLite beside a database during a change; a copy without them would be inconsistent."""

_ATTEMPTS, _PAUSE = 20, 0.25  # Attempts, and seconds between them, to copy a database that changes meanwhile.

_LONGEST = 1 << 26  # Bytes of a value.

_STEPS = 1_000_000  # Steps of SQLite between two looks at how many they are.
_STEPS_A_BYTE = 50  # What joins its tables to rows without end takes more.

_TIMES_ITS_LENGTH = 4
"""How many times its length what is read may be: one value may be that of many fields."""

_ROW = 16  # Bytes of a row beyond its text.


@contextmanager
def copied(database: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a consistent copy of the database; raise SourceError without one.

    Its owner may hold it locked, as Zotero does: the files are only read. A copy counts when they are the
    same before and after it; SQLite rolls back a half-written change in the copy, as after a crash.
    """
    with tempfile.TemporaryDirectory(prefix="pagequote-") as folder:
        try:
            copy = _copy(database, Path(folder))
        except OSError as error:
            raise SourceError(
                f"The database {str(database)!r} cannot be read ({error.strerror}). Check its permissions."
            ) from error
        with closing(sqlite3.connect(copy)) as connection:
            _bound(connection, copy.stat().st_size)
            yield connection


def _why(error: Exception) -> str:
    return str(error).replace("interrupted", "its tables have more rows together than any library")


def _refuse_computed(connection: sqlite3.Connection) -> None:
    """Raise sqlite3.DataError for columns that are computed as they are read: one value may take hours."""
    for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        for column in connection.execute("SELECT name FROM pragma_table_xinfo(?) WHERE hidden > 1", [table]):
            raise sqlite3.DataError(f"{table!r} has columns that are computed: {column[0]!r}")


def _bound(connection: sqlite3.Connection, size: int) -> None:
    """Have what is read from a database of so many bytes end, whatever somebody made of its tables."""
    steps, left = 0, _TIMES_ITS_LENGTH * size + (1 << 20)

    def ask_on() -> bool:
        nonlocal steps
        steps += _STEPS
        return steps > 100 * _STEPS + _STEPS_A_BYTE * size

    def take(size: int) -> None:
        nonlocal left
        left -= size
        if left < 0:
            raise sqlite3.DataError(f"its tables hold more than {_TIMES_ITS_LENGTH} times its length")

    def decoded(text: bytes) -> str:
        take(len(text))
        return text.decode("utf-8", "replace")

    def row(_: sqlite3.Cursor, values: tuple[Any, ...]) -> tuple[Any, ...]:
        take(_ROW)
        return values

    connection.text_factory, connection.row_factory = decoded, row
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, _LONGEST)
    connection.execute("PRAGMA trusted_schema = OFF")
    # What is read through a view is denied: put in a table's place by somebody, it may have rows without end.
    connection.set_authorizer(lambda *said: sqlite3.SQLITE_DENY if said[-1] else sqlite3.SQLITE_OK)
    connection.set_progress_handler(ask_on, _STEPS)


def _copy(database: Path, folder: Path) -> Path:
    files = [database, *(database.with_name(database.name + end) for end in _BESIDE)]
    for _ in range(_ATTEMPTS):
        before = [_stamp(file) for file in files]
        for file, stamp in zip(files, before, strict=True):
            copy = folder / file.name
            remove(copy, folder)
            if stamp is not None:
                try:
                    with open_file(file, LARGEST) as read, copy.open("xb") as written:
                        shutil.copyfileobj(read, written)
                except FileNotFoundError:
                    break  # the change ended meanwhile
        if before == [_stamp(file) for file in files]:
            return folder / database.name
        time.sleep(_PAUSE)
    raise SourceError(
        f"The database {str(database)!r} changes all the time, so it cannot be copied. "
        "Try again when its program is idle."
    )


def _stamp(file: Path) -> tuple[int, int, int] | None:
    try:
        now = file.stat()
    except FileNotFoundError:
        return None
    return now.st_mtime_ns, now.st_size, now.st_ino
