"""Paragraphs as the metadata needs them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class ParagraphText:
    """A paragraph: its kind, the page on which it begins, its text, and its section's heading or ''."""

    kind: str
    page: int
    text: str
    section: str
