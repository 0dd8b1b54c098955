"""Zotero data folders that tests make for themselves: the tables of Zotero 7 that hold items, with the
columns that they have there.
"""

import sqlite3
from contextlib import closing
from pathlib import Path

SCHEMA = """
CREATE TABLE libraries (libraryID INTEGER PRIMARY KEY, type TEXT NOT NULL, editable INT NOT NULL,
    filesEditable INT NOT NULL);
CREATE TABLE itemTypesCombined (itemTypeID INT PRIMARY KEY, typeName TEXT NOT NULL, display INT NOT NULL,
    custom INT NOT NULL);
CREATE TABLE fieldsCombined (fieldID INT PRIMARY KEY, fieldName TEXT NOT NULL, label TEXT,
    fieldFormatID INT, custom INT NOT NULL);
CREATE TABLE baseFieldMappingsCombined (itemTypeID INT, baseFieldID INT, fieldID INT,
    PRIMARY KEY (itemTypeID, baseFieldID, fieldID));
CREATE TABLE creatorTypes (creatorTypeID INTEGER PRIMARY KEY, creatorType TEXT);
CREATE TABLE itemTypeCreatorTypes (itemTypeID INT, creatorTypeID INT, primaryField INT,
    PRIMARY KEY (itemTypeID, creatorTypeID));
CREATE TABLE items (
    itemID INTEGER PRIMARY KEY, itemTypeID INT NOT NULL,
    dateAdded TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    dateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    clientDateModified TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP,
    libraryID INT NOT NULL, key TEXT NOT NULL, version INT NOT NULL DEFAULT 0,
    synced INT NOT NULL DEFAULT 0, UNIQUE (libraryID, key)
);
CREATE TABLE itemDataValues (valueID INTEGER PRIMARY KEY, value UNIQUE);
CREATE TABLE itemData (itemID INT, fieldID INT, valueID, PRIMARY KEY (itemID, fieldID));
CREATE TABLE itemAttachments (
    itemID INTEGER PRIMARY KEY, parentItemID INT, linkMode INT, contentType TEXT, charsetID INT, path TEXT,
    syncState INT DEFAULT 0,
    storageModTime INT, storageHash TEXT
);
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT, lastName TEXT, fieldMode INT,
    UNIQUE (lastName, firstName, fieldMode));
CREATE TABLE itemCreators (
    itemID INT NOT NULL, creatorID INT NOT NULL, creatorTypeID INT NOT NULL DEFAULT 1,
    orderIndex INT NOT NULL DEFAULT 0,
    PRIMARY KEY (itemID, creatorID, creatorTypeID, orderIndex), UNIQUE (itemID, orderIndex)
);
CREATE TABLE deletedItems (itemID INTEGER PRIMARY KEY, dateDeleted DEFAULT CURRENT_TIMESTAMP NOT NULL);
"""

TYPES = ("attachment", "note", "journalArticle", "bookSection", "patent")
FIELDS = (
    "title",
    "abstractNote",
    "date",
    "DOI",
    "publicationTitle",
    "publisher",
    "bookTitle",
    "extra",
    "citationKey",
)
ROLES = ("author", "editor", "inventor")
IMPORTED, IMPORTED_URL, LINKED, LINKED_URL = range(4)


