"""The `pagequote` command as a fork of a process that has imported what commands import: it begins at once.

Each call is a process with the arguments, folder, environment and streams of its caller, and its exit status.
PDFs that a command of `COMMANDS` reads are read in it, not in workers of its own.
"""

import importlib
import json
import os
import shlex
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from unittest.mock import patch

from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE

COMMANDS = (
    "lookup.corpus",
    "lookup.index.printed_words",
    "lookup.quote.proximity",
    "lookup.quote.aligned_window",
    "lookup.quote.verify",
    "lookup.quote.which_papers",
    "pagequote.quoted_form",
    "pagequote.check.configuration",
    "pagequote.check.documents",
    "pagequote.check.judge",
    "pagequote.check.latex",
    "pagequote.check.markdown",
    "pagequote.cli.add",
    "pagequote.cli.build",
    "pagequote.cli.check",
    "pagequote.cli.commands",
    "pagequote.cli.read",
    "pagequote.cli.show",
    "pagequote.cli.quote",
    "pagequote.cli.releases",
    "pagequote.cli.search",
    "pagequote.cli.sql",
    "pagequote.one_pdf",
    "pipeline.builds.add_paper",
    "pipeline.builds.one_pdf",
    "pipeline.builds.stages",
    "pipeline.builds.summary",
    "pipeline.extract",
    "pipeline.publish.publish",
    "tests.support.builds",
)
"""What all commands import that answer and end, `build` among them."""

BEFORE = "PAGEQUOTE_TESTS_BEFORE"
"""The variable of a caller's environment with Python code that runs before its command."""

_CALLER = """#!/bin/sh
'''exec' "{python}" -IS "$0" "$@"
' '''
import json, os, socket, sys
if sys.argv[1:2] == ["serve"]:  # is ended by a signal
    os.execv({command!r}, [{command!r}, *sys.argv[1:]])
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"-"], [0, 1, 2])
server.sendall(json.dumps([sys.argv, os.getcwd(), dict(os.environ)]).encode())
server.shutdown(socket.SHUT_WR)
status = int(server.recv(9))
os.kill(os.getpid(), -status) if status < 0 else sys.exit(status)
"""


@contextmanager
def forked_command(folder: Path, imported: Sequence[str] = COMMANDS) -> Iterator[Path]:
    """Yield `folder` with a program `pagequote` that works as long as the context lasts, with these modules
    imported.
    """
    address, program = folder / "server", folder / "pagequote"
    program.write_text(
        _CALLER.format(python=sys.executable, command=str(PAGEQUOTE), address=str(address)), encoding="utf-8"
    )
    program.chmod(0o755)
    command = [sys.executable, "-m", "tests.support.forked", str(address), *imported]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stdin=subprocess.PIPE) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == b"ready\n", shlex.join(command)
        try:
            yield folder
        finally:
            server.kill()
            server.wait(PATIENCE)


def _serve(address: str, *imported: str) -> None:
    skip_pymupdf_layout()
    for name in imported:
        importlib.import_module(name)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(address)
        server.listen()
        print("ready", flush=True)
        while True:
            call, _ = server.accept()
            if not os.fork():
                _answer(call)
            call.close()
            with suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass


def _answer(call: socket.socket) -> None:
    """Run a command, and say how it ended."""
    _, streams, _, _ = socket.recv_fds(call, 1, 3)
    with call.makefile("rb") as asked:
        arguments, folder, environment = json.load(asked)
    command = os.fork()
    if not command:
        call.close()
        for number, stream in enumerate(streams):
            os.dup2(stream, number)
            os.close(stream)
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        os._exit(_run())
    status = os.waitstatus_to_exitcode(os.waitpid(command, 0)[1])
    call.sendall(str(status).encode())
    os._exit(0)


def _run() -> int:
    from pagequote.cli import main

    with ExitStack() as patched:
        if "pipeline.builds.add_paper" in sys.modules:
            from tests.support.builds import InProcess

            patched.enter_context(patch("pipeline.builds.add_paper._ENGINE", InProcess()))
            patched.enter_context(patch("pipeline.engines.local.Local", lambda _: InProcess()))
        try:
            exec(os.environ.pop(BEFORE, ""), {})
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    return 0


if __name__ == "__main__":
    _serve(*sys.argv[1:])
