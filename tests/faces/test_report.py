"""The report of a check to send: in words, with the print, without a key, and by itself."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pymupdf
import pytest

from lookup.results.quote_answer import Elsewhere
from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.check.formats import in_words, sources_of
from pagequote.check.report import as_html, report
from tests.support.command import pagequote
from tests.support.essays import essays
from tests.support.invented_works import WORKS

KEYS = [one.key for one in WORKS]


def found(harbour, name, content):
    path = Path(name)
    return judge(harbour, list(read_manuscripts([path], Vocabulary(), {path: content})))


def drawn(original, page, boxes=()):
    """The page of a PDF as PNG, as the drawers of pages make it."""
    with pymupdf.open(original.path) as document:
        return document[page - 1].get_pixmap(dpi=100).tobytes("png")


@pytest.fixture(scope="module")
def chicago(harbour):
    essay = next(one for one in essays() if one.name == "chicago-1.docx")
    return found(harbour, essay.name, essay.data)


def test_each_finding_is_there_in_words_with_author_year_and_page_and_no_key(harbour, chicago):
    page = as_html(report(harbour, chicago, "essay.docx", "2026-11-26", drawn))
    assert not [key for key in KEYS if key in page]
    wrong = [one for one in chicago if one.level != "ok"]
    assert len(wrong) == 4
    assert page.count('<section class="finding"') == len(chicago)
    assert page.index(f'id="q{chicago.index(wrong[-1]) + 1}"') < page.index("<details>")
    assert re.search(r"<h1>Quotations of essay\.docx</h1>\n<p class=\"date\">2026-11-26</p>", page)
    assert f"12 quotations: {12 - len(wrong)} right, " in page
    for finding in wrong:
        assert in_words(finding, sources_of(harbour, chicago)).replace("'", "&#39;") in page


def test_it_fetches_nothing_and_shows_the_print(harbour, chicago):
    page = as_html(report(harbour, chicago, "essay.docx", "2026-11-26", drawn))
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert addresses
    assert all(one.startswith("data:image/png;base64,") for one in addresses)
    assert "default-src 'none'" in page
    assert "<script" not in page


def test_what_is_not_judged_and_what_to_ask_for_stand_after_the_findings(harbour):
    text = (
        'Right: "{}" (Oakes 2004, {}).\n\nA book: "The whole harbour was full of empty boats in May" '
        '(Zimmer 1990, 4).\n\n"Nobody here has ever cited anybody for these words."\n'
    )
    sentence = next(one for one in WORKS if one.key == "oakes2004").sentences[0]
    findings = found(harbour, "a<b>.md", text.format(sentence.words(), sentence.page).encode())
    page = as_html(report(harbour, findings, "a<b>.md", "2026-11-26"))
    assert "1 right, 0 wrong, 2 not judged (1 with no citation that can be read). 1 source still" in page
    assert page.index("<h2>Not judged</h2>") < page.index("asked for</h2>") < page.index("<details>")
    assert "<li>Zimmer 1990</li>" in page
    assert "a&lt;b&gt;.md" in page
    assert "<b>.md" not in page


def test_sentences_say_what_differs(harbour):
    one = next(one for one in WORKS if one.key == "oakes2004").sentences[0]
    thing, right = one.object.split()[-1], f"Oakes 2004, p. {one.page}, prints"
    cases = {
        (one.words(), one.page): f"{right} these words.",
        (one.words(), 1999): f"The words are right, but {right} them, not p. 1999.",
        (one.words("never "), one.page): "“never” is not printed there.",
        (one.words().replace(thing, "elephant"), one.page): f"not “elephant”, but “{thing}”.",
    }
    for (words, page), said in cases.items():
        (finding,) = found(harbour, "a.md", f"“{words}” (Oakes 2004, {page}).".encode())
        assert said in in_words(finding, sources_of(harbour, [finding]))
    there = (Elsewhere("merle1931", 2, "212"),)
    finding = replace(finding, verdict="not found", page=None, elsewhere=there)
    said = "Oakes 2004 does not print these words. Merle 1931, p. 212, prints these words."
    assert in_words(finding, sources_of(harbour, [finding])) == said


@pytest.mark.long
@pytest.mark.system
def test_one_call_builds_beside_judges_reports_and_keeps_nothing(harbour_folder, tmp_path):
    essay = next(one for one in essays() if one.name == "chicago-1.docx")
    (tmp_path / "essay.docx").write_bytes(essay.data)
    before = {one.name for one in harbour_folder.iterdir()}
    options = ("--report", tmp_path / "report.html", "--format", "json")
    done = pagequote(
        "check", tmp_path / "essay.docx", "--pdfs", harbour_folder / "pdfs/library.bib", *options
    )
    assert done.returncode == 1, done.stderr
    assert [one["level"] for one in json.loads(done.stdout)] == ["error"] * 4
    assert {one.name for one in tmp_path.iterdir()} == {"essay.docx", "report.html"}
    assert {one.name for one in harbour_folder.iterdir()} == before
    assert (tmp_path / "report.html").read_text(encoding="utf-8").count("data:image/png") >= 1
    kept = tmp_path / "kept/corpus"
    done = pagequote(
        "check", tmp_path / "essay.docx", "--pdfs", harbour_folder / "pdfs/library.bib", "--corpus", kept
    )
    assert (done.returncode, (kept / "current").exists()) == (1, True)
