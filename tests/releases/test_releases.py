"""The releases of a corpus: listed, compared, gone back to, collected; and one builder at a time."""

import json
import subprocess
import sys

import pytest

import lookup
from pipeline.builds.garbage import collect_garbage
from pipeline.files.atomic import LOCK, lock_holder
from pipeline.models.install import install_model
from pipeline.releases.history import find_release, list_releases, rollback
from pipeline.releases.release_diff import compare_releases
from tests.support.builds import Library, built_once
from tests.support.models import tiny_model

pytestmark = pytest.mark.usefixtures("reports")


first, library = built_once(lambda folder: Library(folder / "library", "ant", "bee", "cat"))


def names(library):
    return [one.name for one in list_releases(library.corpus)]


def current(library):
    (one,) = [one.name for one in list_releases(library.corpus) if one.current]
    return one


@pytest.mark.long
def test_the_list_has_each_release_and_marks_the_current_one(library, monkeypatch):
    monkeypatch.setattr("pipeline.publish.parts.PAPERS_A_PART", 1)
    library.build(force=True)
    library.add("dog", "A paper about one dog.")
    library.build()
    listed = list_releases(library.corpus)
    assert [(one.name[:7], one.current, one.rows["papers"]) for one in listed] == [
        ("r000001", False, 3),
        ("r000002", False, 3),
        ("r000003", True, 4),
    ]
    assert listed[0].own_bytes == listed[0].bytes
    assert 0 < listed[2].own_bytes < listed[2].bytes  # it shares three papers with the second
    printed = library.run("releases").output.splitlines()
    assert [line[:9] for line in printed] == ["  r000001", "  r000002", "* r000003"]
    assert [one["name"] for one in json.loads(library.run("releases", "--json").output)] == names(library)


@pytest.mark.long
def test_going_back_makes_the_release_before_current_and_the_next_build_publishes_a_new_one(library):
    library.add("ant", "Nonsense that should not have been published.")
    library.build()
    with lookup.open(library.corpus) as corpus:
        assert rollback(library.corpus).name == names(library)[0]
        assert not corpus.quote("ant", "A paper about one ant").matches
        assert corpus.refresh()
        assert corpus.quote("ant", "A paper about one ant").matches
    library.add("ant", "A paper about one ant, corrected.")
    published = library.build()[1]
    assert published.new
    assert current(library) == published.release.name == names(library)[-1]
    assert [name[:7] for name in names(library)] == ["r000001", "r000002", "r000003"]


@pytest.mark.parametrize("form", ["{}", "r000001", "1", "000001"])
def test_a_release_is_named_in_whole_or_by_its_number(library, form):
    library.add("dog", "A paper about one dog.")
    library.build()
    first = names(library)[0]
    assert find_release(library.corpus, form.format(first)).name == first
    done = library.run("releases", "use", form.format(first))
    assert done.exit_code == 0, done.output
    assert current(library) == first
    assert "The next build publishes what its sources say" in done.output


@pytest.mark.parametrize("named", ["9", "r", "r000009", "", "..", "r000001-nothing", "²"])
def test_a_release_that_is_not_there_is_named_with_those_that_are(library, named):
    with pytest.raises(lookup.PageQuoteError, match=r"has no release .*r000001"):
        find_release(library.corpus, named)


@pytest.mark.parametrize("damage", ["database", "layout"])
def test_nobody_goes_back_to_a_release_that_cannot_be_read(library, damage):
    library.add("dog", "A paper about one dog.")
    library.build()
    first = find_release(library.corpus, "1")
    if damage == "database":
        (first / "corpus.duckdb").unlink()
    else:
        manifest = json.loads((first / "manifest.json").read_text())
        (first / "manifest.json").write_text(json.dumps(manifest | {"layout": 0}))
    with pytest.raises(lookup.PageQuoteError, match=r"lost its database|layout version 0"):
        rollback(library.corpus, "1")
    assert current(library) == names(library)[1]


