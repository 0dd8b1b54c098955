"""A finding in words for the writer of a manuscript: author, year and printed page, and no key."""

from collections.abc import Iterator, Mapping, Sequence

from lookup.corpus import Corpus
from lookup.papers.library import ANOTHER_PDF
from lookup.quote.unprinted import IN_THE_FILE
from lookup.results.answer import short
from lookup.results.around import cuts
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Elsewhere
from pagequote.check.formats import left_out
from pagequote.check.judge import Finding
from pagequote.check.without_paper import NO_CITATION, sources
from pagequote.check.word_diff import diff_pieces
from pagequote.quoted_form import cited_work

_SHOWN = 300  # Characters of printed words that a sentence has.
_DIFFERENCES = 3  # Differences that a sentence names.


def sources_of(corpus: Corpus, findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return authors and year of all papers that findings are about, by their keys."""
    keys = [one.key for one in findings] + [other.key for one in findings for other in one.elsewhere]
    return sources(corpus, list(filter(None, keys)))


def in_words(finding: Finding, named: Mapping[str, str]) -> str:
    """Return what a finding says, in one or two sentences; `named` has authors and year by keys."""
    said = " ".join(_said(finding, named))
    return f"{said} {finding.remark}".strip() if finding.remark not in said else said


def _said(finding: Finding, named: Mapping[str, str]) -> Iterator[str]:
    source = named.get(finding.key, "")
    page = page_in_words(finding.key, finding.page, finding.page_label) if finding.page else ""
    place = f"{source}, {page}," if page else source
    if finding.pinned:
        yield f"{finding.pinned[0].upper()}{finding.pinned[1:]}."
    elif finding.verdict in PRINTED and finding.page_is_right is False:
        yield f"The words are right, but {place} prints them, not {_given(finding)}."
    elif finding.verdict in PRINTED:
        more = "; ".join(filter(None, (", ".join(cuts(finding.around)), left_out(finding))))
        yield f"{place} prints these words{f' ({more})' if more else ''}."
    elif finding.verdict == "near":
        pieces = diff_pieces(finding.quoted, finding.printed or "", finding.omitted, finding.differences)
        printed = " ".join(one.text for one in pieces if one.kind != "quoted") or finding.printed or ""
        yield f"{place} prints {_quoted(printed)}: {_changes(finding)}."
        if finding.page_is_right is False:
            yield f"The page is wrong, too: the manuscript gives {_given(finding)}."
    else:
        yield from _not_printed(
            finding, source, page, " and ".join(_place(one, named) for one in finding.elsewhere)
        )


def _not_printed(finding: Finding, source: str, page: str, others: str) -> Iterator[str]:
    """Yield what is said where the words are not printed by what is cited, or nothing could be judged."""
    cited = f"“{finding.quotation.written or '; '.join(finding.quotation.keys)}”"
    if finding.verdict in ("related", "not found"):
        yield f"{source} does not print these words."
        _, in_file, where = finding.hint.partition(IN_THE_FILE)
        if in_file:
            yield f"They are in its file{where}"
        _, other_pdf, which = finding.hint.partition(ANOTHER_PDF)
        if other_pdf:
            yield f"{other_pdf}{which}"
        if finding.verdict == "related" and not others:
            yield f"What is nearest{page and f' is on {page}'}: {_quoted(finding.printed or '')}."
    elif finding.verdict == "not covered":
        yield f"Not judged: {source} has no text that can be read."
    elif finding.verdict == "unknown key" and finding.level == "error":
        yield f"The manuscript cites {cited}, but {others} prints these words."
        return
    elif finding.verdict == "unknown key":
        yield f"Not judged: no source called {cited} was at hand."
    else:
        yield f"Not judged. {NO_CITATION if others else finding.hint}"
    if others:
        yield f"{others} prints these words."


def page_in_words(key: str, page: int | None, label: str | None) -> str:
    """Return "p. 347", the printed number, or "p. 3 of the PDF"; "p. S1:3" of a supplement."""
    part = cited_work(key)[1]
    return f"p. {part}{label or page}" if part or label else f"p. {page} of the PDF"


def _place(one: Elsewhere, named: Mapping[str, str]) -> str:
    source = named.get(one.key, one.key)
    return f"{source}, {page_in_words(one.key, one.page, one.page_label)}," if one.page else source


def _given(finding: Finding) -> str:
    given = finding.page_given or ""
    return f"p. {given}" if given[:1].isalnum() else f"the page that is given ({given})"


def _quoted(words: str) -> str:
    return f"“{short(words, _SHOWN)}”"


def _changes(finding: Finding) -> str:
    said = []
    for one in finding.differences[:_DIFFERENCES]:
        if one.kind == "border":
            said.append(f"it runs from one text into another ({one.asked or one.printed})")
        elif not one.asked:
            said.append(f"“{one.printed}” is missing here")
        else:
            said.append(
                f"not “{one.asked}”, but “{one.printed}”"
                if one.printed
                else f"“{one.asked}” is not printed there"
            )
    more = len(finding.differences) - _DIFFERENCES
    return "; ".join([*said, *([f"and {more} more"] if more > 0 else [])]) or "the words differ"
