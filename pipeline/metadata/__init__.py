"""Title, authors, year, DOI, venue and abstract of a paper, by its first pages and the PDF's information.

`assemble` puts them together, from the paragraphs of the first pages: it reads what the PDF says of itself;
then `title`, `identifiers` (DOI and year), authors (by `names`) and `abstract`. The venue is what
the PDF says, if it speaks of this paper.
"""
