"""Nothing tells anyone anything: no other machine is called, no name is asked, and no file is written
elsewhere.
"""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from pagequote.cli.commands import _COMMANDS
from tests.support.needs import needs
from tests.support.processes import with_word
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [
    pytest.mark.system,
    pytest.mark.long,
    needs("strace"),
]

_TRACED = (
    "strace",
    "-f",
    "--seccomp-bpf",  # stops a program for these calls alone
    "-qq",
    "-s",
    "300",
    "-e",
    "trace=connect,sendto,sendmsg,sendmmsg,openat,mkdir,mkdirat",
)
_CALLED = re.compile(r"connect\(\d+, \{sa_family=AF_INET6?,.*|send(?:to|mmsg)\(.*htons\(53\).*")
_QUESTION = re.compile(r"send(?:to|mmsg|msg)\(.*\\1(?:\\0| )\\0\\1\\0\\0\\0\\0\\0.*")
"""A question of the DNS: flags, one question, no answers."""

_HERE = re.compile(r'inet_addr\("127\.\d+\.\d+\.\d+"\)|"::1"')
_MADE = re.compile(
    r'(?:openat\(AT_FDCWD, |mkdir\(|mkdirat\(AT_FDCWD, )"(?P<path>/[^"]+)", (?!O_RDONLY).*= \d+$'
)
_OF_THE_SYSTEM = ("/dev/", "/proc/")

_CLIENT = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}
_SEARCH = "".join(
    json.dumps({"jsonrpc": "2.0"} | message) + "\n"
    for message in (
        {"id": 1, "method": "initialize", "params": _CLIENT},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "search", "arguments": {"query": "sleep"}}},
    )
)
"""A topic, for which the model is loaded."""


_NOT_HERE = {"serve", "mcp", "lsp", "filter", "model"}
"""Those that talk over standard input, which have tests of their own, what starts a program of the user, and
what fetches a model.
"""

_ALL = """\
build {samples} --corpus {folder}/own --work {folder}/work --quiet
extract {samples} --work {folder}/work --quiet
embed {samples} --corpus {folder}/own --work {folder}/work --quiet
publish {samples} --corpus {folder}/own --work {folder}/work --quiet
publish --shards 2 --corpus {folder}/own --work {folder}/work
add {samples}/okafor2021.pdf --corpus {folder}/own --work {folder}/work --quiet
status --corpus {folder}/own --work {folder}/work
releases --corpus {folder}/own
releases diff 1 --corpus {folder}/own
releases use --corpus {folder}/own
releases gc --corpus {folder}/own --work {folder}/work
show okafor2021 --paragraphs --page 1 --out {folder}/a.png --corpus {folder}/own
show okafor2021 nobody_wrote_this --out {folder}/b.png --corpus {folder}/own
quote okafor2021 nobody_wrote_this --corpus {corpus}
verify okafor2021 nobody_wrote_this --corpus {corpus}
verify {samples}/okafor2021.pdf nobody_wrote_this
search --exact people --corpus {corpus}
search --keywords people --corpus {corpus}
read okafor2021 --at 100 --corpus {corpus}
check {folder}/draft.md --corpus {corpus}
highlight {folder}/draft.md --out {folder}/marked --corpus {corpus}
highlight --read {samples}/okafor2021.pdf
ground lindqvist2019 day --corpus {corpus}
pin {folder}/draft.md --corpus {corpus}
compare okafor2021 lindqvist2019 --corpus {corpus}
search people --corpus {corpus}
search --like okafor2021:1 --corpus {corpus}
search --meaning people --corpus {corpus}
papers --corpus {corpus}
read okafor2021 --outline --corpus {corpus}
read okafor2021 --page 1 --corpus {corpus}
read okafor2021 --corpus {corpus}
sql SELECT+1 --corpus {corpus}
--completion bash
"""
"""All other commands."""

