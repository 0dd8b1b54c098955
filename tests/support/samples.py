"""The sample papers as the module that typesets them knows them: what they say, and how to make their
PDFs.
"""

import importlib.util
import sys
from types import ModuleType
from typing import Any

from tests.support.project import ROOT


def typesetter() -> ModuleType:
    """data/samples/typeset.py as a module."""
    if "typeset" not in sys.modules:
        path = ROOT / "data/samples/typeset.py"
        spec = importlib.util.spec_from_file_location("typeset", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules["typeset"] = module  # its dataclasses look their module up
        spec.loader.exec_module(module)
    return sys.modules["typeset"]


def sample_papers() -> tuple[Any, ...]:
    """The papers' truth: `Paper`s of typeset.py."""
    papers: tuple[Any, ...] = typesetter().papers()
    return papers
