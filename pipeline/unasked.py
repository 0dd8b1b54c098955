"""Keeps out of the command's processes what other packages load unasked: of the time of a start, half.

For processes of our own alone: who calls PageQuote from a program may use them himself.
"""

import sys


class _NoPandas:
    """What Python asks first where a module is, and learns that there is no pandas."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name, name=name)


def leave_out_pandas() -> None:
    """Have pyarrow find no pandas: it would load it, where it is installed, to make any array (0.35 s)."""
    import pyarrow as pa  # noqa: PLC0415  # the command `build --help` needs none

    sys.meta_path.insert(0, _NoPandas)
    try:
        pa.array([])  # it looks once
    finally:
        sys.meta_path.remove(_NoPandas)


def leave_out_layout() -> None:
    """Have PyMuPDF, not loaded yet, find neither its own model (0.6 s) nor what uses it (0.1 s)."""
    for unasked in ("pymupdf.layout", "pymupdf4llm"):
        sys.modules.setdefault(unasked, None)  # type: ignore[arg-type]
