"""Keeps out of the command's processes what PyMuPDF loads unasked: of the time of a start, half.

For processes of our own alone: who calls PageQuote from a program may use it himself.
"""

import sys


def skip_pymupdf_layout() -> None:
    """Have PyMuPDF, not loaded yet, find neither its own model (0.6 s) nor what uses it (0.1 s)."""
    for unasked in ("pymupdf.layout", "pymupdf4llm"):
        sys.modules.setdefault(unasked, None)  # type: ignore[arg-type]
