"""The gate is red where a floor is undercut, and where a figure cannot be taken or read."""

import sys
from pathlib import Path

import pymupdf
import pytest

from pipeline.sources.find_sources import find_sources
from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import extraction
import gate
from gate_floors import read_floors, written_floors


def test_the_floors_of_the_project_are_as_the_gate_writes_them():
    path = ROOT / "benchmarks" / "floors.toml"
    assert written_floors(read_floors(path)) == path.read_text(encoding="utf-8")


@pytest.fixture
def shared(tmp_path):
    """Twelve papers and a script of measures that scores them by their names."""
    for number in range(12):
        folder = tmp_path / "shared" / "corpus" / "papers" / f"paper{number:02}"
        folder.mkdir(parents=True)
        (folder / "paper.pdf").write_text(f"paper {number}")
        (folder / "truth.xml").write_text(f"truth {number}")
    (tmp_path / "shared" / "bench").mkdir()
    (tmp_path / "shared" / "bench" / "jats.py").write_text("SHARE = 0.9")
    (tmp_path / "shared" / "bench" / "paragraphs.py").write_text(
        "import sys\nimport jats\n"
        "print(f'exact {jats.SHARE} precision 1 unbroken 1 captions 1 sections 1 fidelity 1')"
    )
    return tmp_path / "shared" / "corpus"


def run(monkeypatch, capsys, *arguments):
    """Run the command over figures that stand in `paragraphs.py`; no corpus is built."""
    monkeypatch.setattr(gate.Gate, "built", lambda self, name: self._shared / "papers")
    monkeypatch.setattr(sys, "argv", ["gate.py", "--only", "papers", *map(str, arguments)])
    status: object = 0
    try:
        gate.main()
    except SystemExit as ended:
        status = ended.code
    captured = capsys.readouterr()
    return status, captured.out + captured.err


@pytest.mark.system
def test_the_command_is_red_when_a_floor_is_undercut_and_lowers_it_only_with_a_reason(
    shared, monkeypatch, capsys
):
    floors = shared / "floors.toml"
    here = ("--shared", shared, "--floors", floors)
    jats = shared.parent / "bench" / "jats.py"
    assert run(monkeypatch, capsys, *here)[0] == 2  # no floors yet
    assert run(monkeypatch, capsys, *here, "--update")[0] == 0
    assert run(monkeypatch, capsys, *here)[0] == 0
    monkeypatch.setattr(gate, "_with_imports", lambda script: [script])  # the script is the same, papers fell
    assert run(monkeypatch, capsys, *here, "--update", "--because", "digests")[0] == 0
    before = floors.read_text()
    jats.write_text("SHARE = 0.80")  # of another length: Python knows an imported file by its second and size
    status, printed = run(monkeypatch, capsys, *here)
    assert status == 1
    assert "| papers | all | exact | 0.9 | 0.8 | UNDERCUT |" in printed
    assert run(monkeypatch, capsys, *here, "--update")[0] == 1
    assert floors.read_text() == before
    assert run(monkeypatch, capsys, *here, "--update", "--because", "a rule went")[0] == 0
    assert "exact was 0.9: a rule went" in floors.read_text()
    assert run(monkeypatch, capsys, *here)[0] == 0
    (jats.parent / "paragraphs.py").write_text("print('exact 1 precision 1')")
    status, printed = run(monkeypatch, capsys, *here)
    assert (status, "exact 1 precision 1" in printed) == (1, True)
    (jats.parent / "paragraphs.py").write_text("raise SystemExit('no such library')")
    status, printed = run(monkeypatch, capsys, *here)
    assert (status, "no such library" in printed) == (1, True)


def test_pages_are_timed_by_class_in_a_folder_that_is_named_relatively(tmp_path, monkeypatch):
    paths = [tmp_path / "papers" / name / "one" / f"of_{name}.pdf" for name in ("chromium", "typst")]
    for path in paths:
        path.parent.mkdir(parents=True)
        document = pymupdf.open()
        document.new_page().insert_text((72, 72), path.parts[-3])
        document.save(path)
    monkeypatch.chdir(tmp_path)
    times = {Path("now"): [3.0, 3.0], Path("before"): [2.0, 2.0]}
    assert "| typst | 1 | 3.0 | 2.0 | 1.50 |" in extraction.turns_table(paths, Path("papers"), times)
    assert [*extraction.by_class(find_sources([Path("papers")])[0], Path("papers"))][1:] == [
        "chromium",
        "typst",
    ]
