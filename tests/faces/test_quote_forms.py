"""What `quote --format` writes passes `check`: each form, for places all over the corpus."""

import pytest

from pagequote.check import Vocabulary, judge, read_manuscripts
from pagequote.quoted_form import TEMPLATES, QuotedForm

_LATEX = {name: (".tex", lambda match, _, name=name: QuotedForm(match).latex(name)) for name in TEMPLATES}
_FORMS = {
    **_LATEX,
    "typst": (".typ", lambda match, _: QuotedForm(match).typst()),
    "markdown": (".md", lambda match, _: QuotedForm(match).markdown()),
    "citation": (".md", lambda match, paper: QuotedForm(match).citation(paper.authors, paper.year)),
}


def _places(corpus):
    """The first words of a paragraph of each page, as `quote` finds them."""
    query = """
        SELECT key, regexp_extract(text, '^(\\S+ ){9}') FROM paragraphs
        WHERE kind = 'body' AND length(text) > 200 QUALIFY row_number() OVER (PARTITION BY key, page) = 1
        ORDER BY ALL"""
    found = [corpus.quote(key, words) for key, words in corpus.sql(query).fetchall()]
    return [answer[0] for answer in found if answer and answer[0].verdict == "verbatim"]


@pytest.mark.parametrize("form", _FORMS)
def test_a_quote_passes_in_the_form_in_which_it_is_written(corpus, tmp_path, form):
    suffix, written = _FORMS[form]
    places = _places(corpus)
    assert len(places) > 8
    papers = {paper.key: paper for paper in corpus.papers()}
    draft = tmp_path / f"draft{suffix}"
    draft.write_text("\n\n".join(written(match, papers[match.key]) for match in places), encoding="utf-8")
    findings = judge(corpus, read_manuscripts([draft], Vocabulary()))
    told = [(one.level, one.verdict, one.page_is_right, one.remark) for one in findings]
    assert told == [("ok", "verbatim", True, "")] * len(places)
