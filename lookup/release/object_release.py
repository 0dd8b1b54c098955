"""A release in object storage: where its files are.

A corpus there has three kinds of objects: `files/SHA256.suffix`, the files of all releases, each content once;
`releases/NAME/manifest.json`, which is a release's manifest and says under "objects" which of them are its files; and `current`, the
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
    """The name of the current release; raises OSError, FileNotFoundError where there is no corpus."""
    return read_object(corpus / CURRENT_OBJECT).decode().strip()


@lru_cache(16)
def object_manifest(folder: ObjectPath, name: str) -> dict[str, Any]:
    """The manifest (a file called `name`) of the release in `folder`, which never changes; raises OSError or ValueError."""
    manifest = json.loads(read_object(folder / name))
    if not isinstance(manifest, dict) or "objects" not in manifest:
        raise ValueError(f"{folder / name} is not the manifest of a release in object storage")
    return manifest


def stored_file(folder: ObjectPath, manifest: dict[str, Any], name: str) -> tuple[ObjectPath, int]:
    """The object that is the file `name` of the release in `folder`, and its bytes; raises FileNotFoundError where it has none."""
    try:
        described = manifest["objects"][name]
    except KeyError:
        raise FileNotFoundError(f"the release {folder.name} has no {name}") from None
    return folder.parents[1] / described["object"], described["bytes"]
