"""The baseline: a file of known findings, so that only new ones count.

A known finding has file, key, verdict, page and words. It has no line, so that it stays known while the text
around it changes.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from lookup.errors import QueryError
from lookup.storage import untrusted_files
from lookup.text.folding import fold
from pagequote.check.judge import Finding

T = TypeVar("T")

_VERSION = 1
_FIELDS = ("file", "key", "verdict", "page", "quote")

KnownFinding = tuple[str, ...]


def unknown_to(baseline: Path, findings: Sequence[Finding]) -> list[Finding]:
    """Return the findings that are not in the baseline.

    Raise QueryError, also where no file that it names is there.
    """
    known = Counter(_read(baseline))
    files = {one[0] for one in known}
    if files and not any((baseline.parent / one).exists() for one in files):
        raise QueryError(
            f"The baseline {str(baseline)!r} knows nothing of what is there: no file beside it is called "
            f"{min(files)!r}. Write it again with --update-baseline."
        )
    new = []
    for finding in findings:
        entry = _known_finding(finding, baseline)
        if known[entry]:
            known[entry] -= 1
        else:
            new.append(finding)
    return new


def write_baseline(baseline: Path, findings: Sequence[Finding]) -> int:
    """Write the errors among the findings as the baseline, and return their number.

    Raise QueryError where another file has its name: that is not written over.
    """
    if baseline.exists():
        _read(baseline)
    return _write(baseline, [_known_finding(one, baseline) for one in findings if one.level == "error"])


def add_to(baseline: Path, finding: Finding) -> None:
    """Write the finding to the baseline, beside those that are there. Raise QueryError."""
    _write(baseline, [*(_read(baseline) if baseline.exists() else ()), _known_finding(finding, baseline)])


def _write(baseline: Path, entries: Sequence[KnownFinding]) -> int:
    write_kept(baseline, known=[dict(zip(_FIELDS, one, strict=True)) for one in sorted(entries)])
    return len(entries)


def _read(baseline: Path) -> list[KnownFinding]:
    def known(content: Any) -> list[KnownFinding]:
        return [tuple(str(one[name]) for name in _FIELDS) for one in content["known"]]

    return read_kept(baseline, "baseline", "--update-baseline", known)


def write_kept(file: Path, **content: object) -> None:
    """Write what is kept between checks, as JSON."""
    said = {"version": _VERSION, **content}
    file.write_text(json.dumps(said, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def read_kept(file: Path, what: str, by: str, said: Callable[[Any], T]) -> T:
    """Return what a file says that `write_kept` wrote; errors name `what` it is. Raise QueryError."""
    try:
        content = untrusted_files.read_json(untrusted_files.content(file, untrusted_files.MOST_JSON))
        if content["version"] != _VERSION:
            raise QueryError(f"The {what} {str(file)!r} has another version. Write it again with {by}.")
        return said(content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise QueryError(f"The {what} {str(file)!r} cannot be read: {error}. Write it with {by}.") from error


def _known_finding(finding: Finding, baseline: Path) -> KnownFinding:
    file = os.path.relpath(finding.manuscript.path.resolve(), baseline.resolve().parent)
    page = finding.page_given or ""
    return Path(file).as_posix(), finding.key, finding.verdict, page, fold(finding.quoted)
