"""Which section each passage stands in."""

from dataclasses import replace

from pipeline.layout.kinds import heading_parts
from pipeline.layout.passage import Passage

_OUTSIDE = ("title", "front")


def assign_sections(passages: list[Passage]) -> list[Passage]:
    """`passages` with the number and title of the heading they stand under; a heading stands under itself."""
    out: list[Passage] = []
    number: str | None = None
    title: str | None = None
    for passage in passages:
        if passage.kind == "heading":
            number, title = heading_parts(" ".join(passage.text.split()))
        inside = passage.kind not in _OUTSIDE
        out.append(
            replace(
                passage, section_number=number if inside else None, section_title=title if inside else None
            )
        )
    return out
