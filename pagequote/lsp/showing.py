"""What an editor shows of a finding: the diagnostic, and the text over the quotation."""

from pathlib import Path

from lsprotocol import types

from lookup.results.quoted_form import escape_markdown
from lookup.results.showing import marked_pieces
from lookup.text.printable import printable
from pagequote.check.formats.as_sarif import rule
from pagequote.check.formats.messages import details
from pagequote.check.judge import Finding
from pagequote.lsp.positions import Positions

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
    start = types.Position(0, 0)
    return types.Diagnostic(
        types.Range(start, start),
        printable(message),
        types.DiagnosticSeverity.Warning,
        source="pagequote",
    )


def hover(finding: Finding, pdf: str, picture: Path | None, *, markdown: bool) -> str:
    """Return the finding, the printed sentences with the quoted words marked, and their page."""
    about = [printable(one) for one in details(finding)]
    match = finding.match
    if not markdown:
        return "\n\n".join([*about, *([printable(match.text)] if match else [])])
    shown = [escape_markdown(one) for one in about]
    if match is not None:
        pieces = (
            f"**{escape_markdown(text)}**" if marked else escape_markdown(text)
            for text, marked in marked_pieces(printable(match.text), [match.span])
        )
        section = " ".join(filter(None, (match.section_number, match.section_title)))
        shown.append(f"> {''.join(pieces)}")
        shown += [escape_markdown(printable(section))] if section else []
    shown += [f"[Page {finding.page}]({pdf}#page={finding.page})"] if pdf else []
    shown += [f"![Page {finding.page}]({picture.as_uri()})"] if picture else []
    return "\n\n".join(shown)
