"""A PDF that hangs, crashes or eats memory costs itself alone."""

import os
import signal
import subprocess
import textwrap
import threading

import pytest

import lookup
from lookup.errors import BuildError
from pipeline.engines import workers
from pipeline.engines.workers import extract_all
from pipeline.ocr.tesseract import NO_OCR
from pipeline.processes.killable_process import MODULE
from pipeline.sources.find_sources import find_sources
from pipeline.work.outcomes import Extracted, Limits
from tests.support.command import pagequote
from tests.support.pdfs import pdf
from tests.support.processes import children_with, end_by_a_kill, gone
from tests.support.project import BUILD, ROOT
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.system, pytest.mark.long]

# Loaded by each worker as it starts: stands in for a MuPDF that misbehaves over bytes with a mark in them.
MISBEHAVE = """
import os, signal
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout

skip_pymupdf_layout()
import pipeline.extract

real = pipeline.extract.extract

def extract(data, *given):
    if b"%HANG" in data:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        while True:
            pass  # until its processor time is over
    if b"%CRASH" in data:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"%EAT" in data:
        bytearray(64 << 30)
    if b"%RAISE" in data:
        raise RuntimeError("something nobody thought of")
    return real(data, *given)

pipeline.extract.extract = extract
"""

SITE = f"""
import sys

if any("{MODULE}" in word for word in sys.orig_argv):
{textwrap.indent(MISBEHAVE, "    ")}
"""


@pytest.fixture(scope="module")
def survived(tmp_path_factory):
    root = tmp_path_factory.mktemp("workers")
    (root / "site").mkdir()
    (root / "site" / "sitecustomize.py").write_text(SITE)
    (root / "pdfs").mkdir()
    for name, mark in {"hang": b"%HANG", "crash": b"%CRASH", "eat": b"%EAT", "raise": b"%RAISE"}.items():
        (root / "pdfs" / f"{name}.pdf").write_bytes(pdf(f"The paper called {name}.") + mark)
    for number in range(4):
        (root / "pdfs" / f"good{number}.pdf").write_bytes(pdf(f"The good paper number {number} is read."))
    built = subprocess.run(
        [*BUILD, "--deadline", "20", "--memory", "256", "--workers", "2"],
        cwd=root,
        env={**os.environ, "PYTHONPATH": f"{root / 'site'}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
    )
    assert built.returncode == 0, built.stderr
    with lookup.open(root / "corpus") as corpus:
        yield corpus, built.stderr


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        ("hang", "timeout", "20 seconds"),
        ("crash", "crash", "SIGSEGV"),
        ("eat", "memory", "256 MiB"),
        ("raise", "error", "something nobody thought of"),
    ],
)
def test_what_went_wrong_is_a_row_with_its_cause(survived, key, reason, detail):
    rows = (
        survived[0].sql("SELECT stage, reason, detail, seconds FROM failures WHERE key = ?", [key]).fetchall()
    )
    assert [(row[0], row[1]) for row in rows] == [("extract", reason)]
    assert detail in rows[0][2]
    assert rows[0][3] >= 0
    assert reason in survived[1]


def test_the_others_are_read(survived):
    for number in range(4):
        assert survived[0].quote(f"good{number}", f"good paper number {number}").matches


@pytest.fixture
def sources(tmp_path):
    (tmp_path / "pdfs").mkdir()
    for number in range(6):
        (tmp_path / "pdfs" / f"good{number}.pdf").write_bytes(pdf(f"The good paper number {number} is read."))
    return find_sources([tmp_path / "pdfs"])[0]


