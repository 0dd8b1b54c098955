"""The releases of a corpus: lists them, makes one current, goes back to one, removes the oldest."""

import os
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lookup.errors import BuildError, CorpusNotFoundError, PageQuoteError
from lookup.release.current import (
    CURRENT,
    DATABASE,
    RELEASES,
    Release,
    current_folder,
    current_release,
    unchecked_release,
)
from lookup.storage.object_path import ObjectPath
from objectstore.objects import write_object
from objectstore.releases import CURRENT_OBJECT, manifests
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import TEMPORARY, locked, point_to, remove, rename, write_atomically
from pipeline.processes.operating_system import WINDOWS

KEPT = 3  # Releases that are kept, the current one included.

_NAMED = "r[0-9][0-9][0-9][0-9][0-9][0-9]-*"


@dataclass(frozen=True)
class Listed:
    """A release of a corpus: parts of its manifest, the bytes of its files, and of those of its own."""

    name: str
    current: bool
    created: str
    rows: Mapping[str, int]
    model: str | None
    bytes: int
    own_bytes: int


def list_releases(corpus: Path) -> list[Listed]:
    """Return all releases, oldest first; raise CorpusNotFoundError without one, or OSError."""
    current = _current_name(corpus)
    folders = [corpus / RELEASES / name for name in release_names(corpus)]
    manifests_of = {folder: unchecked_release(folder).manifest for folder in folders}
    holders = Counter[str]()
    if isinstance(corpus, ObjectPath):
        for manifest in manifests_of.values():
            holders.update(one["object"] for one in manifest["objects"].values())
    listed = []
    for folder, manifest in manifests_of.items():
        if holders:
            sizes = [(one["bytes"], holders[one["object"]]) for one in manifest["objects"].values()]
        else:
            files = [path.stat() for path in folder.rglob("*") if path.is_file()]
            sizes = [(file.st_size, file.st_nlink) for file in files]
        listed.append(
            Listed(
                folder.name,
                folder.name == current,
                str(manifest.get("created", "")),
                manifest.get("rows", {}),
                manifest.get("model"),
                sum(size for size, _ in sizes),
                sum(size for size, holding in sizes if holding == 1),
            )
        )
    return listed


def find_release(corpus: Path, named: str | None) -> Path:
    """Return the folder of a release by its name, beginning ('r000012'), number ('12') or 'current'.

    For None it is that of the release before the current one. Raise PageQuoteError without one.
    """
    names, current = release_names(corpus), _current_name(corpus)
    if named is None:
        found = [name for name in names if name < current][-1:]
        if not found:
            raise PageQuoteError(
                f"{str(corpus)!r} has no release before {current}, which is current. "
                "`pagequote releases` lists them."
            )
    elif named == CURRENT:
        found = [current]
    else:
        number = f"r{int(named):06d}-" if re.fullmatch("[0-9]{1,9}", named) else None
        begins = number or f"{named.partition('-')[0]}-"
        found = [name for name in names if name == named or name.startswith(begins)]
        if len(found) != 1 or not (number or found[0].startswith(named)):
            raise PageQuoteError(f"{str(corpus)!r} has no release {named!r}. It has {', '.join(names)}.")
    return corpus / RELEASES / found[0]


def _current_name(corpus: Path) -> str:
    """Return the name of the current release; on a disk also where it cannot be read."""
    return unchecked_release(corpus).name if isinstance(corpus, ObjectPath) else current_folder(corpus).name


HELD = "held"
"""The file in a corpus that says that its release stays current, whatever builds find."""


def rollback(corpus: Path, named: str | None = None, wait: float = 0.0, *, hold: bool = False) -> Release:
    """Make the release `named` current, by default the one before the current one; one rename, as in a build.

    Raises PageQuoteError without such a release, or where this code cannot read it. Sources and work folder
    stay as they are: the next build publishes what the sources say, as a new release, unless with `hold` this
    one stays until another call without it, which storage does not know.
    """
    if isinstance(corpus, ObjectPath):
        release = current_release(find_release(corpus, named))
        write_object(corpus / CURRENT_OBJECT, f"{release.name}\n".encode())
        return release
    release_names(corpus)
    with locked(corpus, wait):
        release = current_release(find_release(corpus, named))
        if not all((part / DATABASE).is_file() for part in release.parts):
            raise PageQuoteError(f"The release {release.name!r} has lost its database. Choose another one.")
        if hold:
            write_atomically(corpus / HELD, f"{release.name}\n".encode(), corpus)
        else:
            remove(corpus / HELD, corpus)
        make_current(corpus, release.name)
    return release


