"""A PDF that hangs, crashes or eats memory costs itself alone."""

import os
import subprocess
import sys
import textwrap

import pytest

import lookup
from tests.conftest import ROOT
from tests.pdfs import pdf

# Loaded by each worker at its start: stands in for a MuPDF that misbehaves over bytes with a mark in them.
MISBEHAVE = """
import os, signal, time
import pipeline.extract

real = pipeline.extract.extract

def extract(data, ocr):
    if b"%HANG" in data:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        while True:
            time.sleep(60)
    if b"%CRASH" in data:
        os.kill(os.getpid(), signal.SIGSEGV)
    if b"%EAT" in data:
        bytearray(64 << 30)
    if b"%RAISE" in data:
        raise RuntimeError("something nobody thought of")
    return real(data, ocr)

pipeline.extract.extract = extract
"""


@pytest.fixture(scope="module")
def survived(tmp_path_factory):
    root = tmp_path_factory.mktemp("workers")
    (root / "site").mkdir()
    (root / "site" / "sitecustomize.py").write_text(textwrap.dedent(MISBEHAVE))
    (root / "pdfs").mkdir()
    for name, mark in {"hang": b"%HANG", "crash": b"%CRASH", "eat": b"%EAT", "raise": b"%RAISE"}.items():
        (root / "pdfs" / f"{name}.pdf").write_bytes(pdf(f"The paper called {name}.") + mark)
    for number in range(4):
        (root / "pdfs" / f"good{number}.pdf").write_bytes(pdf(f"The good paper number {number} is read."))
    command = [
        sys.executable,
        "-c",
        "from lookup.cli import main; main()",
        "build",
        "pdfs",
        "--corpus",
        "corpus",
    ]
    built = subprocess.run(
        [*command, "--deadline", "6", "--memory", "1024", "--workers", "2"],
        cwd=root, env={**os.environ, "PYTHONPATH": f"{root / 'site'}{os.pathsep}{ROOT}"}, capture_output=True, text=True, check=False, timeout=180,
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    with lookup.open(root / "corpus") as corpus:
        yield corpus, built.stderr


@pytest.mark.parametrize(
    ("key", "reason", "detail"),
    [
        ("hang", "timeout", "6 seconds"),
        ("crash", "crash", "SIGSEGV"),
        ("eat", "memory", "1024 MiB"),
        ("raise", "error", "something nobody thought of"),
    ],
)
def test_what_went_wrong_is_a_row_with_its_cause(survived, key, reason, detail):
    rows = (
        survived[0].sql("SELECT stage, reason, detail, seconds FROM failures WHERE key = ?", [key]).fetchall()
    )
    assert [(row[0], row[1]) for row in rows] == [("extract", reason)]
    assert detail in rows[0][2]
    assert 0 <= rows[0][3] <= 60
    assert reason in survived[1]


def test_the_others_are_read(survived):
    for number in range(4):
        assert survived[0].quote(f"good{number}", f"good paper number {number}").matches
