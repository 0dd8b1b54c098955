"""The sample papers as the module that typesets them knows them: what they say, and how to make their
PDFs.
"""

import importlib
import sys
from types import ModuleType
from typing import Any

from tests.support.project import ROOT


def typesetter() -> ModuleType:
    """data/samples/typeset.py as a module."""
    folder = str(ROOT / "data/samples")
    if folder not in sys.path:
        sys.path.append(folder)
    return importlib.import_module("typeset")


def sample_papers() -> tuple[Any, ...]:
    """The papers' truth: `Paper`s of typeset.py."""
    papers: tuple[Any, ...] = typesetter().papers()
    return papers
