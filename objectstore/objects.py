"""Objects in S3 or compatible storage: read whole or in part, written, listed. Only `s3://` loads this.

Endpoint, region and credentials are those of the environment: AWS_ENDPOINT_URL, AWS_REGION,
AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, else the machine's own role. Errors are OSErrors,
as with files.
"""

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from lookup.errors import StorageError
from lookup.storage.object_path import ObjectPath

if TYPE_CHECKING:
    from obstore.store import S3Store

_PIECE = 8 << 20  # Bytes that are in memory at a time while a large object is fetched.

_RETRIES = 6
_RETRY_SECONDS = 60
"""How often, and for how long, a request is repeated if the storage does not answer, or has an internal
error."""


class Stored(NamedTuple):
    """An object: its path, its size in bytes, and an etag, which changes with its content."""

    path: ObjectPath
    bytes: int
    etag: str
    modified: datetime


def stat_object(path: ObjectPath) -> Stored:
    """Return path, size, etag and time of an object, without reading it."""
    with _storage(path) as (obstore, store):
        found = obstore.head(store, path.object_name)
    return Stored(path, found["size"], found["e_tag"] or "", found["last_modified"])


def read_object(path: ObjectPath) -> bytes:
    """Return all bytes of an object."""
    with _storage(path) as (obstore, store):
        return bytes(obstore.get(store, path.object_name).bytes())


def read_range(path: ObjectPath, start: int, length: int) -> bytes:
    """Return `length` bytes (> 0) of an object, from `start`."""
    with _storage(path) as (obstore, store):
        return bytes(obstore.get_range(store, path.object_name, start=start, length=length))


def read_ranges(path: ObjectPath, starts: Sequence[int], length: int) -> list[bytes]:
    """Return `length` bytes from each of `starts`, several at a time.

    Ranges less than a MiB apart are one request.
    """
    lengths = [length] * len(starts)
    with _storage(path) as (obstore, store):
        found = obstore.get_ranges(store, path.object_name, starts=list(starts), lengths=lengths)
        return [bytes(piece) for piece in found]


def read_pieces(path: ObjectPath, size: int) -> Iterator[bytes]:
    """Yield an object of `size` bytes, piece by piece."""
    for start in range(0, size, _PIECE):
        yield read_range(path, start, min(_PIECE, size - start))


def write_object(path: ObjectPath, content: bytes | Path) -> None:
    """Write an object, or replace it: readers see the old or the new one, whole."""
    with _storage(path) as (obstore, store):
        obstore.put(store, path.object_name, content)


def replace_object(path: ObjectPath, content: bytes, etag: str | None) -> bool:
    """Write an object if it still has this `etag` (None: if it does not exist); return whether it did."""
    mode = "create" if etag is None else {"e_tag": etag}
    with _storage(path) as (obstore, store):
        try:
            obstore.put(store, path.object_name, content, mode=mode)
        except (obstore.exceptions.AlreadyExistsError, obstore.exceptions.PreconditionError):
            return False
    return True


def list_objects(folder: ObjectPath) -> Iterator[Stored]:
    """Yield all objects below `folder`, to any depth, by name; a thousand a request."""
    with _storage(folder) as (obstore, store):
        for some in obstore.list(store, folder.object_name or None, chunk_size=1000):
            for one in some:
                path = ObjectPath(f"s3://{folder.bucket}/{one['path']}")
                yield Stored(path, one["size"], one["e_tag"] or "", one["last_modified"])


def delete_objects(paths: Sequence[ObjectPath]) -> None:
    """Remove objects of one bucket; one that does not exist is not an error."""
    if paths:
        with _storage(paths[0]) as (obstore, store):
            obstore.delete(store, [path.object_name for path in paths])


@lru_cache(64)
def _store(bucket: str) -> "S3Store":
    try:
        from obstore.store import S3Store  # noqa: PLC0415
    except ModuleNotFoundError:
        raise StorageError(
            f"The bucket {bucket!r} cannot be used: obstore is not installed. "
            "Install it: `pip install 'pagequote[s3]'`."
        ) from None

    endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL") or ""
    return S3Store(
        bucket,
        client_options={"allow_http": endpoint.startswith("http://")},
        retry_config={"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=_RETRY_SECONDS)},
    )


@contextmanager
def _storage(path: ObjectPath) -> Iterator[tuple[Any, "S3Store"]]:
    """Yield obstore, and its store of a path's bucket; its errors become the OSErrors that files have."""
    store = _store(path.bucket)  # before the import below: its error says what to install
    import obstore.exceptions  # noqa: PLC0415

    said = obstore.exceptions
    try:
        yield obstore, store
    except FileNotFoundError as error:
        what = f"bucket {path.bucket!r}" if "NoSuchBucket" in str(error) else "such object or bucket"
        raise FileNotFoundError(errno.ENOENT, f"there is no {what}", str(path)) from None
    except (said.PermissionDeniedError, said.UnauthenticatedError) as error:
        raise PermissionError(errno.EACCES, _first_line(error), str(path)) from None
    except said.BaseError as error:
        if "NoSuchBucket" in str(error):
            raise FileNotFoundError(errno.ENOENT, f"there is no bucket {path.bucket!r}", str(path)) from None
        raise OSError(errno.EIO, _first_line(error), str(path)) from None


def _first_line(error: Exception) -> str:
    """Return the first line of the error: the rest is for the client's authors."""
    return str(error).partition("\n")[0].partition("<?xml")[0].strip()
