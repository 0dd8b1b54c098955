"""Sixty manuscripts as people write them: no wrong quotation is covered by an all-clear.

They are made by `tests/support/essays.py`: typed notes in four styles, single marks, Markdown and LaTeX,
notes of programs, submissions in PDF, records; a third of their quotations is wrong in a known way.
"""

from collections import Counter
from pathlib import Path

import pytest

from lookup.papers.locators import as_physical, as_printed, parse_locator
from pagequote.check import Vocabulary, judge, read_manuscripts
from tests.support.builds import corpus_of
from tests.support.cases import cases
from tests.support.essays import essays
from tests.support.invented_works import BY_KEY
from tests.support.measured import measured
from tests.support.pdfs import pdf

FORMS = cases("faces/locators.toml")
LABELS = [(page, str(page + 213)) for page in range(1, 5)]
"""A paper whose four pages print 214 to 217."""

RIGHT, PAGE, WRONG = 215, 2, 299


@pytest.fixture(scope="module")
def counted(harbour):
    every = {one.name: measured(harbour, one) for one in essays() if not one.name.endswith(".pdf")}
    return sum((one.counts for one in every.values()), Counter()), [
        f"{name}: {line}" for name, one in every.items() for line in one.lines
    ]


@pytest.mark.long
def test_each_wrong_quotation_is_an_error_or_named_as_not_judged(counted):
    counts, lines = counted
    assert counts["seen"] + counts["named"] > 200
    assert counts["blessed"] == counts["missed"] == counts["lost"] == 0, lines


@pytest.mark.long
def test_few_right_quotations_are_errors_or_not_judged(counted):
    counts, lines = counted
    right = counts["right"] + counts["unjudged"] + counts["false alarm"]
    assert counts["false alarm"] <= 0.03 * right, lines
    assert counts["unjudged"] <= 0.05 * right, lines


@pytest.mark.long
def test_hardly_anything_is_listed_that_is_no_quotation(counted):
    counts, lines = counted
    assert counts["decoy"] <= 0.02 * counts["listed"], lines


def _read(form, page):
    written = form.format(*[page] * 3, next=page + 1, short=str(page + 1)[-1])
    source = f"[@key, {written}]"
    locator = parse_locator(source, 7, len(source) - 1)
    assert locator is None or source[locator.start : locator.end] == locator.text
    return locator


@pytest.mark.parametrize("form", FORMS["pages"])
def test_a_page_is_read_in_every_form_and_a_wrong_one_is_no_right_one(form):
    right, wrong = _read(form, RIGHT), _read(form, WRONG)
    assert PAGE in as_physical(right, LABELS) | as_printed(right, LABELS)
    assert wrong.understood
    assert PAGE not in as_physical(wrong, LABELS) | as_printed(wrong, LABELS)


@pytest.mark.parametrize("form", FORMS["no_page"])
def test_a_place_that_is_no_page_is_none(form):
    assert _read(form, RIGHT) is None


@pytest.mark.parametrize("form", FORMS["not_understood"])
def test_a_number_in_no_known_form_is_not_understood_or_no_page_of_the_paper(form):
    locator = _read(form, RIGHT)
    assert locator is not None
    assert not locator.understood or not as_physical(locator, LABELS) | as_printed(locator, LABELS)


@pytest.mark.parametrize("language", FORMS["in_ten_languages"])
def test_the_labels_of_csl_say_what_a_number_counts(language):
    *pages, _ = (f"{one} {{}}" for one in (*FORMS["in_ten_languages"][language][:2], ""))
    for form in pages:
        assert PAGE in as_physical(_read(form, RIGHT), LABELS) | as_printed(_read(form, RIGHT), LABELS), form
    for other in FORMS["in_ten_languages"][language][2:]:
        assert _read(f"{other} {{}}", RIGHT) is None, other


def _judged(corpus, text):
    path = Path("a.md")
    return judge(corpus, list(read_manuscripts([path], Vocabulary(), {path: text.encode()})))


def test_author_and_words_that_agree_with_another_year_are_that_work_with_a_remark(harbour):
    sentence = BY_KEY["oakes2004"].sentences[0]
    (one,) = _judged(harbour, f"“{sentence.words()}” (Oakes 2009, {sentence.page}).")
    assert (one.key, one.verdict, one.page_is_right, one.level) == ("oakes2004", "verbatim", True, "warning")
    assert one.remark == "Cited as “Oakes 2009”; the paper is Oakes 2004."
    (wrong,) = _judged(harbour, f"“{sentence.words('never ')}” (Oakes 2009, {sentence.page}).")
    assert (wrong.key, wrong.level) == ("oakes2004", "error")


def test_words_that_another_quotes_may_be_those_of_the_one_who_is_cited(tmp_path):
    quoted, own = "The ferry was never once paid for in coin", "Nobody asked where the boatmen slept at night"
    text = f"As Zimmer has put it,\n'{quoted}',\nand so it stayed.\n{own}.\nThat was all."
    entry = b"@book{berg2006, author = {Berg, Ida}, title = {Ferries}, year = 2006, file = {berg.pdf}}"
    files = {"berg.pdf": pdf(text), "library.bib": entry}
    with corpus_of(tmp_path, files, sources=["library.bib"]) as corpus:
        (second,) = _judged(corpus, f"“{quoted}” (Zimmer 1950, 4).")
        (stolen,) = _judged(corpus, f"“{own}” (Zimmer 1950, 4).")
    assert (second.level, second.verdict, second.elsewhere[0].key) == ("warning", "unknown key", "berg2006")
    assert (stolen.level, stolen.hint) == ("error", "Cited as Zimmer 1950, printed by Berg 2006.")


@pytest.mark.parametrize("marks", ["「」", "『』"])
def test_japanese_marks_quote_and_few_characters_between_them_are_a_term(harbour, marks):
    said = "海辺の村では毎晩測定が続けられた"
    (one,) = _judged(harbour, f"著者は{marks[0]}{said}{marks[1]}と述べ、{marks[0]}用語{marks[1]}を使う。")
    assert (one.quoted, one.verdict) == (said, "not judged")


def test_a_paper_whose_author_is_unknown_is_named_by_its_file_and_blamed_for_nothing(tmp_path):
    words = "We began all this empirical inquiry not merely to open a museum"
    names = ("James-Varieties-of-Religious-Experience-1902", "scan0007")
    said = "It is said.\n{} of {}.\nThat was all of it."
    files = {f"{name}.pdf": pdf(said.format(words, name[:4])) for name in names}
    with corpus_of(tmp_path, files) as corpus:
        noted = "Of it “{} of {}”.[^1]\n\n[^1]: William James, Varieties of Religious Experience (1902), 1."
        (right,) = _judged(corpus, noted.format(words, "Jame"))
        (near,) = _judged(corpus, noted.format(words.replace("not ", ""), "Jame"))
        (scanned,) = _judged(corpus, f"“{words} of scan”.[^1]\n\n[^1]: Rudolf Kalman, A Filter (1960), 1.")
        (unknown,) = _judged(corpus, f"“{words.replace('not ', '')} of scan” (Smith 1776, 4).")
    assert (right.verdict, right.level, right.page_is_right) == ("verbatim", "ok", True)
    assert (near.verdict, near.level) == ("near", "error")
    assert (scanned.verdict, scanned.level) == ("verbatim", "warning")
    assert scanned.remark.endswith("scan0007 prints the words, and its author is not known.")
    assert (unknown.verdict, unknown.level) == ("unknown key", "warning")
    assert "{+not+}" in unknown.diff
    assert "prints nearly the same, page 1" in unknown.hint
