"""A night costs what changed: each kind of change redoes exactly what it must."""

import hashlib
import os
import signal
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest

import lookup
from pipeline.engines.workers import extract_file
from pipeline.files import known_contents
from pipeline.libraries.entries import Metadata
from pipeline.ocr.tesseract import NO_OCR, Ocr, Tesseract
from pipeline.pdf.opening import UnreadableError
from pipeline.sources.find_sources import find_sources
from pipeline.sources.source import Source
from pipeline.work import journal
from pipeline.work.extraction_cache import KeptFailure, keep_failure, kept_failure
from pipeline.work.outcomes import Failed, Limits
from pipeline.work.state import read_state
from tests.support.builds import Library, brought_back, built_once
from tests.support.waiting import wait_until


def made(folder):
    """A library of three papers, of which nothing is built."""
    return Library(folder / "library", "ant", "bee", "cat")


@pytest.fixture
def library(tmp_path):
    return made(tmp_path)


first, built = built_once(made)


@pytest.fixture(scope="module")
def first_vectored(tmp_path_factory, model):
    """The library after its first build with a model, and what brings it back to that."""
    library = made(tmp_path_factory.mktemp("vectored"))
    library.build(model=model)
    return library, library.keep()


vectored = brought_back("first_vectored")


def test_with_nothing_new_nothing_is_read_embedded_or_published(library, model):
    library.build(model=model)
    assert library.read == ["ant", "bee", "cat"]
    extraction, published = library.build(model=model)
    assert (library.read, published.embedding.new, published.new) == ([], 0, False)
    assert extraction.changes == Counter(unchanged=3)


def test_the_state_is_written_where_it_changed_or_is_damaged(built):
    sources, failures = built.work / "sources.parquet", built.work / "failures.parquet"

    def written(change):
        change()
        before = {path: path.stat().st_ino for path in (sources, failures)}
        built.build()
        return any(path.stat().st_ino != number for path, number in before.items())

    def records():
        return {row["key"]: row["record"] for row in read_state(built.work).sources}

    known = records()
    assert not written(lambda: None)
    assert written(lambda: sources.write_bytes(sources.read_bytes()[:-9]))
    assert written(lambda: failures.write_bytes(b""))
    assert records() == known
    assert written(lambda: (built.pdfs / "bee.pdf").rename(built.pdfs / "wasp.pdf"))


@pytest.mark.parametrize(
    ("change", "read", "embedded", "counted"),
    [
        ("new", ["dog"], 1, {"unchanged": 3, "new": 1}),
        ("changed", ["bee"], 1, {"unchanged": 2, "changed": 1}),
        ("renamed", [], 0, {"unchanged": 2, "renamed": 1}),
        ("moved", [], 0, {"unchanged": 2, "moved": 1}),
        ("gone", [], 0, {"unchanged": 2, "gone": 1}),
        ("copied", [], 0, {"unchanged": 3, "new": 1}),
    ],
)
def test_each_change_of_a_file_costs_itself_alone(vectored, model, change, read, embedded, counted):
    bee = vectored.pdfs / "bee.pdf"
    match change:
        case "new":
            vectored.add("dog", "A paper about one dog. Nobody minded.")
        case "changed":
            vectored.add("bee", "A paper about another bee. Nobody minded.")
        case "renamed":
            bee.rename(bee.with_name("wasp.pdf"))
        case "moved":
            (vectored.pdfs / "insects").mkdir()
            bee.rename(vectored.pdfs / "insects" / "bee.pdf")
        case "gone":
            bee.unlink()
        case "copied":
            (vectored.pdfs / "twin.pdf").write_bytes(bee.read_bytes())
    extraction, published = vectored.build(model=model)
    assert vectored.read == read
    assert published.embedding.new == embedded
    assert {name: count for name, count in extraction.changes.items() if count} == counted
    assert published.new
    assert vectored.build(model=model)[1].new is False


def test_force_reads_all_and_publishes_a_release_that_shares_nothing(built):
    old = {path.stat().st_ino for path in (built.corpus / "releases").rglob("*.parquet")}
    extraction, published = built.build(force=True)
    assert built.read == ["ant", "bee", "cat"]
    assert extraction.why == {"force": 3}
    assert published.new
    assert not old & {path.stat().st_ino for path in published.release.folder.rglob("*.parquet")}


def test_a_pdf_that_failed_is_tried_again_when_asked_and_not_before(library):
    (library.pdfs / "login.pdf").write_bytes(b"<html>please sign in")
    extraction, _ = library.build()
    assert (extraction.failures, extraction.new_failures) == ({"not a PDF": 1}, 1)
    extraction, published = library.build()
    assert (library.read, extraction.failures, extraction.new_failures) == ([], {"not a PDF": 1}, 0)
    assert (published.new, published.rows["failures"]) == (False, 1)
    extraction, _ = library.build(retry=True)
    assert (library.read, extraction.new_failures, extraction.why) == (["login"], 1, {"retry": 1})
    library.add("login", "Signed in at last.")
    extraction, _ = library.build()
    assert (library.read, extraction.failures) == (["login"], {})


