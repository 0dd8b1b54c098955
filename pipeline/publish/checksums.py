"""The checksums of a release: written, and compared with its files.

What a build has once proven of a file is kept beside the releases, by the file's number, size and time: a
file that is the same by these is not read again, in whichever release it is.
"""

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from lookup.release.checked_files import CHECKSUMS, read_checksums
from lookup.storage.untrusted_files import open_file
from pipeline.files.atomic import read_json, write_json, write_new

_PROVEN = "proven.json"  # In a corpus: by release, what builds have proven of its files.

_RELEASES = 3  # Releases of which it is kept: those that stay.

Proven = Mapping[str, str]  # SHA-256, by `stamp`.


def read_proven(corpus: Path) -> Proven:
    """Return what builds have proven of the files of all releases of `corpus`."""
    kept = read_json(corpus / _PROVEN)
    proven: dict[str, str] = {}
    for stamps in kept.values() if isinstance(kept, dict) else ():
        proven |= stamps
    return proven


def keep_proven(corpus: Path, release: str, proven: Proven) -> None:
    """Add what is proven of the files of `release`; forget the oldest releases."""
    kept = read_json(corpus / _PROVEN) if read_proven(corpus) else {}
    write_json(corpus / _PROVEN, dict(sorted({**kept, release: proven}.items())[-_RELEASES:]), corpus)


def write_checksums(folder: Path, proven: Proven) -> dict[str, str]:
    """Write the hashes of all files in `folder`, to any depth, into its CHECKSUMS; return what is proven now.

    Files that are `proven` are not read.
    """
    stamps = _stamps(folder)
    names = sorted(stamps)
    known = {name: proven[one] for name, one in stamps.items() if proven.get(one)}
    unknown = [name for name in names if name not in known]
    known |= {name: digest or "" for name, digest in zip(unknown, _digests(folder, unknown), strict=True)}
    write_new(folder / CHECKSUMS, "".join(f"{known[name]}  {name}\n" for name in names))
    return {stamps[name]: known[name] for name in names}


def intact_files(folder: Path, proven: Proven | None = None) -> frozenset[str]:
    """Return the names, relative to `folder`, of its files that match CHECKSUMS; none without CHECKSUMS.

    Files that are `proven` are not read; all others are.
    """
    proven = proven or {}
    listed = read_checksums(folder)
    stamps = _stamps(folder) if listed else {}
    found = {name: proven.get(stamps[name]) for name in listed if name in stamps}
    unknown = [name for name in found if found[name] != listed[name]]
    found |= dict(zip(unknown, _digests(folder, unknown), strict=True))
    return frozenset(name for name, digest in found.items() if digest == listed[name])


def _stamps(folder: Path) -> dict[str, str]:
    """Return the stamps of all files in `folder`, to any depth, by names relative to it; links have none."""
    stamps: dict[str, str] = {}
    waiting = [""] if folder.is_dir() else []
    while waiting:
        within = waiting.pop()
        with os.scandir(f"{folder}/{within}") as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(f"{within}{entry.name}/")
                elif entry.is_file(follow_symlinks=False):
                    stamps[f"{within}{entry.name}"] = stamp(entry.stat())
    return stamps


def stamp(found: os.stat_result) -> str:
    """Return the number, size and time of a file."""
    return f"{found.st_ino} {found.st_size} {found.st_mtime_ns}"


def _digests(folder: Path, names: Sequence[str]) -> list[str | None]:
    """Hash with a thread for each processor: hashlib releases the interpreter's lock."""
    with ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda name: _digest(folder / name), names))


def _digest(path: Path) -> str | None:
    try:
        with open_file(path) as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return None