def test_a_worker_is_replaced_after_some_pdfs(sources, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.engines.workers._RECYCLE", 2)
    before, seen = children_with(MODULE), set()
    for outcome in extract_all(sources, tmp_path / "work", NO_OCR, 1, Limits()):
        assert isinstance(outcome, Extracted)
        seen |= children_with(MODULE) - before
    assert len(seen) > 1
    assert not children_with(MODULE) & seen


@pytest.mark.parametrize("count", [1, 2])
def test_workers_that_somebody_kills_cost_no_other_pdf(sources, tmp_path, count):
    before, outcomes, killed = children_with(MODULE), [], False
    for outcome in extract_all(sources, tmp_path / "work", NO_OCR, count, Limits(seconds=PATIENCE)):
        outcomes.append(outcome)
        if not killed:
            for worker in children_with(MODULE) - before:
                os.kill(worker, signal.SIGKILL)
                killed = True
    assert killed
    assert {outcome.source.key for outcome in outcomes} == {source.key for source in sources}
    failed = [outcome for outcome in outcomes if not isinstance(outcome, Extracted)]
    assert len(failed) <= count
    assert all("SIGKILL" in outcome.detail for outcome in failed)


def test_workers_that_end_again_and_again_end_the_build(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_prepare", end_by_a_kill)
    with pytest.raises(BuildError, match="ended 4 times before they had read any"):
        list(extract_all(sources, tmp_path / "work", NO_OCR, 1, Limits(seconds=0.1)))


def take_long_to_start(*_):
    threading.Event().wait()


def test_a_worker_that_starts_slowly_is_no_fault_of_its_pdf(sources, tmp_path, monkeypatch):
    monkeypatch.setattr(workers, "_prepare", take_long_to_start)
    monkeypatch.setattr(workers, "_START", 0.01)
    with pytest.raises(BuildError, match="too busy, or its disk too slow: build again later"):
        list(extract_all(sources, tmp_path / "work", NO_OCR, 1, Limits()))
    assert not list(tmp_path.rglob("*.failed.json"))


def test_an_extraction_that_cannot_be_kept_is_no_fault_of_its_pdf(sources, tmp_path):
    (tmp_path / "work").write_text("a file where a folder should be")
    with pytest.raises(OSError, match="File exists"):
        list(extract_all(sources, tmp_path / "work", NO_OCR, 1, Limits()))


@pytest.mark.parametrize("when", ["reading begins", "a PDF is read"])
def test_ctrl_c_leaves_nothing_behind(tmp_path, when):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(SITE)
    (tmp_path / "pdfs").mkdir()
    for name in ("good", "hang"):
        mark = b"%HANG" if name == "hang" else b""
        (tmp_path / "pdfs" / f"{name}.pdf").write_bytes(pdf(f"The paper called {name}.") + mark)
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path / 'site'}{os.pathsep}{ROOT}"}
    process = subprocess.Popen(
        [*BUILD, "--workers", "2"],
        cwd=tmp_path,
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    if when == "reading begins":
        wait_until(lambda: children_with(MODULE, process.pid), process=process)
    else:
        wait_until(lambda: [*(tmp_path / "work").rglob("*.arrow")], process=process)
    family = children_with(MODULE, process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them
    _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode in (130, -signal.SIGINT), said
    wait_until(lambda: all(map(gone, family)))
    assert [*tmp_path.rglob(".tmp-*")] == []
    (tmp_path / "pdfs" / "hang.pdf").unlink()
    again = pagequote("build", "pdfs", "--corpus", "corpus", cwd=tmp_path)
    assert again.returncode == 0, again.stderr


def test_a_clock_that_jumps_ends_no_reading(tmp_path):
    (tmp_path / "pdfs").mkdir()
    for number in range(3):
        (tmp_path / "pdfs" / f"good{number}.pdf").write_bytes(pdf(f"The good paper number {number} is read."))
    paths = os.pathsep.join([str(ROOT / "benchmarks" / "misbehaviour"), str(ROOT)])
    built = subprocess.run(
        [*BUILD, "--deadline", "60"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths, "MISBEHAVE": "clock"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    with lookup.open(tmp_path / "corpus") as corpus:
        assert corpus.sql("SELECT count(*) FROM papers").fetchone() == (3,)
        assert corpus.sql("SELECT * FROM failures").fetchall() == []
