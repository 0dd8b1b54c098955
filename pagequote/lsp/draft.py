"""A document as it is open in an editor, judged."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from lookup.corpus import Corpus
from pagequote.check.baseline import unknown_to
from pagequote.check.configuration import Configuration
from pagequote.check.judge import Finding, judge
from pagequote.check.manuscript import Manuscript, encode, read_manuscript


@dataclass(frozen=True)
class Draft:
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
            if any(first <= end and last >= start for first, last in _places(one))
        ]


def _places(finding: Finding) -> list[tuple[int, int]]:
    quotation, locator = finding.quotation, finding.quotation.locator
    return [(quotation.start, quotation.end), *([(locator.start, locator.end)] if locator else [])]


def draft(
    path: Path, text: str, corpus: Corpus, configuration: Configuration, before: Draft | None = None
) -> Draft:
    """Return the document judged. What it has in common with the version `before` is not done again.

    Raise PageQuoteError.
    """
    judged_by = (str(corpus.release.folder), configuration)
    if before is not None and before.judged_by != judged_by:
        before = None
    manuscript, _ = read_manuscript(
        path, configuration.vocabulary, encode(text), before.manuscript if before else None
    )
    verdict = configuration.min_verdict or "abridged"
    findings = judge(corpus, [manuscript], verdict, before.findings if before else ())
    return Draft(manuscript, tuple(findings), tuple(_wrong(findings, configuration.baseline)), judged_by)


def _wrong(findings: Sequence[Finding], baseline: Path | None) -> Sequence[Finding]:
    wrong = [one for one in findings if one.level != "ok"]
    return wrong if baseline is None or not baseline.exists() else unknown_to(baseline, wrong)
