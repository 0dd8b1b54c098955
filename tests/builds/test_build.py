"""Builds and releases: what is done again, what is shared, what is kept."""

import json
import shutil
from dataclasses import replace

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import lookup
from lookup.errors import BuildError
from lookup.release.schema import PARAGRAPHS, ROW_NUMBER, SENTENCES, TABLES
from pipeline.builds.stages import build as build_stages
from pipeline.builds.survey import BuildSettings
from pipeline.layout.paragraphs import STEPS, Step
from pipeline.ocr.tesseract import NO_OCR
from pipeline.publish.checks import CHECKS, check_release
from pipeline.records import arrow_schema
from pipeline.work.outcomes import Limits
from tests.support.builds import InProcess, Library, built_once
from tests.support.builds import build as build_all
from tests.support.pdfs import pdf


def build(root, bibliographies=()):
    """Build `root`'s PDFs into its corpus; what was extracted, what was published."""
    return build_all([root / "pdfs"], root, bibliographies)


def made(folder):
    """A library of three papers, of which nothing is built."""
    library = Library(folder / "library")
    for name in ("ant", "bee", "cat"):
        (library.pdfs / f"{name}.pdf").write_bytes(
            pdf(f"A paper about one {name}.", f"Its second page, {name}.")
        )
    return library


@pytest.fixture
def library(tmp_path):
    return made(tmp_path).root


first, built_library = built_once(made)


@pytest.fixture
def built(built_library):
    return built_library.root


def keys(root):
    with lookup.open(root / "corpus") as corpus:
        return [key for (key,) in corpus.sql("SELECT key FROM papers ORDER BY key").fetchall()]


def test_a_build_with_nothing_new_reads_nothing_and_publishes_nothing(library):
    extraction, first = build(library)
    assert (extraction.read, first.new) == (3, True)
    extraction, second = build(library)
    assert (extraction.read, second.new) == (0, False)
    assert second.release.name == first.release.name


def test_a_new_a_changed_and_a_gone_pdf_cost_only_themselves(built):
    (built / "pdfs" / "dog.pdf").write_bytes(pdf("A paper about one dog."))
    (built / "pdfs" / "bee.pdf").write_bytes(pdf("A paper about another bee."))
    (built / "pdfs" / "cat.pdf").unlink()
    extraction, published = build(built)
    assert (extraction.read, published.new) == (2, True)
    assert keys(built) == ["ant", "bee", "dog"]
    with lookup.open(built / "corpus") as corpus:
        assert corpus.quote("bee", "another bee")
        assert not corpus.quote("bee", "one bee")


def test_a_page_on_which_the_layout_fails_is_told_until_it_is_read_right(library, monkeypatch):
    def failing(paragraphs):
        return [1 / 0 for one in paragraphs if one.page == 2] or paragraphs

    settings = BuildSettings([library / "pdfs"], (), library / "work", Limits(), NO_OCR)
    with monkeypatch.context() as broken:
        broken.setitem(STEPS, "run_in", Step(failing, failing))
        for _ in range(2):  # the second reads nothing
            build_stages(settings, library / "corpus", InProcess())
            with lookup.open(library / "corpus") as corpus:
                told = corpus.sql("SELECT key, reason, detail FROM failures ORDER BY key").fetchall()
                kept = corpus.sql("SELECT count(*) FROM pages WHERE source = 'lines'").fetchone()
            assert [row[:2] for row in told] == [("ant", "layout"), ("bee", "layout"), ("cat", "layout")]
            assert all("page 2: ZeroDivisionError in test_build.py:" in detail for *_, detail in told)
            assert kept == (3,)
    build_stages(replace(settings, force=True), library / "corpus", InProcess())
    with lookup.open(library / "corpus") as corpus:
        assert corpus.sql("FROM failures").fetchall() == []


def test_the_same_bytes_under_two_keys_are_read_once_and_reported(library):
    shutil.copy(library / "pdfs" / "ant.pdf", library / "pdfs" / "twin.pdf")
    extraction, _ = build(library)
    assert extraction.read == 3
    assert extraction.same_bytes == [("ant", "twin")]
    assert keys(library) == ["ant", "bee", "cat", "twin"]


def test_a_bib_gives_keys_and_metadata_and_a_changed_one_costs_no_reading(built):
    bib = built / "library.bib"
    bib.write_text(
        "@article{formicidae2020, title={{On Ants}}, author={Antova, Ana and von Bee, B.}, year=2020, "
        "doi={10.5555/A}, "
        "file={pdfs/ant.pdf}}\n"
    )
    extraction, published = build(built, bibliographies=[bib])
    assert (extraction.read, published.new) == (0, True)
    with lookup.open(built / "corpus") as corpus:
        row = corpus.sql(
            "SELECT title, authors, year, doi FROM papers WHERE key = 'formicidae2020'"
        ).fetchone()
        rows = corpus.sql("SELECT key, library FROM papers WHERE library IS NOT NULL").fetchall()
        named = [(key,) for key, library in rows if corpus.release.source(library) == str(bib)]
        unknown = corpus.sql("SELECT count(*) FROM papers WHERE library IS NULL").fetchone()
    assert (named, unknown) == ([("formicidae2020",)], (published.rows["papers"] - 1,))
    assert row == ("On Ants", ["Antova, Ana", "von Bee, B."], 2020, "10.5555/a")


