"""What a release is to hold is told from the rows of the state, which are never held together."""

import tracemalloc
from itertools import chain
from pathlib import Path

import pytest

from lookup.errors import BuildError
from objectstore.shards import shard_of
from pipeline.publish import content
from pipeline.publish.content import StateRows
from pipeline.work.extraction_cache import records_folder

SHARDS = 3
CORPUS = Path("/papers/corpus")


def source(number, **said):
    return {
        "key": f"key{number}",
        "path": f"/papers/{number}.pdf",
        "record": "one.arrow",
        "seconds": 1.0,
        **said,
    }


def failure(number, **said):
    return {"key": None, "path": f"/papers/{number}.pdf", "reason": "timeout", "seconds": 2.0, **said}


@pytest.fixture
def rows(tmp_path):
    """A function that makes rows of the state of sources and failures, one of which is read at a time."""
    folder = records_folder(tmp_path)
    folder.mkdir(parents=True)
    (folder / "one.arrow").touch()

    def made(sources, failures=()):
        return StateRows(lambda: iter(sources), lambda: iter(failures), tmp_path)

    return made


def hashes(rows):
    return rows.spec(None, SHARDS, CORPUS).hashes


def test_each_row_is_in_one_shard(rows):
    sources, failures = [source(number) for number in range(20)], [failure(number) for number in range(9)]
    made = rows(sources, failures)
    held = [list(made.kept_sources(shard, SHARDS)) for shard in range(SHARDS)]
    failed = [made.shard_failures(shard, SHARDS) for shard in range(SHARDS)]
    assert all(held)
    assert sorted(chain(*held), key=sources.index) == sources
    assert sorted(chain(*failed), key=failures.index) == failures


@pytest.mark.parametrize(
    "changed",
    [
        ([source(number, title="Other") if number == 4 else source(number) for number in range(20)], []),
        ([source(number) for number in range(20) if number != 4], []),
        ([source(number) for number in range(20)], [failure(4, key="key4")]),
    ],
)
def test_a_change_is_one_of_the_shard_that_has_it(rows, changed):
    before, after = hashes(rows([source(number) for number in range(20)])), hashes(rows(*changed))
    differ = {shard for shard in range(SHARDS) if before[shard] != after[shard]}
    assert differ == {shard_of("key4", SHARDS)}


def test_a_source_without_its_extraction_is_left_out(rows):
    there = [source(number) for number in range(20)]
    lacking = [*there, source(20, record=None), source(21, record="lost.arrow")]
    assert hashes(rows(lacking)) == hashes(rows(there))
    with pytest.raises(BuildError, match="None of the 2 sources"):
        hashes(rows(lacking[-2:]))
    with pytest.raises(BuildError, match="The only source could not be read"):
        hashes(rows(lacking[-1:]))


def test_ten_times_the_papers_take_no_more_memory(rows):
    def most(count):
        made = rows(source(number, abstract="x" * 1000) for number in range(count))
        tracemalloc.start()
        try:
            made.spec(None, SHARDS, CORPUS)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    most(400)
    assert most(4000) < 1.5 * most(400)


@pytest.mark.parametrize(
    ("paths", "corpus", "root", "library"),
    [
        (["/a/b/1.pdf", "/a/b/2.pdf"], "/a/corpus", "/a/b", "../b"),
        (["/a/b/1.pdf", "/a/bc/2.pdf"], "/a/corpus", "/a", ".."),
        (["/1.pdf", "/a/2.pdf"], "/a/corpus", "/", "../.."),
        (["s3://papers/1.pdf", "/a/b/2.pdf"], "/a/b/corpus", "/a/b", ".."),
        (["s3://papers/1.pdf"], "/a/corpus", "", ""),
    ],
)
def test_paths_are_relative_to_the_folder_of_all_sources(rows, paths, corpus, root, library):
    spec = rows([source(1) | {"path": path} for path in paths]).spec(None, 1, Path(corpus))
    assert (spec.root, spec.library) == (root, library)
    for path in paths:
        relative = content.relative_to(root, path)
        assert relative == path or not relative.startswith(("/", ".."))
