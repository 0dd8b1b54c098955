"""Nights on which something goes wrong leave, at the end, what one full build leaves: a few of 200."""

import subprocess
import sys

import pytest

from tests.support.project import ROOT
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.system, pytest.mark.long]


def test_disturbed_nights_end_with_the_bytes_of_one_full_build():
    command = [sys.executable, str(ROOT / "benchmarks/nights.py"), "--nights", "10", "--seed", "7"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=4 * PATIENCE)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "0 wrong of 12." in ran.stdout