def test_parquet_and_database_hold_the_contract(corpus_path):
    current = corpus_path / "current"
    manifest = json.loads((current / "manifest.json").read_text())
    with duckdb.connect(str(current / "corpus.duckdb"), read_only=True) as connection:
        for table in TABLES:
            described = connection.execute(
                f"SELECT column_name, column_type FROM (DESCRIBE {table.name})"
            ).fetchall()
            types = [(name, kind.replace('"', "")) for name, kind in described]
            columns = [*table.columns, ROW_NUMBER] if table is PARAGRAPHS else table.columns
            assert types == [(column.name, column.sql_type.replace('"', "")) for column in columns]
            for name in manifest["files"][table.name]:
                further = [pa.field("text", pa.string())] if table is SENTENCES else []
                schema = pa.schema([*arrow_schema(table), *further])
                assert pq.read_schema(current / name).equals(schema, check_metadata=False)
            order = ", ".join(table.order)
            stored = connection.execute(f"SELECT {order} FROM {table.name}").fetchall()
            assert stored == sorted(stored)


BREAK = {
    "a key has two papers": "INSERT INTO papers SELECT * FROM papers",
    "a paragraph's paper is missing": "UPDATE paragraphs SET key = 'nobody'",
    "paragraphs are not numbered 0, 1, 2, ...": "UPDATE paragraphs SET paragraph = paragraph + 1",
    "a paper's count of paragraphs is wrong": "UPDATE papers SET paragraphs = paragraphs + 1",
    "pages are not numbered 1, 2, 3, ...": "DELETE FROM pages WHERE page = 1",
    "a paragraph is on a page that does not exist": "UPDATE paragraphs SET page_end = 99",
    "a paragraph is of an unknown kind": "UPDATE paragraphs SET kind = 'poem'",
    "hidden text can be answered with": "UPDATE paragraphs SET hidden = true WHERE paragraph = 0",
    "cursors do not count the document's characters": "UPDATE paragraphs SET cursor = cursor + 1",
    "a sentence is out of its paragraph": 'UPDATE sentences SET "end" = 100000',
    "a vector has no sentence": "INSERT INTO vectors SELECT key, paragraph, 999, 'm@1', [127], 1 / 127 FROM "
    "paragraphs",
    "a vector is not of the length 1": "INSERT INTO vectors SELECT key, paragraph, sentence, 'm@1', [1], 1 / "
    "127 FROM sentences",
    "its vectors are of ": "INSERT INTO vectors SELECT key, paragraph, sentence, 'm@1', [127], 1 / 127 FROM "
    "sentences",
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The folder of a release."""
    folder = made(tmp_path_factory.mktemp("sound")).build()[1].release.folder
    check_release(folder, json.loads((folder / "manifest.json").read_text()))
    return folder


@pytest.mark.parametrize("problem", [*CHECKS, "its vectors are of "])
def test_a_release_that_breaks_the_contract_is_not_published(sound, tmp_path, problem):
    folder = tmp_path / "broken"
    shutil.copytree(sound, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    with duckdb.connect(str(folder / "corpus.duckdb")) as connection:
        connection.execute(BREAK[problem])
    with pytest.raises(BuildError, match=problem.split("'")[0]):
        check_release(folder, manifest)


def test_a_paper_that_breaks_the_contract_leaves_out_itself_and_many_the_release(built, monkeypatch):
    (built / "pdfs" / "dog.pdf").write_bytes(pdf("A paper about one dog."))
    (built / "pdfs" / "eel.pdf").write_bytes(pdf("A paper about one eel."))
    monkeypatch.setitem(CHECKS, "it is wrong", "SELECT key FROM papers WHERE key = 'dog'")
    for new in (True, False):
        _, published = build(built)
        with lookup.open(built / "corpus") as corpus:
            assert corpus.sql("SELECT key, reason FROM failures").fetchall() == [("dog", "contract")]
            assert {"eel"} < {paper.key for paper in corpus.papers()}
        assert published.new == new
    monkeypatch.setitem(CHECKS, "it is wrong", "SELECT unnest(range(11)::VARCHAR[]) AS key")
    (built / "pdfs" / "fox.pdf").write_bytes(pdf("A paper about one fox."))
    with pytest.raises(BuildError, match="11 of its papers break the contract"):
        build(built)
    assert (built / "corpus" / "current").resolve() == published.release.folder
    monkeypatch.undo()
    _, second = build_all([built / "pdfs"], built, retry=True)
    assert second.new
    assert not list((built / "corpus" / "releases").glob(".tmp-*"))
