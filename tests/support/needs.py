"""What a test may need beyond what README names: one table, each need with a probe that does the thing once.

A test says `@needs("Chromium")`. Where the probe fails, it is skipped with the name of the need and with what
the probe said: a program that is there and does not work is as good as none. A probe runs when the first test
of a process asks for it, and never while tests are collected. `pytest -m needs` runs these tests alone.
"""

import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache, partial
from pathlib import Path

import pytest

from tests.support.project import ROOT
from tests.support.waiting import PATIENCE

SHARED = ROOT.parent / "shared"
"""Corpora that are beside some checkouts."""


def needs(*names: str) -> pytest.MarkDecorator:
    """Return the mark of tests that these needs of `NEEDS` must be met for."""
    assert set(names) <= NEEDS.keys(), f"no row of NEEDS: {set(names) - NEEDS.keys()}"
    return pytest.mark.needs(*names)


def require(name: str) -> None:
    """Skip the test, or all that use the fixture, that calls this where a need is not met."""
    if why := lacking(name):
        pytest.skip(f"needs {name}: {why}")


@cache
def lacking(name: str) -> str:
    """Return why a need is not met on this machine; empty where it is."""
    try:
        NEEDS[name]()
    except (OSError, subprocess.SubprocessError, AssertionError) as error:
        return str(error).partition("\n")[0] or type(error).__name__
    return ""


def _run(*call: str | Path, given: str = "") -> str:
    """Return what a program prints; an error where it does not end well."""
    return subprocess.run(
        call, input=given, capture_output=True, check=True, text=True, timeout=PATIENCE
    ).stdout


def _package(name: str) -> None:
    assert importlib.util.find_spec(name), "the package is not installed"


def _shared(name: str) -> None:
    assert (SHARED / name).exists(), f"../shared/{name} is not beside this checkout"


def _chromium() -> None:
    from tests.support.programs import chromium_print

    assert chromium_print("<!doctype html><p>word</p>").startswith(b"%PDF")


def _xelatex() -> None:
    from tests.support.programs import latex_print

    set_in = r"\documentclass{article}\usepackage{fontspec}\begin{document}word\end{document}"
    assert latex_print(set_in).startswith(b"%PDF")


def _tesseract() -> None:
    import pymupdf

    document = pymupdf.open()
    document.new_page(width=200, height=60).insert_text((20, 40), "harbour", fontsize=24)
    with tempfile.TemporaryDirectory() as folder:
        document[0].get_pixmap(dpi=150).save(f"{folder}/page.png")
        assert "harbour" in _run("tesseract", f"{folder}/page.png", "-"), "it does not read a word"


def _headless_editor() -> None:
    folder = Path(sys.prefix) / "editor/node_modules/code-server"
    installed = (folder / ".installed").exists() and (ROOT / "tools/vscode/pagequote.vsix").exists()
    assert installed, "it is not installed: make editor"


def _permissions() -> None:
    assert os.geteuid() != 0, "root may read everything"


def _bill() -> None:
    assert (sys.platform, sys.version_info[:2]) == ("linux", (3, 11)), "lists what Python 3.11 installs"


NEEDS: Mapping[str, Callable[[], object]] = {
    "Chromium": _chromium,
    "XeLaTeX": _xelatex,
    "npm": partial(_run, "npm", "--version"),
    "strace": partial(_run, "strace", "-f", "-qq", "-e", "trace=connect", "true"),
    "Tesseract": _tesseract,
    "a headless editor": _headless_editor,
    "a user who may not read everything": _permissions,
    "Python 3.11 on Linux": _bill,
    "dvc": partial(_package, "dvc"),
    "pandas": partial(_package, "pandas"),
    "ray": partial(_package, "ray"),
    "schemathesis": partial(_package, "schemathesis"),
    "the shared papers": partial(_shared, "corpus/papers"),
    "the shared spans": partial(_shared, "corpus/spans/rows.jsonl"),
}
"""Each with what shows, by an error or by none, that it is there."""

OF_CI = frozenset({"dvc", "pandas", "ray", "schemathesis"})
"""Packages that `make test-ci` alone installs: tests that need one are `long`."""
