"""Title, authors, year, DOI, venue and abstract of a paper, by its first pages and the PDF's information.

`assemble` puts them together: `pdf_statement` reads what the PDF says of itself, `blocks` groups the lines of
the first pages; then `title`, `identifiers` (DOI and year), authors (by `names`) and `abstract`.
"""
