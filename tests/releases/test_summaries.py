"""A night reads only the extractions of which it has to write something."""

import pytest

import lookup
from pipeline.builds.stages import publish_stage
from pipeline.publish import content, parts
from pipeline.work import extraction_cache, state
from pipeline.work.extraction_cache import record_name, records_folder
from pipeline.work.state import read_state
from tests.support.builds import Library, built_once

ANIMALS = ("ant", "bee", "cat", "dog", "eel")


@pytest.fixture(scope="module", autouse=True)
def _small():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "PAPERS_A_PART", 1)  # each paper is a part, so that others are shared
        yield


first, library = built_once(lambda folder: Library(folder / "library", *ANIMALS))


@pytest.fixture
def records_read(monkeypatch):
    read = []
    of_disk = extraction_cache.read_record

    def counted(path):
        read.append(path)
        return of_disk(path)

    for reader in (content, state):
        monkeypatch.setattr(reader, "read_record", counted)
    return read


def papers(library):
    with lookup.open(library.corpus) as corpus:
        return corpus.sql("SELECT * EXCLUDE path FROM papers ORDER BY key").fetchall()


def test_extractions_of_shared_files_are_not_read(library, records_read):
    before = papers(library)
    library.add("fly", "A paper about one fly. Nobody minded.")
    library.build()
    (fly,) = (source for source in read_state(library.work).sources if source["key"] == "fly")
    assert set(records_read) == {records_folder(library.work) / fly["record"]}
    assert [row for row in papers(library) if row[0] != "fly"] == before


def test_a_release_is_the_same_without_what_was_known(library):
    library.add("fly", "A paper about one fly. Nobody minded.")
    library.build()
    known = papers(library)
    without_summaries = read_state(library.work)
    for row in without_summaries.sources:
        del row["summary"], row["summarised"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(state, "kept_summary", lambda _: "none is made")
        state.write_state(library.work, without_summaries)
    assert publish_stage(library.work, library.corpus, fresh=True).new
    assert papers(library) == known


def test_a_damaged_extraction_that_a_release_needs_is_made_again(library, records_read):
    (ant,) = (source for source in read_state(library.work).sources if source["key"] == "ant")
    path = records_folder(library.work) / record_name(ant["sha256"])
    path.write_bytes(b"damaged")
    (library.pdfs / "ant.pdf").rename(library.pdfs / "ape.pdf")
    library.add("fly", "A paper about one fly. Nobody minded.")
    library.build()
    assert path in records_read
    assert library.read == ["fly", "ape"]
