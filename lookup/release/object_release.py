"""A release in object storage: where its files are.

A corpus has three kinds of objects: `files/SHA256.suffix`, the files of all releases, each content once;
`releases/NAME/manifest.json`, a release's manifest, which lists its files under "objects"; and `current`, the
name of the current release, replaced by one write.
"""

import json
from functools import lru_cache
from typing import Any

from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import read_object

CURRENT_OBJECT = "current"
FILES = "files"


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


def stored_file(folder: ObjectPath, manifest: dict[str, Any], name: str) -> tuple[ObjectPath, int]:
    """Return the object with the file `name` of a release, and its size. Raise FileNotFoundError."""
    try:
        described = manifest["objects"][name]
    except KeyError:
        raise FileNotFoundError(f"the release {folder.name} has no {name}") from None
    return folder.parents[1] / described["object"], described["bytes"]
