"""Run-in headings: "Methods. We ...", "2.4. Cell cultures. The cells ..." in the first line of a paragraph."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from pipeline.reading import Line, Word, bounds

_LONGEST = 14
"""Words of a run-in heading."""

_LABEL = re.compile(
    r"(?:abstract|aims?|background|case (?:presentation|report)|conclusions?|context|data sources|design|discussion|"
    r"ethics and dissemination|findings|funding|importance|interpretation|interventions?|introduction|limitations|"
    r"main outcome(?:s| measures?)|materials? and methods?|measurements|methods?|methods and (?:analysis|results)|"
    r"objectives?|outcomes?|participants|patients and methods?|purpose|results?|setting|significance|strengths and limitations|"
    r"study design|summary|trial registration(?: number)?)\s*[.:]?",
    re.IGNORECASE,
)  # fmt: skip
_NUMBERED = re.compile(r"\d{1,2}(?:\.\d{1,2}){1,3}\.?\s+\S.*[.:]")


def run_in_heading(line: Line) -> tuple[Line, Line] | None:
    """The line's run-in heading and the rest of it; None where it has none.

    A heading is set in another font than what follows, and is a usual label of an abstract's parts or is numbered. Other words in
    bold may be a paragraph's own.
    """
    font = line.words[0].font
    head = list(takewhile(lambda word: word.font == font, line.words))
    rest = line.words[len(head) :]
    if not rest or len(head) > _LONGEST:
        return None
    text = " ".join(word.text for word in head)
    if not (_LABEL.fullmatch(text) or _NUMBERED.fullmatch(text)):
        return None
    return _part(line, head), _part(line, rest)


def _part(line: Line, words: Sequence[Word]) -> Line:
    x0, y0, x1, y1 = bounds(words)
    bold = all(word.bold for word in words)
    return replace(line, x0=x0, y0=y0, x1=x1, y1=y1, words=tuple(words), size=words[0].size, bold=bold)
