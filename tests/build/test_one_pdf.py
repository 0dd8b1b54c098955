"""A quote is checked in a PDF with nothing built."""

import shutil

import pytest

from tests.support.command import pagequote

NIGHT = "lindqvist2019"
WORDS = "people prefer to work by day"

pytestmark = pytest.mark.system


def test_a_quote_is_checked_in_a_pdf_with_nothing_built(samples, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("PAGEQUOTE_CORPUS", raising=False)
    pdf = tmp_path / "my paper.pdf"
    shutil.copy(samples / f"{NIGHT}.pdf", pdf)
    first = pagequote("verify", pdf, WORDS, "--page", "1650")
    assert (first.returncode, "page 1 (printed 1650): verbatim" in first.stdout) == (0, True), first.stderr
    again = pagequote("verify", pdf, WORDS, "--page", "1650")
    assert again.stdout == first.stdout
    assert "extract" not in again.stderr
    assert pagequote("verify", pdf, "people prefer to work by night").returncode == 1
    assert WORDS in pagequote("page", pdf, "1").stdout
    assert pagequote("outline", pdf).returncode == 0

    shutil.copy(samples / "okafor2021.pdf", pdf)
    assert pagequote("verify", pdf, WORDS).returncode == 1  # another content under the same name

    pdf.write_bytes(b"no PDF")
    assert pagequote("verify", pdf, WORDS).returncode == 2
