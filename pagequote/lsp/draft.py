"""A document as it is open in an editor, judged, and what the editor shows of its findings."""

import re
from bisect import bisect_right
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.workspace import PositionCodec

from lookup.corpus import Corpus
from lookup.results.answer import marked_pieces
from lookup.text.printable import printable
from pagequote.check.configuration import Configuration
from pagequote.check.fixes import fixes
from pagequote.check.formats import details, rule
from pagequote.check.judge import Finding, judge
from pagequote.check.kept import unknown_to
from pagequote.check.manuscript import Manuscript, encode, read_in_sandbox
from pagequote.check.word_diff import around_pieces
from pagequote.quoted_form import escape_markdown


class Draft(NamedTuple):
    """A version of a document, and the finding on each of its quotations.

    `wrong` are those that are to be shown: not right, and not in the baseline. `judged_by` is what findings
    depend on beside the document: release and settings.
    """

    manuscript: Manuscript
    findings: tuple[Finding, ...]
    wrong: tuple[Finding, ...]
    judged_by: tuple[str, Configuration]

    def at(self, start: int, end: int) -> list[Finding]:
        """Return the findings on what the characters from `start` to `end` touch, or the pages of it."""
        return [
            one
            for one in self.findings
            if any(
                place and place.start <= end and place.end >= start for place in (one.quotation, one.locator)
            )
        ]


def draft(
    path: Path, text: str, corpus: Corpus, configuration: Configuration, before: Draft | None = None
) -> Draft:
    """Return the document judged. What it quotes in common with the version `before` is not judged again.

    Raise PageQuoteError.
    """
    judged_by = (str(corpus.release.folder), configuration)
    if before is not None and before.judged_by != judged_by:
        before = None
    manuscript = read_in_sandbox(path, configuration.vocabulary, encode(text))
    earlier = before.findings if before else ()
    findings = judge(corpus, [manuscript], configuration.min_verdict, earlier)
    wrong, baseline = [one for one in findings if one.level != "ok"], configuration.baseline
    if baseline is not None and baseline.exists():
        wrong = unknown_to(baseline, wrong)
    return Draft(manuscript, tuple(findings), tuple(wrong), judged_by)


_LINE_END = re.compile(r"\r\n|\r|\n")


class Positions:
    """The positions of a text; `codec` has the unit that server and editor agreed on."""

    def __init__(self, text: str, codec: PositionCodec) -> None:
        self._text = text
        self._codec = codec
        self._starts = [0, *(end.end() for end in _LINE_END.finditer(text))]

    def position(self, offset: int) -> types.Position:
        """Return where the character at `offset` stands."""
        line = bisect_right(self._starts, offset) - 1
        before = self._text[self._starts[line] : offset]
        return types.Position(line, self._codec.client_num_units(before))

    def range(self, start: int, end: int) -> types.Range:
        """Return where the characters from `start` to `end` stand."""
        return types.Range(self.position(start), self.position(end))

    def offset(self, position: types.Position) -> int:
        """Return the character at a position, the last of its line or text for one beyond it."""
        if position.line >= len(self._starts):
            return len(self._text)
        start = self._starts[position.line]
        after = (*self._starts, len(self._text) + 1)[position.line + 1]
        line = _LINE_END.sub("", self._text[start:after])
        units = 0
        for at, char in enumerate(line):
            if units >= position.character:
                return start + at
            units += self._codec.client_num_units(char)
        return start + len(line)


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
    judged = document.draft
    for finding in judged.at(start, end):
        for fix in fixes(finding, judged.findings, document.corpus, judged.judged_by[1].vocabulary):
            new = [types.TextEdit(document.positions.range(e.start, e.end), e.text) for e in fix.edits]
            yield types.CodeAction(fix.title, _QUICK, edit=types.WorkspaceEdit({document.uri: new}))
        if finding in judged.wrong and finding.level == "error" and judged.judged_by[1].baseline:
            yield types.Command(
                "Take this finding into the baseline",
                ACCEPT,
                arguments=[document.uri, finding.quotation.start],
            )
        if finding.page is not None:
            title = f"Open page {finding.page} of {finding.key}"
            yield types.Command(title, OPEN, arguments=[document.uri, finding.key, finding.page])
