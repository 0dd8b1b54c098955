"""Places in object storage, named as paths are."""

import os
from pathlib import Path, PosixPath
from posixpath import normpath

SCHEME = "s3:"


class ObjectPath(PosixPath):
    """`s3://bucket/name` as a path; only `lookup.storage.objects` can read or write the object.

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
        from lookup.storage.objects import read_object  # needs obstore  # noqa: PLC0415

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
