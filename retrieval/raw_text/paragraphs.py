"""Split a plain, Markdown or raw text into paragraphs."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from lookup.text.folding import fold
from retrieval.raw_text.cleaning import clean_lines, vocabulary

_BLANK_LINES = re.compile(r"\n(?>(?:[ \t\r]*+\n)+)")
_HEADING = re.compile(
    r"^(?:"
    r"[ ]{0,3}#{1,6}[ \t]+\S"  # Markdown
    r"|(?=[^\s>#|-])[^\n]{1,100}\n(?:={3,}|-{3,})[ \t]*$"  # Markdown, underlined
    r"|\d+(?:\.\d+)*\.?[ \t]+[^\W\d_][^\n]{0,70}[^\s.,;:]$(?!\n[ \t]*\d)"  # "2.1 Sites", not a line of a list
    r")",
    re.MULTILINE,
)
_FENCED = re.compile(r"^(```++|~~~++).*?(?:^\1[ \t]*+$|\Z)", re.MULTILINE | re.DOTALL)


_INDENTED = re.compile(r"(?<=[.!?:\"”’)])[ \t]*\r?\n(?=[ \t]{2,}\S)")
"""The end of a sentence and of a line, before an indented one."""


class RawParagraph(NamedTuple):
    """A paragraph of raw text: as it is there, ready to paste, and folded for matching.

    `start` is the offset of `text_raw` in the text, and `page` the page that was named for it, else 0.
    """

    text_raw: str
    text: str
    text_norm: str
    start: int
    page: int = 0


def segment_paragraphs(text: str, page: int = 0) -> list[RawParagraph]:
    """Return the paragraphs of raw text, such as that of a PDF's page: see `split_paragraphs`.

    They also end before an indented line, and none is joined with another. The words of all the text judge
    the hyphens at line ends. Each paragraph has the `page` that the text is of.
    """
    words = vocabulary(text.splitlines())
    indented = [match.end() for match in _INDENTED.finditer(text)]
    found = []
    for start, end in paragraph_spans(text, 0, indented):
        raw = text[start:end]
        cleaned = clean_lines(raw.splitlines(), words)
        if cleaned:
            found.append(RawParagraph(raw, cleaned, fold(cleaned), start, page))
    return found


def split_paragraphs(content: str, min_length: int = 50) -> list[str]:
    """Return the paragraphs of `content`, split at blank lines and headings, but not within fenced code.

    A paragraph shorter than `min_length` characters is joined with the next, the last with the one before.
    Nothing but white space is lost.
    """
    return [content[start:end] for start, end in paragraph_spans(content, min_length)]


def blank_line_ends(text: str, start: int, end: int) -> list[int]:
    """Return where blank lines of a stretch of a text end."""
    return [match.end() for match in _BLANK_LINES.finditer(text, start, end)]


def paragraph_spans(content: str, min_length: int, more: Iterable[int] = ()) -> list[tuple[int, int]]:
    """Return the span of each paragraph, without white space at its ends; `more` are further borders."""
    fenced = [match.span() for match in _FENCED.finditer(content)]
    borders = {*more, *blank_line_ends(content, 0, len(content))}
    headings = (match.start() for match in _HEADING.finditer(content))
    borders |= {start for start in headings if not _goes_on_a_list(content, start)}
    starts = [start for start, _ in fenced]
    ends = [0, *(end for _, end in fenced)]
    inner = sorted(at for at in borders if at >= ends[bisect_left(starts, at)])
    spans: list[tuple[int, int]] = []
    waiting = 0
    for start, end in pairwise([0, *inner, len(content)]):
        if not content[waiting:start].strip():
            waiting = start
        if len(content[waiting:end].strip()) >= max(1, min_length):
            spans.append((waiting, end))
            waiting = end
    if content[waiting:].strip():
        before = spans.pop()[0] if spans else waiting
        spans.append((before, len(content)))
    shown = ((start, end, content[start:end]) for start, end in spans)
    return [(end - len(text.lstrip()), start + len(text.rstrip())) for start, end, text in shown]


def _goes_on_a_list(content: str, start: int) -> bool:
    """Whether the line that begins at `start` and the one above it begin with a number."""
    above = content.rfind("\n", 0, max(0, start - 1)) + 1
    return start > 0 and content[start].isdigit() and content[above : above + 1].isdigit()
