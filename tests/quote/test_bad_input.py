"""Bad input gets a clear answer, and costs nothing but itself."""

import json
import os
import shutil
import subprocess
import sys

import pytest

import lookup
from lookup.errors import NextStep
from lookup.release.current import MANIFEST
from tests.support.command import pagequote
from tests.support.pdfs import pdf

GOOD = "The good paper prints this very sentence.\nAnd then it prints another one, for company."


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A corpus built from good and bad files, and what the build said."""
    root = tmp_path_factory.mktemp("bad")
    pdfs = root / "pdfs"
    (pdfs / "other").mkdir(parents=True)
    (pdfs / "good.pdf").write_bytes(pdf(GOOD))
    (pdfs / "notapdf.pdf").write_bytes(b"<html>Please log in</html>")
    (pdfs / "pointer.pdf").write_bytes(b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n")
    (pdfs / "noise.pdf").write_bytes(b"\x00\x01\x02 no document at all")
    (pdfs / "empty.pdf").write_bytes(b"")
    (pdfs / "locked.pdf").write_bytes(
        pdf(GOOD, encryption=5, owner_pw="owner", user_pw="user")  # 5: AES-256
    )
    (pdfs / "zeropages.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )
    (pdfs / "cut.pdf").write_bytes(b"%PDF-1.4\n1 0 obj")
    (pdfs / "miscounted.pdf").write_bytes(
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count "
        b"-5>>endobj\n"
        b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )
    (pdfs / "certificate.pdf").write_bytes(
        b"%PDF-1.7\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n"
        b"3 0 obj<</Filter/Adobe.PubSec/SubFilter/adbe.pkcs7.s5/V 4/Length 128>>endobj\n"
        b"trailer<</Root 1 0 R/Encrypt 3 0 R/ID[<00><00>]>>\n%%EOF\n"
    )
    (pdfs / "scan.pdf").write_bytes(pdf("", ""))
    (pdfs / "twin.pdf").write_bytes(pdf("The first twin speaks of marshes."))
    (pdfs / "other" / "twin.pdf").write_bytes(pdf("The second twin speaks of dunes."))
    (pdfs / 'it\'s a "key" ü; DROP TABLE papers.pdf').write_bytes(
        pdf("A paper with an odd name prints this sentence.")
    )
    (root / "slash.bib").write_text(
        "@article{DBLP:conf/x/Y-2020,\n title = {Slashes},\n file = {pdfs/slashed.pdf}\n}\n"
    )
    (pdfs / "slashed.pdf").write_bytes(pdf("A paper whose key has slashes prints this sentence."))
    corpus = root / "corpus"
    said = pagequote("build", pdfs, "--bib", root / "slash.bib", "--corpus", corpus)
    return corpus, said


def test_the_build_goes_on_and_says_how_many_failed_and_why(built):
    _, said = built
    assert said.returncode == 0, said.stderr
    for part in ("1 duplicate key", "1 empty file", "3 not a PDF", "2 password", "5 papers"):
        assert part in said.stderr


@pytest.mark.parametrize(
    ("name", "reason", "words"),
    [
        ("notapdf.pdf", "not a PDF", "web page"),
        ("pointer.pdf", "not a PDF", "git lfs pull"),
        ("noise.pdf", "not a PDF", "Put the PDF itself here"),
        ("empty.pdf", "empty file", "It has no bytes. Fetch it again."),
        ("locked.pdf", "password", "Save it without one"),
        ("certificate.pdf", "password", "certificate"),
        ("miscounted.pdf", "damaged", "repair it"),
        ("zeropages.pdf", "no pages", "Fetch it again"),
        ("twin.pdf", "duplicate key", "twin"),
    ],
)
def test_each_bad_file_is_a_row_that_says_what_to_do(built, name, reason, words):
    with lookup.open(built[0]) as corpus:
        rows = corpus.sql("SELECT reason, detail FROM failures WHERE path = ?", [name]).fetchall()
    assert [row[0] for row in rows] == [reason]
    assert words in rows[0][1]


def test_a_paper_without_text_is_not_covered_rather_than_not_found(built):
    with lookup.open(built[0]) as corpus:
        answer = corpus.quote("scan", "this very sentence")
        assert not answer.matches
        assert not answer.covered
        assert "not covered" in answer.hint
        assert corpus.sql("FROM pages_without_text").fetchall() == [("scan", 1, None), ("scan", 2, None)]


@pytest.mark.parametrize("words", ["", "   ", "\n", "—", "...", "\u200b", "a", " x. "])
def test_a_query_without_words_is_an_error(built, words):
    with lookup.open(built[0]) as corpus, pytest.raises(lookup.QueryError):
        corpus.quote("good", words)


def test_a_query_longer_than_any_passage_is_an_error(built):
    with lookup.open(built[0]) as corpus, pytest.raises(lookup.QueryError, match="characters"):
        corpus.quote("good", "word " * 10_000)


def test_sql_that_is_wrong_or_writes_is_an_error(built):
    with lookup.open(built[0]) as corpus:
        for query in ("SELEC 1", "SELECT * FROM nothing", "DROP TABLE papers", "DELETE FROM papers"):
            with pytest.raises(lookup.QueryError):
                corpus.sql(query)


@pytest.mark.parametrize("path", ["missing", "file.txt", "folder"])
def test_a_path_that_is_no_corpus_says_what_to_do(tmp_path, path):
    (tmp_path / "file.txt").write_text("no corpus")
    (tmp_path / "folder").mkdir()
    with pytest.raises(lookup.CorpusNotFoundError, match=r"build one|Build one") as refused:
        lookup.open(tmp_path / path)
    assert refused.value.next_step == NextStep("build", path=str(tmp_path / path))


@pytest.mark.parametrize(("name", "step"), [("folding", "newer"), ("layout", "newer"), ("layout", "again")])
def test_a_corpus_of_another_version_is_refused_with_what_to_do(built, tmp_path, name, step):
    release = tmp_path / "release"
    shutil.copytree((built[0] / "current").resolve(), release)
    manifest = json.loads((release / MANIFEST).read_text())
    manifest[name] += 1 if step == "newer" else -1
    (release / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(lookup.CorpusVersionError, match=f"{name} version .*{step}"):
        lookup.open(release)


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("quote", "good", "this very sentence"), 0, ""),
        (("quote", "good", "these other words"), 1, "Not printed"),
        (("quote", "scan", "these other words"), 1, "not covered"),
        (("quote", "good"), 2, "Missing argument"),
        (("ground", "good", "9" * 5_000), 1, ""),
        (("search", "--like", f"good:{'9' * 5_000}"), 2, "takes KEY:PARAGRAPH"),
        (("releases", "use", "9" * 5_000), 2, "no release"),
        (("sql", "SELEC"), 2, "DuckDB refused"),
        (("nonsense",), 2, "No such command"),
    ],
)
def test_the_exit_status_tells_found_nothing_found_and_wrong_call(built, arguments, status, said):
    result = pagequote(*arguments, PAGEQUOTE_CORPUS=str(built[0]))
    assert result.returncode == status, result.stderr
    assert said in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("source", ["missing", "empty-folder", "*.pdf"])
def test_a_source_that_leads_nowhere_stops_the_build_with_status_2(tmp_path, source):
    (tmp_path / "empty-folder").mkdir()
    result = pagequote("build", source, "--corpus", "corpus", cwd=tmp_path)
    assert result.returncode == 2
    assert source in result.stderr
    assert "Traceback" not in result.stderr


def test_a_build_of_which_nothing_can_be_read_keeps_the_old_release(tmp_path):
    (tmp_path / "pdfs").mkdir()
    paper = tmp_path / "pdfs" / "good.pdf"
    paper.write_bytes(pdf(GOOD))
    assert pagequote("build", "pdfs", "--corpus", "corpus", cwd=tmp_path).returncode == 0
    before = (tmp_path / "corpus" / "current").readlink()
    paper.write_bytes(b"a login page")
    result = pagequote("build", "pdfs", "--corpus", "corpus", cwd=tmp_path)
    assert result.returncode == 2
    assert "The only source could not be read, so nothing is published." in result.stderr
    assert "good.pdf: The file does not begin as a PDF does." in result.stderr.splitlines()[-1]
    assert (tmp_path / "corpus" / "current").readlink() == before


def test_a_second_build_at_the_same_time_is_told_who_holds_the_lock(tmp_path):
    from pipeline.files.atomic import locked

    (tmp_path / "good.pdf").write_bytes(pdf(GOOD))
    with locked(tmp_path / "work"):
        result = pagequote("build", "good.pdf", "--corpus", "corpus", cwd=tmp_path)
    assert result.returncode == 2
    assert f"process {os.getpid()}" in result.stderr


@pytest.mark.long
@pytest.mark.system
def test_without_the_pipeline_its_commands_say_what_to_install(tmp_path):
    (tmp_path / "missing").mkdir()
    (tmp_path / "missing" / "pymupdf.py").write_text("raise ModuleNotFoundError(name='pymupdf')")
    (tmp_path / "good.pdf").write_bytes(pdf(GOOD))
    program = "from pagequote.cli import main; main()"
    paths = os.pathsep.join([str(tmp_path / "missing"), *sys.path])  # for what reads PDFs, too
    result = subprocess.run(
        [sys.executable, "-c", program, "build", "good.pdf", "--corpus", "corpus"],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert result.returncode == 2
    assert "[pipeline]" in result.stderr  # however it was installed
