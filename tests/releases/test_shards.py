"""A corpus in shards answers as one in one piece, and becomes current as one."""

import inspect
import shutil
from collections import Counter
from contextlib import contextmanager

import pytest

import lookup
from lookup.corpus import Corpus
from lookup.errors import CorpusVersionError
from lookup.release.checked_files import CHECKSUMS
from lookup.release.current import CURRENT, DATABASE, shard_folder
from objectstore.shards import ROWS_APART, shard_of
from pipeline.builds.garbage import collect_garbage
from pipeline.builds.stages import publish_stage
from pipeline.engines.local import Local
from pipeline.publish import write_database, write_shards
from pipeline.publish.checksums import intact_files
from pipeline.releases.history import list_releases, rollback
from pipeline.releases.release_diff import compare_releases
from pipeline.report.corpus_status import status_of
from tests.support.builds import InProcess, Library
from tests.support.every_call import (
    ALIKE,
    ANIMALS,
    CALLS,
    EACH,
    MUST_FIND,
    QUOTED,
    answer,
    library_of_animals,
    of_call,
    text,
)
from tests.support.models import models_in

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("reports")]

SHARDS = 4


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    """The same papers in one piece and in shards, and the library of the latter."""
    library, model = library_of_animals(tmp_path_factory.mktemp("pair") / "library")
    shutil.copytree(library.corpus, library.root / "one", symlinks=True)
    published = publish_stage(library.work, library.corpus, shards=SHARDS, engine=Local(1))
    assert published.release.shards == SHARDS
    with (
        models_in(model.folder.parent),
        lookup.open(library.root / "one") as one,
        lookup.open(library.corpus) as four,
    ):
        yield one, four, library


def test_all_public_calls_are_compared():
    public = {name for name in dir(Corpus) if not name.startswith("_")}
    coroutines = {
        name for name in public if inspect.iscoroutinefunction(inspect.unwrap(getattr(Corpus, name)))
    }
    twins = {name for name in public if name[:1] == "a" and name[1:] in public}
    assert public - twins - coroutines == CALLS.keys() | ALIKE


@pytest.mark.parametrize(("call", "args"), EACH, ids=of_call)
def test_papers_in_shards_give_the_same_answers(pair, call, args):
    one, four = (answer(corpus, call, args) for corpus in pair[:2])
    assert one == four
    assert one or call not in MUST_FIND


def test_a_lookup_by_key_opens_one_shard(pair):
    with lookup.open(pair[2].corpus) as corpus:
        assert corpus.quote("gnu", QUOTED).matches
        assert corpus.document("gnu")
        shards = corpus._open.database._shards
        assert shards is not None
        assert shards._attached == {shard_of("gnu", SHARDS)}


def test_each_shard_is_a_release_of_its_papers(pair):
    release = pair[1].release
    held = []
    for number, folder in enumerate(release.parts):
        with lookup.open(folder) as shard:
            keys = [paper.key for paper in shard.papers()]
            assert {shard_of(key, SHARDS) for key in keys} <= {number}
            held += keys
            for row, key in shard.sql("SELECT row_number, key FROM paragraphs").fetchall():
                assert row // ROWS_APART == number, key
    assert sorted(held) == sorted(ANIMALS)
    files = {
        path.relative_to(release.folder).as_posix() for path in release.folder.rglob("*") if path.is_file()
    }
    assert intact_files(release.folder) == files - {CHECKSUMS}


def test_a_shard_that_is_gone_is_told(pair, tmp_path):
    shutil.copytree(pair[2].corpus, tmp_path / "corpus", symlinks=True)
    with lookup.open(tmp_path / "corpus") as corpus:
        (corpus.release.parts[shard_of("gnu", SHARDS)] / DATABASE).unlink()
        with pytest.raises(CorpusVersionError, match="three releases are kept"):
            corpus.quote("gnu", QUOTED)


