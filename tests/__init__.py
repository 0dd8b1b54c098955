"""The tests, in folders that follow the data.

sources, pdf_to_paragraphs, markup_to_paragraphs, embedding, build, releases: what a build does. text, quote,
search, faces (command line, MCP, web, editors, check): what a lookup does. project: documents, packages,
installing and the gate. support: what tests share. `make check` leaves out those with the mark
`system`, which start processes, servers or browsers.
"""
