"""Every character of a page's text layer is in exactly one paragraph row, and where it is printed is
known.
"""

import unicodedata
from collections import Counter

import pymupdf
import pytest

import lookup
from lookup.papers.boxes import words_of
from lookup.release.schema import KINDS
from pipeline.pdf.reading import TEXT_FLAGS
from tests.support.builds import build
from tests.support.needs import require
from tests.support.profiles import tried
from tests.support.project import ROOT

# Each fourth: a paper takes 1.5 s of processor.
SHARED = sorted(ROOT.parent.glob("shared/corpus/papers/*/paper.pdf"))[:: tried(4, nightly=1)]


def letters(text):
    """Characters that take room or ink: no spaces, and none without a width."""
    return (char for char in text if not char.isspace() and unicodedata.category(char) != "Cf")


def printed(pdf):
    """Characters of each page, by PyMuPDF's plain text extraction."""
    with pymupdf.open(pdf) as document:
        return [Counter(letters(page.get_text("text", flags=TEXT_FLAGS))) for page in document]


def stored(corpus, key, pages):
    found: list[Counter[str]] = [Counter() for _ in range(pages)]
    for text_raw, lines in corpus.sql(
        "SELECT text_raw, lines FROM paragraphs WHERE key = ?", [key]
    ).fetchall():
        for raw, line in zip(text_raw.split("\n"), lines, strict=True):
            found[line["page"] - 1].update(letters(raw))
    return found


def check(corpus, key, pdf):
    pages = printed(pdf)
    assert stored(corpus, key, len(pages)) == pages


def test_every_character_of_the_samples_is_in_one_paragraph(corpus, samples):
    for pdf in sorted(samples.glob("*.pdf")):
        check(corpus, pdf.stem, pdf)


@pytest.fixture(scope="module")
def shared_corpus(tmp_path_factory):
    require("the shared papers")
    from pipeline.builds.stages import available_workers
    from pipeline.engines.local import Local

    root = tmp_path_factory.mktemp("shared")
    done, _ = build(SHARED, root, engine=Local(available_workers()))
    assert not done.failures
    with lookup.open(root / "corpus") as opened:
        yield opened


@pytest.mark.long
def test_every_character_of_real_papers_is_in_one_paragraph(shared_corpus):
    for pdf in SHARED:
        check(shared_corpus, pdf.parent.name, pdf)


def check_lines(opened):
    rows = opened.sql(
        "SELECT key, paragraph, page, page_end, kind, text_raw, text, cursor, lines, hidden "
        "FROM paragraphs ORDER BY key, paragraph"
    ).fetchall()
    documents = {key: opened.document(key) for (key,) in opened.sql("SELECT key FROM papers").fetchall()}
    for key, paragraph, page, page_end, kind, text_raw, text, cursor, lines, hidden in rows:
        place = (key, paragraph)
        assert kind in KINDS, place
        assert hidden or documents[key][cursor : cursor + len(text)] == text, place
        assert (page, page_end) == (lines[0]["page"], max(line["page"] for line in lines)), place
        raws = text_raw.split("\n")
        assert len(raws) == len(lines), place
        at = 0
        for raw, line in zip(raws, lines, strict=True):
            words = words_of(line)
            assert len(words) == len(raw.split(" ")), place
            assert at <= line["start"] <= line["end"] <= len(text), place
            for start, end, x0, _, x1, _ in words:
                assert at <= start <= end, place
                assert " " not in text[start:end], place
                assert line["x0"] - 0.1 <= x0 <= x1 <= line["x1"] + 0.1, place
                at = end
            assert at == line["end"], place


def test_lines_and_words_go_in_step_with_raw_text_and_text(corpus):
    check_lines(corpus)


@pytest.mark.long
def test_lines_and_words_of_real_papers_go_in_step_too(shared_corpus):
    check_lines(shared_corpus)
