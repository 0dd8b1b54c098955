"""Where the project is, and its command."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGEQUOTE = Path(sys.executable).with_name("pagequote")
"""The command as users call it, of the environment that runs the tests."""
BUILD = [
    sys.executable,
    "-c",
    "from pagequote.cli import main; main()",
    "build",
    "pdfs",
    "--corpus",
    "corpus",
]
"""A build of a folder, in a process that takes what `PYTHONPATH` names."""