def held_release(corpus: Path) -> Release | None:
    """Return the current release if it stays whatever builds find, whichever version wrote it."""
    return unchecked_release(corpus) if (corpus / HELD).exists() else None


def make_current(corpus: Path, name: str) -> None:
    """Point readers at the release `name`: one rename, so that they see either the old or the new one."""
    point_to(corpus / CURRENT, Path(RELEASES) / name)


def buildable_release(corpus: Path) -> Release | None:
    """Return the current release; None where it is missing, or this code cannot build upon it."""
    try:
        return current_release(corpus)
    except PageQuoteError:
        return None


def refuse_newer(corpus: Path) -> None:
    """Raise BuildError where the current release was written by a newer version than this one.

    Its layout or folding is newer, or the first number of its extractor: readers of the newer version could
    not read what this one publishes.
    """
    try:
        manifest = unchecked_release(corpus).manifest
    except PageQuoteError:
        return
    theirs = (
        str(manifest.get("extractor", "")).partition(".")[0],
        manifest.get("layout"),
        manifest.get("folding"),
    )
    newer = [
        f"{name} {their}, this one {our}"
        for name, their, our in zip(
            ("extractor", "layout", "folding"), theirs, EXTRACTOR.split("."), strict=True
        )
        if str(their).isdecimal() and int(str(their)) > int(our)
    ]
    if newer:
        raise BuildError(
            f"The corpus {str(corpus)!r} was written by a newer pagequote ({'; '.join(newer)}). Nothing was "
            "published. Install that version here, or replace the release all the same (--force)."
        )


def current_shards(corpus: Path) -> int | None:
    """Return the number of shards of the current release, whatever version wrote it; None without one.

    It is 0 in one piece.
    """
    try:
        return unchecked_release(corpus).shards
    except CorpusNotFoundError:
        return None


def next_name(releases: Path) -> str:
    """Return a name that sorts after all others, even when the clock was set back, or folders list late."""
    listed = [*releases.glob(_NAMED), current_folder(releases.parent)]
    taken = [int(path.name[1:7]) for path in listed if path.match(_NAMED)]
    return f"r{max(taken, default=0) + 1:06d}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def collectable(corpus: Path, keep: int) -> list[Path]:
    """Return the oldest releases beyond `keep`, never the current one."""
    current = current_folder(corpus)
    return [
        folder
        for folder in sorted((corpus / RELEASES).glob(_NAMED))[:-keep]
        if folder.resolve() != current and not folder.is_symlink()
    ]


def collect(corpus: Path, keep: int) -> None:
    """Remove the `collectable` releases; the caller holds the lock.

    Readers that have one open read on: an open file stays on the disk until it is closed (POSIX).
    """
    for folder in collectable(corpus, keep):
        unfinished = folder.with_name(f"{TEMPORARY}{folder.name}")
        try:
            rename(folder, unfinished, corpus)
        except PermissionError:
            if not WINDOWS:
                raise
            continue  # Windows: a reader has it open; it is removed another time
        remove(unfinished, corpus)


def release_names(corpus: Path) -> list[str]:
    """Return the names of all releases, oldest first; raise CorpusNotFoundError without one, or OSError."""
    if isinstance(corpus, ObjectPath):
        return sorted(manifests(corpus))
    names = sorted(folder.name for folder in (corpus / RELEASES).glob(_NAMED))
    if not names:
        raise CorpusNotFoundError(
            f"{os.fspath(corpus)!r} has no release. "
            f"Build one: `pagequote build FOLDER-OF-PDFS --corpus {corpus}`."
        )
    return names
