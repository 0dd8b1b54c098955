"""Markup to paragraphs: sources that have words but no pages.

`reading` knows the formats and names a module for each, which walks through its elements and tells a `Story`
(`marked`) what it finds, in reading order. `elements` reads XML that may be hostile. `printed_places` finds
the paragraphs of an article's markup on the pages of its PDF.
"""

from pipeline.markup.marked import Marked, MarkedParagraph
from pipeline.markup.printed_places import Placed, placed, without_pages
from pipeline.markup.reading import read_markup

__all__ = ["Marked", "MarkedParagraph", "Placed", "placed", "read_markup", "without_pages"]
