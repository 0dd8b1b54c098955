"""A build that is killed, at whatever moment, costs nothing: the old release is there, and the next build is
right.
"""

import os
import shutil
import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import pytest

import lookup
from pipeline.processes.killable_process import MODULE
from tests.support.command import pagequote
from tests.support.pdfs import pdf
from tests.support.processes import children_with, gone
from tests.support.profiles import tried
from tests.support.project import BUILD, ROOT
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.system, pytest.mark.long]

# Runs a build in each of the folders, and kills it with SIGKILL at its n-th step that changes a file or
# folder; n = 0 counts the steps. Each is a fork of a process that has imported all that builds take: it
# begins at once, and reads the PDFs itself.
BUILDS = """
import os, signal, sys
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
skip_pymupdf_layout()
from tests.support.command import pagequote
import lookup.corpus, pipeline.builds.stages, pipeline.builds.summary, pipeline.extract
from pagequote.cli import build as _

CHANGES = {"os.rename", "os.mkdir", "os.link", "os.symlink", "os.remove", "os.rmdir", "shutil.rmtree"}

def build(folder, last):
    steps = 0
    def hook(event, args):
        nonlocal steps
        writes = event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR)
        if event in CHANGES or writes and ("/work" + "/" in str(args[0]) or str(args[0]).startswith(".tmp-")):
            steps += 1
            if steps == last:
                os.kill(os.getpid(), signal.SIGKILL)
    sys.addaudithook(hook)
    status = pagequote("build", "pdfs", "--corpus", "corpus", cwd=folder).returncode
    print(steps)
    sys.stdout.flush()
    os._exit(status)

for folder, step in zip(sys.argv[1::2], sys.argv[2::2]):
    child = os.fork()
    if not child:
        build(folder, int(step))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) in (0, -signal.SIGKILL)
"""


def builds(asked):
    """Run the builds in these folders, each ended at the step that goes with it. Return what they printed."""
    return subprocess.run(
        [sys.executable, "-c", BUILDS, *map(str, chain.from_iterable(asked))],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    ).stdout


def build(root):
    """Begin a build with a worker."""
    return subprocess.Popen(
        [*BUILD, "--workers", "1"],
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


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
    assert pagequote("build", "pdfs", "--corpus", "corpus", cwd=root).returncode == 0
    before = state(root)
    (root / "pdfs" / "second.pdf").write_bytes(pdf("This is the second paper, which came later."))
    done = root.parent / "undisturbed"
    shutil.copytree(root, done, symlinks=True)
    steps = int(builds([(done, 0)]))
    after = state(done)
    assert len(after) > len(before)
    return root, steps, before, after


def check(prepared, folder):
    """What the killed build left is whole, and the next build is right."""
    _, _, before, after = prepared
    assert state(folder) in (before, after)
    again = pagequote("build", "pdfs", "--corpus", "corpus", cwd=folder)
    assert again.returncode == 0, again.stderr
    assert state(folder) == after
    left = [*(folder / "corpus").rglob(".tmp-*"), *(folder / "work").rglob(".tmp-*")]
    assert left == []


def test_a_kill_at_each_kind_of_step_loses_nothing(prepared, tmp_path):
    root, steps, _, _ = prepared
    assert steps > 15
    chosen = sorted({1, 2, steps - 1, steps, *range(3, steps, tried(8, nightly=1))})
    asked = [(tmp_path / f"step{step}", step) for step in chosen]
    for folder, _ in asked:
        shutil.copytree(root, folder, symlinks=True)
    builds(asked)
    for folder, _ in asked:
        check(prepared, folder)


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
    folder = tmp_path / "killed"
    shutil.copytree(prepared[0], folder, symlinks=True)
    process = build(folder)
    wait_until(lambda: process.poll() is not None or when(folder, process))
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=PATIENCE)
    assert process.returncode in (-signal.SIGKILL, 0)
    check(prepared, folder)


def children(process):
    return Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


def test_the_workers_of_a_killed_build_end_with_it(prepared, tmp_path):
    shutil.copytree(prepared[0], tmp_path / "killed", symlinks=True)
    process = build(tmp_path / "killed")
    workers = wait_until(lambda: children_with(MODULE, process.pid), process=process)
    process.kill()
    process.communicate()
    wait_until(lambda: all(map(gone, workers)))
