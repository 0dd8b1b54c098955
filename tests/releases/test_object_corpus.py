"""A corpus in object storage: published whole, read in part."""

import gc
import hashlib
import json
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import lookup
from lookup.errors import BuildError, CorpusNotFoundError, StorageError
from lookup.release.current import current_release
from lookup.storage import object_store
from lookup.storage.object_path import ObjectPath
from objectstore import objects
from objectstore.array import ObjectArray
from objectstore.database import end_threads
from objectstore.objects import delete_objects, list_objects, read_object, write_object
from pipeline.models.install import install_model
from pipeline.storage import object_corpus
from pipeline.storage.object_corpus import publish_objects
from tests.support.builds import build as build_all
from tests.support.command import pagequote as run
from tests.support.models import tiny_model
from tests.support.pdfs import pdf
from tests.support.s3 import GONE, sending_fails
from tests.support.traffic import asked_for

pytestmark = [pytest.mark.long, pytest.mark.usefixtures("reports")]


@pytest.fixture
def published(bucket, corpus_path):
    """The corpus of the samples, in a bucket."""
    corpus = ObjectPath(f"s3://{bucket}/library/corpus")
    publish_objects(current_release(corpus_path), corpus)
    return corpus


@pytest.fixture
def library(tmp_path, bucket):
    """A folder of PDFs, and what builds a corpus of it in object storage."""
    (tmp_path / "pdfs").mkdir()
    for name in ("ant", "bee", "cat"):
        write_paper(tmp_path, name)
    return tmp_path, ObjectPath(f"s3://{bucket}/corpus")


def write_paper(root, name):
    (root / "pdfs" / f"{name}.pdf").write_bytes(
        pdf("Front", "Matter", f"A paper about one {name}. Nobody minded it.")
    )


def build(library, model=None):
    root, corpus = library
    return build_all([root / "pdfs"], root, model=model, corpus=corpus)[1]


def keys(corpus):
    with lookup.open(corpus) as opened:
        return [key for (key,) in opened.sql("SELECT key FROM papers ORDER BY key").fetchall()]


