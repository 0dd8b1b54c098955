"""Patterns of the headings that papers have in common: the tables of `headings.toml`."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from pipeline.layout.line_features import line_says, of_line
from pipeline.pdf.reading import Line

_TABLE = Path(__file__).with_name("headings.toml").read_text(encoding="utf-8")
_HEADINGS: dict[str, dict[str, list[str]]] = tomllib.loads(_TABLE)
"""Regular expressions of headings, in lower case, by what they head and language."""


def any_of(*tables: str) -> str:
    """Return the pattern of any heading of the named tables of `headings.toml`, by their first letters."""
    rests: dict[str, list[str]] = defaultdict(list)
    for pattern in (one for table in tables for named in _HEADINGS[table].values() for one in named):
        first = pattern[0] if pattern[0].isalpha() and pattern[1:2] not in "?*+{" else pattern
        rests[first].append(pattern.removeprefix(first))
    return "(?:" + "|".join(f"{first}(?:{'|'.join(found)})" for first, found in rests.items()) + ")"


_MARK = r"(?:[■●▪◆□]\s*)?"  # What some publishers set before a heading.

REFERENCES = re.compile(rf"{_MARK}(?:\d+\.?\s*)?{any_of('references')}\s*:?", re.IGNORECASE)
"""The heading of a list of references."""

_KNOWN = any_of("abstracts", "parts", "back_matter", "references")
KNOWN = re.compile(rf"{_MARK}(?:(?:\d+|[IVX]+)\.?\s*(?:\|\s*)?)?{_KNOWN}\s*[.:]?", re.IGNORECASE)
"""The usual headings of a paper's parts."""

_NUMBER = r"(?:\d+|[A-Z])(?:\.\d+)*"
_STATEMENT = rf"(?:{_NUMBER}\.?\s+)?{any_of('statements')}(?:\s+{_NUMBER})?(?:\s*\(.*\))?"
STATEMENT = re.compile(rf"{_STATEMENT}\s*[.:]?", re.IGNORECASE)
"""The label of a theorem, a definition, a proof: "Theorem 2.1 (Cauchy).", "3.2. Lemma.", "Proof."."""

_LEVELS = re.compile(r"\d{1,2}((?:\.\d{1,2})*)\.?(?=\s+\S)")  # The number of a heading.

_FIRST_PART = 4
"""One of so many parts of the lines has no references yet: in reviews they may be more than half."""

ABSTRACT = re.compile(rf"(?:\d+\.?\s*)?{any_of('abstracts')}\W*", re.IGNORECASE)
"""The heading of an abstract."""


heads_references = line_says("heading of references", REFERENCES.fullmatch)
"""Whether a line is the heading of a list of references."""


@of_line("level")
def level(line: Line) -> int:
    """Return the level of the heading whose number a line begins with, 1 for "2 Methods"; 0 without one."""
    number = _LEVELS.match(line.text)
    return 1 + number[1].count(".") if number else 0


def before_references(lines: Sequence[Line]) -> Sequence[Line]:
    """Return the lines, in reading order, before the references, which may be longer than the text."""
    start = len(lines) // _FIRST_PART
    heads = heads_references.of_each(lines[start:])
    return lines[: start + heads.index(True)] if True in heads else lines
