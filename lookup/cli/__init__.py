"""The command line: a thin translation of `lookup`, and of `pipeline` where that is installed."""

from lookup.cli.main import main

__all__ = ["main"]
