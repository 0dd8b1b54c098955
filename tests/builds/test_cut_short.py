"""A PDF whose download ended early is kept as far as it goes, and every answer about it says so."""

import re

import pymupdf
import pytest

import lookup
from pipeline.pdf.opening import UnreadableError
from pipeline.pdf.reading import read_pdf
from tests.support.builds import build
from tests.support.pdfs import pdf

FIRST = "The wardens counted every flock of the coast twice before the ice came."
LAST = "The last of the boats was sold to a museum in the south."
SAID = re.compile(r"cut short: [\d,]+ bytes; fetch it again")


@pytest.fixture(scope="module")
def whole():
    """A PDF of two pages, the bytes of the second page's text at its end."""
    return pdf(FIRST, LAST, garbage=0)


def cut(data):
    """Return the PDF without its table of objects and the end of its last page's text."""
    return data[: data.rindex(b"stream", 0, data.rindex(b"endstream")) + 20]


def test_what_is_left_is_read_and_said_to_be_cut_short(whole):
    assert read_pdf(whole).cut_short == ""
    read = read_pdf(cut(whole))
    assert SAID.search(read.cut_short)
    assert [line.text for line in read.pages[0].lines] == [FIRST]


def test_a_pdf_that_is_whole_but_has_to_be_repaired_is_not_cut_short(whole):
    wrong = re.sub(rb"startxref\s+\d+", b"startxref 9", whole)
    with pymupdf.open(stream=wrong, filetype="pdf") as document:
        assert document.is_repaired
    assert read_pdf(wrong).cut_short == ""


def test_one_that_has_no_page_left_is_refused_for_that(whole):
    with pytest.raises(UnreadableError, match=SAID) as refused:
        read_pdf(whole[:80])
    assert refused.value.reason == "cut short"


@pytest.mark.parametrize("left", [cut, lambda whole: whole[:80]])
def test_a_whole_reading_stays_where_its_file_is_cut_short_later(whole, tmp_path, left):
    (tmp_path / "papers").mkdir()
    paper = tmp_path / "papers/short.pdf"
    for data, stays in ((whole, False), (left(whole), True), (left(whole), True), (whole, False)):
        paper.write_bytes(data)
        build([paper.parent], tmp_path)
        with lookup.open(tmp_path / "corpus") as corpus:
            assert corpus.verify(LAST, "short").verdict == "verbatim"
            rows = corpus.sql("SELECT reason, detail FROM failures").fetchall()
            assert [row[0] for row in rows] == ["cut short"] * stays
            assert all(row[1].count("What was read of the whole file before stays.") == 1 for row in rows)


def test_the_next_build_and_every_answer_that_finds_nothing_say_so(whole, tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "whole.pdf").write_bytes(whole)
    (papers / "short.pdf").write_bytes(cut(whole))
    for _ in range(2):
        build([papers], tmp_path)
        with lookup.open(tmp_path / "corpus") as corpus:
            (row,) = corpus.sql("SELECT key, stage, reason, detail FROM failures").fetchall()
            assert row[:3] == ("short", "extract", "cut short")
            assert SAID.search(row[3])
            assert corpus.verify(FIRST, "short").verdict == "verbatim"
            lost = corpus.verify(LAST, "short")
            assert (lost.verdict, bool(SAID.search(lost.hint))) == ("not found", True)
            near = corpus.verify(FIRST.replace("twice", "once"), "short")
            assert (near.verdict, bool(SAID.search(near.hint))) == ("near", True)
            other = corpus.verify("wardens of the coast counted ice and sold it twice", "short")
            assert (other.verdict, bool(SAID.search(other.hint))) == ("related", True)
            assert not SAID.search(corpus.verify("No such words anywhere.", "whole").hint)
        (papers / "other.pdf").write_bytes(pdf(LAST))
