"""Cases of tests that are data: they stand in TOML files beside the tests, a line each."""

import tomllib
from typing import Any

from tests.support.project import ROOT


def cases(name: str) -> dict[str, Any]:
    """Return the cases of a file below `tests`, by the names that it gives them."""
    return tomllib.loads((ROOT / "tests" / name).read_text(encoding="utf-8"))
