"""Nothing tells anyone anything: no other machine is called, no name is asked, and no file is written elsewhere."""

import json
import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed"),
]

_TRACED = ("strace", "-f", "-qq", "-s", "300", "-e", "trace=connect,sendto,sendmmsg,openat,mkdir,mkdirat")
_CALLED = re.compile(r"connect\(\d+, \{sa_family=AF_INET6?,.*|send(?:to|mmsg)\(.*htons\(53\).*")
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


def traced(folder: Path, command: str, given: str = "", ready: str = "") -> str:
    """What a command asked of the system, in a home of its own; once it says `ready`, it is ended."""
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
        [*_TRACED, "-o", log, PAGEQUOTE, *command.split()],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment, cwd=folder,
        start_new_session=True,
    )  # fmt: skip
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
        ("build {samples} --corpus {folder}/corpus --work {folder}/work --quiet", "", ""),
        ("quote okafor2021 nobody_wrote_this --corpus {corpus}", "", ""),
        ("search people --corpus {corpus}", "", ""),
        ("serve --port 0 --corpus {corpus}", "", "The reading room is at"),
        ("mcp --corpus {corpus}", _SEARCH, ""),
    ],
    ids=lambda value: value.partition(" ")[0] if "--corpus" in value else "",
)
def test_a_command_calls_nobody_and_writes_nowhere_else(tmp_path, samples, meaningful, command, given, ready):
    corpus = meaningful.release.folder.parents[1]
    called = command.format(samples=samples, corpus=corpus, folder=tmp_path)
    asked = traced(tmp_path, called, given, ready)
    assert [line for line in _CALLED.findall(asked) if not _HERE.search(line)] == []
    allowed = (str(tmp_path), str(ROOT), *_OF_THE_SYSTEM)
    made = {found["path"] for found in map(_MADE.search, asked.splitlines()) if found}
    assert [path for path in made if not path.startswith(allowed)] == []
