"""The database of the release that was removed last: the next release takes it over and changes it in place.

So a release costs what changed since, and not a copy of a database of any size
(docs/decisions/0039-a-release-by-difference.md).
"""

import fcntl
import os
import shutil
from pathlib import Path

from lookup.release.current import DATABASE, MANIFEST, SHARDS
from lookup.release.schema import PAPERS
from pipeline.atomic_files import TEMPORARY

SPARE = ".spare"
"""The folder in a corpus with that database, the rows of papers that it holds, and its manifest."""

PAPERS_ROWS = f"{PAPERS.name}.parquet"


def keep_spare(corpus: Path, folder: Path) -> None:
    """Turn the `folder` of a removed release into the spare one; the one before is removed."""
    remove_spare(corpus)
    for part in (*folder.glob(f"{SHARDS}/*"), folder):
        for path in part.iterdir():
            if path.is_dir() and path.name != SHARDS:
                shutil.rmtree(path)
            elif path.name not in (DATABASE, MANIFEST, PAPERS_ROWS, SHARDS):
                path.unlink()
    folder.rename(corpus / SPARE)


def remove_spare(corpus: Path) -> None:
    """Remove the spare database, if there is one."""
    if (corpus / SPARE).exists():
        unfinished = corpus / f"{TEMPORARY}{SPARE}"
        shutil.rmtree(unfinished, ignore_errors=True)  # of a build that was killed here
        (corpus / SPARE).rename(unfinished)  # never half of it under its name
        shutil.rmtree(unfinished)


def take_spare(spare: Path, target: Path) -> bool:
    """Move the database in the folder `spare` to `target`, and return whether it is nobody else's.

    Else there is none left. Whoever has it open reads on in what he opened, and the database of a shard that
    did not change is that of later releases, too.
    """
    try:
        (spare / DATABASE).rename(target)  # under this name nobody finds it to open it now
    except FileNotFoundError:
        return False
    if target.stat().st_nlink > 1 or _is_open(target):
        target.unlink()
        return False
    return True


def copy_database(source: Path, target: Path) -> None:
    """Copy a database; file systems that can (XFS, Btrfs) share its blocks instead."""
    if not hasattr(os, "copy_file_range"):
        shutil.copyfile(source, target)
        return
    with source.open("rb") as old, target.open("xb") as new:
        left = os.fstat(old.fileno()).st_size
        while left > 0 and (copied := os.copy_file_range(old.fileno(), new.fileno(), left)):
            left -= copied


def _is_open(path: Path) -> bool:
    """Return whether anybody has the file open, in this process or another; True where nobody can tell.

    Linux grants a lease for writing only on a file that no other descriptor has open.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return True
    with path.open("r+b") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError:
            return True
    return False