class Zotero:
    """A data folder, and its database while it is being written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "storage").mkdir(parents=True)
        self.database = folder / "zotero.sqlite"
        with _opened(self.database) as db:
            db.executescript(SCHEMA)
            db.executemany(
                "INSERT INTO libraries VALUES (?, ?, 1, 1)", [(1, "user"), (2, "group"), (3, "feed")]
            )
            db.executemany("INSERT INTO itemTypesCombined VALUES (?, ?, 1, 0)", enumerate(TYPES, 1))
            db.executemany("INSERT INTO fieldsCombined VALUES (?, ?, NULL, NULL, 0)", enumerate(FIELDS, 1))
            db.execute(
                "INSERT INTO baseFieldMappingsCombined VALUES (?, ?, ?)",
                (
                    _number(TYPES, "bookSection"),
                    _number(FIELDS, "publicationTitle"),
                    _number(FIELDS, "bookTitle"),
                ),
            )
            db.executemany("INSERT INTO creatorTypes VALUES (?, ?)", enumerate(ROLES, 1))
            db.execute(
                "INSERT INTO itemTypeCreatorTypes VALUES (?, ?, 1)",
                (_number(TYPES, "patent"), _number(ROLES, "inventor")),
            )
            db.commit()

    def item(self, key, kind="journalArticle", *, library=1, authors=(), deleted=False, **fields):
        """Add an item; `authors` are (family, given) or (family, given, role); the number of the item."""
        with _opened(self.database) as db:
            item = self._new(db, key, kind, library, deleted=deleted)
            for name, value in fields.items():
                self._set(db, item, name, value)
            for order, (family, given, *role) in enumerate(authors):
                db.execute(
                    "INSERT OR IGNORE INTO creators (firstName, lastName, fieldMode) VALUES (?, ?, ?)",
                    (given, family, int(not given)),
                )
                (creator,) = db.execute(
                    "SELECT creatorID FROM creators WHERE firstName = ? AND lastName = ?", (given, family)
                ).fetchone()
                role_number = _number(ROLES, role[0] if role else "author")
                db.execute(
                    "INSERT INTO itemCreators VALUES (?, ?, ?, ?)", (item, creator, role_number, order)
                )
            db.commit()
        return item

    def attach(
        self,
        item,
        key,
        path,
        content=None,
        *,
        mode=IMPORTED,
        kind="application/pdf",
        library=1,
        deleted=False,
    ):
        """Attach a file to an item (None: to none); with `content` it is written into the storage."""
        with _opened(self.database) as db:
            attachment = self._new(db, key, "attachment", library, deleted=deleted)
            shown = path if mode >= LINKED else f"storage:{path}"
            db.execute(
                "INSERT INTO itemAttachments (itemID, parentItemID, linkMode, contentType, path) VALUES (?, "
                "?, ?, ?, ?)",
                (attachment, item, mode, kind, shown),
            )
            db.commit()
        file = self.folder / "storage" / key / path
        if content is not None:
            file.parent.mkdir(parents=True)
            file.write_bytes(content)
        return file

    def set(self, item, name, value):
        """Change a field of an item, as somebody does in Zotero."""
        with _opened(self.database) as db:
            self._set(db, item, name, value)
            db.commit()

    def _new(self, db, key, kind, library, *, deleted):
        item = db.execute(
            "INSERT INTO items (itemTypeID, libraryID, key) VALUES (?, ?, ?)",
            (_number(TYPES, kind), library, key),
        ).lastrowid
        if deleted:
            db.execute("INSERT INTO deletedItems (itemID) VALUES (?)", (item,))
        return item

    def _set(self, db, item, name, value):
        db.execute("INSERT OR IGNORE INTO itemDataValues (value) VALUES (?)", (value,))
        (value_id,) = db.execute("SELECT valueID FROM itemDataValues WHERE value = ?", (value,)).fetchone()
        db.execute(
            "INSERT OR REPLACE INTO itemData VALUES (?, ?, ?)", (item, _number(FIELDS, name), value_id)
        )


def _opened(path):
    """A database that is closed afterwards; no test waits for the disk to have it."""
    db = sqlite3.connect(path)
    db.execute("PRAGMA synchronous = OFF")
    return closing(db)


def better_bibtex(folder, keys, name="better-bibtex.sqlite"):
    """Write Better BibTeX's database; `keys` are (library, Zotero's key, citation key)."""
    with _opened(folder / name) as db:
        db.execute(
            "CREATE TABLE citationkey (itemID, itemKey NOT NULL, libraryID NOT NULL, citationKey NOT NULL, "
            "pinned)"
        )
        db.executemany("INSERT INTO citationkey (libraryID, itemKey, citationKey) VALUES (?, ?, ?)", keys)
        db.commit()


def _number(names, name):
    return names.index(name) + 1