@pytest.mark.parametrize(
    ("reason", "limits", "ocr", "stands"),
    [
        ("damaged", Limits(), NO_OCR, True),
        ("damaged", Limits(999, 1 << 40), NO_OCR, True),
        ("damaged", Limits(), Ocr("force", Tesseract("tesseract", "5", "eng")), False),
        ("timeout", Limits(60), NO_OCR, False),
        ("timeout", Limits(121), NO_OCR, False),
        ("memory", Limits(999), NO_OCR, True),
        ("memory", Limits(memory=5 << 30), NO_OCR, False),
    ],
)
def test_a_failure_stands_until_it_is_tried_with_more(reason, limits, ocr, stands):
    failure = KeptFailure(reason, "", 1.0, "off", deadline=120.0, memory=4 << 30)
    source = Source("ant", Path("ant.pdf"), "0" * 64, 1, Metadata())
    assert failure.stands(source, ocr, limits) is stands


def test_a_busy_machine_takes_no_time_from_a_paper(library, monkeypatch):
    (source, *_), _ = find_sources([library.pdfs])
    left = []

    def extract(*_):
        left.append([signal.getitimer(timer)[0] for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL)])
        raise UnreadableError("damaged", "")

    monkeypatch.setattr("pipeline.extract.extract", extract)
    extract_file(source, library.work, NO_OCR, Limits(1_000))
    ((of_the_processor, by_the_clock),) = left
    assert 500 < of_the_processor < 1_001
    assert 5_000 < by_the_clock < 10_001
    assert [signal.getitimer(timer)[0] for timer in (signal.ITIMER_PROF, signal.ITIMER_REAL)] == [0, 0]


def test_what_takes_too_long_is_tried_once_more_by_the_next_night_with_the_same_limits(library):
    (source, *_), _ = find_sources([library.pdfs])
    late = Failed(source, "timeout", "", 120.0)

    def stands(limits):
        keep_failure(library.work, late, NO_OCR, limits)
        kept = kept_failure(library.work, source.sha256)
        assert kept
        return kept.stands(source, NO_OCR, limits)

    assert [stands(Limits()) for _ in range(3)] == [False, True, True]
    assert not stands(Limits(240))


@pytest.mark.parametrize(
    ("reason", "detail", "kept"),
    [
        ("damaged", "broken", True),
        ("crash", "It ended with SIGSEGV.", True),
        ("crash", "It ended with SIGKILL.", False),
        ("changed", "while the build ran", False),
        ("unreadable", "Permission denied", False),
        ("ocr", "no language", False),
    ],
)
def test_failures_that_will_pass_are_not_kept(library, reason, detail, kept):
    (source, *_), _ = find_sources([library.pdfs])
    keep_failure(library.work, Failed(source, reason, detail, 1.0), NO_OCR, Limits())
    assert (kept_failure(library.work, source.sha256) is not None) is kept


def hashed(monkeypatch):
    """Return a list that gets the name of each PDF whose bytes are read to be hashed."""
    names = []
    file_digest = hashlib.file_digest

    def watched(file, name):
        path = Path(file.name)
        names.extend([path.stem] * (path.suffix == ".pdf"))
        return file_digest(file, name)

    monkeypatch.setattr(hashlib, "file_digest", watched)
    return names


@pytest.mark.long
def test_a_file_that_nobody_touched_is_not_read_again(library, monkeypatch):
    monkeypatch.setattr(known_contents, "_SETTLED", -3600.0)  # as if they had been written long ago
    opened = hashed(monkeypatch)
    library.build()
    assert sorted(opened) == ["ant", "bee", "cat"]
    opened.clear()
    bee = library.pdfs / "bee.pdf"
    before, written = bee.stat(), bee.read_bytes()
    bee.write_bytes(written.replace(b"595 842", b"595 843"))  # another page, of the same number of bytes
    assert bee.read_bytes() != written
    os.utime(bee, ns=(before.st_atime_ns, before.st_mtime_ns))
    (library.pdfs / "cat.pdf").rename(library.pdfs / "cow.pdf")
    extraction, _ = library.build()
    assert sorted(opened) == ["bee", "cow"]
    assert (library.read, extraction.changes) == (["bee"], Counter(unchanged=1, changed=1, renamed=1))
    opened.clear()
    library.build(force=True)
    assert sorted(opened) == ["ant", "bee", "cow"]


def touched(path):
    path.touch()
    return path.stat().st_ctime


def test_since_looks_into_files_that_were_touched_whatever_time_they_bear(built):
    before = datetime.now(UTC)
    wait_until(
        lambda: touched(built.root / "probe") > before.timestamp()
    )  # the clock of files may lag behind
    path = built.add("bee", "A paper about another bee, larger than the one before.")
    os.utime(path, (0, 0))  # copied with its old time
    built.build(since=before)
    assert built.read == ["bee"]


def test_what_a_build_did_is_a_line_of_the_journal_whatever_ended_it(built, monkeypatch):
    built.build()
    monkeypatch.setattr("pipeline.builds.stages.embed_sentences", _interrupted)
    with pytest.raises(KeyboardInterrupt):
        built.build()
    monkeypatch.undo()
    for path in built.pdfs.iterdir():
        path.write_bytes(b"no PDF")
    with pytest.raises(lookup.BuildError):
        built.build()
    found = journal.entries(built.corpus)
    assert [entry.outcome for entry in found] == ["published", "unchanged", "interrupted", "failed"]
    assert found[0].rows["papers"] == 3
    assert found[0].release == found[1].release
    assert "nothing is published" in found[3].message


def _interrupted(*_args, **_options):
    raise KeyboardInterrupt
