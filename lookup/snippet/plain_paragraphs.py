"""Split a plain or Markdown text into paragraphs."""

import re
from bisect import bisect_left
from itertools import pairwise

_BLANK_LINES = re.compile(r"\n(?:[ \t\r]*+\n)++")
_HEADING = re.compile(
    r"^(?:"
    r"[ ]{0,3}#{1,6}[ \t]+\S"  # Markdown
    r"|(?=[^\s>#|-])[^\n]{1,100}\n(?:={3,}|-{3,})[ \t]*$"  # Markdown, underlined
    r"|\d+(?:\.\d+)*\.?[ \t]+[^\W\d_][^\n]{0,70}[^\s.,;:]$(?!\n[ \t]*\d)"  # "2.1 Sites", not a line of a list
    r")",
    re.MULTILINE,
)
_FENCED = re.compile(r"^(```++|~~~++).*?(?:^\1[ \t]*+$|\Z)", re.MULTILINE | re.DOTALL)


def split_paragraphs(content: str, min_length: int = 50) -> list[str]:
    """Return the paragraphs of `content`, split at blank lines and headings, but not within fenced code.

    A paragraph shorter than `min_length` characters is joined with the next, the last with the one before.
    Nothing but white space is lost.
    """
    fenced = [match.span() for match in _FENCED.finditer(content)]
    borders = {match.end() for match in _BLANK_LINES.finditer(content)}
    headings = (match.start() for match in _HEADING.finditer(content))
    borders |= {start for start in headings if not _goes_on_a_list(content, start)}
    starts = [start for start, _ in fenced]
    ends = [0, *(end for _, end in fenced)]
    inner = sorted(at for at in borders if at >= ends[bisect_left(starts, at)])
    paragraphs: list[str] = []
    waiting = 0
    for start, end in pairwise([0, *inner, len(content)]):
        if not content[waiting:start].strip():
            waiting = start
        if len(content[waiting:end].strip()) >= max(1, min_length):
            paragraphs.append(content[waiting:end])
            waiting = end
    if content[waiting:].strip():
        before = paragraphs.pop() if paragraphs else ""
        paragraphs.append(before + content[waiting:])
    return [paragraph.strip() for paragraph in paragraphs]


def _goes_on_a_list(content: str, start: int) -> bool:
    """Whether the line that begins at `start` and the one above it begin with a number."""
    above = content.rfind("\n", 0, max(0, start - 1)) + 1
    return start > 0 and content[start].isdigit() and content[above : above + 1].isdigit()
