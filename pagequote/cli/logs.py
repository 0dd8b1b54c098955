"""The log of a server, on standard error."""

import logging

from lookup.text.printable import on_one_line, printable


class _Formatter(logging.Formatter):
    """A line for each message, without what could act on a terminal or on what reads the log."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name is logging's
        return on_one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return printable(super().format(record))


def log_warnings() -> None:
    """Write warnings and errors to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
