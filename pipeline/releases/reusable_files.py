"""The database and the vectors of releases that were removed: the next release changes them in place.

So a release costs what changed since, and not a copy of files of any size
(docs/decisions/0039-a-release-by-difference.md).
"""

import os
import shutil
import stat
from collections.abc import Collection
from pathlib import Path
from uuid import uuid4

from lookup.release.checked_files import VECTOR_FILES
from lookup.release.current import DATABASE, MANIFEST, SHARDS
from lookup.release.schema import PAPERS
from pipeline.files.atomic import TEMPORARY, remove, rename
from pipeline.processes.operating_system import is_open

SPARE = ".spare"
"""The folder in a corpus with these files, the rows of papers that they hold, and their manifest; in shards,
those of each shard."""

PAPERS_ROWS = f"{PAPERS.name}.parquet"

_KEPT = (DATABASE, *VECTOR_FILES, MANIFEST, PAPERS_ROWS)


def keep_reusable_files(corpus: Path, folder: Path) -> None:
    """Turn the `folder` of a removed release into the spare one.

    A shard that later releases share stays what it was in the spare one before.
    """
    for part in (*folder.glob(f"{SHARDS}/*"), folder):
        before = corpus / SPARE / part.relative_to(folder)
        database = part / DATABASE
        if database.exists() and database.stat().st_nlink > 1 and (before / DATABASE).exists():
            rename(part, old := corpus / f"{TEMPORARY}{uuid4().hex}", corpus)
            rename(before, part, corpus)
            remove(old, corpus)
            continue
        for path in part.iterdir():
            if path.name not in (*_KEPT, SHARDS):
                remove(path, corpus)
    remove_reusable_files(corpus)
    rename(folder, corpus / SPARE, corpus)


def remove_reusable_files(corpus: Path) -> None:
    """Remove the spare files, if there are any."""
    if os.path.lexists(corpus / SPARE):
        unfinished = corpus / f"{TEMPORARY}{SPARE}"
        remove(unfinished, corpus)  # of a build that was killed here
        rename(corpus / SPARE, unfinished, corpus)  # never half of it under its name
        remove(unfinished, corpus)


def take_reusable_files(spare: Path, folder: Path, names: Collection[str]) -> bool:
    """Move the files with these names from `spare` to `folder`, and return whether they are nobody else's.

    If not, they are deleted. Readers keep the file that they have open, and a shard that did not change is
    also in later releases.
    """
    corpus = next(one.parent for one in (spare, *spare.parents) if one.name == SPARE)
    for name in names:
        rename(spare / name, folder / name, corpus)  # under this name nobody finds it to open it now
    if any(_is_shared(folder / name) for name in names):
        for name in names:
            remove(folder / name, corpus)
        return False
    return True


def _is_shared(file: Path) -> bool:
    found = file.lstat()
    return not stat.S_ISREG(found.st_mode) or found.st_nlink > 1 or is_open(file)


def copy_file(source: Path, target: Path) -> None:
    """Copy a file; file systems that can (XFS, Btrfs) share its blocks instead."""
    if not hasattr(os, "copy_file_range"):
        shutil.copyfile(source, target)
        return
    with source.open("rb") as old, target.open("xb") as new:
        left = os.fstat(old.fileno()).st_size
        while left > 0 and (copied := os.copy_file_range(old.fileno(), new.fileno(), left)):
            left -= copied
