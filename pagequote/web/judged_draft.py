"""A draft that is judged and mended: the corrections that its writer takes are made on what was sent."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.text.folding import fold
from pagequote.check.documents.shown_text import shown_text, with_edits, within
from pagequote.check.fixes import Fix, fixes
from pagequote.check.judge import Finding, judge
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import (
    OPEN_DOCUMENT,
    ORG,
    REST,
    SUFFIXES,
    WORD,
    Manuscript,
    encode,
    read_manuscript,
)
from pagequote.check.quotation import Edit, MappedText, apply

MARKUPS = {"markdown": ("Markdown", ".md"), "latex": ("LaTeX", ".tex"), "typst": ("Typst", ".typ")}
"""Each markup that can be pasted: its name, and the suffix of its files."""

_MOST_CHARACTERS = 60_000  # The longest draft: a chapter, some 20 pages.

_MOST_QUOTATIONS = 200


class JudgedDraft(NamedTuple):
    """A draft after the corrections that were taken, its findings, and what can be done about each.

    `shown` is the text of a file of a word processor, as its reader sees it.
    """

    manuscript: Manuscript
    content: bytes
    findings: Sequence[Finding]
    fixes: Sequence[Sequence[Fix]]
    shown: MappedText | None


def examined(corpus: Corpus, name: str, content: bytes, steps: Sequence[str] = ()) -> JudgedDraft:
    """Return the draft of a file with this name and content, judged, after the steps that were taken.

    A step is a line for each correction, with the number of its quotation. Raise QueryError for what is no
    draft, or too much.
    """
    found = _examined(corpus, name, content, ())
    waiting = [line for step in steps for line in step.splitlines()]  # a browser sends \r\n
    while edits := _taken(found, waiting):
        markup = found.manuscript.markup
        if found.shown is None:
            content = encode(apply(found.manuscript.source, edits))
        else:
            date = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
            content = with_edits(content, name, edits, word=markup == WORD, date=date)
        found = _examined(corpus, name, content, found.findings)
    return found


def _taken(found: JudgedDraft, waiting: list[str]) -> list[Edit]:
    """Return the edits of the corrections that wait and can be made together; these wait no more."""
    offered = {f"{number}: {fix.title}": fix for number, each in enumerate(found.fixes, 1) for fix in each}
    edits: dict[Edit, None] = {}
    for line in waiting.copy():
        new = dict.fromkeys(offered[line].edits) if line in offered else {}
        others = [one for one in edits if one not in new]
        if new and not any(
            one.start <= other.end and other.start <= one.end for one in new for other in others
        ):
            edits |= new
            waiting.remove(line)
    return list(edits)


def _examined(corpus: Corpus, name: str, content: bytes, before: Sequence[Finding]) -> JudgedDraft:
    path = Path("draft").with_suffix(Path(name).suffix.lower())  # no such file: what it holds is handed in
    if path.suffix not in SUFFIXES:
        raise QueryError(f"A draft is a file whose name ends in one of {', '.join(sorted(SUFFIXES))}.")
    if SUFFIXES[path.suffix] in (*MARKUPS, ORG, REST):
        text = content.decode("utf-8", "replace")
        if len(text) > _MOST_CHARACTERS:
            raise QueryError(f"The draft has {len(text):,} characters; the limit is {_MOST_CHARACTERS:,}.")
        content = text.encode()
    manuscript = read_manuscript(path, Vocabulary(), content)
    if len(manuscript.quotations) > _MOST_QUOTATIONS:
        raise QueryError(
            f"The draft has {len(manuscript.quotations)} quotations; the limit is {_MOST_QUOTATIONS}."
        )
    word = manuscript.markup == WORD
    is_shown = word or manuscript.markup == OPEN_DOCUMENT
    shown = shown_text(content, name, word=word) if is_shown else None
    findings = judge(corpus, [manuscript], before=before)
    mending = [
        tuple(
            fix for fix in fixes(one, findings, corpus, Vocabulary()) if _can_be_made(fix, manuscript, shown)
        )
        for one in findings
    ]
    return JudgedDraft(manuscript, content, findings, mending, shown)


def _can_be_made(fix: Fix, manuscript: Manuscript, shown: MappedText | None) -> bool:
    """Return whether a correction changes nothing but text that is shown, in one run of a document."""
    if shown is None:
        return True
    source, spans = manuscript.source, shown.spans
    places = [(edit, *within(shown, edit.start, edit.end)) for edit in fix.edits]
    return all(
        "<" not in source[edit.start : edit.end]
        and first < len(spans)
        and edit.start in (spans[first][0], spans[max(0, first - 1)][1])
        and (edit.start == edit.end or spans[end - 1][1] == edit.end)
        for edit, first, end in places
    )


def finding_name(finding: Finding) -> str:
    """Return a name for a finding: the same words, source, page and verdict have the same."""
    about = finding.key, finding.verdict, finding.page_given or "", fold(finding.quoted)
    return hashlib.sha256("\n".join(about).encode()).hexdigest()[:16]
