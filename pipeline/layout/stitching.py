"""One paragraph that a column, a page or a float cut in two, made one again."""

from dataclasses import replace

from pipeline.layout.passage import Passage
from pipeline.layout.zones import is_prose

_STITCHED = ("body", "list", "reference", "footnote")
_BETWEEN = ("furniture", "caption", "table", "footnote", "formula", "front")
"""Kinds that may stand between the two halves of a paragraph."""

_PARTING = ("caption", "table", "formula")
"""Those of them that part a paragraph within a column."""

_SIZE_CHANGE = 0.6
"""Points by which the font size of the halves may differ."""

_FULL = 0.85
"""Of the second half's longest line: a first half whose last line is shorter is not cut, but ends."""

_STOPS = '.!?:”"'
"""What a finished paragraph ends with."""

_HYPHENS = "-‐\u00ad"


def stitch(passages: list[Passage]) -> list[Passage]:
    """The passages with the halves of cut paragraphs joined; what stood between them follows."""
    out: list[Passage] = []
    for passage in passages:
        at = _other_half(out, passage)
        if at is None:
            out.append(passage)
        else:
            out[at] = replace(out[at], lines=out[at].lines + passage.lines, closes=passage.closes)
    return out


def _other_half(before: list[Passage], passage: Passage) -> int | None:
    """The place in `before` of the passage that `passage` goes on with."""
    if passage.kind not in ("body", "reference", "list"):
        return None
    parted = False
    for at in range(len(before) - 1, -1, -1):
        other = before[at]
        if other.kind in _BETWEEN and other.kind != passage.kind:
            parted = parted or other.kind in _PARTING
            continue
        if other.kind in _STITCHED and _goes_on(other, passage, parted=parted):
            return at
        break
    return _unfinished(before, passage)


def _goes_on(first: Passage, second: Passage, *, parted: bool) -> bool:
    """Whether the second is the first one's rest; `parted` tells whether something is printed between the two."""
    text, rest = first.lines[-1].text, second.lines[0].text
    if abs(first.size - second.size) > _SIZE_CHANGE:
        return False
    if _under(first, second):
        return parted and rest[:1].islower() and text[-1] not in _STOPS
    if text[-1] in _HYPHENS or rest[:1].islower():
        return True
    if first.kind == second.kind == "body" and not first.closes and not second.opens:
        return True
    return (
        text[-1] not in _STOPS
        and second.kind == first.kind
        and not (rest[:1].isdigit() and second.kind != "body")
    )


def _unfinished(before: list[Passage], passage: Passage) -> int | None:
    """The last paragraph, on this page or the one before, that breaks off in a full line, for one that does not begin as one.

    Between them may stand whatever a table or a figure was taken for.
    """
    inside = passage.lines[0].text[:1].islower()
    if not inside and (passage.kind != "body" or passage.opens or not is_prose(passage.lines[0])):
        return None
    for at in range(len(before) - 1, -1, -1):
        other = before[at]
        if other.lines[-1].page < passage.page - 1:
            return None
        if other.kind == "body" and not _under(other, passage) and _breaks_off(other, passage):
            return at
        if other.kind == "heading" and not inside:
            return None
    return None


def _breaks_off(first: Passage, second: Passage) -> bool:
    last = first.lines[-1]
    full = last.x1 - last.x0 > _FULL * max(line.x1 - line.x0 for line in second.lines)
    return full and abs(first.size - second.size) <= _SIZE_CHANGE and last.text[-1] not in _STOPS


def _under(first: Passage, second: Passage) -> bool:
    """Whether the second stands below the first in one column, where the cutter has judged."""
    last, following = first.lines[-1], second.lines[0]
    overlap = last.x0 < following.x1 and following.x0 < last.x1
    return last.page == following.page and last.y1 <= following.y0 + 2 and overlap
