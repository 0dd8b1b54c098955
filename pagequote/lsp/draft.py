"""A document as it is open in an editor, judged."""

import re
from bisect import bisect_right
from pathlib import Path
from typing import NamedTuple

from lsprotocol import types
from pygls.workspace import PositionCodec

from lookup.corpus import Corpus
from pagequote.check.configuration import Configuration
from pagequote.check.judge import Finding, judge
from pagequote.check.kept import unknown_to
from pagequote.check.manuscript import Manuscript, encode, read_in_sandbox


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
