"""Lines to paragraphs in reading order, each with its kind and section: pure functions over lines."""

from pipeline.layout.paragraphs import find_paragraphs
from pipeline.layout.printed_paragraph import PrintedParagraph

__all__ = ["PrintedParagraph", "find_paragraphs"]
