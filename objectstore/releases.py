"""A release in object storage: where its files are.

A corpus has three kinds of objects: `files/SHA256.suffix`, the files of all releases, each content once;
`releases/NAME/manifest.json`, a release's manifest, which lists its files under "objects"; and `current`, the
name of the current release, replaced by one write.
"""

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from lookup.errors import StorageError
from lookup.release.current import MANIFEST, RELEASES, Release
from lookup.storage import untrusted_files
from lookup.storage.object_path import ObjectPath
from objectstore.objects import list_objects, read_object, read_pieces

CURRENT_OBJECT = "current"
FILES = "files"


def current_name(corpus: ObjectPath) -> str:
    """Return the name of the current release. Raise OSError; FileNotFoundError if there is no corpus."""
    return read_object(corpus / CURRENT_OBJECT).decode().strip()


def manifests(corpus: ObjectPath) -> dict[str, ObjectPath]:
    """Return the manifest of each release, by its name. Raise OSError."""
    found = list_objects(corpus / RELEASES)
    return {one.path.parent.name: one.path for one in found if one.path.name == MANIFEST}


@lru_cache(16)
def object_manifest(folder: ObjectPath, name: str) -> dict[str, Any]:
    """Return the manifest `name` of a release, which never changes. Raise OSError or ValueError."""
    manifest = json.loads(read_object(folder / name))
    if not isinstance(manifest, dict) or "objects" not in manifest:
        raise ValueError(f"{folder / name} is not the manifest of a release in object storage")
    return manifest


def file_name(release: Release, file: Path) -> str:
    """Return the name of a file of a release, or of a shard of one, as the manifest has it."""
    return "/".join(file.parts[len(release.folder.parts) :])


def stored_file(release: Release, file: Path) -> tuple[ObjectPath, int]:
    """Return the object with a file of a release, or of a shard of one, and its size in bytes.

    Raise FileNotFoundError where the release has no such file.
    """
    name = file_name(release, file)
    try:
        described = release.manifest["objects"][name]
    except KeyError:
        raise FileNotFoundError(f"the release {release.name} has no {name}") from None
    return ObjectPath(release.folder.parents[1] / described["object"]), described["bytes"]


def read_file(release: Release, file: Path) -> bytes:
    """Return the bytes of a file of a release, here or in object storage. Raise OSError."""
    return untrusted_files.read_file(
        stored_file(release, file)[0] if isinstance(release.folder, ObjectPath) else file
    )


LIMIT = 4 << 30  # Bytes that the cache may hold; the files used longest ago are removed first.

CACHE_VARIABLE = "PAGEQUOTE_CACHE"


def cache_folder() -> Path:
    """Return where objects are kept: $PAGEQUOTE_CACHE, else pagequote in $XDG_CACHE_HOME or ~/.cache."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named).absolute()
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "pagequote"


def private_folder(folder: Path) -> Path:
    """Return the folder, which its user alone may read from now on: what is kept there may be private."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    return folder


def cached_object(path: ObjectPath, size: int, limit: int = LIMIT) -> Path:
    """Return a file with the content of an object whose name is its hash; fetch it if it is not there.

    Raise OSError, or StorageError if it is larger than the cache may be, or has another hash.
    """
    folder = cache_folder()
    cached = folder / path.name
    if cached.exists() and cached.stat().st_size == size:
        os.utime(cached)
        return cached
    if size > limit:
        raise StorageError(
            f"{str(path)!r} has {size} bytes, more than the {limit} that are fetched whole. "
            "Name the papers with `keys`, or copy the release to a disk."
        )
    private_folder(folder)
    _make_room(folder, limit - size)
    descriptor, unfinished = tempfile.mkstemp(dir=folder, prefix=".tmp-")
    try:
        digest = hashlib.sha256()
        with open(descriptor, "wb") as file:  # noqa: PTH123  # a descriptor, not a path
            for piece in read_pieces(path, size):
                digest.update(piece)
                file.write(piece)
        _check(path, digest.hexdigest())
        Path(unfinished).replace(cached)
    except BaseException:
        Path(unfinished).unlink(missing_ok=True)
        raise
    return cached


def _check(path: ObjectPath, sha256: str) -> None:
    if sha256 != path.name.partition(".")[0]:
        raise StorageError(f"{str(path)!r} does not hold what its name says. Publish the corpus again.")


def _make_room(folder: Path, left: int) -> None:
    """Remove what was used longest ago until `left` bytes remain; a process that has it mapped reads on."""
    held: list[tuple[float, int, Path]] = []
    for path in folder.iterdir():
        if path.is_dir():  # the corpora of single PDFs
            continue
        with suppress(FileNotFoundError):  # another process makes room as well
            stat = path.stat()
            held.append((stat.st_mtime, stat.st_size, path))
    total = 0
    for _, size, path in sorted(held, reverse=True):
        total += size
        if total > left:
            path.unlink(missing_ok=True)