def test_a_corpus_in_object_storage_answers_as_the_same_one_on_a_disk(published, corpus):
    with lookup.open(str(published)) as there:
        every = [key for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key").fetchall()]
        for key in every:
            text = corpus.document(key)
            assert there.document(key) == text
            words = " ".join(text[len(text) // 2 :].split()[1:9])
            for query in (words, words.replace("e", "c", 1), "words that nobody prints in a paper"):
                assert there.quote(key, query) == corpus.quote(key, query)
            assert there.page(key, 1) == corpus.page(key, 1)
            assert there.quote(key, words, page=1) == corpus.quote(key, words, page=1)
            assert there.verify(words, key) == corpus.verify(words, key)
        assert there.grep("the") == corpus.grep("the")
        for query in ("SELECT * FROM find_quote($1, 'the')", "SELECT * FROM sections WHERE key = $1"):
            ordered = f"{query} ORDER BY ALL"
            assert there.sql(ordered, [every[0]]).fetchall() == corpus.sql(ordered, [every[0]]).fetchall()
        with pytest.raises(lookup.UnknownKeyError, match="Did you mean"):
            there.quote(every[0] + "x", "anything at all")


def test_searches_fetch_the_index_of_words_once(published, corpus, tmp_path):
    with lookup.open(published) as there:
        expected = corpus.search("salt marsh carbon", mode="lexical")
        assert expected.hits
        assert there.search("salt marsh carbon", mode="lexical") == expected
    assert list((tmp_path / "cache").iterdir())
    before = sorted((tmp_path / "cache").iterdir())
    with lookup.open(published) as there:
        assert there.search("night", mode="lexical") == corpus.search("night", mode="lexical")
    assert sorted((tmp_path / "cache").iterdir()) == before


@pytest.mark.parametrize("let_go", [lookup.Corpus.close, lookup.Corpus.refresh])
def test_its_threads_end_before_it_is_closed(library, monkeypatch, let_go):
    root, corpus = library
    build(library)
    threads = []

    def counted(connection):
        before = len(list(Path("/proc/self/task").iterdir()))
        end_threads(connection)
        threads.append(before - len(list(Path("/proc/self/task").iterdir())))

    monkeypatch.setattr(object_store, "end_threads", counted)
    with lookup.open(corpus) as opened:
        opened.sql("SELECT key FROM papers ORDER BY key").fetchall()
        write_paper(root, "dog")
        build(library)
        let_go(opened)
        gc.collect()
        assert len(threads) == 2  # of lookups, and of the user's own SQL
        assert all(one > 0 for one in threads)
    assert len(threads) == (2 if let_go is lookup.Corpus.close else 3)


def test_a_build_publishes_to_object_storage_what_it_publishes_to_a_disk(library):
    root, corpus = library
    published = build(library)
    assert published.new
    assert str(published.release.folder) == f"{corpus}/releases/{published.release.name}"
    build_all([root / "pdfs"], root, work=root / "work2")
    query = "SELECT * FROM paragraphs ORDER BY row_number"
    with lookup.open(corpus) as there, lookup.open(root / "corpus") as here:
        assert there.sql(query).fetchall() == here.sql(query).fetchall()


def test_a_build_with_nothing_new_sends_nothing(library):
    build(library)
    asked, again = asked_for(lambda: build(library))
    assert (asked.sent < 1000, again.new) == (True, False)  # the journal of builds alone


@pytest.mark.parametrize("fails_at", [".duckdb", ".parquet", "manifest.json", "current"])
def test_a_release_that_is_not_sent_to_its_end_leaves_the_one_before(library, monkeypatch, fails_at):
    build(library)
    root, corpus = library
    write_paper(root, "dog")

    with sending_fails(monkeypatch, fails_at), pytest.raises(BuildError, match=GONE):
        build(library)
    assert keys(corpus) == ["ant", "bee", "cat"]
    assert build(library).new
    assert keys(corpus) == ["ant", "bee", "cat", "dog"]


def test_a_build_that_is_overtaken_by_another_one_says_so(library, monkeypatch):
    build(library)
    root, corpus = library
    write_paper(root, "dog")
    name = object_corpus._next_name

    def overtaken(*args):
        write_object(corpus / "current", read_object(corpus / "current"))
        write_object(corpus / "current", b"r000009-20260101T000000Z\n")
        return name(*args)

    monkeypatch.setattr(object_corpus, "_next_name", overtaken)
    with pytest.raises(BuildError, match="Another build"):
        build(library)
    assert read_object(corpus / "current") == b"r000009-20260101T000000Z\n"
    assert [one.path.parent.name[:7] for one in list_objects(corpus / "releases")] == ["r000001"]


def test_readers_go_over_to_a_new_release_when_they_ask(library):
    root, corpus = library
    build(library)
    with lookup.open(corpus) as reader:
        assert not reader.refresh()
        write_paper(root, "dog")
        build(library)
        with pytest.raises(lookup.UnknownKeyError):
            reader.quote("dog", "A paper about one dog")
        assert reader.refresh()
        assert reader.quote("dog", "A paper about one dog").matches[0].verdict == "verbatim"


def test_readers_see_whole_releases_while_builds_publish(library):
    root, corpus = library
    build(library)
    done = threading.Event()

    def read():
        seen = set()
        with lookup.open(corpus) as reader:
            while not done.is_set():
                reader.refresh()
                ((papers, paragraphs, last),) = reader.sql(
                    "SELECT count(*), (SELECT count(DISTINCT key) FROM paragraphs), max(key) FROM papers"
                ).fetchall()
                assert papers == paragraphs == reader.release.manifest["rows"]["papers"]
                assert reader.quote(last, f"A paper about one {last}").matches[0].verdict == "verbatim"
                seen.add(papers)
        return seen

    with ThreadPoolExecutor(4) as readers:
        reading = [readers.submit(read) for _ in range(4)]
        try:
            for paper in ("dog", "eel", "fox"):
                write_paper(root, paper)
                build(library)
        finally:
            done.set()
        seen = set.union(*(one.result() for one in reading))
    assert seen <= {3, 4, 5, 6}
    assert len(seen) > 1


def test_a_reader_whose_release_was_removed_is_told(published):
    with lookup.open(published) as reader:
        reader.sql("SELECT 1")  # a user's SQL has a connection of its own, from the first on
        delete_objects([one.path for one in list_objects(published / "files")])
        with pytest.raises(StorageError, match=r"cannot be read on \(.*no such object.*Refresh"):
            reader.sql("SELECT sum(length(text)) FROM paragraphs")
        with pytest.raises(StorageError, match="no such object"):
            reader.document("okafor2021")
        with pytest.raises(lookup.QueryError, match="no_such_column"):
            reader.sql("SELECT no_such_column")
    with pytest.raises(StorageError, match="no such object"):
        lookup.open(published)


def test_vectors_are_fetched_for_the_papers_that_are_asked(library, tmp_path_factory, monkeypatch):
    folder = tmp_path_factory.mktemp("models")
    model = install_model(tiny_model(folder / "source"), folder / "models" / "tiny")
    root, corpus = library
    build(library, model)
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(model.folder.parent))
    build_all([root / "pdfs"], root, model=model, work=root / "work2")
    with lookup.open(corpus) as there, lookup.open(root / "corpus") as here:
        for asked in ({}, {"keys": ["ant"]}, {"keys": ["cat", "ant"], "limit": 3}):
            expected = here.sentences("an animal", match_threshold=-1.0, **asked)
            assert there.sentences("an animal", match_threshold=-1.0, **asked) == expected
            assert expected
        assert there.search("an animal") == here.search("an animal")
        assert there.similar("ant", 2) == here.similar("ant", 2)


@pytest.fixture
def stored(bucket, tmp_path):
    """A matrix as an array, in memory and in object storage."""

    def store(array):
        file = tmp_path / "array.npy"
        np.save(file, array)
        path = ObjectPath(f"s3://{bucket}/{hashlib.sha256(file.read_bytes()).hexdigest()}.npy")
        write_object(path, file)
        return ObjectArray(path, file.stat().st_size)

    return store


@pytest.mark.parametrize("shape", [(1000, 384), (1000,)])
def test_rows_of_an_array_in_object_storage_are_those_of_the_array(stored, shape):
    random = np.random.default_rng(1)
    array = random.integers(-127, 128, shape).astype(np.int8 if len(shape) == 2 else np.float32)
    there = stored(array)
    assert len(there) == 1000
    for first, last in ((0, 1000), (10, 20), (15, 18), (990, 1000), (5, 5)):
        assert np.array_equal(there[first:last], array[first:last])
    for count in (0, 1, 50):
        numbers = random.integers(0, 1000, count)
        assert np.array_equal(there[numbers], array[numbers])


def test_a_range_of_rows_costs_one_request_of_its_size(stored):
    there = stored(np.zeros((1000, 384), np.int8))
    asked, _ = asked_for(lambda: there[100:150])
    assert (asked.requests, asked.fetched) == (1, 50 * 384)
    asked, _ = asked_for(lambda: there[np.arange(100, 150, 3)])
    assert asked.requests == 0


def test_an_array_that_is_read_whole_is_fetched_once_and_kept_on_the_disk(stored, tmp_path, monkeypatch):
    monkeypatch.setattr("objectstore.array._HELD", 1000)
    array = np.arange(2000, dtype=np.float32)
    there = stored(array)
    assert np.array_equal(there[[3, 1500, 2]], array[[3, 1500, 2]])
    assert np.array_equal(there[0:2000], array)
    assert [file.stat().st_size for file in (tmp_path / "cache").iterdir()] == [128 + 8000]
    again = ObjectArray(there._stored, 128 + 8000)
    asked, _ = asked_for(lambda: again[0:2000])
    assert (asked.requests, asked.fetched) == (0, 0)
    assert np.array_equal(again[0:2000], array)
    assert np.array_equal(again[[3, 1500, 2]], array[[3, 1500, 2]])


def test_no_corpus_no_bucket_and_no_storage_are_told_apart(bucket, monkeypatch):
    with pytest.raises(CorpusNotFoundError, match="no release is published there"):
        lookup.open(f"s3://{bucket}/corpus")
    with pytest.raises(CorpusNotFoundError, match="there is no bucket 'no-such-bucket'") as told:
        lookup.open("s3://no-such-bucket/corpus")
    assert "<" not in str(told.value)
    monkeypatch.setattr(objects, "_RETRIES", 0)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    objects._store.cache_clear()
    try:
        with pytest.raises(CorpusNotFoundError, match="AWS_ENDPOINT_URL"):
            lookup.open(f"s3://{bucket}/corpus")
    finally:
        objects._store.cache_clear()


def test_a_build_for_a_corpus_that_cannot_be_reached_fails_before_it_reads_anything(library, monkeypatch):
    root, _ = library
    monkeypatch.setattr(objects, "_RETRIES", 0)
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    objects._store.cache_clear()
    try:
        with pytest.raises(BuildError, match="AWS_ENDPOINT_URL"):
            build(library)
    finally:
        objects._store.cache_clear()
    assert not (root / "work").exists()


def test_the_commands_take_addresses(library):
    root, corpus = library
    built = run("build", root / "pdfs", "--corpus", corpus, "--work", root / "work")
    assert built.returncode == 0, built.stderr
    found = run("quote", "bee", "A paper about one bee", "--corpus", corpus)
    assert (found.returncode, "verbatim" in found.stdout, found.stderr) == (0, True, "")
    write_paper(root, "dog")
    assert run("build", root / "pdfs", "--corpus", corpus, "--work", root / "work").returncode == 0
    listed = json.loads(run("releases", "--json", "--corpus", corpus).stdout)
    assert [(one["name"][:7], one["current"], one["rows"]["papers"]) for one in listed] == [
        ("r000001", False, 3),
        ("r000002", True, 4),
    ]
    different = run("releases", "diff", "1", "--corpus", corpus)
    assert (different.returncode, different.stdout.splitlines()[0]) == (1, "+ dog"), different.stderr
    assert run("releases", "diff", "2", "current", "--corpus", corpus).returncode == 0
    assert run("releases", "use", "--corpus", corpus).returncode == 0
    assert keys(corpus) == ["ant", "bee", "cat"]
    report = root / "report.html"
    told = run("status", "--corpus", corpus, "--html", report)
    assert told.returncode == 0, told.stderr
    assert "holds: 3 papers" in told.stdout
    assert f"rolled back: {listed[1]['name']} is newer" in told.stdout
    assert report.read_text().startswith("<!doctype html>")
