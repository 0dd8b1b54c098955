"""A release by difference holds what a release written whole holds, and costs no reader anything."""

import random
from itertools import product

import numpy as np
import pytest

import lookup
from lookup.release.checked_files import CHECKSUMS
from lookup.release.current import DATABASE, VECTORS_FILE
from lookup.release.schema import TABLES
from pipeline.models.install import install_model
from pipeline.publish import publish, write_database, write_release
from pipeline.publish.checksums import intact_files
from pipeline.releases import history
from tests.support.builds import Library, brought_back, built_once, damage
from tests.support.models import models_in, tiny_model
from tests.support.pdfs import pdf
from tests.support.profiles import tried

pytestmark = pytest.mark.long


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
    return Library(folder / "library", "ant", "bee", "cat", "dog")


first, built = built_once(made)


@pytest.fixture(scope="module")
def fourth_night(tmp_path_factory):
    """The library after four nights, each with a new paper, and what brings it back to that."""
    library = made(tmp_path_factory.mktemp("nights"))
    for number in range(4):
        library.add(f"new{number}", f"A new paper {number}.")
        library.build()
    return library, library.keep()


grown = brought_back("fourth_night")


@pytest.fixture
def model(tmp_path):
    made = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    with models_in(made.folder.parent):
        yield made


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
    """Whether the database was taken over: only then has it paragraphs that were appended or removed."""
    database = published.release.manifest["database"]
    return database["appended"] or database["written"] != published.release.manifest["rows"]["paragraphs"]


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


@pytest.mark.parametrize("seed", range(tried(2, nightly=20)))
def test_nights_by_difference_hold_what_a_build_at_once_holds(library, model, tmp_path, seed):
    chance = random.Random(seed)
    library.build(model=model)
    for number in range(7):  # more than are kept
        night(library, chance, number)
        published = library.build(model=model)[1]
        assert published.new
        assert by_difference(published)
        files = {path.relative_to(published.release.folder) for path in published.release.folder.rglob("*")}
        proven = intact_files(published.release.folder)
        assert proven == {str(path) for path in files if (published.release.folder / path).is_file()} - {
            CHECKSUMS
        }
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


def test_vectors_are_added_to_a_copy_so_that_readers_keep_theirs(library, model):
    before = np.load(library.build(model=model)[1].release.folder / VECTORS_FILE, mmap_mode="r")
    library.add("new", "A new paper with a number.")
    now = np.load(library.build(model=model)[1].release.folder / VECTORS_FILE)
    assert len(now) > len(before)
    assert np.array_equal(now[: len(before)], before)


def test_a_database_that_was_touched_is_not_taken_over(grown, tmp_path):
    damage(grown.corpus / "current" / DATABASE)
    grown.add("gnu", "A paper about one gnu.")
    assert not by_difference(grown.build()[1])
    assert rows(grown.corpus) == at_once(grown, tmp_path)


class Killed(BaseException):
    """As a signal that nothing catches, in place of one."""


_GNU = pdf("Front", "Matter", "A paper about one gnu.")  # once: each PDF has a number of its own
STEPS = (
    "copy_file",
    "change_database",
    "write_checksums",
    "keep_proven",
    "make_current",
    "collect",
)
MOMENTS = [(False, "copy_file"), *product([False, True], STEPS[1:])]
"""Before and after each step; after the first is before the second."""


def fifth_night(library):
    """Change what the fifth night has to do."""
    (library.pdfs / "gnu.pdf").write_bytes(_GNU)
    (library.pdfs / "ant.pdf").unlink()


@pytest.fixture(scope="module")
def before_and_after(fourth_night, tmp_path_factory):
    """The rows before the fifth night, and after it."""
    library, again = fourth_night
    again()
    before = rows(library.corpus)
    fifth_night(library)
    return before, at_once(library, tmp_path_factory.mktemp("after"))


@pytest.mark.parametrize(("after", "step"), MOMENTS)
def test_a_build_that_ends_at_any_step_loses_nothing(grown, before_and_after, monkeypatch, step, after):
    fifth_night(grown)
    before, other = before_and_after
    module = next(one for one in (publish, history, write_release) if hasattr(one, step))
    done = getattr(module, step)

    def stop(*args, **kwargs):
        if after:
            done(*args, **kwargs)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(module, step, stop)
        patch.setattr("shutil.rmtree", lambda *_, **__: None)  # nobody tidies up
        with pytest.raises(Killed):
            grown.build()
    current = rows(grown.corpus)
    assert current == (other if step == "collect" or (step == "make_current" and after) else before)
    assert grown.build()[1].new == (current == before)
    assert rows(grown.corpus) == other
    grown.add("hen", "A paper about one hen.")
    assert grown.build()[1].new
    assert not list(grown.corpus.rglob(".tmp-*"))
