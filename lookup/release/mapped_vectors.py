"""The files of a release's vectors, mapped when it is opened: they stay readable if it is removed."""

import mmap
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from lookup.release.checksums import Checksums, read_checksums
from lookup.release.current import SCALES_FILE, SIGNS_FILE, VECTORS_FILE, Release
from lookup.storage.object_path import ObjectPath

VECTOR_FILES = (VECTORS_FILE, SCALES_FILE, SIGNS_FILE)


class MappedFiles(NamedTuple):
    """The files of vectors, mapped, and the checksums of their release."""

    files: tuple[mmap.mmap, ...]
    checksums: Checksums


def map_vectors(release: Release) -> MappedFiles | None:
    """Return the files of vectors of a release in one piece on a disk.

    None where there are none, or where they cannot be read: their first use says why.
    """
    if not release.model or release.shards or isinstance(release.folder, ObjectPath):
        return None
    try:
        return map_files(release.folder)
    except (OSError, ValueError):
        return None


def map_files(folder: Path) -> MappedFiles:
    """Return the files of vectors in a folder, mapped. Raise OSError or ValueError."""
    with ExitStack() as opened:
        files = [opened.enter_context((folder / name).open("rb")) for name in VECTOR_FILES]
        return MappedFiles(
            tuple(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) for file in files),
            read_checksums(folder),
        )
