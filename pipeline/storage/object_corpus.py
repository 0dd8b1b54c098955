"""A corpus in object storage: releases are built on this machine's disk, and published there.

See `objectstore.releases` for the layout.
"""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from lookup.errors import BuildError
from lookup.release.checked_files import read_checksums
from lookup.release.current import MANIFEST, RELEASES, Release
from lookup.storage.object_path import ObjectPath
from objectstore.objects import (
    delete_objects,
    list_objects,
    read_object,
    replace_object,
    stat_object,
    write_object,
)
from objectstore.releases import CURRENT_OBJECT, FILES, current_name, manifests
from pipeline.releases.history import KEPT, buildable_release, current_shards, list_releases

_THREADS = 4  # Files that are sent or fetched at a time.


def staging(corpus: Path, work: Path) -> Path:
    """Return the corpus on this disk that is published to `corpus`: itself, unless that is remote."""
    if not isinstance(corpus, ObjectPath):
        return corpus
    name = hashlib.sha256(str(corpus).encode()).hexdigest()[:16]
    return work / "staged" / name


def shards_of(corpus: Path, work: Path, named: int | None) -> int:
    """Return the number of shards for `publish`: where none is named, that of what is current; 1: one piece.

    What is current in storage is not what is on this disk after a rollback, or where another machine
    publishes, too; that counts where there is nothing.
    """
    each = (current_shards(place) for place in (corpus, staging(corpus, work)))
    current = next((one for one in each if one is not None), 0)
    return max(1, current if named is None else named)


def check_reachable(corpus: ObjectPath) -> None:
    """Raise BuildError where `corpus` cannot be reached, before a long build that cannot be published."""
    try:
        next(list_objects(corpus), None)
    except FileNotFoundError as error:
        raise BuildError(
            f"{str(corpus)!r} cannot be written: {error.strerror}. Make it, or correct the address."
        ) from error
    except OSError as error:
        raise BuildError(
            f"{str(corpus)!r} cannot be reached ({error.strerror}). "
            "Check AWS_ENDPOINT_URL, AWS_REGION and the credentials."
        ) from error


def publish_objects(release: Release, corpus: ObjectPath, *, fresh: bool = False) -> tuple[Release, bool]:
    """Publish a release of the disk to `corpus`; return the current release there, and whether it is new.

    Files whose content is there already are not sent. The last write, of one object, makes the release
    current for readers; a failure or kill before that leaves the release before. Raises BuildError where the
    storage fails, or another build published meanwhile.
    """
    try:
        return _published(release, corpus, fresh=fresh)
    except OSError as error:
        raise BuildError(
            f"The release is not published to {str(corpus)!r} ({error.strerror}); "
            "what is current there stays. Build again when the storage answers."
        ) from error


def _published(release: Release, corpus: ObjectPath, *, fresh: bool) -> tuple[Release, bool]:
    pointer = corpus / CURRENT_OBJECT
    etag = None
    with suppress(FileNotFoundError):
        etag = stat_object(pointer).etag
    previous = buildable_release(corpus)
    if previous and not fresh and previous.manifest["fingerprint"] == release.manifest["fingerprint"]:
        return previous, False
    stored = {one.path.name: one.bytes for one in list_objects(corpus / FILES)}
    objects: dict[str, dict[str, Any]] = {}
    to_send: dict[str, Path] = {}
    listed = read_checksums(release.folder)
    # The manifest becomes an object of its own; a reader of the index may leave a lock at any time.
    files = (path for path in release.folder.rglob("*") if path.is_file() and path.suffix != ".lock")
    for file in sorted(set(files) - {release.folder / MANIFEST}):
        within, size = file.relative_to(release.folder).as_posix(), file.stat().st_size
        name = f"{listed.get(within)}{file.suffix}"
        if stored.get(name) != size:  # what is there already need not be read
            name = _content_name(file)
        if stored.get(name) != size:
            to_send[name] = file
        objects[within] = {"object": f"{FILES}/{name}", "bytes": size}
    with ThreadPoolExecutor(_THREADS) as senders:
        list(senders.map(lambda one: write_object(corpus / FILES / one[0], one[1]), to_send.items()))
    name = _next_name(corpus, release.name)
    manifest = {**release.manifest, "release": name, "objects": objects}
    written = corpus / RELEASES / name / MANIFEST
    write_object(written, json.dumps(manifest, indent=1).encode())
    if not replace_object(pointer, f"{name}\n".encode(), etag):
        delete_objects([written])
        raise BuildError(
            f"Another build has published to {str(corpus)!r} meanwhile; its release stays current. "
            "Let one machine build a corpus at a time."
        )
    if current_name(corpus) < name:  # a storage that says yes and keeps nothing; later is another build's
        raise BuildError(
            f"{str(corpus)!r} took the release {name}, and does not have it: what was current stays. "
            "Its files are kept here; build again, and tell whoever runs the storage."
        )
    with suppress(OSError):  # it is published; the next build removes the rest
        collect_objects(corpus, KEPT)
    return replace(release, folder=corpus / RELEASES / name, manifest=manifest), True


def collect_objects(corpus: ObjectPath, keep: int) -> None:
    """Remove the oldest releases beyond `keep`, never the current one, and their files.

    A reader that has a removed release open gets an error when it reads on. Files of killed builds are
    removed as well: nobody may publish meanwhile.
    """
    held = manifests(corpus)
    doomed = [one.name for one in list_releases(corpus)[:-keep] if not one.current]
    # The manifests first: files without a manifest do no harm, a manifest without files is a broken release.
    delete_objects([held[name] for name in doomed])
    used: set[str] = set()
    for name, path in held.items():
        if name not in doomed:
            used |= {one["object"] for one in json.loads(read_object(path))["objects"].values()}
    delete_objects(
        [one.path for one in list_objects(corpus / FILES) if f"{FILES}/{one.path.name}" not in used]
    )


def _content_name(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest() + file.suffix


def _next_name(corpus: ObjectPath, staged: str) -> str:
    """Return a name after all others, with the time of `staged`: another machine may have published."""
    numbers = [int(name[1:7]) for name in manifests(corpus)]
    return f"r{max([*numbers, int(staged[1:7]) - 1]) + 1:06d}{staged[7:]}"
