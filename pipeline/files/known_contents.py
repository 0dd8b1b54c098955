"""The hashes of sources that builds have read: a file that nobody touched since is not read again.

A file is the same by its number, size and both its times, as Git's index has it. Programs can set the time of
a file's content (mtime), but not that of its last change (ctime). A file that had changed within the last
seconds before it was hashed is hashed again: it may have changed once more within one tick of the clock.
(racy-git.txt in Git's documentation)
"""

import hashlib
import json
import os
import time
from pathlib import Path

from lookup.storage.untrusted_files import open_file
from pipeline.files.atomic import write_atomically

_FILE = "contents.json"
"""In a folder: a line with the SHA-256 of what follows, and the hashes of files as JSON."""

_SETTLED = 2.0  # Seconds: the coarsest time stamps of file systems (FAT).


class KnownContents:
    """The hashes of files, by path: those that the last build kept in `work`, and those seen since.

    With `fresh`, none is known. Files have `most` bytes at most.
    """

    def __init__(self, work: Path, *, fresh: bool = False, most: int | None = None) -> None:
        self._most = most
        self._known = {} if fresh else _read(work / _FILE)
        self._now: dict[str, list[str]] = {}

    def contents(self, path: Path) -> tuple[str, int]:
        """Return the SHA-256 of a file's bytes, hexadecimal, and their number; raises OSError."""
        with open_file(path, self._most) as file:
            found = os.fstat(file.fileno())
            stamp = f"{found.st_ino} {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns}"
            if known := self.known(path, stamp):
                return known, found.st_size
            settled = found.st_ctime < time.time() - _SETTLED
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
            size = file.tell()
        if settled and size == found.st_size:
            self.remember(path, stamp, sha256)
        return sha256, size

    def known(self, path: Path, stamp: str) -> str | None:
        """Return the SHA-256 of what is at the path, if it had this stamp when it was hashed."""
        known = self._known.get(str(path))
        if known is None or known[0] != stamp:
            return None
        self.remember(path, *known)
        return known[1]

    def remember(self, path: Path, stamp: str, sha256: str) -> None:
        """Have the hash of what is at the path kept: it is the same while it has this stamp."""
        self._now[str(path)] = [stamp, sha256]

    def keep(self, folder: Path, within: Path) -> None:
        """Write the hashes of the files that were seen, to `folder` in the work folder."""
        if self._now != self._known:
            written = json.dumps(self._now).encode()
            digest = f"{hashlib.sha256(written).hexdigest()}\n".encode()
            write_atomically(folder / _FILE, digest + written, within)


def names_of_contents(work: Path) -> dict[str, str]:
    """Return the path of each file that the last build kept in `work`, by the SHA-256 of its bytes."""
    return {sha256: name for name, (_, sha256) in _read(work / _FILE).items()}


def _read(path: Path) -> dict[str, list[str]]:
    """Return the stamp and the hash of each file; nothing where they are lost or damaged."""
    try:
        digest, _, written = path.read_bytes().partition(b"\n")
    except OSError:
        return {}
    if hashlib.sha256(written).hexdigest().encode() != digest:
        return {}
    kept: dict[str, list[str]] = json.loads(written)
    return kept
