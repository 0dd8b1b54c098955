"""`corpus.quote` over the sample papers, whose truth is the text they were typeset from."""

import json
from dataclasses import replace

import pymupdf
import pytest

import lookup
from lookup.errors import CorpusNotFoundError
from lookup.text.folding import blind, fold
from tests.support.cases import cases
from tests.support.runs import middle_run
from tests.support.samples import sample_papers

CASES = cases("quote/quote.toml")

NIGHT = "lindqvist2019"


def body_runs(length=12):
    """A run of words from the middle of each body block of the samples."""
    for paper in sample_papers():
        for block in paper.blocks:
            if block.kind == "body" and len(block.text.split()) > 3 * length:
                yield paper.key, middle_run(block.text, length)


RUNS = list(body_runs())


@pytest.mark.parametrize(("key", "words"), RUNS, ids=[f"{key}-{words[:20]}" for key, words in RUNS])
def test_every_run_of_printed_words_is_found_verbatim_where_it_stands(corpus, samples, key, words):
    match = corpus.quote(key, words).matches[0]
    assert (match.verdict, match.tier, match.score) == ("verbatim", 1, 1.0)
    assert blind(fold(match.quote)) == blind(fold(words))
    with pymupdf.open(samples / f"{key}.pdf") as pdf:
        pages = [blind(fold(page.get_text("text"))) for page in pdf]
    first = blind(fold(" ".join(words.split()[:4])))
    assert first[:8] in pages[match.page - 1]
    assert corpus.document(key)[match.cursor :].startswith(match.quote.split("\n\n")[0])


@pytest.mark.parametrize(("key", "words"), RUNS[::4], ids=[f"{key}-{words[:20]}" for key, words in RUNS[::4]])
def test_boxes_hug_the_words_within_two_points(corpus, samples, key, words):
    match = corpus.quote(key, words).matches[0]
    with pymupdf.open(samples / f"{key}.pdf") as pdf:
        printed = ""
        for box in match.boxes:
            inside = pymupdf.Rect(box.x0 - 0.5, box.y0, box.x1 + 0.5, box.y1)
            found = [
                word
                for word in pdf[box.page - 1].get_text("words")
                if inside.contains(pymupdf.Point((word[0] + word[2]) / 2, (word[1] + word[3]) / 2))
            ]
            printed += "".join(word[4] for word in found)
            assert min(word[0] for word in found) == pytest.approx(box.x0, abs=2)
            assert max(word[2] for word in found) == pytest.approx(box.x1, abs=2)
            assert min(word[1] for word in found) == pytest.approx(box.y0, abs=2)
            assert max(word[3] for word in found) == pytest.approx(box.y1, abs=2)
    # A box holds whole words; a hyphenated word's first half is one.
    assert blind(fold(printed)) == blind(fold(words))


def test_a_page_hint_restricts_and_a_wrong_one_is_corrected(corpus):
    words = "Night-time CO2 release"
    everywhere = corpus.quote(NIGHT, "salinity", limit=50)
    pages = {match.page for match in everywhere.matches}
    assert len(pages) > 1
    for page in pages:
        hinted = corpus.quote(NIGHT, "salinity", page=page, limit=50)
        assert hinted.matches
        assert len(hinted.matches) < len(everywhere.matches)
    missing = corpus.quote(NIGHT, words, page=4)
    assert all(match.verdict != "verbatim" for match in missing.matches)
    assert "on page 1:" in missing.hint


@pytest.mark.parametrize("context", ["paragraph", "sentence", "chars"])
def test_text_and_raw_text_are_of_one_extent_in_each_context(corpus, context):
    for key, words in RUNS:
        match = corpus.quote(key, words, context=context, context_chars=80).matches[0]
        start, end = match.span
        assert blind(fold(match.text[start:end])) == blind(fold(words))
        assert blind(fold(match.text_raw)) == blind(fold(match.text))


def test_a_quote_over_two_paragraphs_answers_with_both(corpus):
    rows = corpus.sql(
        "SELECT a.text, b.text FROM paragraphs a JOIN paragraphs b ON a.key = b.key AND b.paragraph = "
        "a.paragraph + 1 "
        "WHERE a.key = ? AND a.kind = 'body' AND b.kind = 'body' AND length(a.text) > 200 AND length(b.text) "
        "> 200 LIMIT 1",
        [NIGHT],
    ).fetchone()
    first, second = rows
    words = " ".join(first.split()[-6:]) + " " + " ".join(second.split()[:6])
    match = corpus.quote(NIGHT, words).matches[0]
    assert match.text == f"{first}\n\n{second}"
    assert fold(match.quote) == fold(words)


def test_an_answer_is_true_where_there_is_a_match_and_goes_to_json(corpus):
    key, words = RUNS[0]
    answer = corpus.quote(key, words)
    assert answer
    fields = json.loads(answer.to_json())
    assert fields["matches"][0]["text"] == answer.matches[0].text
    assert fields == answer.to_dict()
    assert set(fields["matches"][0]) >= {
        "key",
        "page",
        "page_label",
        "section_number",
        "section_title",
        "kind",
        "score",
        "tier",
        "verdict",
        "text",
        "text_raw",
        "span",
        "boxes",
        "cursor",
        "differences",
        "omitted",
    }