def test_a_difference_names_papers_and_counts_their_paragraphs(library):
    library.add("dog", "A paper about one dog.")
    library.add("bee", "A paper about another bee. Nobody minded.")
    (library.pdfs / "cat.pdf").rename(library.pdfs / "lion.pdf")
    (library.pdfs / "ant.pdf").unlink()
    library.build()
    first, second = (find_release(library.corpus, number) for number in "12")
    found = compare_releases(first, second)
    assert (found.added, found.gone, found.renamed) == (("dog",), ("ant",), (("cat", "lion"),))
    (bee,) = found.changed
    assert (bee.key, bee.paragraphs_added, bee.paragraphs_gone) == ("bee", 1, 1)
    assert set(bee.columns) == {"sha256", "bytes"}
    back = compare_releases(second, first)
    assert (back.added, back.gone, back.renamed) == (("ant",), ("dog",), (("lion", "cat"),))
    assert not compare_releases(first, first)
    said = library.run("releases", "diff", "1")
    assert said.exit_code == 1
    assert "~ bee: sha256, bytes; paragraphs +1 -1" in said.output.splitlines()
    assert json.loads(library.run("releases", "diff", "1", "2", "--json").output) == json.loads(
        json.dumps(found.to_dict())
    )
    assert library.run("releases", "diff", "2", "current").exit_code == 0


def test_collecting_keeps_the_current_release_however_old(library):
    for number in range(2):
        library.add(f"more{number}", f"One more paper, {number}.")
        library.build()
    rollback(library.corpus, "1")
    with lookup.open(find_release(library.corpus, "2")) as reader:
        found = collect_garbage(library.corpus, library.work, keep=1, dry=True)
        assert [name[:7] for name in found.releases] == ["r000002"]
        assert len(names(library)) == 3
        assert collect_garbage(library.corpus, library.work, keep=1) == found
        assert [name[:7] for name in names(library)] == ["r000001", "r000003"]
        assert reader.quote("more0", "One more paper").matches  # what it opened is there until it closes it
    assert found.bytes > 0


@pytest.mark.long
def test_collecting_takes_work_that_no_build_can_use_and_no_other(library):
    models = [
        install_model(tiny_model(library.root / pooling, pooling=pooling), library.root / "models" / pooling)
        for pooling in ("mean", "cls")
    ]
    (library.pdfs / "login.pdf").write_bytes(b"<html>please sign in")
    library.build(model=models[0])
    library.build(model=models[1])
    (library.work / "extracted" / "0.0.0" / "ab").mkdir(parents=True)
    (library.work / "extracted" / "0.0.0" / "ab" / "old.arrow").write_bytes(b"old")
    (library.work / ".tmp-12-left").write_bytes(b"left")
    (library.pdfs / "cat.pdf").unlink()
    library.build(model=models[1])
    kept = {path for path in library.work.rglob("*") if path.is_file()}
    found = collect_garbage(library.corpus, library.work, keep=3)
    gone = kept - {path for path in library.work.rglob("*") if path.is_file()}
    assert sorted(path.suffix for path in gone) == [
        ".arrow",
        ".arrow",
    ]  # of the cat, and of the old extractor
    assert len(found.work) == 2  # the vectors of the first model are those of a release that stays
    found = collect_garbage(library.corpus, library.work, keep=1)
    assert [path.parent.name for path in found.work] == ["vectors"]
    extraction, published = library.build(model=models[1])
    assert (library.read, published.embedding.new, published.new) == ([], 0, False)
    assert extraction.new_failures == 0


def test_the_command_collects(library):
    library.build(force=True)
    said = library.run("releases", "gc", "--keep", "1", "--dry-run")
    assert "1 release and 0 files of the work folder would be removed" in said.output
    assert len(names(library)) == 2
    said = library.run("releases", "gc", "--keep", "1")
    assert said.exit_code == 0, said.output
    assert [name[:7] for name in names(library)] == ["r000002"]


HOLD = """
import sys
from pathlib import Path
from pipeline.files.atomic import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


@pytest.mark.system
def test_a_second_build_says_who_is_at_work_on_which_machine_since_when(library):
    holder = hold(library.corpus)
    try:
        with pytest.raises(
            lookup.LockedError, match=rf"process {holder.pid} on \S+ since 20\d\d-\d\d-\d\dT[\d:+]+\. Wait"
        ):
            library.build()
        found = lock_holder(library.corpus)
        assert found is not None
        assert (found.pid, found.alive) == (holder.pid, True)
        assert f"under way: a build by process {holder.pid}" in library.run("status").output
    finally:
        holder.kill()
        holder.communicate()


@pytest.mark.system
def test_the_lock_of_a_dead_process_is_taken_over(library):
    holder = hold(library.corpus)
    holder.kill()
    holder.communicate()
    assert str(holder.pid) in (library.corpus / LOCK).read_text()
    assert lock_holder(library.corpus) is None
    library.build()
    assert (library.corpus / LOCK).read_text() == ""
