"""How a manuscript whose quotations are known is judged: what is seen, missed, blessed, or listed."""

from collections import Counter
from pathlib import Path
from typing import NamedTuple

from lookup.corpus import Corpus
from lookup.text.folding import fold
from pagequote.check import Finding, Vocabulary, judge, read_manuscripts
from tests.support.essays import Essay


class Measured(NamedTuple):
    """Counts by name, and a line for each that went wrong.

    "seen": a wrong quotation is an error; "named": it is listed as not judged; "blessed": it counts as right;
    "missed": it is not counted at all. "right", "unjudged": a right quotation; "false alarm": it is an error;
    "lost": it is not counted. "decoy": what is no quotation is listed.
    """

    counts: Counter[str]
    lines: list[str]


def measured(corpus: Corpus, essay: Essay) -> Measured:
    """Judge a manuscript, and compare with what it quotes."""
    path = Path(essay.name)
    fields = dict(one.partition("=")[::2] for one in essay.options if "=" in one)
    manuscripts = read_manuscripts([path], Vocabulary(fields=fields), {path: essay.data})
    findings = judge(corpus, list(manuscripts))
    left = list(findings)
    counts: Counter[str] = Counter()
    lines = []
    for one in essay.quotations:
        found = next(
            (finding for finding in left if fold(one.words).strip(".") in fold(finding.quoted)), None
        )
        if found is not None:
            left.remove(found)
        name = _name(found, fault=bool(one.fault))
        counts[name] += 1
        if name not in ("seen", "right"):
            said = (found.key, found.verdict, found.page_given, found.hint, found.remark) if found else ()
            lines.append(f"{name} {one.fault} {one.work.key} p. {one.page} {one.words[:60]!r} {said}")
    counts["decoy"] += len(left)
    counts["listed"] += len(findings)
    lines += [f"decoy {one.quoted[:80]!r} {one.verdict} {one.key}" for one in left]
    return Measured(+counts, lines)


def _name(found: Finding | None, *, fault: bool) -> str:
    if found is None:
        return "missed" if fault else "lost"
    if fault:
        return {"error": "seen", "warning": "named", "ok": "blessed"}[found.level]
    return {"error": "false alarm", "warning": "unjudged", "ok": "right"}[found.level]
