"""The options of the commands that serve: where they listen, and who may come in."""

import logging
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import click

from lookup.text.printable import on_one_line, printable
from pagequote.cli.options import Command

_FILE = click.Path(path_type=Path, dir_okay=False)


def door_options(port: int, only_with: str = "") -> Callable[[Command], Command]:
    """Add the options of a `Door`, which the command gets as `door`. `only_with` begins the help of each."""

    def option(name: str, text: str, **given: Any) -> Callable[[Command], Command]:
        return click.option(name, help=only_with + text, **given)

    options = (
        option("--host", "The address to listen on.", default="127.0.0.1", show_default=True),
        option(
            "--port", "The port to listen on; 0 takes a free one.",
            type=click.IntRange(0, 65535), default=port, show_default=True,
        ),
        option(
            "--allowed-host", "Another name by which clients call the server; may be given several times.",
            multiple=True, metavar="NAME",
        ),
        option(
            "--token-file", "A file with the token that clients show; other machines need one.",
            type=_FILE,
        ),
        option("--tls-cert", "Serve by TLS, with the chain of certificates in this PEM file.", type=_FILE),
        option("--tls-key", "The key of the certificate, if it is in another PEM file.", type=_FILE),
        option(
            "--trusted-proxy", "The address of a proxy that names its clients; may be given several times.",
            multiple=True, metavar="ADDRESS",
        ),
        option(
            "--rate", "Requests a minute of one client on another machine; 0 for no limit.",
            type=click.IntRange(0), default=600, show_default=True,
        ),
        option("--audit-log", "Add a line for each request to this file, without words.", type=_FILE),
    )  # fmt: skip

    def with_door(command: Command) -> Command:
        @wraps(command)
        def behind_door(
            *, allowed_host: tuple[str, ...], trusted_proxy: tuple[str, ...], **given: Any
        ) -> Any:
            from pagequote.serving.door import Door

            named = ("host", "port", "token_file", "tls_cert", "tls_key", "rate", "audit_log")
            door = Door(
                allowed_hosts=allowed_host,
                trusted_proxies=trusted_proxy,
                **{name: given.pop(name) for name in named},
            )
            return command(door=door, **given)

        optioned: Command = behind_door
        for one in reversed(options):
            optioned = one(optioned)
        return optioned

    return with_door


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