def test_printed_page_labels_come_with_the_page(corpus):
    match = corpus.quote(NIGHT, RUNS[[key for key, _ in RUNS].index(NIGHT)][1]).matches[0]
    assert match.page_label == str(1649 + match.page)
    assert [
        label
        for (label,) in corpus.sql(
            "SELECT page_label FROM pages WHERE key = 'haldorsen2020' ORDER BY page"
        ).fetchall()
    ] == ["ix", "x", "xi"]
    assert [
        label
        for (label,) in corpus.sql(
            "SELECT page_label FROM pages WHERE key = 'ilmarinen2023' ORDER BY page"
        ).fetchall()
    ] == ["211", "212", "213"]


@pytest.fixture
def cited():
    return lookup.Match(
        key="a_b",
        page=3,
        page_label="iv",
        paragraph=0,
        section_number=None,
        section_title=None,
        kind="body",
        score=1.0,
        tier=1,
        verdict="verbatim",
        text=r"50% {c} #1 = [x] $y$",
        text_raw="",
        span=(0, 20),
        boxes=(),
        cursor=0,
    )


def test_latex_and_markdown_are_escaped(cited):
    match = replace(cited, text=r"x 50% & $5_a^b {c} #1 ~ \d *e*", span=(2, 30))
    assert match.to_latex() == (
        r"\mciteboxp{a_b}{3}{50\% \& \$5\_a\textasciicircum{}b \{c\} \#1 \textasciitilde{} \textbackslash{}d "
        r"*e*}"
    )
    assert match.to_markdown() == r"> 50% & \$5\_a\^b {c} \#1 \~ \\d \*e\* [@a_b, p. iv]"


@pytest.mark.parametrize(
    ("template", "latex"),
    [
        ("mciteboxp", r"\mciteboxp{a_b}{3}{50\% \{c\} \#1 = [x] \$y\$}"),
        ("biblatex", r"\enquote{50\% \{c\} \#1 = [x] \$y\$} \autocite[iv]{a_b}"),
        ("natbib", r"``50\% \{c\} \#1 = [x] \$y\$'' \citep[p.~iv]{a_b}"),
        ("plain", r"``50\% \{c\} \#1 = [x] \$y\$'' \cite[p.~iv]{a_b}"),
        (r"\mine{{{quote}}}[{page}]", r"\mine{50\% \{c\} \#1 = [x] \$y\$}[3]"),
    ],
)
def test_latex_has_the_style_of_the_call_else_of_the_environment(cited, template, latex, monkeypatch):
    assert cited.to_latex(template) == latex
    monkeypatch.setenv("PAGEQUOTE_LATEX", template)
    assert cited.to_latex() == latex


@pytest.mark.parametrize(
    ("word", "page"), [(None, "p. iv"), ("S.", "S. iv"), ("pág.", "pág. iv"), ("", "iv")]
)
def test_citations_name_pages_in_the_language_of_the_writer(cited, word, page, monkeypatch):
    monkeypatch.delenv("PAGEQUOTE_PAGE_WORD", raising=False)
    if word is not None:
        monkeypatch.setenv("PAGEQUOTE_PAGE_WORD", word)
    assert cited.to_markdown().endswith(f" [@a_b, {page}]")
    assert cited.to_citation(("Fan, Li",), 2021).endswith(f"” (Fan, 2021, {page})")
    assert f"supplement: [{page}]" in cited.to_typst()
    assert rf"\citep[{page.replace(' ', '~')}]{{a_b}}" in cited.to_latex("natbib")
    assert cited.to_latex("footcite").endswith(r"\footcite[iv]{a_b}")
    assert cited.to_link("/p/a.pdf", "obsidian").endswith(f"|a_b, {page}]])")


@pytest.mark.parametrize("template", ["chicago", "{quote} {year}", "{quote", "{quote}}", r"\cite{key}"])
def test_what_is_no_template_is_refused_with_the_names(cited, template):
    with pytest.raises(lookup.QueryError, match="mciteboxp, biblatex, footcite, natbib, plain"):
        cited.to_latex(template)


@pytest.mark.parametrize(
    ("style", "link"),
    CASES["a link leads to the words on their page"],
)
def test_a_link_leads_to_the_words_on_their_page(cited, style, link):
    assert cited.to_link("/p/a b.pdf", style) == link


def test_one_line_calls_take_a_corpus(corpus_path, monkeypatch, tmp_path):
    monkeypatch.setenv("PAGEQUOTE_CORPUS", str(tmp_path / "none"))
    key, words = RUNS[0]
    for corpus in (corpus_path, str(corpus_path)):
        assert lookup.get_quote(key, words, corpus=corpus).matches[0].verdict == "verbatim"
        (found,) = lookup.ground(key, {"words": words}, corpus=corpus).values()
        assert found.matches[0].verdict == "verbatim"
    with pytest.raises(CorpusNotFoundError):
        lookup.get_quote(key, words, corpus=tmp_path / "no corpus")


@pytest.mark.parametrize("key", ["haldorsen2020", ""])
def test_what_stands_beside_a_quotation_may_hold_the_denial_that_it_cuts_off(corpus, key):
    words = "return, and neither did its stickers"
    cut = corpus.verify(words, key)
    assert (cut.verdict, [one.printed for one in cut.match.differences]) == ("near", ["not"])
    assert corpus.verify(words, key, before="It is said that G did not").verdict == "verbatim"
    assert corpus.verify(words, key, before="It is said that G did").verdict == "near"


@pytest.mark.parametrize(
    ("asked", "tiers"),
    [
        ("most people prefer to toil by day", {2}),
        ("Why do most people prefer to toil by day?", {3}),
        ("Whatever most people prefer to toil by day?", {2}),
    ],
)
def test_what_only_asks_is_not_looked_for_as_misread_words(corpus, asked, tiers):
    assert {match.tier for match in corpus.quote(NIGHT, asked)} == tiers
