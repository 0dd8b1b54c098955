"""The options of the commands that serve: where they listen, and who may come in."""

import logging
from collections.abc import Callable
from dataclasses import fields
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any

import click

from lookup.text.printable import in_a_log, on_one_line
from pagequote.cli.options import FILE, Command, option, with_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lookup.results.papers import Original
    from pipeline.files.drawn_page import Rectangle
    from pipeline.pictures.page_drawers import PageDrawers


def server_options(port: int, only_with: str = "") -> Callable[[Command], Command]:
    """Add the options of `ServerSettings`, which the command gets as `settings`.

    `only_with` begins the help of each.
    """

    def asked(name: str, about: str, *given: Any, **more: Any) -> Callable[[Command], Command]:
        return option(name, only_with + about, *given, **more)

    options = (
        asked("--host", "The address to listen on.", default="127.0.0.1"),
        asked("--port", "The port to listen on; 0 takes a free one.", click.IntRange(0, 65535), port),
        asked(
            "--allowed-host allowed_hosts",
            "Another name of the server; repeatable.",
            multiple=True,
            metavar="NAME",
        ),
        asked("--token-file", "A file with the token that clients show; other machines need one.", FILE),
        asked(
            "--trusted-proxy trusted_proxies",
            "A proxy that names its clients; repeatable.",
            multiple=True,
            metavar="IP",
        ),
        asked("--rate", "Requests a minute of a client elsewhere; 0: no limit.", click.IntRange(0), 600),
        asked("--audit-log", "Add a line for each request to this file, without words.", FILE),
    )

    def with_settings(command: Command) -> Command:
        @wraps(command)
        def with_server(**given: Any) -> Any:
            from pagequote.serving.server_settings import ServerSettings

            return command(
                settings=ServerSettings(**{one.name: given.pop(one.name) for one in fields(ServerSettings)}),
                **given,
            )

        return with_options(with_server, options)

    return with_settings


class Drawing:
    """Draws pages, in a process of its own that the first of them starts: nothing of it loads before."""

    @cached_property
    def _drawers(self) -> "PageDrawers":
        from pipeline.pictures.page_drawers import PageDrawers

        return PageDrawers(processes=1)

    def __call__(self, original: "Original", page: int, boxes: "Sequence[Rectangle]" = ()) -> bytes:
        """Return the page as PNG, with boxes marked. Raise NotDrawnError."""
        return self._drawers(original, page, boxes)

    def close(self) -> None:
        """Kill the process."""
        if "_drawers" in vars(self):
            self._drawers.close()


class _Formatter(logging.Formatter):
    """A line for each message, without what could act on a terminal or on what reads the log."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # the name is logging's
        return on_one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return in_a_log(super().format(record))


def log_warnings() -> None:
    """Write warnings and errors to standard error from now on."""
    handler = logging.StreamHandler()
    handler.setFormatter(_Formatter("%(name)s: %(message)s"))
    logging.basicConfig(level=logging.WARNING, handlers=[handler])
