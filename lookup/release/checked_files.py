"""The files of a release: their SHA-256, as `sha256sum --check SHA256SUMS` reads it; vectors, mapped."""

import hashlib
import mmap
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from lookup.errors import DamagedError
from lookup.release.current import SCALES_FILE, SIGNS_FILE, VECTORS_FILE, Release
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file, read_file

CHECKSUMS = "SHA256SUMS"

VECTOR_FILES = (VECTORS_FILE, SCALES_FILE, SIGNS_FILE)

Checksums = Mapping[str, str]
"""By the name of a file, relative to the release's folder: its SHA-256, hexadecimal."""


def read_checksums(folder: Path) -> Checksums:
    """Return the checksums of a release; none where it has no such file, or one that is not text.

    In object storage the name of a file is its checksum.
    """
    if isinstance(folder, ObjectPath):
        return {}
    try:
        lines = read_file(folder / CHECKSUMS).decode().splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def check_content(release: Release, checksums: Checksums, name: str, content: bytes | mmap.mmap) -> None:
    """Raise DamagedError where `content`, of the file `name`, is not what was published."""
    if name in checksums and hashlib.sha256(content).hexdigest() != checksums[name]:
        raise DamagedError(
            f"The file {name!r} of the release {release.name} is damaged: it is not what was published. "
            "Build the corpus again; that makes it anew, whatever else has changed."
        )


class MappedFiles(NamedTuple):
    """The files of vectors, mapped, and the checksums of their release; readable if it is removed."""

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
        files = [opened.enter_context(open_file(folder / name)) for name in VECTOR_FILES]
        return MappedFiles(
            tuple(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) for file in files),
            read_checksums(folder),
        )
