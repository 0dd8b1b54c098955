"""The SHA-256 of each file of a release, in the form that `sha256sum --check SHA256SUMS` reads."""

import hashlib
from collections.abc import Mapping
from mmap import mmap
from pathlib import Path

from lookup.errors import DamagedError
from lookup.release.current import Release
from lookup.storage.object_path import ObjectPath

CHECKSUMS = "SHA256SUMS"

Checksums = Mapping[str, str]
"""By the name of a file, relative to the release's folder: its SHA-256, hexadecimal."""


def read_checksums(folder: Path) -> Checksums:
    """Return the checksums of a release; none where it has no such file, or one that is not text.

    In object storage the name of a file is its checksum.
    """
    if isinstance(folder, ObjectPath):
        return {}
    try:
        lines = (folder / CHECKSUMS).read_text().splitlines()
    except (OSError, UnicodeDecodeError):
        return {}
    return {name: digest for digest, _, name in (line.partition("  ") for line in lines)}


def check_content(release: Release, checksums: Checksums, name: str, content: bytes | mmap) -> None:
    """Raise DamagedError where `content`, of the file `name`, is not what was published."""
    if name in checksums and hashlib.sha256(content).hexdigest() != checksums[name]:
        raise DamagedError(
            f"The file {name!r} of the release {release.name} is damaged: it is not what was published. "
            "Build the corpus again; that makes it anew, whatever else has changed."
        )
