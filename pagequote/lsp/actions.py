"""What an editor offers to do about a quotation."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lsprotocol import types

from lookup.corpus import Corpus
from pagequote.check.fixes import Edit, page_edits, quote_edits
from pagequote.lsp.draft import Draft
from pagequote.lsp.positions import Positions

ACCEPT, OPEN = "pagequote.accept", "pagequote.open"
"""The commands of the server: take a finding into the baseline, and open the PDF at a page."""

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
    pages = page_edits(draft.findings).get(draft.manuscript.path, ())
    for finding in draft.at(start, end):
        locator = finding.quotation.locator
        mended = [one for one in pages if locator and one.start <= locator.start and one.end == locator.end]
        if mended:
            yield _edit(f"Correct the page: {mended[0].text}", mended, document)
        words = quote_edits(finding, corpus, draft.judged_by[1].vocabulary)
        if words:
            yield _edit(f"Use the printed words: {finding.diff}", words, document)
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
