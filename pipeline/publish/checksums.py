"""The checksums of a release: written, and compared with its files."""

import hashlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lookup.release.checksums import CHECKSUMS, read_checksums


def write_checksums(folder: Path) -> None:
    """Write the hashes of all files in `folder`, to any depth, into its CHECKSUMS."""
    names = sorted(
        (Path(place) / name).relative_to(folder).as_posix()
        for place, _, found in os.walk(folder)
        for name in found
    )
    lines = [f"{digest}  {name}\n" for name, digest in zip(names, _digests(folder, names), strict=True)]
    (folder / CHECKSUMS).write_text("".join(lines))


def intact_files(folder: Path) -> frozenset[str]:
    """Return the names, relative to `folder`, of its files that match CHECKSUMS; none without CHECKSUMS."""
    listed = read_checksums(folder)
    digests = _digests(folder, list(listed))
    return frozenset(
        name for (name, stored), digest in zip(listed.items(), digests, strict=True) if digest == stored
    )


def _digests(folder: Path, names: Sequence[str]) -> list[str | None]:
    """Hash with a thread for each processor: hashlib releases the interpreter's lock."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda name: _digest(folder / name), names))


def _digest(path: Path) -> str | None:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except (OSError, ValueError):  # a damaged name may not be a name at all
        return None
