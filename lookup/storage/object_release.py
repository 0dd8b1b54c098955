"""A release in object storage: where its files are.

A corpus has three kinds of objects: `files/SHA256.suffix`, the files of all releases, each content once;
`releases/NAME/manifest.json`, a release's manifest, which lists its files under "objects"; and `current`, the
name of the current release, replaced by one write.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any, Protocol

from lookup.storage import untrusted_files
from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import read_object

CURRENT_OBJECT = "current"
FILES = "files"


class StoredRelease(Protocol):
    """What is asked of a release: `lookup.release.current.Release` is one."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def folder(self) -> Path:
        """The folder that its files are named in."""

    @property
    def manifest(self) -> dict[str, Any]:
        """Its manifest, with the files under "objects"."""

    @property
    def database(self) -> Path:
        """The file with its tables."""

    @property
    def shards(self) -> int:
        """The number of its shards, 0 where it has none."""


def current_name(corpus: ObjectPath) -> str:
    """Return the name of the current release. Raise OSError; FileNotFoundError if there is no corpus."""
    return read_object(corpus / CURRENT_OBJECT).decode().strip()


@lru_cache(16)
def object_manifest(folder: ObjectPath, name: str) -> dict[str, Any]:
    """Return the manifest `name` of a release, which never changes. Raise OSError or ValueError."""
    manifest = json.loads(read_object(folder / name))
    if not isinstance(manifest, dict) or "objects" not in manifest:
        raise ValueError(f"{folder / name} is not the manifest of a release in object storage")
    return manifest


def file_name(release: StoredRelease, file: Path) -> str:
    """Return the name of a file of a release, or of a shard of one, as the manifest has it."""
    return "/".join(file.parts[len(release.folder.parts) :])


def stored_file(release: StoredRelease, file: Path) -> tuple[ObjectPath, int]:
    """Return the object with a file of a release, or of a shard of one, and its size in bytes.

    Raise FileNotFoundError where the release has no such file.
    """
    name = file_name(release, file)
    try:
        described = release.manifest["objects"][name]
    except KeyError:
        raise FileNotFoundError(f"the release {release.name} has no {name}") from None
    return ObjectPath(release.folder.parents[1] / described["object"]), described["bytes"]


def read_file(release: StoredRelease, file: Path) -> bytes:
    """Return the bytes of a file of a release, here or in object storage. Raise OSError."""
    return untrusted_files.read_file(
        stored_file(release, file)[0] if isinstance(release.folder, ObjectPath) else file
    )
