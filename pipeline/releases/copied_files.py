"""The files of a release that the next one copies and changes, where papers changed."""

import os
import shutil
from pathlib import Path

from lookup.release.schema import PAPERS

PAPERS_ROWS = f"{PAPERS.name}.parquet"


def copy_file(source: Path, target: Path) -> None:
    """Copy a file; file systems that can (XFS, Btrfs) share its blocks instead."""
    if not hasattr(os, "copy_file_range"):
        shutil.copyfile(source, target)
        return
    with source.open("rb") as old, target.open("xb") as new:
        left = os.fstat(old.fileno()).st_size
        while left > 0 and (copied := os.copy_file_range(old.fileno(), new.fileno(), left)):
            left -= copied
