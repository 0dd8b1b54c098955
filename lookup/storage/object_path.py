"""Places in object storage, named as paths are."""

import os
from enum import Enum
from os.path import realpath
from pathlib import Path, PosixPath
from posixpath import normpath

SCHEME = "s3:"


class ObjectPath(PosixPath):
    """`s3://bucket/name` as a path; only `objectstore.objects` can read or write the object.

    Names with empty or dotted parts (`a//b`, `a/./b`) have no such path: pathlib leaves the parts out.
    """

    def __str__(self) -> str:
        return f"{SCHEME}//{'/'.join(self.parts[1:])}"

    def __fspath__(self) -> str:
        return str(self)

    @property
    def bucket(self) -> str:
        """The bucket."""
        return self.parts[1]

    @property
    def object_name(self) -> str:
        """The name in the bucket; '' for the bucket itself."""
        return "/".join(self.parts[2:])

    def absolute(self) -> "ObjectPath":
        """Return the path with no `..` in it."""
        return ObjectPath(f"{SCHEME}//{self.bucket}{normpath(f'/{self.object_name}')}")

    def read_bytes(self) -> bytes:
        """Return all bytes of the object. Raise OSError."""
        from lookup.storage.object_store import read_object  # needs obstore  # noqa: PLC0415

        return read_object(self)


def place(where: str | os.PathLike[str]) -> Path:
    """Return `where` as a path: an ObjectPath if it begins with `s3://`, or `s3:/` as pathlib has it."""
    if isinstance(where, ObjectPath):
        return where
    name = os.fspath(where)
    if name.startswith(f"{SCHEME}/") and name.strip("/") != SCHEME:
        return ObjectPath(name)
    return Path(where)


def what_failed(error: Exception) -> str | None:
    """Return the error of object storage behind one of DuckDB, if any, which has its traceback as text."""
    text = str(error)
    return text.strip().rpartition("\n")[2] if "Traceback (most recent call last)" in text else None


class Reach(Enum):
    """How far it reaches what a stranger's file names."""

    NOTHING = "nothing"
    FOLDER = "its own folder and what is below, links followed; no object storage"
    DISK = "files of this machine; of object storage the bucket that it is in itself"


class Stranger(Enum):
    """What may be a stranger's, and how far it reaches then (docs/security.md has the same table)."""

    SETTINGS = "`pagequote.toml` above a document", Reach.FOLDER
    ADDED = "the library of added papers", Reach.FOLDER
    PATHS = "paths of a release's sources", Reach.DISK
    DEFINITIONS = "views and macros of a release, but for the contract's word for word", Reach.NOTHING
    MODEL = "a model beside a corpus", Reach.NOTHING

    def may_reach(self, named: str | Path, folder: Path) -> bool:
        """Return whether it may reach what it names `named`, where it lies in `folder`."""
        reach: Reach = self.value[1]
        stored = isinstance(named, ObjectPath) or "://" in str(named)
        if reach is Reach.DISK:
            bucket = "/".join([*str(folder).split("/")[:3], ""]) if isinstance(folder, ObjectPath) else None
            return not stored or (bucket is not None and str(named).startswith(bucket))
        below = not stored and Path(realpath(folder / named)).is_relative_to(realpath(folder))
        return reach is Reach.FOLDER and below
