"""A plan says what the build after it does, and does nothing."""

import json

import pytest

from pipeline.builds.plan import BECAUSE, plan_build
from pipeline.builds.survey import BuildSettings
from pipeline.extractor import EXTRACTOR
from tests.support.builds import Library, built_once


def made(folder):
    """A library of five papers and what is none, of which nothing is built."""
    made = Library(folder / "library", "ant", "bee", "cat", "eel", "fox")
    (made.pdfs / "login.pdf").write_bytes(b"<html>please sign in")
    return made


@pytest.fixture
def library(tmp_path):
    return made(tmp_path)


first, built = built_once(made)


def plan(library, model=None, **request):
    return plan_build(BuildSettings([library.pdfs], [], library.work, **request), library.corpus, model)


def changed(library):
    """One file of each kind of change."""
    library.add("dog", "A paper about one dog.")
    library.add("bee", "A paper about another bee.")
    (library.pdfs / "cat.pdf").rename(library.pdfs / "lion.pdf")
    (library.pdfs / "old").mkdir()
    (library.pdfs / "eel.pdf").rename(library.pdfs / "old" / "eel.pdf")
    (library.pdfs / "fox.pdf").unlink()
    (library.pdfs / "twin.pdf").write_bytes((library.pdfs / "ant.pdf").read_bytes())


def tree(root):
    return {path: (path.stat().st_mtime_ns, path.stat().st_ino) for path in root.rglob("*")}


def test_each_file_has_its_change_and_its_reason(built):
    changed(built)
    found = plan(built).to_dict()
    assert {(one["key"], one["change"], one["read"]) for one in found["files"]} == {
        ("ant", "unchanged", None),
        ("bee", "changed", "changed"),
        ("dog", "new", "new"),
        ("eel", "moved", None),
        ("lion", "renamed", None),
        ("login", "unchanged", None),
        ("twin", "new", None),
    }
    was = {one["key"]: one["was"] for one in found["files"] if one["was"]}
    assert was == {"eel": str(built.pdfs / "eel.pdf"), "lion": str(built.pdfs / "cat.pdf")}
    assert [row["key"] for row in found["gone"]] == ["fox"]
    assert found["same_bytes"] == [["ant", "twin"]]
    assert [row["reason"] for row in found["known_failures"]] == ["not a PDF"]
    assert found["extract"]["because"] == {"changed": 1, "new": 1}


@pytest.mark.parametrize("request_", [{}, {"retry": True}, {"force": True}])
def test_a_build_reads_what_the_plan_says_and_the_plan_writes_nothing(built, request_):
    changed(built)
    before = tree(built.root)
    planned = plan(built, **request_)
    assert tree(built.root) == before
    built.build(**request_)
    assert built.read == [source.path.stem for source in planned.survey.to_read]


def test_another_extractor_lost_work_and_failures_have_their_words(built):
    kept = built.work / "extracted" / EXTRACTOR
    (note,) = kept.rglob("*.failed.json")
    note.unlink()
    record = min(kept.rglob("*.arrow"))
    record.unlink()
    because = plan(built).to_dict()["extract"]["because"]
    assert because == {"lost": 1, "retry": 1}
    kept.rename(kept.with_name("0.0.0"))
    assert plan(built).to_dict()["extract"]["because"] == {"extractor": 4, "lost": 1, "retry": 1}
    assert {"extractor", "lost", "retry"} <= BECAUSE.keys()


def test_the_command_prints_text_or_json_and_builds_nothing(built):
    changed(built)
    before = tree(built.root)
    options = ["build", str(built.pdfs), "--ocr", "off", "--plan"]
    said = built.run(*options)
    assert said.exit_code == 0, said.output
    for line in (
        "dog: new; to be read: no build has read these bytes",
        f"lion: renamed (was {built.pdfs / 'cat.pdf'}); not read again",
        f"fox: gone ({built.pdfs / 'fox.pdf'})",
        "embed: nothing, there is no model",
    ):
        assert line in said.output.splitlines()
    assert "extract: 2 PDFs, 0.0 MB (1 changed, 1 new), of 7 sources; 1 known to fail" in said.output
    as_json = built.run(*options, "--json")
    assert json.loads(as_json.output)["extract"]["files"] == 2
    assert tree(built.root) == before
    assert built.run(*options[:-1], "--json").exit_code == 2


@pytest.mark.parametrize("when", ["2026-11-20", "2026-11-20T02:15", "36h", "2w", "2026-11-20T02:15:00+01:00"])
def test_moments_are_dates_times_and_spans(library, when):
    done = library.run("build", str(library.pdfs), "--since", when, "--plan", "--ocr", "off")
    assert done.exit_code == 0, done.output
