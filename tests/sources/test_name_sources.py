"""Which entry and which key a PDF gets by what it prints of itself."""

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import duckdb
import pytest

from pipeline.libraries.entries import LibraryEntry, Metadata, arxiv_in
from pipeline.sources import names
from pipeline.sources.names import Keys, Printed, matches, name_sources, owners_of
from pipeline.sources.source import NO_PDF, Rejected, Source

A, B = Path("/a.pdf"), Path("/b.pdf")
TITLE = "Nests of small birds in the north of the island"
FAN = ("Fan, Li", "Müller, Jörg")


def entry(key: str = "cited", arxiv: str | None = None, **fields: object) -> LibraryEntry:
    return LibraryEntry(key, (), Metadata(**fields), arxiv)  # type: ignore[arg-type]


def printed(front: str = "", arxiv: str | None = None, pages: int = 1, **fields: object) -> Printed:
    return Printed(Metadata(**fields), arxiv, pages, front)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("cited", "paper"),
    [
        (entry(doi="10.1/x"), printed(doi="10.1/x", title="Other")),
        (entry(arxiv="2101.00001"), printed(arxiv="2101.00001")),
        (entry(title=TITLE.upper(), authors=FAN), printed(title=TITLE, authors=FAN)),
        (
            entry(title=TITLE, authors=FAN, doi="10.1/x"),
            printed(title=TITLE, authors=FAN, doi="10.1/preprint"),
        ),
        (entry(title="Nests of small birds in the nor", authors=FAN), printed(title=TITLE, authors=FAN)),
        (entry(title=TITLE, authors=FAN), printed(front="xnestsofsmallbirdsinthenorthoftheislandlifany")),
    ],
)
def test_doi_arxiv_or_title_and_author_find_the_pdf(cited: LibraryEntry, paper: Printed) -> None:
    assert matches([cited], {A: paper, B: printed(title="Something else", authors=FAN)}) == {A: cited}


@pytest.mark.parametrize(
    ("cited", "paper"),
    [
        (entry(doi="10.1/x"), printed(doi="10.1/y")),
        (entry(title=TITLE, authors=("Kim, A",)), printed(title=TITLE, authors=FAN)),
        (entry(title=f"{TITLE}: part I", authors=FAN), printed(title=f"{TITLE}: part II", authors=FAN)),
        (entry(title="Editorial", authors=FAN), printed(front="editoriallifan")),
        (
            entry(title=TITLE, authors=FAN, doi="10.1/x"),
            printed(title=f"{TITLE} II", authors=FAN, doi="10.1/y"),
        ),
        (entry(), printed()),
    ],
)
def test_what_may_be_another_work_is_not_matched(cited: LibraryEntry, paper: Printed) -> None:
    assert matches([cited], {A: paper}) == {}


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("arXiv:2101.00001v2", "2101.00001"),
        ("https://arxiv.org/abs/hep-th/9901001", "hep-th/9901001"),
        ("10.48550/arXiv.2101.00001", "2101.00001"),
        ("10.1000/2101.00001", None),
    ],
)
def test_an_arxiv_identifier_is_marked_as_one(text: str, found: str | None) -> None:
    assert arxiv_in(text) == found


def named(
    name: str, keys: Keys, before: str = "", year: int | None = 2024, authors: tuple[str, ...] = FAN
) -> str:
    source = Source(name, A, "0", 1, Metadata())
    known = {"0": printed(authors=authors, year=year)}
    (one,) = name_sources([source], [], known, keys, {"0": before} if before else {}).sources
    return one.key


@pytest.mark.parametrize(
    ("name", "auto", "author_year"),
    [
        ("feng2022", "feng2022", "fan2024"),
        ("Fan et al. - 2024, {x}", "fan2024", "fan2024"),
        ("1-s2.0-main (2)", "fan2024", "fan2024"),
        ("fulltext", "fan2024", "fan2024"),
    ],
)
def test_a_name_that_can_be_cited_stays_unless_author_and_year_are_asked_for(
    name: str, auto: str, author_year: str
) -> None:
    assert (named(name, "auto"), named(name, "author-year"), named(name, "file")) == (auto, author_year, name)


def test_entries_and_pdfs_that_have_no_other_side_are_told() -> None:
    lost = [
        Rejected(Path("/refs.bib"), key, None, NO_PDF, "", entry(key, doi=f"10.1/{key}"))
        for key in ("x", "y")
    ]
    sources = [Source(str(n), path, str(n), 1, Metadata()) for n, path in enumerate((A, B))]
    known = {"0": printed(doi="10.1/x"), "1": printed(authors=FAN, year=2024)}
    answer = name_sources(sources, lost, known, "auto", {})
    assert [(one.key, one.path) for one in answer.sources] == [("fan2024", B), ("x", A)]
    assert (answer.with_pdf, answer.without_pdf, answer.without_entry) == (1, ("y",), ("fan2024",))
    assert {(one.key, one.reason) for one in answer.rejected} == {("y", "no PDF")}


def test_an_entry_whose_file_is_missing_keeps_its_library_when_a_pdf_prints_its_doi() -> None:
    missing = replace(entry(doi="10.1/x"), files=(Path("/gone.pdf"),), library=Path("/refs.bib"), adds=True)
    lost = [Rejected(Path("/gone.pdf"), "cited", None, "missing file", "", missing)]
    (one,) = name_sources(
        [Source("a", A, "0", 1, Metadata())], lost, {"0": printed(doi="10.1/x")}, "auto", {}
    ).sources
    assert (one.key, one.library) == ("cited", Path("/refs.bib"))


def test_of_entries_with_one_key_that_of_a_source_counts_then_the_first_library() -> None:
    libraries = [(Path("/a.bib"), False), (Path("/b.bib"), True), (Path("/c.bib"), True)]
    for some in permutations(libraries):
        found = [
            replace(entry(doi="10.1/x", title=str(path)), library=path, adds=adds) for path, adds in some
        ]
        (matched,) = matches(found, {A: printed(doi="10.1/x")}).values()
        assert matched.library == Path("/b.bib")


def test_entries_and_files_are_joined_by_what_few_share(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No join compares all with all, nor all works whose authors are called Wang."""
    profile, database = tmp_path / "profile.json", names._database()
    joins: list[dict[str, Any]] = []

    def profiled() -> duckdb.DuckDBPyConnection:
        connection = database.cursor()
        connection.execute(f"PRAGMA enable_profiling = 'json'; PRAGMA profiling_output = '{profile}'")
        return connection

    def add_joins(operators: list[dict[str, Any]]) -> None:
        for one in operators:
            joins.extend([one] if "JOIN" in one["type"] or "PRODUCT" in one["type"] else [])
            add_joins(one.get("children", []))

    monkeypatch.setattr(names, "_database", lambda: SimpleNamespace(cursor=profiled))
    cited = entry(title=TITLE, authors=FAN)
    assert matches([cited], {A: printed(title=TITLE, authors=FAN), B: printed(front="x")}) == {A: cited}
    add_joins(json.loads(profile.read_text())["operator"])
    named = replace(cited, files=(Path("/else/where/a.pdf"),))
    assert owners_of([named], {"/a.pdf": A}, {"/a.pdf": "a"}, set()) == {"/a.pdf": ([named], 0)}
    add_joins(json.loads(profile.read_text())["operator"])
    assert len(joins) > 10
    assert {one["type"] for one in joins} == {"HASH_JOIN"}
    on = [one["extra_info"]["Conditions"] for one in joins]
    assert [conditions[1] for conditions in on if conditions[0] == "family = family"] == [
        "title = title",
        "head = head",
    ]
