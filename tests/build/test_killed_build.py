"""A build that is killed, at whatever moment, costs nothing: the old release is there, and the next build is
right.
"""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lookup
from tests.build.test_workers import NEEDS_PROC, reads_pdfs
from tests.support.pdfs import pdf
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.system

# Runs the build, and kills it with SIGKILL at its n-th step that changes a file or folder; n = 0 counts the
# steps.
BUILD = """
import os, signal, sys
steps, last = 0, int(sys.argv.pop(1))
CHANGES = {"os.rename", "os.mkdir", "os.link", "os.symlink", "os.remove", "os.rmdir", "shutil.rmtree"}
def hook(event, args):
    global steps
    writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
    writes = writes and "/work" + "/" in str(args[0])
    if event in CHANGES or writes:
        steps += 1
        if steps == last:
            os.kill(os.getpid(), signal.SIGKILL)
from lookup.cli import main
import pipeline.build.stages, pipeline.build.summary, pipeline.cli.build
sys.addaudithook(hook)
try:
    main()
finally:
    print(steps)
"""


def build(root, step=0):
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, str(step), "build", "pdfs", "--corpus", "corpus", "--workers", "1"],
        cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def state(root):
    """All text of the current release."""
    with lookup.open(root / "corpus") as corpus:
        assert corpus.quote("first", "the very first paper").matches
        return corpus.sql(
            "SELECT key, paragraph, kind, text_raw, text, text_norm FROM paragraphs ORDER BY ALL"
        ).fetchall()


@pytest.fixture(scope="module")
def prepared(tmp_path_factory):
    """A folder with a release of one paper, a second PDF to add, and the text before and after."""
    root = tmp_path_factory.mktemp("killed")
    (root / "pdfs").mkdir()
    (root / "pdfs" / "first.pdf").write_bytes(pdf("This is the very first paper.", "It has two pages."))
    process = build(root)
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    before = state(root)
    (root / "pdfs" / "second.pdf").write_bytes(pdf("This is the second paper, which came later."))
    done = root.parent / "undisturbed"
    shutil.copytree(root, done, symlinks=True)
    process = build(done)
    printed, _ = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    after = state(done)
    assert len(after) > len(before)
    return root, int(printed.split()[-1]), before, after


def kill_and_check(prepared, folder, step=0, when=None):
    root, _, before, after = prepared
    shutil.copytree(root, folder, symlinks=True)
    process = build(folder, step)
    if when is not None:
        wait_until(lambda: process.poll() is not None or when(folder, process))
        process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (-signal.SIGKILL, 0)
    assert state(folder) in (before, after)
    again = build(folder)
    _, said = again.communicate(timeout=PATIENCE)
    assert again.returncode == 0, said
    assert state(folder) == after
    left = [*(folder / "corpus").rglob(".tmp-*"), *(folder / "work").rglob(".tmp-*")]
    assert left == []


def test_a_kill_at_each_kind_of_step_loses_nothing(prepared, tmp_path):
    steps = prepared[1]
    assert steps > 15
    for step in sorted({1, 2, steps - 1, steps, *range(3, steps, max(1, steps // 6))}):
        kill_and_check(prepared, tmp_path / f"step{step}", step=step)


@NEEDS_PROC
@pytest.mark.parametrize(
    "when",
    [
        lambda folder, process: True,
        lambda folder, process: children(process),
        lambda folder, process: len([*(folder / "work").rglob("*.arrow")]) > 1,
    ],
    ids=["it begins", "it has workers", "it has read the PDF"],
)
def test_a_kill_at_any_time_loses_nothing(prepared, tmp_path, when):
    kill_and_check(prepared, tmp_path / "killed", when=when)


def children(process):
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


@NEEDS_PROC
def test_the_workers_of_a_killed_build_end_with_it(prepared, tmp_path):
    shutil.copytree(prepared[0], tmp_path / "killed", symlinks=True)
    process = build(tmp_path / "killed")
    workers = wait_until(lambda: [pid for pid in children(process) if reads_pdfs(pid)], process=process)
    process.kill()
    process.communicate()
    wait_until(lambda: not alive(workers))


def alive(processes):
    return [process for process in processes if Path(f"/proc/{process}").exists()]
