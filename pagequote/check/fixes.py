"""Fixes of a manuscript: a few characters change, and every other byte stays."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Literal, NamedTuple

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.papers.locators import as_physical, as_printed, parse_locator
from lookup.results.difference import PRINTED
from pagequote.check.judge import Finding
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.latex_units import names
from pagequote.check.manuscript import (
    LATEX,
    MARKDOWN,
    OPEN_DOCUMENT,
    TYPST,
    WORD,
    Manuscript,
    content_of,
    encode,
    read_manuscript,
)
from pagequote.check.quotation import Edit, apply
from pagequote.check.word_diff import changes, diff_pieces, ends
from pagequote.quoted_form import cited_work, escape_latex, escape_markdown, escape_typst


class Fix(NamedTuple):
    """What can be done about a finding: its name, its edits, and whether these change page, words or key."""

    title: str
    edits: tuple[Edit, ...]
    kind: Literal["page", "words", "key"]


def fixes(
    finding: Finding, findings: Sequence[Finding], corpus: Corpus, vocabulary: Vocabulary
) -> Iterator[Fix]:
    """Yield what can be done about one of the findings on a manuscript.

    The edits of a document are those of its XML, in plain text; who makes them escapes it.
    """
    manuscript, locator = finding.manuscript, finding.locator
    document = manuscript.markup in (WORD, OPEN_DOCUMENT)
    if not document and manuscript.markup not in (LATEX, MARKDOWN, TYPST):
        return
    pages = page_edits(findings).get(manuscript.path, ())
    page = [one for one in pages if locator and one.start <= locator.start and one.end == locator.end]
    if page:
        yield Fix(f"Correct the page: {page[0].text}", tuple(page), "page")
    words = _near_edits(finding, str) if document else quote_edits(finding, corpus, vocabulary)
    if words:
        quoted, printed = finding.quoted, finding.printed or ""
        pieces = diff_pieces(quoted, printed, finding.omitted, finding.differences)
        shown = " ".join(one.text for one in pieces if one.kind != "quoted")
        yield Fix(f"Use the printed words: {shown}", tuple(words), "words")
    for other in () if document else finding.elsewhere:
        paper, part = cited_work(other.key)
        if part and locator and paper == finding.key:
            there = f"{part}{other.page_label or other.page}"
            edit = Edit(locator.start, locator.end, there)
            yield Fix(f"Cite the supplement, page {there}", (edit,), "page")
            continue
        key = _key_edit(finding, other.key)
        if key:
            verb = "Change the key to" if finding.verdict == "unknown key" else "Cite"
            where = f", page {other.page}" if other.page else ""
            yield Fix(f"{verb} {other.key}{where}", (key,), "key")


def _key_edit(finding: Finding, key: str) -> Edit | None:
    """Return the edit that cites another key beside the quotation; None where it is not cited just there."""
    if not finding.key:  # it has no citation, or one without a key
        return None
    source, quotation = finding.manuscript.source, finding.quotation
    first, last = quotation.words.spans[0][0], quotation.words.spans[-1][1]
    at = max(0, first - _BESIDE)
    named = re.compile(rf"(?<![\w:.-]){re.escape(finding.key)}(?![\w:-])")
    found = [one.span() for one in named.finditer(source, at, last + _BESIDE)]
    places = [(max(first - end, start - last), start, end) for start, end in found]
    beside = min((one for one in places if one[0] >= 0), default=None)
    return Edit(beside[1], beside[2], key) if beside else None


_BESIDE = 300  # Characters of the source on either side of a quotation among which its citation is.


def page_edits(findings: Sequence[Finding]) -> dict[Path, list[Edit]]:
    """Return the edits that correct wrong pages of quotations that their one cited paper prints.

    A page is counted as most right pages of the form are: printed, or from the first of the PDF.
    Quotations that share a citation have to agree on its page; where they do not, it is left alone.
    """
    counted = Counter((one.quotation.form, one.counted) for one in findings)
    wanted: dict[tuple[Path, int], set[Edit | None]] = {}
    for finding in findings:
        locator = finding.locator
        if locator is None or len(finding.quotation.keys) != 1:
            continue
        place = (finding.manuscript.path, locator.start)
        if finding.page_is_right is False:
            form = finding.quotation.form
            more = counted[form, "printed"] - counted[form, "physical"]
            by_label = more > 0 or (not more and form not in names("latex")["physical"])
            wanted.setdefault(place, set()).add(_page_edit(finding, by_label=by_label))
        elif finding.page_is_right:
            wanted.setdefault(place, set()).add(None)
    edits: dict[Path, list[Edit]] = {}
    for (path, _), ways in wanted.items():
        agreed, *others = ways
        if agreed is not None and not others:
            edits.setdefault(path, []).append(agreed)
    return edits


def _page_edit(finding: Finding, *, by_label: bool) -> Edit | None:
    """Return the right page, with "p." or "pp."; None for a label that would not be read as that page."""
    locator = finding.locator
    assert locator is not None
    shown = [label if label and by_label else str(page) for page, label in finding.pages]
    several = len(shown) > 1
    dash = {MARKDOWN: "-", LATEX: "--", TYPST: "--"}.get(finding.manuscript.markup, "–")
    pages = f"{shown[0]}{dash}{shown[-1]}" if several else shown[0]
    read = parse_locator(pages, 0, len(pages))
    there = as_printed(read, finding.pages) | as_physical(read, finding.pages) if read else ()
    if any(page not in there for page, _ in finding.pages):
        return None
    source, (begins, ends_at) = finding.manuscript.source, locator.prefix or (0, 0)
    other = {"p": "pp", "page": "pages"} if several else {"pp": "p", "pages": "page"}
    if prefix := other.get(source[begins:ends_at]):
        return Edit(begins, locator.end, f"{prefix}{source[ends_at : locator.start]}{pages}")
    return Edit(locator.start, locator.end, pages)


def quote_edits(finding: Finding, corpus: Corpus, vocabulary: Vocabulary) -> list[Edit]:
    """Return the edits that make a near quotation the printed one, none if words alone cannot be replaced.

    The result is read and judged again: the edits count only if this quotation becomes verbatim or abridged
    and no other changes.
    """
    edits = _near_edits(finding, escaping(finding.manuscript.markup))
    if not edits:
        return []
    was, place = finding.manuscript, finding.quotation.start
    told = replace(vocabulary, defined={**vocabulary.defined, **was.defined})
    mended = read_manuscript(was.path, told, encode(apply(was.source, edits)))
    if len(mended.quotations) != len(was.quotations):
        return []
    for before, after in zip(was.quotations, mended.quotations, strict=True):
        if before.start != place and before.words.text != after.words.text:
            return []
        if before.start == place and before.form == finding.quotation.form:
            judged = corpus.verify(finding.key, after.words.text)
            if judged.verdict not in PRINTED or after.keys != before.keys:
                return []
    return edits


def tracked_edits(findings: Sequence[Finding], *, pages: bool = True, words: bool = True) -> list[Edit]:
    """Return the edits that give quotations of a document their right pages and printed words.

    Those that are not plain text of one run of the document itself are left out: comments say what is wrong.
    """
    edits = [edit for each in page_edits(findings).values() for edit in each] if pages else []
    for finding in findings if words else ():
        edits += _near_edits(finding, str)
    source = findings[0].manuscript.source if findings else ""
    return [one for one in dict.fromkeys(edits) if "<" not in source[one.start : one.end]]


def _near_edits(finding: Finding, escape: Callable[[str], str]) -> list[Edit]:
    """Return the edits that make a near quotation the printed one; none for others, or across markup."""
    words = finding.quotation.words
    if finding.verdict != "near" or finding.printed is None:
        return []
    tokens = [one.span() for one in re.finditer(r"\S+", words.text)]
    right = finding.printed.split()
    edits = []
    quoted = [words.text[slice(*one)] for one in tokens]
    for i1, i2, j1, j2 in changes(quoted, right, finding.omitted, finding.differences):
        new = " ".join(right[j1:j2])
        if i1 == i2:  # words that are left out
            if i1 < len(tokens):
                at = words.spans[tokens[i1][0]][0]
                edits.append(Edit(at, at, f"{escape(new)} "))
            else:
                at = words.spans[tokens[-1][1] - 1][1]
                edits.append(Edit(at, at, f" {escape(new)}"))
            continue
        start, end = tokens[i1][0], tokens[i2 - 1][1]
        if j1 == j2:  # words that are not printed, with the space after or before them
            start, end = (
                (start, tokens[i2][0]) if i2 < len(tokens) else (tokens[i1 - 1][1] if i1 else start, end)
            )
        else:
            start += ends(words.text[start:end])[0]
            end = tokens[i1][0] + ends(words.text[tokens[i1][0] : end])[1]
            new = new[slice(*ends(new))]
        beside = pairwise(words.spans.cut(start, end))
        if start >= end or any(before[1] != after[0] for before, after in beside):
            return []  # there is markup between them
        edits.append(Edit(words.spans[start][0], words.spans[end - 1][1], escape(new)))
    return edits


def escaping(markup: str) -> Callable[[str], str]:
    """Return what writes words in this markup so that they print themselves, also between quotation marks."""
    if markup == LATEX:
        return escape_latex
    escape = escape_markdown if markup == MARKDOWN else escape_typst
    return lambda text: escape(text).replace('"', '\\"')


def write(manuscript: Manuscript, edits: Sequence[Edit]) -> None:
    """Write the manuscript with the edits. Raise QueryError if the file has changed since it was read."""
    path = manuscript.path
    if content_of(path) != encode(manuscript.source):
        raise QueryError(f"{str(path)!r} has changed since it was read. Nothing was written; check it again.")
    path.write_bytes(encode(apply(manuscript.source, edits)))
