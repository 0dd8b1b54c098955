"""Further PDFs of an entry of a library are its supplements: read, found, and cited by their part."""

import pytest

from lookup.papers.locators import parse_locator
from pagequote.check.formats import in_words, sources_of
from pagequote.check.judge import judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscripts
from pagequote.quoted_form import QuotedForm
from tests.support.builds import corpus_of
from tests.support.pdfs import pdf

PAPER = "The herring came into the harbour two weeks later than before."
SUPPLEMENT = "The nets were counted by hand on each of the forty mornings."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    entry = b"@article{ode2020, title={On Herring}, author={Ode, K.}, year=2020, file={paper.pdf;si.pdf}}"
    pdfs = {"paper.pdf": pdf("Front", "Matter", PAPER), "si.pdf": pdf("Front", SUPPLEMENT)}
    root = tmp_path_factory.mktemp("supplements")
    with corpus_of(root, {**pdfs, "refs.bib": entry}, sources=["refs.bib"]) as opened:
        yield opened


def test_a_supplement_is_a_paper_of_its_own_with_the_key_of_its_entry(corpus):
    assert [(one.key, one.title) for one in corpus.papers()] == [
        ("ode2020", "On Herring"),
        ("ode2020-S1", "On Herring, supplement 1"),
    ]
    assert corpus.quote("ode2020-S1", SUPPLEMENT).matches[0].page == 2


@pytest.mark.parametrize(
    ("citation", "words", "verdict", "level"),
    [
        ("[@ode2020, p. S1:2]", SUPPLEMENT, "verbatim", "ok"),
        ("[@ode2020, p. S1:1]", SUPPLEMENT, "verbatim", "error"),
        ("[@ode2020-S1, p. 2]", SUPPLEMENT, "verbatim", "ok"),
        ("[@ode2020, p. 3]", PAPER, "verbatim", "ok"),
        ("[@ode2020, p. 2]", SUPPLEMENT, "not found", "error"),
        ("[@ode2020, p. S2:2]", SUPPLEMENT, "unknown key", "error"),
    ],
)
def test_pages_of_a_supplement_are_cited_by_its_part(corpus, tmp_path, citation, words, verdict, level):
    draft = tmp_path / "text.md"
    draft.write_text(f'As said, "{words}" {citation}.')
    (finding,) = judge(corpus, read_manuscripts([draft], Vocabulary()))
    assert (finding.verdict, finding.level) == (verdict, level)
    if verdict != "verbatim":
        assert "ode2020-S1" in str(finding.elsewhere)


def test_what_a_supplement_prints_is_cited_as_its_papers_and_so_it_is_read(corpus, tmp_path):
    (match,) = corpus.quote("ode2020-S1", SUPPLEMENT).matches
    assert QuotedForm(match).markdown() == f"> {SUPPLEMENT} [@ode2020, p. S1:2]"
    assert QuotedForm(match).latex("natbib") == rf"``{SUPPLEMENT}'' \citep[p.~S1:2]{{ode2020}}"
    assert QuotedForm(match).latex() == rf"\mciteboxp{{ode2020}}{{S1:2}}{{{SUPPLEMENT}}}"
    assert (
        QuotedForm(match)
        .typst()
        .endswith(f"attribution: [#cite(<ode2020>, supplement: [p. S1:2])])[{SUPPLEMENT}]")
    )
    assert QuotedForm(match).citation(("Ode, K.",), 2020) == f"“{SUPPLEMENT}” (Ode, 2020, p. S1:2)"
    for name, text in {
        "a.md": QuotedForm(match).markdown(),
        "b.tex": rf"\enquote{{{SUPPLEMENT}}} \autocite[S1:2]{{ode2020}}",
        "c.typ": QuotedForm(match).typst(),
    }.items():
        (tmp_path / name).write_text(text)
        (finding,) = judge(corpus, read_manuscripts([tmp_path / name], Vocabulary()))
        assert (finding.key, finding.verdict, finding.level) == ("ode2020-S1", "verbatim", "ok"), name
        assert in_words(finding, sources_of(corpus, [finding])) == "Ode 2020, p. S1:2, prints these words."


@pytest.mark.parametrize(
    ("note", "part", "pages"),
    [("p. S1:3", "S1", "3"), ("S2:3-4", "S2", "3-4"), ("p. S12", "", "S12"), ("p. 12:3", "", "3")],
)
def test_a_part_stands_before_a_colon(note, part, pages):
    locator = parse_locator(note, 0, len(note))
    assert locator is not None
    assert (locator.part, locator.text) == (part, pages)
