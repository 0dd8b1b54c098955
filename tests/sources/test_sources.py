"""Which PDFs are found, under which keys, with which metadata; and what is told of the others."""

import hashlib
import os
import unicodedata
from collections.abc import Sequence
from glob import glob
from itertools import permutations
from pathlib import Path
from unittest.mock import Mock

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lookup.errors import SourceError
from pipeline.formats import MARKED_COPY
from pipeline.libraries.entries import Metadata
from pipeline.sources.find_sources import find_sources
from pipeline.sources.source import NO_PDF, Rejected, Source
from tests.support.cases import cases
from tests.support.needs import needs

CASES = cases("sources/sources.toml")

pytestmark = pytest.mark.usefixtures("reports")


def pdf(path: Path, content: str = "") -> Path:
    """A file; its bytes are never looked into here, so they are those of its path unless given."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content or f"%PDF-1.7 {path}", encoding="utf-8")
    return path


def bib(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def sources(named: Sequence[str | Path], bibliographies: Sequence[Path] = ()) -> dict[str, Path]:
    """Keys and paths, where nothing is rejected."""
    found, rejected = find_sources(named, bibliographies)
    assert [each for each in rejected if each.reason != NO_PDF] == []
    return {source.key: source.path for source in found}


def rejections(
    named: Sequence[str | Path], bibliographies: Sequence[Path] = ()
) -> list[tuple[Path, str, str]]:
    rejected = find_sources(named, bibliographies)[1]
    return [(each.path, each.key, each.reason) for each in rejected if each.reason != NO_PDF]


def without_remarks(
    named: Sequence[str | Path], bibliographies: Sequence[Path] = ()
) -> tuple[list[Source], list[Rejected]]:
    found, rejected = find_sources(named, bibliographies)
    return found, [each for each in rejected if each.reason != NO_PDF]


def test_a_file_becomes_a_source_with_its_hash_and_size(tmp_path: Path) -> None:
    path = tmp_path / "feng2022.pdf"
    content = os.urandom(3_000_000)
    path.write_bytes(content)
    expected = Source("feng2022", path, hashlib.sha256(content).hexdigest(), 3_000_000, Metadata())
    assert find_sources([path]) == ([expected], [])


def test_paths_are_absolute_whatever_way_they_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = pdf(tmp_path / "lib/feng.pdf")
    monkeypatch.chdir(tmp_path / "lib")
    for name in (
        "feng.pdf",
        "./feng.pdf",
        "../lib/feng.pdf",
        ".",
        "../lib",
        "*.pdf",
        "../*/feng.pdf",
        "../**",
    ):
        assert sources([name]) == {"feng": path}


@pytest.mark.parametrize(
    ("name", "key"),
    CASES["the key is the stem or the folders name where the stem tells nothing"],
)
def test_the_key_is_the_stem_or_the_folders_name_where_the_stem_tells_nothing(
    tmp_path: Path, name: str, key: str
) -> None:
    path = pdf(tmp_path / name)
    assert sources([tmp_path]) == {key: path}


def test_a_folder_is_read_to_any_depth_and_in_any_letter_case_but_for_what_is_hidden(tmp_path: Path) -> None:
    for name in ("a.pdf", "b.PDF", "x/c.Pdf", "x/y/z/d.pdf", "bundle.pdf/e.pdf"):
        pdf(tmp_path / name)
    for name in (
        ".f.pdf",
        "._a.pdf",
        ".g/h.pdf",
        "x/._y/i.pdf",
        "notes.txt",
        "refs.bib",
        "j.pdf.part",
        "pdf",
    ):
        pdf(tmp_path / name)
    assert list(sources([tmp_path])) == ["a", "b", "c", "d", "e"]


@pytest.mark.parametrize(
    ("pattern", "keys"),
    CASES["a pattern gives the pdfs that fit it"],
)
def test_a_pattern_gives_the_pdfs_that_fit_it(tmp_path: Path, pattern: str, keys: list[str]) -> None:
    for name in (
        "a.pdf",
        "b1.pdf",
        "x/c.pdf",
        "x/y/d.pdf",
        ".h.pdf",
        "x/.z/e.pdf",
        "a.txt",
        "f.pdf/notes.txt",
    ):
        pdf(tmp_path / name)
    assert list(sources([f"{tmp_path}/{pattern}"])) == keys


PATTERN = st.lists(
    st.sampled_from(["**", "*", "*.pdf", "?", "[ax]*", "[!a]*", ".*", "x/..", "x", "y", "a.pdf"]),
    min_size=1,
    max_size=4,
)


@example(parts=["**", "x/..", "**"])
@given(parts=PATTERN.filter(lambda parts: any(set("*?[") & set(part) for part in parts)))
def test_patterns_mean_what_they_mean_in_the_standard_library(
    tmp_path_factory: pytest.TempPathFactory, parts: list[str]
) -> None:
    top = tmp_path_factory.getbasetemp() / "patterns"
    for name in (
        "a.pdf",
        "x/a.pdf",
        "x/b.pdf",
        "x/y/a.pdf",
        "x/y/z/c.pdf",
        ".h/x/a.pdf",
        "x/.d.pdf",
        "y/a.txt",
    ):
        pdf(top / "in" / name)
    pattern = "/".join([str(top / "in"), *parts])
    oracle = glob(pattern, recursive=True)  # noqa: PTH207  Path.glob follows no links, and takes hidden files
    expected = {os.path.realpath(path) for path in oracle if path.endswith(".pdf")}
    try:
        found, rejected = find_sources([pattern])
    except SourceError:
        found, rejected = [], []
    assert {str(source.path) for source in found} | {str(each.path) for each in rejected} == expected


def test_links_that_lead_around_are_followed_once(tmp_path: Path) -> None:
    pdf(tmp_path / "lib/a.pdf")
    pdf(tmp_path / "elsewhere/b.pdf")
    for name in ("one", "two", "three"):
        (tmp_path / "lib" / name).symlink_to(tmp_path / "lib")
        (tmp_path / "elsewhere" / name).symlink_to(tmp_path / "lib")
    (tmp_path / "lib/out").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "lib/self").symlink_to("self")
    expected = {"a": tmp_path / "lib/a.pdf", "b": tmp_path / "lib/out/b.pdf"}
    assert sources([tmp_path / "lib"]) == sources([str(tmp_path / "lib/**/*.pdf")]) == expected


def test_a_file_reached_in_several_ways_counts_once_under_its_own_name(tmp_path: Path) -> None:
    path = pdf(tmp_path / "lib/feng.pdf")
    (tmp_path / "lib/alias.pdf").symlink_to(path)
    (tmp_path / "alias").symlink_to(tmp_path / "lib")
    ways: list[str | Path] = [tmp_path / "lib", tmp_path / "alias", f"{tmp_path}/*/*.pdf", path]
    assert sources(ways) == {"feng": path}
    assert sources([tmp_path / "alias"]) == {"feng": tmp_path / "alias/feng.pdf"}


def test_the_order_of_the_arguments_does_not_matter(tmp_path: Path) -> None:
    pdf(tmp_path / "x/b.pdf")
    pdf(tmp_path / "x/a.pdf")
    pdf(tmp_path / "y/a.pdf")
    pdf(tmp_path / "z/c.pdf")
    named: list[str | Path] = [
        tmp_path / "y",
        f"{tmp_path}/*/*.pdf",
        bib(tmp_path / "1.bib", "@misc{one, title={1}, file={z/c.pdf}}\n@misc{broken"),
        bib(tmp_path / "2.bib", "@misc{one, title={2}, file={z/c.pdf}}\n@misc{two, file={x/b.pdf;gone.pdf}}"),
    ]
    books = [bib(tmp_path / "3.bib", "@misc{alpha, file={z/c.pdf}}"), bib(tmp_path / "4.bib", "@misc{z}")]
    answers = [find_sources(some, more) for some in permutations(named) for more in permutations(books)]
    assert [source.key for source in answers[0][0]] == ["a", "one", "two"]
    assert answers[0][0][1].metadata.title == "1"
    assert [each.reason for each in answers[0][1]] == [
        "broken entry",
        "no PDF",
        "missing file",
        "duplicate key",
        "duplicate entry",
    ]
    assert all(answer == answers[0] for answer in answers)


def test_of_two_files_with_one_key_the_first_path_is_kept_and_the_others_are_told(tmp_path: Path) -> None:
    kept = pdf(tmp_path / "a/feng.pdf")
    second, third = pdf(tmp_path / "b/feng.pdf"), pdf(tmp_path / "c/feng/main.pdf")
    found, rejected = find_sources([third, second, kept])
    assert [source.path for source in found] == [kept]
    assert [(each.path, each.key, each.reason) for each in rejected] == [
        (second, "feng", "duplicate key"),
        (third, "feng", "duplicate key"),
    ]
    assert [each.sha256 for each in rejected] == [
        hashlib.sha256(path.read_bytes()).hexdigest() for path in (second, third)
    ]
    assert all(str(kept) in each.detail and "Rename" in each.detail for each in rejected)


def test_a_copy_that_pagequote_marked_never_replaces_its_original(tmp_path: Path) -> None:
    marked = pdf(tmp_path / "a/feng.pdf")
    marked.write_bytes(marked.read_bytes() + MARKED_COPY)
    original = pdf(tmp_path / "b/feng.pdf")
    found, rejected = find_sources([marked, original])
    assert [source.path for source in found] == [original]
    assert [(each.path, each.reason) for each in rejected] == [(marked, "duplicate key")]
    assert [source.path for source in find_sources([marked])[0]] == [marked]


def test_what_is_found_but_cannot_be_read_is_told(tmp_path: Path) -> None:
    (tmp_path / "gone.pdf").symlink_to("nowhere")
    (tmp_path / "loop.pdf").symlink_to("loop.pdf")
    os.mkfifo(tmp_path / "pipe.pdf")
    found, rejected = find_sources([tmp_path])
    assert found == []
    assert [(each.key, each.sha256, each.reason) for each in rejected] == [
        ("gone", None, "unreadable"),
        ("loop", None, "unreadable"),
        ("pipe", None, "unreadable"),
    ]
    assert ["No such file" in rejected[0].detail, "symbolic links" in rejected[1].detail] == [True, True]
    assert rejections([f"{tmp_path}/*.pdf"]) == [(each.path, each.key, each.reason) for each in rejected]


@needs("a user who may not read everything")
def test_files_and_folders_that_may_not_be_read_are_told(tmp_path: Path) -> None:
    secret, closed, listed = pdf(tmp_path / "secret.pdf"), tmp_path / "closed", tmp_path / "listed"
    pdf(closed / "a.pdf")
    pdf(listed / "b.pdf")
    secret.chmod(0)
    closed.chmod(0)
    listed.chmod(0o400)
    try:
        expected = [
            (closed, "closed", "unreadable"),
            (listed / "b.pdf", "b", "unreadable"),
            (secret, "secret", "unreadable"),
        ]
        assert rejections([tmp_path]) == expected
        assert rejections([closed]) == expected[:1]
        assert rejections([listed]) == expected[1:2]
        assert rejections([closed / "a.pdf"]) == [(closed / "a.pdf", "a", "unreadable")]
    finally:
        closed.chmod(0o700)
        listed.chmod(0o700)


def test_a_name_that_is_not_utf_8_is_told_in_characters_that_a_table_can_hold(tmp_path: Path) -> None:
    name = os.fsdecode(b"m\xfcller.pdf")
    try:
        pdf(tmp_path / "x.pdf").rename(tmp_path / name)
    except OSError:
        pytest.skip("this file system has no such names")
    expected = [(tmp_path / "m\ufffdller.pdf", "m\ufffdller", "unreadable name")]
    assert rejections([tmp_path]) == expected
    assert rejections([tmp_path], [bib(tmp_path / "refs.bib", "@misc{a, file={gone.pdf}}")]) == expected


@pytest.mark.parametrize(
    "name", ["gone.pdf", "gone", "gone.bib", "folder", "*.pdf", "folder/**", "gone/**/*.pdf"]
)
def test_an_argument_that_leads_to_nothing_is_refused(tmp_path: Path, name: str) -> None:
    pdf(tmp_path / "folder/notes.txt")
    pdf(tmp_path / "folder/.hidden.pdf")
    with pytest.raises(SourceError, match="Check ") as caught:
        find_sources([f"{tmp_path}/{name}", pdf(tmp_path / "other/a.pdf")])
    assert f"{tmp_path}/{name}" in str(caught.value)


@pytest.mark.parametrize("name", ["", "a\0b.pdf"])
def test_a_name_that_is_no_path_is_refused(name: str) -> None:
    with pytest.raises(SourceError):
        find_sources([name])


def test_a_bib_named_as_a_source_adds_its_files_under_its_keys_with_its_metadata(tmp_path: Path) -> None:
    path = pdf(tmp_path / "lib/papers/main.pdf")
    refs = bib(
        tmp_path / "lib/refs.bib",
        "@misc{o'brien/2020 é, title = {Gels}, author={O'Brien, P.}, file = {papers/main.pdf}}\n"
        "@misc{unread}",
    )
    found, rejected = without_remarks([refs])
    assert [(source.key, source.path) for source in found] == [("o'brien/2020 é", path)]
    assert found[0].metadata == Metadata(title="Gels", authors=("O'Brien, P.",))
    assert rejected == []


def test_a_bib_beside_gives_keys_and_metadata_but_no_files(tmp_path: Path) -> None:
    path = pdf(tmp_path / "lib/a.pdf")
    pdf(tmp_path / "other/b.pdf")
    refs = bib(
        tmp_path / "refs.bib",
        "@misc{ka, title={A}, file={lib/../lib/a.pdf}} @misc{kb, file={other/b.pdf}} @misc{kc, "
        "file={gone.pdf}}",
    )
    found, rejected = without_remarks([tmp_path / "lib"], [refs])
    assert [(source.key, source.path, source.metadata.title) for source in found] == [("ka", path, "A")]
    assert rejected == []


@pytest.mark.parametrize("file", ["/home/feng/zotero/mu\u0308ller.pdf", r"C\:\\Users\\feng\\müller.pdf"])
def test_an_entry_from_another_machine_finds_its_file_by_name(tmp_path: Path, file: str) -> None:
    path = pdf(tmp_path / "lib" / unicodedata.normalize("NFC", "mu\u0308ller.pdf"))
    refs = bib(tmp_path / "refs.bib", f"@misc{{key, file={{PDF:{file}:application/pdf}}}}")
    assert sources([tmp_path / "lib"], [refs]) == {"key": path}
    assert sources([tmp_path / "lib", refs]) == {"key": path}


def test_further_files_of_an_entry_are_its_supplements(tmp_path: Path) -> None:
    for name in ("a.pdf", "si.pdf", "tables.pdf", "key-S1.pdf"):
        pdf(tmp_path / name)
    (tmp_path / "again.pdf").write_bytes((tmp_path / "a.pdf").read_bytes())
    fields = "title={On Ice}, doi={10.1000/1}, file={a.pdf;si.pdf;again.pdf;tables.pdf}"
    refs = bib(tmp_path / "refs.bib", f"@misc{{key, {fields}}}")
    found, rejected = without_remarks([refs, tmp_path / "key-S1.pdf"])
    assert [(source.key, source.path.name, source.metadata.title) for source in found] == [
        ("key", "a.pdf", "On Ice"),
        ("key-S1", "key-S1.pdf", None),
        ("key-S2", "si.pdf", "On Ice, supplement 2"),
        ("key-S3", "tables.pdf", "On Ice, supplement 3"),
    ]
    assert [source.metadata.doi for source in found] == ["10.1000/1", None, None, None]
    assert [(each.path.name, each.reason) for each in rejected] == [("again.pdf", "duplicate key")]


def test_of_two_entries_that_name_one_file_the_source_and_then_the_smaller_key_counts(tmp_path: Path) -> None:
    path = pdf(tmp_path / "x.pdf")
    named = bib(tmp_path / "named.bib", "@misc{m, file={x.pdf}} @misc{n, file={x.pdf}}")
    beside = bib(tmp_path / "beside.bib", "@misc{b, file={x.pdf}} @misc{m, title={other}, file={x.pdf}}")
    other = bib(tmp_path / "other.bib", "@misc{a, title={A}, file={x.pdf}}")
    assert find_sources([path], [beside, other])[0][0].metadata.title == "A"
    found, rejected = find_sources([named], [beside])
    assert [(source.key, source.metadata) for source in found] == [("m", Metadata())]
    assert [(each.path, each.key, each.reason) for each in rejected] == [
        (path, "b", "duplicate entry"),
        (path, "n", "duplicate entry"),
    ]
    assert all("'m'" in each.detail for each in rejected)


def test_a_broken_entry_is_told_and_costs_only_itself(tmp_path: Path) -> None:
    pdf(tmp_path / "a.pdf")
    text = "@misc{a, file={a.pdf}}\n@misc{broken, file={b.pdf\n@misc{last}"
    refs = bib(tmp_path / "refs.bib", text)
    for named, books in (([refs], []), ([refs], [refs]), ([tmp_path / "a.pdf"], [refs])):
        found, rejected = without_remarks(named, books)
        assert [source.key for source in found] == ["a"]
        assert [(each.path, each.key, each.reason) for each in rejected] == [(refs, "", "broken entry")]
        assert "line 2, @misc 'broken'" in rejected[0].detail


def test_a_pattern_with_many_wildcards_goes_each_way_once(tmp_path, monkeypatch):
    folder = tmp_path
    for _ in range(8):
        folder /= "a"
        folder.mkdir()
    (folder / "a.pdf").write_bytes(b"%PDF")
    scandir = Mock(side_effect=os.scandir)
    monkeypatch.setattr(os, "scandir", scandir)
    (source,), _ = find_sources([f"{tmp_path}/**/**/**/**/**/**/*.pdf"])
    assert source.path == folder / "a.pdf"
    assert scandir.call_count < 1_000
