"""Lines to paragraphs in reading order, each with its kind and section: pure functions over lines."""

from pipeline.layout.passage import Passage
from pipeline.layout.passages import passages

__all__ = ["Passage", "passages"]
