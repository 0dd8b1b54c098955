"""A finding in words for the writer of a manuscript: author, year and printed page, and no key."""

import re
from collections.abc import Mapping, Sequence

from lookup.corpus import Corpus
from lookup.papers.library import ANOTHER_PDF
from lookup.quote.unprinted import IN_THE_FILE
from lookup.results.answer import short
from lookup.results.around import cuts
from lookup.results.difference import PRINTED
from pagequote.check.formats import left_out, rendered
from pagequote.check.judge import Finding
from pagequote.check.without_paper import NO_CITATION, sources
from pagequote.check.word_diff import diff_pieces
from pagequote.quoted_form import cited_work

_SHOWN = 300  # Characters of printed words that a sentence has.


def sources_of(corpus: Corpus, findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return authors and year of all papers that findings are about, by their keys."""
    keys = [one.key for one in findings] + [other.key for one in findings for other in one.elsewhere]
    return sources(corpus, list(filter(None, keys)))


def in_words(finding: Finding, named: Mapping[str, str]) -> str:
    """Return what a finding says, in one or two sentences; `named` has authors and year by keys."""
    pieces = diff_pieces(finding.quoted, finding.printed or "", finding.omitted, finding.differences)
    source = named.get(finding.key, "")
    said = rendered(
        "in_words.txt",
        one=finding,
        is_printed=finding.verdict in PRINTED,
        source=source,
        place=_place(finding.key, source, finding.page, finding.page_label),
        page=page_in_words(finding.key, finding.page, finding.page_label) if finding.page else "",
        more="; ".join(filter(None, (", ".join(cuts(finding.around)), left_out(finding)))),
        printed=" ".join(one.text for one in pieces if one.kind != "quoted") or finding.printed or "",
        cited=finding.quotation.written or "; ".join(finding.quotation.keys),
        others=" and ".join(
            _place(one.key, named.get(one.key, one.key), one.page, one.page_label)
            for one in finding.elsewhere
        ),
        why=NO_CITATION if finding.elsewhere else finding.hint,
        short=lambda words: short(words, _SHOWN),
        in_its_file=finding.hint.partition(IN_THE_FILE)[1:],
        in_another_pdf=finding.hint.partition(ANOTHER_PDF)[1:],
    )
    said = re.sub(r"\n+", " ", said).strip()
    return f"{said} {finding.remark}".strip() if finding.remark not in said else said


def _place(key: str, source: str, page: int | None, label: str | None) -> str:
    """Return a source with the page, as the subject of a sentence."""
    return f"{source}, {page_in_words(key, page, label)}," if page else source


def page_in_words(key: str, page: int | None, label: str | None) -> str:
    """Return "p. 347", the printed number, or "p. 3 of the PDF"; "p. S1:3" of a supplement."""
    part = cited_work(key)[1]
    return f"p. {part}{label or page}" if part or label else f"p. {page} of the PDF"
