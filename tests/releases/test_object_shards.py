"""A corpus in shards in object storage answers as one on a disk, and a build sends what changed."""

import json
from pathlib import PurePath

import pytest

import lookup
from lookup.errors import BuildError, StorageError
from lookup.release.current import DATABASE, current_release
from lookup.storage.object_path import ObjectPath
from objectstore import database as object_database
from objectstore.objects import delete_objects, list_objects, read_range, write_object
from objectstore.releases import stored_file
from objectstore.shards import shard_of
from pagequote.stranger_sql import safe_sql
from pipeline.builds.stages import publish_stage
from pipeline.engines.local import Local
from pipeline.storage import object_corpus
from tests.support.builds import Library
from tests.support.command import pagequote as run
from tests.support.every_call import (
    ANIMALS,
    EACH,
    MUST_FIND,
    QUOTED,
    answer,
    library_of_animals,
    of_call,
    text,
)
from tests.support.s3 import GONE, make_bucket, sending_fails

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("reports")]

SHARDS = 9
"""Some of them have no paper."""


@pytest.fixture(scope="module")
def pair(s3, tmp_path_factory):
    """The same papers in one piece on a disk, and in shards in object storage."""
    library, model = library_of_animals(tmp_path_factory.mktemp("pair") / "library")
    with pytest.MonkeyPatch.context() as patch:
        for name, value in s3.items():
            patch.setenv(name, value)
        patch.setenv("PAGEQUOTE_CACHE", str(library.root / "cache"))
        patch.setenv("PAGEQUOTE_MODELS", str(model.folder.parent))
        make_bucket("shards", s3)
        there = ObjectPath("s3://shards/corpus")
        published = publish_stage(library.work, there, shards=SHARDS, engine=Local(1))
        assert published.release.shards == SHARDS
        with lookup.open(library.corpus) as here, lookup.open(there) as far:
            yield here, far


@pytest.mark.parametrize(("call", "args"), EACH, ids=of_call)
def test_shards_in_object_storage_give_the_same_answers(pair, call, args):
    here, far = (answer(corpus, call, args) for corpus in pair)
    assert here == far
    assert here or call not in MUST_FIND


def test_sql_of_strangers_is_for_a_disk(pair):
    with pytest.raises(StorageError, match="Copy the release to one"):
        safe_sql(pair[1], "FROM papers")


def test_a_lookup_by_key_fetches_of_one_database(pair, monkeypatch):
    fetched = set()

    def read(stored, *args):
        fetched.add(stored)
        return read_range(stored, *args)

    monkeypatch.setattr(object_database, "read_range", read)
    with lookup.open(pair[1].release.folder) as corpus:
        assert not fetched
        assert corpus.quote("gnu", QUOTED).matches
        assert corpus.document("gnu")
        part = corpus.release.parts[shard_of("gnu", SHARDS)]
        assert fetched == {stored_file(corpus.release, part / DATABASE)[0]}


class Stored:
    """A library whose corpus is in object storage."""

    def __init__(self, root, corpus):
        self.library, self.corpus = Library(root), corpus
        for animal in ANIMALS[:6]:
            self.add(animal)

    def add(self, animal):
        """Write the PDF of a paper."""
        self.library.add(animal, text(animal))

    def build(self, **options):
        """Build, and return what was published."""
        return self.library.build(corpus=self.corpus, **options)[1]

    def keys(self):
        """Return the keys of the papers, each of which can be quoted."""
        with lookup.open(self.corpus) as opened:
            keys = [paper.key for paper in opened.papers()]
            assert all(opened.quote(key, f"The {key} slept.").matches for key in keys)
        return keys


@pytest.fixture
def stored(bucket, tmp_path):
    """Six papers in three shards."""
    made = Stored(tmp_path / "library", ObjectPath(f"s3://{bucket}/corpus"))
    assert made.build(shards=3).release.shards == 3
    return made


