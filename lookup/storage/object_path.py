"""Places in object storage, named as paths are."""

import os
from pathlib import Path, PosixPath
from posixpath import normpath

SCHEME = "s3:"


class ObjectPath(PosixPath):
    """`s3://bucket/name`: a path by its parts and names, of which only `lookup.storage.objects` can read or write what is there.

    A name with empty or dotted parts (`a//b`, `a/./b`) has no such path: pathlib leaves them out.
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
        """The name within the bucket; '' for the bucket itself."""
        return "/".join(self.parts[2:])

    def absolute(self) -> "ObjectPath":
        """The place with no `..` in it."""
        return ObjectPath(f"{SCHEME}//{self.bucket}{normpath(f'/{self.object_name}')}")

    def read_bytes(self) -> bytes:
        """All bytes of the object; raises OSError."""
        from lookup.storage.objects import read_object  # whoever has a path need not have a storage  # noqa: PLC0415

        return read_object(self)


def place(where: str | os.PathLike[str]) -> Path:
    """The path of what is named: an ObjectPath where it begins with `s3://`, or with the `s3:/` that pathlib makes of it."""
    if isinstance(where, ObjectPath):
        return where
    name = os.fspath(where)
    if name.startswith(f"{SCHEME}/") and name.strip("/") != SCHEME:
        return ObjectPath(name)
    return Path(where)
