"""What a paper is: title, authors, year, DOI, venue and abstract, by its first pages and by what the PDF says of itself."""

from pipeline.metadata.assemble import metadata
from pipeline.metadata.paragraph_text import ParagraphText

__all__ = ["ParagraphText", "metadata"]
