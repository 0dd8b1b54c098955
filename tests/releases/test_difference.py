"""A release by difference holds what a release written whole holds, and costs no reader anything."""

import random

import numpy as np
import pytest

import lookup
from lookup.release.checksums import CHECKSUMS
from lookup.release.current import DATABASE, VECTORS_FILE
from lookup.release.schema import TABLES
from pipeline.models.install import install_model
from pipeline.publish import publish, write_database, write_release
from pipeline.publish.checksums import intact_files
from pipeline.releases.garbage import collect_garbage
from pipeline.releases.history import rollback
from pipeline.releases.spare import SPARE
from tests.support.builds import Library
from tests.support.models import tiny_model


@pytest.fixture(autouse=True, scope="module")
def _small():
    """Few papers are as many."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(write_database, "_LOOSE", 100.0)  # of so few papers any change is a large one
        patch.setattr("pipeline.publish.parts.PAPERS_A_PART", 2)
        yield


@pytest.fixture
def library(tmp_path):
    return made(tmp_path)


def made(folder):
    """A library of four papers, of which nothing is built."""
    made = Library(folder / "library")
    for name in ("ant", "bee", "cat", "dog"):
        made.add(name, f"A paper about one {name}. Nobody minded.")
    return made


@pytest.fixture
def model(tmp_path):
    return install_model(tiny_model(tmp_path / "source"), tmp_path / "library" / "models" / "tiny")


def rows(corpus):
    """All rows of all tables, without their numbers and the times that they took."""
    untimed = {"failures": " EXCLUDE (seconds)", "paragraphs": " EXCLUDE (row_number)"}
    with lookup.open(corpus) as opened:
        return {
            table.name: opened.sql(
                f"SELECT *{untimed.get(table.name, '')} FROM {table.name} ORDER BY ALL"
            ).fetchall()
            for table in TABLES
        }


def at_once(library, tmp_path, model=None):
    """The rows of a corpus of the same papers that is built from nothing."""
    other = Library(tmp_path / "at once")
    other.pdfs.rmdir()
    other.pdfs = library.pdfs
    other.build(model=model)
    return rows(other.corpus)


def by_difference(published):
    """Whether the database was taken over: only then are its checksums not those of the whole file."""
    return DATABASE not in (published.release.folder / CHECKSUMS).read_text()


def night(library, chance, number):
    """Change something of the library."""
    files = sorted(library.pdfs.iterdir())
    match chance.choice(["add", "change", "rename", "remove", "add and remove"]):
        case "add":
            library.add(f"new{number}", f"A new paper, the one with the number {number}.")
        case "change":
            chance.choice(files).write_bytes(library.add("other", f"Other words, {number}.").read_bytes())
        case "rename":
            chance.choice(files).rename(library.pdfs / f"renamed{number}.pdf")
        case "remove" if len(files) > 2:
            chance.choice(files).unlink()
        case _:
            library.add(f"also{number}", f"Yet another paper {number}.")
            chance.choice(files).unlink()


@pytest.mark.parametrize("seed", range(3))
def test_nights_by_difference_hold_what_a_build_at_once_holds(library, model, tmp_path, seed):
    chance = random.Random(seed)
    library.build(model=model)
    for number in range(7):  # more than are kept: the spare database is used from the fourth on
        night(library, chance, number)
        published = library.build(model=model)[1]
        assert published.new
        assert by_difference(published)
        files = {path.relative_to(published.release.folder) for path in published.release.folder.rglob("*")}
        proven = intact_files(published.release.folder)
        assert proven == {str(path) for path in files if (published.release.folder / path).is_file()} - {
            CHECKSUMS, DATABASE,
        }  # fmt: skip
    assert rows(library.corpus) == at_once(library, tmp_path, model)


def test_each_vector_of_the_matrix_is_that_of_the_row_with_its_number(library, model):
    library.build(model=model)
    (library.pdfs / "bee.pdf").unlink()
    library.add("eel", "A paper about one eel, which is long.")
    published = library.build(model=model)[1]
    assert by_difference(published)
    with lookup.open(library.corpus) as corpus:
        numbered = corpus.sql("SELECT rowid, vector FROM vectors ORDER BY rowid").fetchall()
        stored = np.load(published.release.folder / VECTORS_FILE)
        assert [number for number, _ in numbered] == list(range(len(stored)))
        assert np.array_equal(np.array([vector for _, vector in numbered]), stored)
        found = corpus.sentences("A paper about one eel, which is long.", match_threshold=-1.0)
        assert found[0].key == "eel"


def test_the_database_of_the_removed_release_is_changed_in_place(library):
    first = library.build()[1].release.database.stat().st_ino
    for number in range(4):
        library.add(f"new{number}", f"A new paper {number}.")
        last = library.build()[1]
    assert last.release.database.stat().st_ino == first
    assert by_difference(last)


def test_a_database_that_somebody_reads_is_left_to_him(library):
    first = library.build()[1].release.database.stat().st_ino
    with lookup.open(library.corpus) as corpus:
        before = corpus.sql("SELECT key, text FROM paragraphs ORDER BY ALL").fetchall()
        for number in range(4):
            library.add("ant", f"The paper about the ant in its version {number}.")
            last = library.build()[1]
        assert corpus.quote("bee", "A paper about one bee").matches
        assert corpus.sql("SELECT key, text FROM paragraphs ORDER BY ALL").fetchall() == before
    assert by_difference(last)
    assert last.release.database.stat().st_ino != first


@pytest.mark.parametrize("damaged", ["the spare one", "the current one"])
def test_a_database_that_was_touched_is_not_taken_over(library, tmp_path, damaged):
    for number in range(4):
        library.add(f"new{number}", f"A new paper {number}.")
        last = library.build()[1]
    path = library.corpus / SPARE / DATABASE if damaged == "the spare one" else last.release.database
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    library.add("gnu", "A paper about one gnu.")
    assert by_difference(library.build()[1]) == (damaged == "the spare one")
    assert rows(library.corpus) == at_once(library, tmp_path)


def test_a_database_is_written_whole_when_too_much_of_it_changed(library, tmp_path, monkeypatch):
    library.build()
    monkeypatch.setattr(write_database, "_LOOSE", 0.6)
    library.add("eel", "A paper about one eel.")
    assert by_difference(library.build()[1])
    for name in ("ant", "bee"):
        library.add(name, f"A longer paper about one {name}.")
    assert not by_difference(library.build()[1])
    assert rows(library.corpus) == at_once(library, tmp_path)


def test_another_model_writes_the_database_whole(library, model, tmp_path):
    library.build(model=model)
    library.add("eel", "A paper about one eel.")
    assert not by_difference(library.build()[1])
    library.add("fly", "A paper about one fly.")
    assert not by_difference(library.build(model=model)[1])
    assert rows(library.corpus) == at_once(library, tmp_path, model)


def test_the_base_of_a_rolled_back_corpus_is_the_release_that_is_current(library, tmp_path):
    library.build()
    (library.pdfs / "ant.pdf").unlink()
    library.build()
    rollback(library.corpus)
    library.add("eel", "A paper about one eel.")
    assert by_difference(library.build()[1])
    assert rows(library.corpus) == at_once(library, tmp_path)


def test_gc_removes_the_spare_database_and_the_next_release_copies_one(library):
    for number in range(4):
        library.add(f"new{number}", f"A new paper {number}.")
        library.build()
    assert (library.corpus / SPARE).is_dir()
    collected = collect_garbage(library.corpus, library.work, "none", 3)
    assert not (library.corpus / SPARE).exists()
    assert collected.bytes > 0
    library.add("gnu", "A paper about one gnu.")
    assert by_difference(library.build()[1])


class Killed(BaseException):
    """As a signal that nothing catches, in place of one."""


STEPS = ("take_spare", "change_database", "write_checksums", "keep_proven", "make_current", "collect")


@pytest.fixture(scope="module")
def fifth_night(tmp_path_factory):
    """A library before its fifth night, what brings it back to that, and its rows before and after it."""
    root = tmp_path_factory.mktemp("nights")
    library = made(root)
    for number in range(4):
        library.add(f"new{number}", f"A new paper {number}.")
        library.build()
    before = rows(library.corpus)
    library.add("gnu", "A paper about one gnu.")
    (library.pdfs / "ant.pdf").unlink()
    other = at_once(library, root)
    return library, library.keep(), before, other


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_build_that_ends_at_any_step_loses_nothing(fifth_night, monkeypatch, step, after):
    library, again, before, other = fifth_night
    again()
    module = publish if hasattr(publish, step) else write_release
    done = getattr(module, step)

    def stop(*args, **kwargs):
        if after:
            done(*args, **kwargs)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, step, stop)
        patch.setattr("pipeline.publish.publish.shutil.rmtree", lambda *_, **__: None)  # nobody tidies up
        with pytest.raises(Killed):
            library.build()
    current = rows(library.corpus)
    assert current == (other if step == "collect" or (step == "make_current" and after) else before)
    assert library.build()[1].new == (current == before)
    assert rows(library.corpus) == other
    library.add("hen", "A paper about one hen.")
    assert library.build()[1].new
    assert not list(library.corpus.rglob(".tmp-*"))
