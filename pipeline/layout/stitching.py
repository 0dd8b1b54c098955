"""One paragraph that a column, a page or a float cut in two, made one again."""

from dataclasses import replace

from pipeline.layout.passage import Passage

_STITCHED = ("body", "list", "reference", "footnote")
_BETWEEN = ("furniture", "caption", "table", "footnote", "formula")
"""Kinds that may stand between the two halves of a paragraph."""

_HYPHENS = "-‐\u00ad"


def stitch(passages: list[Passage]) -> list[Passage]:
    """The passages with the halves of cut paragraphs joined; what stood between them follows."""
    out: list[Passage] = []
    for passage in passages:
        at = _other_half(out, passage)
        if at is None:
            out.append(passage)
        else:
            out[at] = replace(out[at], lines=out[at].lines + passage.lines)
    return out


def _other_half(before: list[Passage], passage: Passage) -> int | None:
    """The place in `before` of the passage that `passage` goes on with."""
    if passage.kind not in ("body", "reference", "list"):
        return None
    for at in range(len(before) - 1, -1, -1):
        other = before[at]
        if other.kind in _BETWEEN and other.kind != passage.kind:
            continue
        return at if other.kind in _STITCHED and _goes_on(other, passage) else None
    return None


def _goes_on(first: Passage, second: Passage) -> bool:
    last, following = first.lines[-1], second.lines[0]
    if (last.page, last.x1) == (following.page, following.x1) or abs(first.size - second.size) > 0.6:
        return False
    under = (
        last.page == following.page
        and last.y1 <= following.y0
        and last.x0 < following.x1
        and following.x0 < last.x1
    )
    if under:
        return False  # in one column the cutter has judged
    text, rest = last.text, following.text
    if text[-1] in _HYPHENS or rest[:1].islower():
        return True
    return (
        text[-1] not in '.!?:”"'
        and second.kind == first.kind
        and not (rest[:1].isdigit() and second.kind != "body")
    )
