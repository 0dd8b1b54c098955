"""Further PDFs of an entry of a library are its supplements: read, found, and cited by their part."""

import pytest

from lookup.corpus import Corpus
from lookup.papers.locators import parse_locator
from pagequote.check.fixes import apply, fixes
from pagequote.check.in_words import in_words, sources_of
from pagequote.check.judge import judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscripts
from tests.support.builds import build
from tests.support.pdfs import pdf

PAPER = "The herring came into the harbour two weeks later than before."
SUPPLEMENT = "The nets were counted by hand on each of the forty mornings."


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("supplements")
    (root / "paper.pdf").write_bytes(pdf("Front", "Matter", PAPER))
    (root / "si.pdf").write_bytes(pdf("Front", SUPPLEMENT))
    bib = root / "refs.bib"
    bib.write_text(
        "@article{ode2020, title={On Herring}, author={Ode, K.}, year=2020, file={paper.pdf;si.pdf}}"
    )
    build([bib], root)
    with Corpus(root / "corpus") as opened:
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
    assert match.to_markdown() == f"> {SUPPLEMENT} [@ode2020, p. S1:2]"
    assert match.to_latex("natbib") == rf"``{SUPPLEMENT}'' \citep[p.~S1:2]{{ode2020}}"
    assert match.to_latex() == rf"\mciteboxp{{ode2020}}{{S1:2}}{{{SUPPLEMENT}}}"
    assert match.to_typst().endswith(f"attribution: [#cite(<ode2020>, supplement: [p. S1:2])])[{SUPPLEMENT}]")
    assert match.to_citation(("Ode, K.",), 2020) == f"“{SUPPLEMENT}” (Ode, 2020, p. S1:2)"
    for name, text in {
        "a.md": match.to_markdown(),
        "b.tex": rf"\enquote{{{SUPPLEMENT}}} \autocite[S1:2]{{ode2020}}",
        "c.typ": match.to_typst(),
    }.items():
        (tmp_path / name).write_text(text)
        (finding,) = judge(corpus, read_manuscripts([tmp_path / name], Vocabulary()))
        assert (finding.key, finding.verdict, finding.level) == ("ode2020-S1", "verbatim", "ok"), name
        assert in_words(finding, sources_of(corpus, [finding])) == "Ode 2020, p. S1:2, prints these words."


def test_words_of_a_supplement_cited_as_its_papers_are_mended_by_the_page(corpus, tmp_path):
    draft = tmp_path / "text.md"
    draft.write_text(f'As said, "{SUPPLEMENT}" [@ode2020, p. 2].')
    findings = judge(corpus, read_manuscripts([draft], Vocabulary()))
    (fix,) = fixes(findings[0], findings, corpus, Vocabulary())
    assert apply(draft.read_text(), fix.edits) == f'As said, "{SUPPLEMENT}" [@ode2020, p. S1:2].'


def test_another_pdf_of_an_entry_that_is_not_in_the_corpus_is_named_where_words_are_not_found(tmp_path):
    (tmp_path / "paper.pdf").write_bytes(pdf("Front", "Matter", PAPER))
    (tmp_path / "si.pdf").write_bytes(b"no PDF at all, but a page to sign in")
    files = "paper.pdf;si.pdf;lost.pdf"
    (tmp_path / "refs.bib").write_text(
        f"@article{{ode2020, title={{On Herring}}, author={{Ode, K.}}, year=2020, file={{{files}}}}}"
    )
    build([tmp_path / "refs.bib"], tmp_path)
    with Corpus(tmp_path / "corpus") as opened:
        said = "Its entry has another PDF that is not in the corpus: "
        hint = opened.quote("ode2020", SUPPLEMENT).hint
        assert f"{said}lost.pdf (missing file)." in hint
        assert f"{said}si.pdf (not a PDF)." in hint
        draft = tmp_path / "text.md"
        draft.write_text(f'As said, "{SUPPLEMENT}" [@ode2020, p. 2].')
        findings = judge(opened, read_manuscripts([draft], Vocabulary()))
        assert said in in_words(findings[0], sources_of(opened, findings))
        assert said not in opened.quote("ode2020", PAPER).hint


@pytest.mark.parametrize(
    ("note", "part", "pages"),
    [("p. S1:3", "S1", "3"), ("S2:3-4", "S2", "3-4"), ("p. S12", "", "S12"), ("p. 12:3", "", "3")],
)
def test_a_part_stands_before_a_colon(note, part, pages):
    locator = parse_locator(note, 0, len(note))
    assert locator is not None
    assert (locator.part, locator.text) == (part, pages)
