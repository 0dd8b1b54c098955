"""What an editor offers to do about a quotation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types

from lookup.corpus import Corpus
from pagequote.check.fixes import Edit, fixes
from pagequote.lsp.draft import Draft
from pagequote.lsp.positions import Positions

ACCEPT, OPEN, SEARCH = "pagequote.accept", "pagequote.open", "pagequote.search"
"""The commands of the server: take a finding into the baseline, open the PDF at a page, search all papers."""

_QUICK = types.CodeActionKind.QuickFix


@dataclass(frozen=True)
class EditedDraft:
    """A judged document as its editor knows it."""

    uri: str
    draft: Draft
    positions: Positions


def actions(
    document: EditedDraft, corpus: Corpus, start: int, end: int
) -> Iterator[types.CodeAction | types.Command]:
    """Yield what can be done about the quotations that the characters from `start` to `end` touch."""
    draft = document.draft
    for finding in draft.at(start, end):
        for fix in fixes(finding, draft.findings, corpus, draft.judged_by[1].vocabulary):
            yield _edit(fix.title, fix.edits, document)
        if finding.verdict in ("not found", "related", "unknown key"):
            yield types.Command("Search all papers", SEARCH, arguments=[document.uri, finding.quoted])
        if finding in draft.wrong and finding.level == "error" and draft.judged_by[1].baseline:
            yield types.Command(
                "Take this finding into the baseline",
                ACCEPT,
                arguments=[document.uri, finding.quotation.start],
            )
        if finding.page is not None:
            title = f"Open page {finding.page} of {finding.key}"
            yield types.Command(title, OPEN, arguments=[document.uri, finding.key, finding.page])


def _edit(title: str, edits: Sequence[Edit], document: EditedDraft) -> types.CodeAction:
    new = [types.TextEdit(document.positions.range(one.start, one.end), one.text) for one in edits]
    return types.CodeAction(title, _QUICK, edit=types.WorkspaceEdit({document.uri: new}))