def test_a_build_sends_the_shards_that_changed(stored, monkeypatch):
    sent = []

    def counted(path, content):
        sent.append(path.name if path.suffix == ".json" else path.suffix)
        write_object(path, content)

    read = []

    def hashed(file):
        read.append(file)
        return content_name(file)

    content_name = object_corpus._content_name
    before = current_release(stored.corpus)
    monkeypatch.setattr(object_corpus, "write_object", counted)
    monkeypatch.setattr(object_corpus, "_content_name", hashed)
    assert not stored.build().new
    assert not sent
    stored.add("gnu")
    after = stored.build().release
    assert after.shards == 3
    changed = shard_of("gnu", 3)
    for number in range(3):
        both = [stored_file(one, one.parts[number] / DATABASE) for one in (before, after)]
        assert (both[0] == both[1]) == (number != changed)
    assert sent.count(".duckdb") == 1
    assert len(read) < len(after.manifest["objects"]) / 2
    assert stored.keys() == sorted([*ANIMALS[:6], "gnu"])


@pytest.mark.parametrize("number", [1, 2, 5])
def test_a_corpus_is_parted_anew(stored, number):
    def parted():
        return publish_stage(stored.library.work, stored.corpus, shards=number, engine=Local(1))

    published = parted()
    assert published.new
    assert published.release.shards == (0 if number == 1 else number)
    assert stored.keys() == list(ANIMALS[:6])
    assert not parted().new
    stored.add("gnu")
    assert stored.build().release.shards == published.release.shards


@pytest.mark.parametrize("fails_at", [".duckdb", "manifest.json", "current"])
def test_shards_that_are_not_sent_to_the_end_leave_the_whole_as_it_was(stored, monkeypatch, fails_at):
    stored.add("gnu")
    stored.add("jay")

    with sending_fails(monkeypatch, fails_at), pytest.raises(BuildError, match=GONE):
        stored.build()
    assert stored.keys() == list(ANIMALS[:6])
    assert stored.build().new
    assert stored.keys() == sorted([*ANIMALS[:6], "gnu", "jay"])


def test_a_shard_that_is_gone_is_told_and_found_when_it_is_back(stored):
    release = current_release(stored.corpus)
    path, _ = stored_file(release, release.parts[shard_of("ant", 3)] / DATABASE)
    content = path.read_bytes()
    others = [key for key in ANIMALS[:6] if shard_of(key, 3) != shard_of("ant", 3)]
    delete_objects([path])
    with lookup.open(stored.corpus) as corpus:
        assert corpus.document(others[0])
        for ask in (corpus.document, corpus.papers):
            with pytest.raises(StorageError, match="no such object"):
                ask("ant")
        write_object(path, content)
        assert corpus.document("ant")
        assert len(corpus.papers()) == 6


def test_the_commands_work_on_the_whole(stored):
    at = "--corpus", stored.corpus
    work = "--work", stored.library.work
    stored.add("gnu")
    assert run("build", stored.library.pdfs, *at, *work, "--shards", 3).returncode == 0
    different = run("releases", "diff", "1", *at)
    assert (different.returncode, different.stdout.splitlines()[:-1]) == (1, ["+ gnu"]), different.stderr
    parted = run("publish", "--shards", 2, *at, *work)
    assert parted.returncode == 0, parted.stderr
    assert run("releases", "diff", "2", "3", *at).returncode == 0
    listed = json.loads(run("releases", "--json", *at).stdout)
    assert [(one["rows"]["papers"], one["current"]) for one in listed] == [(6, False), (7, False), (7, True)]
    assert "holds: 7 papers" in run("status", *at).stdout
    assert run("releases", "use", "2", *at).returncode == 0
    assert current_release(stored.corpus).shards == 3
    assert run("releases", "use", "3", *at).returncode == 0
    collected = run("releases", "gc", "--keep", 1, *at, *work)
    assert collected.returncode == 0, collected.stderr
    release = current_release(stored.corpus)
    held = {one.path.name for one in list_objects(stored.corpus / "files")}
    assert held == {PurePath(one["object"]).name for one in release.manifest["objects"].values()}
    assert (release.shards, stored.keys()) == (2, sorted([*ANIMALS[:6], "gnu"]))