_EACH = """\
import sys
from pagequote.cli import main
for line in sys.argv[1].splitlines():
    sys.argv = ["pagequote", *line.split()]
    try:
        main()
    except SystemExit as end:
        if end.code not in (None, 0, 1):
            sys.exit(f"{line}: {end.code}")
"""
"""Runs each line as a command; 1 is what nobody prints."""


def traced(folder: Path, command: Sequence[str | Path], given: str = "", ready: str = "") -> str:
    """What a program asked of the system, in a home of its own; once it says `ready`, it is ended."""
    home, temporary, log = folder / "home", folder / "temporary", folder / "trace"
    home.mkdir()
    temporary.mkdir()
    environment = os.environ | {
        "HOME": str(home),
        "TMPDIR": str(temporary),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    environment = {name: value for name, value in environment.items() if not name.startswith("ORT_")}
    process = subprocess.Popen(
        [*_TRACED, "-o", log, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=environment,
        cwd=folder,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    if ready:
        assert ready in process.stdout.readline()
        os.killpg(process.pid, signal.SIGTERM)
    printed, _ = process.communicate(given, timeout=10 * PATIENCE)
    assert process.returncode in (0, 1, -signal.SIGTERM), printed  # 1: nobody prints these words
    assert "Traceback" not in printed
    assert [*home.rglob("*"), *temporary.rglob("*")] == []
    return log.read_text(errors="replace")


@pytest.mark.parametrize(
    ("command", "given", "ready"),
    [
        ("serve --port 0 --corpus {corpus}", "", "The reading room is at"),
        ("mcp --corpus {corpus}", _SEARCH, ""),
    ],
    ids=lambda value: value.partition(" ")[0] if "--corpus" in value else "",
)
def test_a_server_calls_nobody_and_writes_nowhere_else(
    tmp_path, samples, meaningful, default_model, monkeypatch, command, given, ready
):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(default_model.folder.parent))
    corpus = meaningful.release.folder.parents[1]
    called = command.format(samples=samples, corpus=corpus, folder=tmp_path)
    asked = traced(tmp_path, [PAGEQUOTE, *called.split()], given, ready)
    assert_quiet(asked, (tmp_path, ROOT))


def test_no_command_calls_anybody_or_writes_elsewhere(
    tmp_path, samples, meaningful, default_model, monkeypatch
):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(default_model.folder.parent))
    assert {line.split()[0] for line in _ALL.splitlines()} | _NOT_HERE == {*_COMMANDS, "--completion"}
    (tmp_path / "draft.md").write_text("“nobody wrote this” [@okafor2021, p. 2]")
    lines = _ALL.format(samples=samples, corpus=meaningful.release.folder.parents[1], folder=tmp_path)
    asked = traced(tmp_path, [sys.executable, "-c", _EACH, lines])
    assert_quiet(asked, (tmp_path, ROOT))


@needs("ray")
def test_ray_reports_to_nobody_and_leaves_nothing_behind(samples):
    # It asks by which address this machine would reach another, and sends nothing there. Its head process
    # asks whether this is a machine in a cloud, even where reports are switched off.
    with TemporaryDirectory(prefix="ray") as short:  # the paths of Ray's sockets are long
        called = f"build {samples}/okafor2021.pdf --corpus corpus --work work --engine ray --workers 1"
        asked = traced(Path(short), [PAGEQUOTE, *called.split()])
        wait_until(lambda: not with_word(short))
        assert (Path(short) / "corpus/current").exists()
    assert "connect(" in asked
    assert [line for line in _QUESTION.findall(asked) if r"\10metadata\6google\10internal" not in line] == []


def assert_quiet(asked: str, folders: Sequence[Path]) -> None:
    """Assert that only this machine was called, and nothing was written outside of `folders`."""
    assert [line for line in _CALLED.findall(asked) if not _HERE.search(line)] == []
    allowed = (*map(str, folders), *_OF_THE_SYSTEM)
    made = {found["path"] for found in map(_MADE.search, asked.splitlines()) if found}
    assert [path for path in made if not path.startswith(allowed)] == []