@pytest.fixture(scope="module")
def in_three(tmp_path_factory):
    """A library in three shards, of which each has more than one part, and what brings it back to that."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("pipeline.publish.parts.PAPERS_A_PART", 2)
        made = Library(tmp_path_factory.mktemp("shards") / "library")
        for animal in ANIMALS[:6]:
            made.add(animal, text(animal))
        made.build(shards=3)
    return made, made.keep()


@pytest.fixture
def library(in_three, monkeypatch):
    monkeypatch.setattr(write_database, "_LOOSE", 100.0)
    monkeypatch.setattr("pipeline.publish.parts.PAPERS_A_PART", 2)
    library, again = in_three
    again()
    library.read[:] = ANIMALS[:6]
    return library


def parted(library, number):
    return publish_stage(library.work, library.corpus, shards=number, engine=Local(1))


def keys(corpus):
    with lookup.open(corpus) as opened:
        return [paper.key for paper in opened.papers()]


def test_builds_keep_the_number_of_shards_and_write_those_that_changed(library):
    assert not library.build()[1].new
    before = lookup.open(library.corpus).release
    library.add("gnu", text("gnu"))
    after = library.build()[1].release
    assert (before.shards, after.shards) == (3, 3)
    changed = shard_of("gnu", 3)
    for number in range(3):
        both = [(release.parts[number] / DATABASE).stat().st_ino for release in (before, after)]
        assert (both[0] == both[1]) == (number != changed)
    assert keys(library.corpus) == sorted([*ANIMALS[:6], "gnu"])
    difference = compare_releases(before.folder, after.folder)
    assert (difference.added, difference.gone, difference.changed) == (("gnu",), (), ())


def test_databases_of_shards_are_taken_over_and_those_of_others_left_alone(library, monkeypatch):
    for animal in ANIMALS[6:]:
        library.add(animal, text(animal))
        assert library.build()[1].new
    shared = [release / "shards" for release in sorted((library.corpus / "releases").iterdir())]
    held = {path: path.read_bytes() for folder in shared for path in folder.rglob(DATABASE)}
    (library.pdfs / "ant.pdf").unlink()
    library.add("jay", text("blue jay"))
    after = library.build()[1].release
    assert all(path.read_bytes() == content for path, content in held.items() if path.exists())
    assert after.folder.name not in {path.parents[2].name for path in held}
    assert keys(library.corpus) == sorted(ANIMALS)[1:]
    with lookup.open(library.corpus) as corpus:
        assert corpus.quote("jay", "Nobody minded the sleeping blue jay").matches
        assert corpus.grep("sleeping blue jay")


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_corpus_is_parted_anew(library, number):
    published = parted(library, number)
    assert published.new
    assert published.release.shards == (0 if number == 1 else number)
    assert keys(library.corpus) == list(ANIMALS[:6])
    assert not parted(library, number).new
    assert library.read == [*ANIMALS[:6]]
    library.add("gnu", text("gnu"))
    assert library.build()[1].release.shards == published.release.shards


def test_commands_about_releases_work_on_the_whole(library):
    first = lookup.open(library.corpus).release.name
    library.add("gnu", text("gnu"))
    library.build()
    assert [(one.rows["papers"], one.current) for one in list_releases(library.corpus)] == [
        (6, False),
        (7, True),
    ]
    assert status_of(library.corpus).report["rows"]["papers"] == 7
    assert status_of(library.corpus).report["changes"]["added"]["first"] == ["gnu"]
    assert rollback(library.corpus).name == first
    assert keys(library.corpus) == list(ANIMALS[:6])
    assert rollback(library.corpus, "2").name != first
    found = collect_garbage(library.corpus, library.work, 1)
    assert found.releases == (first,)
    assert len(keys(library.corpus)) == 7


class Watched(InProcess):
    """An engine that does each task `times` over, and counts the tasks by what they do."""

    def __init__(self, times=1):
        super().__init__()
        self.times = times
        self.done: Counter[str] = Counter()

    @contextmanager
    def side_by_side(self):
        def each(function, tasks):
            self.done[function.__name__] += len(tasks)
            return [[function(task) for _ in range(self.times)][-1] for task in tasks]

        yield each


def test_a_night_gives_tasks_to_shards_that_changed(library):
    library.engine = Watched()
    assert not library.build()[1].new
    assert not library.engine.done
    library.add("gnu", text("gnu"))
    library.build()
    assert library.engine.done == {"_write_shard": 1}


def parquet(release):
    return {path.relative_to(release.folder): path.read_bytes() for path in release.folder.rglob("*.parquet")}


class Killed(BaseException):
    """As a signal that nothing catches, in place of one."""


@pytest.mark.parametrize(
    ("after", "step"),
    [
        (False, "write_release"),
        (False, "write_checksums"),  # the same as after the step before
        (True, "write_checksums"),
        (False, "write_manifest"),
        (True, "write_manifest"),
    ],
)
def test_a_publish_that_ends_within_a_shard_leaves_the_whole_as_it_was(library, monkeypatch, step, after):
    library.add("gnu", text("gnu"))
    library.add("jay", text("jay"))
    assert len({shard_of(key, 3) for key in ("gnu", "jay")}) == 2
    done = getattr(write_shards, step)
    calls = []

    def stop(*args, **kwargs):
        calls.append(step)
        last = len(calls) == (1 if step == "write_manifest" else 2)
        if after or not last:
            result = done(*args, **kwargs)
        if last:
            raise Killed
        return result

    with monkeypatch.context() as patch:
        patch.setattr(write_shards, step, stop)
        patch.setattr("shutil.rmtree", lambda *_, **__: None)  # nobody tidies up
        with pytest.raises(Killed):
            library.build()
    assert keys(library.corpus) == list(ANIMALS[:6])
    with lookup.open(library.corpus) as corpus:
        assert [corpus.quote(key, f"The {key} slept.").matches[0].verdict for key in ANIMALS[:6]] == [
            "verbatim"
        ] * 6
    assert library.build()[1].new
    assert keys(library.corpus) == sorted([*ANIMALS[:6], "gnu", "jay"])
    assert not list(library.corpus.rglob(".tmp-*"))


@pytest.mark.system
def test_shards_are_written_side_by_side(library):
    alone = publish_stage(library.work, library.corpus, shards=4, engine=Local(1)).release
    beside = publish_stage(library.work, library.corpus, shards=4, fresh=True, engine=Local(2)).release
    for one, other in zip(alone.parts, beside.parts, strict=True):
        names = sorted(path.relative_to(one).as_posix() for path in one.rglob("*.parquet"))
        assert names
        assert [(one / name).read_bytes() for name in names] == [
            (other / name).read_bytes() for name in names
        ]
    assert (library.corpus / CURRENT).resolve() == beside.folder
    assert shard_folder(beside.folder, 3).is_dir()
