"""Prints the tests of what changed: `make check` runs them, and `make test` all.

Changed is what differs from the commit that the branch was pushed to (or, where it never was, from the last
commit), and files that git does not know yet. The table of capabilities says which tests belong to which
folder. Where something changed that all tests share, where nothing changed, or outside of a git checkout,
nothing is printed, so that pytest runs everything.
"""

import subprocess
import sys
from collections.abc import Iterable
from pathlib import PurePosixPath

from capabilities import ROOT, row_of

SHARED = ("tests/support", "tests/conftest.py", "pyproject.toml", "tools", "Makefile")
"""What all tests share: where it changes, all are run."""

ALWAYS = ("tests/project/test_package_order.py", "tests/project/test_capabilities.py")
"""Tests of the source itself, which take a moment."""


def tests_of(changed: Iterable[str]) -> list[str]:
    """Return the files and folders of the tests of what changed, as pytest takes them; none for all tests."""
    found: set[str] = set()
    for name in changed:
        if any(PurePosixPath(name).is_relative_to(shared) for shared in SHARED):
            return []
        if name.startswith("tests/") and PurePosixPath(name).name.startswith("test_"):
            found.add(name)
        elif (row := row_of(name)) is not None:
            found.update(row.tests.split())
    existing = {name for name in found if (ROOT / name).exists()}
    return sorted({*existing, *ALWAYS}) if existing else []


def changed_files() -> list[str]:
    """Return the changed files, by their paths from the top folder; none outside of a git checkout."""
    pushed = _git("merge-base", "HEAD", "@{upstream}") or ["HEAD"]
    return [*_git("diff", "--name-only", *pushed), *_git("ls-files", "--others", "--exclude-standard")]


def _git(*command: str) -> list[str]:
    run = subprocess.run(  # noqa: S603
        ["git", *command],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    return run.stdout.splitlines() if run.returncode == 0 else []


if __name__ == "__main__":
    sys.stdout.write(" ".join(tests_of(changed_files())))
