"""What the layout hands over to the metadata."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ParagraphText:
    """A paragraph: its kind, the page on which it begins, its text, and the heading of its section ('' where none)."""

    kind: str
    page: int
    text: str
    section: str
