"""The gate: figures are read of printed tables, compared with their floors, and raise these."""

import sys

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

import gate
import gate_figures as figures_of
from gate_floors import Section, compared, judged, read_floors, written_floors
from gate_measures import MEASURES

OF = {"papers": "1234", "quotes.py": "5678"}
FLOORS = Section(
    of=OF,
    commit="aaaa",
    tolerance={"found": 0.0005},
    classes={
        "verbatim": {"found": 0.996, "verdict": 0.991},
        "a forged 'kind' *": {"blessed": 0, "because": "bbbb: blessed was -1: a test"},
        "an honest kind": {"honest": 0.9, "tolerance": 0.05},
    },
)
AT_THE_FLOORS: dict[str, dict[str, float]] = {
    "verbatim": {"n": 228, "found": 0.996, "verdict": 0.991},
    "a forged 'kind' *": {"n": 100, "blessed": 0},
    "an honest kind": {"n": 40, "honest": 0.9},
}


def changed(name, **figures):
    return AT_THE_FLOORS | {name: AT_THE_FLOORS[name] | figures}


def without(name):
    return {other: figures for other, figures in AT_THE_FLOORS.items() if other != name}


def undercut(figures):
    return [(row.name, row.figure) for row in compared(FLOORS, figures) if row.undercut]


def test_a_class_or_figure_that_is_missing_is_red_and_named():
    for figures, missing in (
        (without("an honest kind"), ("an honest kind", "honest")),
        (AT_THE_FLOORS | {"verbatim": {"found": 1.0}}, ("verbatim", "verdict")),
    ):
        judgement = judged(FLOORS, OF, figures, "cccc")
        assert undercut(figures) == [missing]
        assert judgement.status == 1
        row = f"| quotes | {missing[0]} | {missing[1]} |"
        [line] = [one for one in gate.report({"quotes": judgement}).splitlines() if one.startswith(row)]
        assert "NOT MEASURED" in line
        assert judged(FLOORS, OF, figures, "cccc", update=True, because="it went").status == 1


def test_floors_of_another_corpus_are_not_compared_and_replaced_only_with_a_reason():
    other = OF | {"papers": "4321"}
    worse = changed("verbatim", found=0.1)
    judgement = judged(FLOORS, other, worse, "cccc")
    assert judgement.status == 2
    assert "floors are of another papers: not compared" in judgement.message
    assert judged(FLOORS, other, worse, "cccc", update=True).section == FLOORS
    replaced = judged(FLOORS, other, worse, "cccc", update=True, because="more papers")
    assert replaced.status == 0
    assert replaced.section.because == "more papers"
    assert replaced.section.classes["verbatim"]["found"] == 0.1
    assert judged(replaced.section, other, worse, "dddd").status == 0


def test_floors_are_read_as_they_were_written(tmp_path):
    path = tmp_path / "floors.toml"
    parts = {"whole": {"quotes": FLOORS, "papers-2": Section(OF, "dddd", "more papers")}}
    path.write_text(written_floors(parts), encoding="utf-8")
    assert read_floors(path) == parts
    assert read_floors(tmp_path / "none") == {}


def test_the_floors_of_the_project_are_as_they_are_written_and_are_of_its_measures():
    path = ROOT / "benchmarks" / "floors.toml"
    parts = read_floors(path)
    assert written_floors(parts) == path.read_text(encoding="utf-8")
    assert set(parts) == {"tenth", "whole"}
    for part, sections in parts.items():
        for name, section in sections.items():
            measure = MEASURES[name]
            assert part == "whole" or measure.tenth
            assert section.of.keys() == {*measure.corpora, *([] if measure.ours else [measure.script])}
            assert section.classes


QUOTES = """\
kind           n   found   tight    span  verdict   ms p50      p95
verbatim     {0}   0.990   0.969   0.996    0.991     2.68    14.43
reworded     {0}   0.996   0.969       -    1.000     9.54    38.67
"""


def test_blessed_forgeries_of_several_seeds_are_summed():
    printed = """\
352 of 355 sentences stand verbatim as they are
kind                               n  blessed   honest   (verdicts)
digit                             10        1        -   {'near': 9, 'verbatim': 1}
leading point                      0        0        -   {}
part left out                     10        -    0.900   {'abridged': 9, 'near': 1}
ends of distant paragraphs *      10        0        -   {'related': 10}
forgeries blessed: 0 of 211
"""
    assert figures_of.of_forgeries([printed, printed]) == {
        "digit": {"n": 20, "blessed": 2},
        "part left out": {"n": 20, "honest": 0.9},
        "ends of distant paragraphs *": {"n": 20, "blessed": 0},
        "sentences as they are": {"n": 710, "honest": 0.9915},
    }


@pytest.mark.parametrize(
    ("read", "printed"),
    [
        (figures_of.of_papers, "exact 0.978 precision 0.952"),
        (figures_of.of_quotes, QUOTES.replace("found", "hit")),
        (figures_of.of_quotes, QUOTES.splitlines()[0]),
        (figures_of.of_quotes, QUOTES.format(1) + QUOTES.format(1).splitlines()[1]),
        (figures_of.of_forgeries, QUOTES),
        (figures_of.of_spans, ""),
        (figures_of.of_covers, "| producer | black bar |\n| --- | --- |\n| groff | - |"),
        (figures_of.of_agents, "| | tokens |\n| --- | --- |\n| list of tools | 2,558 |"),
        (figures_of.of_attacks, "no table"),
    ],
)
def test_a_changed_table_is_an_error_that_says_so(read, printed):
    with pytest.raises(figures_of.ChangedTableError):
        read([printed])


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


@pytest.mark.system
def test_a_measure_that_cannot_be_taken_is_red_and_says_why(shared, monkeypatch, capsys):
    (shared.parent / "bench" / "paragraphs.py").write_text("print('another table')")
    status, printed = run(monkeypatch, capsys, "--shared", shared, "--floors", shared / "floors.toml")
    assert status == 1
    assert "another table" in printed
    (shared.parent / "bench" / "paragraphs.py").write_text("raise SystemExit('no such library')")
    status, printed = run(monkeypatch, capsys, "--shared", shared, "--floors", shared / "floors.toml")
    assert status == 1
    assert "no such library" in printed
