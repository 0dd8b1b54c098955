"""The command line: a thin translation of `lookup`, and of `pipeline` where that is installed."""

import gc
import sys

_ERROR = 2
_ALLOCATED = 20_000  # Objects until cycles are looked for: with 700 that takes 3 % of a quote.
_INTERRUPTED = 130  # The exit status that shells have for a process that SIGINT ends.


def main() -> None:
    """Run the command line.

    Exit status: 0 found or done, 1 nothing found, 2 an error, 3 `build --strict` if sources failed,
    130 interrupted (also while modules load), 141 the reader of the output has gone. What nobody thought of
    is an error, too: Python's own status for it would be 1.
    """
    gc.set_threshold(_ALLOCATED)
    try:
        from pipeline.processes.operating_system import survive_libraries

        survive_libraries()
        from pagequote.cli.commands import run  # within the `try`: to load it takes a while

        sys.exit(run())
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)
    except MemoryError:  # while modules load
        sys.stderr.write("pagequote: There is not enough memory. Raise the limit.\n")
        sys.exit(_ERROR)
    except Exception:  # noqa: BLE001  # whatever it is
        from traceback import format_exc

        from pagequote.cli.printing import echo

        echo(format_exc(), err=True, nl=False)
        sys.exit(_ERROR)
