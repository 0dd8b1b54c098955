"""What a paper is: title, authors, year, DOI, venue and abstract, by its first pages and by what the PDF says of itself."""

from pipeline.metadata.paper import metadata
from pipeline.metadata.printed import Printed

__all__ = ["Printed", "metadata"]
