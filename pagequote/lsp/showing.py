"""What an editor shows of a finding: the diagnostic, and the text over the quotation."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types

from lookup.corpus import Corpus
from lookup.results.answer import marked_pieces
from lookup.text.printable import printable
from pagequote.check.fixes import fixes
from pagequote.check.formats import details, rule
from pagequote.check.judge import Finding
from pagequote.check.word_diff import around_pieces
from pagequote.lsp.draft import Draft, Positions
from pagequote.quoted_form import escape_markdown

_SEVERITY = {
    "error": types.DiagnosticSeverity.Error,
    "warning": types.DiagnosticSeverity.Warning,
}


def diagnostic(finding: Finding, positions: Positions) -> types.Diagnostic:
    """Return a finding that is not right as editors underline it."""
    quotation = finding.quotation
    return types.Diagnostic(
        positions.range(quotation.start, quotation.end),
        printable("\n".join(details(finding))),
        _SEVERITY[finding.level],
        code=rule(finding),
        source="pagequote",
    )


def failure(message: str) -> types.Diagnostic:
    """Return why nothing is judged, for the first line."""
    first = types.Range(types.Position(0, 0), types.Position(0, 0))
    warning = types.DiagnosticSeverity.Warning
    return types.Diagnostic(first, printable(message), warning, source="pagequote")


def hover(finding: Finding, pdf: str, picture: Path | None, *, markdown: bool) -> str:
    """Return the finding, the printed sentences with the quoted words marked, and their page."""
    match = finding.match
    about = [printable(one) for one in details(finding) if one != finding.around]
    if not markdown:
        return "\n\n".join([*about, *([printable(match.around or match.text)] if match else [])])
    shown = [escape_markdown(one) for one in about]
    if match is not None:
        parts = [(one.text, one.kind == "same") for one in around_pieces(printable(match.around))]
        pieces = (
            f"**{escape_markdown(text)}**" if marked else escape_markdown(text)
            for text, marked in parts or marked_pieces(printable(match.text), [match.span])
        )
        number, section = match.section_number or "", match.section_title or ""
        section = section if section.startswith(number) else f"{number} {section}".strip()
        shown.append(f"> {(' ' if parts else '').join(pieces)}")
        shown += [escape_markdown(printable(section))] if section else []
    shown += [f"[Page {finding.page}]({pdf}#page={finding.page})"] if pdf else []
    shown += [f"![Page {finding.page}]({picture.as_uri()})"] if picture else []
    return "\n\n".join(shown)


ACCEPT, OPEN = "pagequote.accept", "pagequote.open"
"""The commands of the server: take a finding into the baseline, open the PDF at a page."""

_QUICK = types.CodeActionKind.QuickFix


class EditedDraft(NamedTuple):
    """A judged document as its editor knows it."""

    uri: str
    draft: Draft
    positions: Positions
    corpus: Corpus


def actions(document: EditedDraft, start: int, end: int) -> Iterator[types.CodeAction | types.Command]:
    """Yield what can be done about the quotations that the characters from `start` to `end` touch."""
    draft = document.draft
    for finding in draft.at(start, end):
        for fix in fixes(finding, draft.findings, document.corpus, draft.judged_by[1].vocabulary):
            new = [types.TextEdit(document.positions.range(e.start, e.end), e.text) for e in fix.edits]
            yield types.CodeAction(fix.title, _QUICK, edit=types.WorkspaceEdit({document.uri: new}))
        if finding in draft.wrong and finding.level == "error" and draft.judged_by[1].baseline:
            yield types.Command(
                "Take this finding into the baseline",
                ACCEPT,
                arguments=[document.uri, finding.quotation.start],
            )
        if finding.page is not None:
            title = f"Open page {finding.page} of {finding.key}"
            yield types.Command(title, OPEN, arguments=[document.uri, finding.key, finding.page])
