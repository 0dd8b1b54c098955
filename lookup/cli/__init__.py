"""The command line: a thin translation of `lookup`, and of `pipeline` where that is installed."""

import sys

_INTERRUPTED = 130
"""The exit status that shells have for a process that SIGINT ends."""


def main() -> None:
    """Run the command line.

    Exit status: 0 found or done, 1 nothing found, 2 an error, 3 `build --strict` if sources failed,
    130 interrupted (also while modules load), 141 the reader of the output has gone.
    """
    try:
        from lookup.cli.commands import run  # within the `try`: to load it takes a while

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
