"""The tests, in folders that mirror the packages.

text, quote, search, faces (command line, MCP, web, check): what a lookup does. pdf_to_paragraphs, sources,
embedding, build, releases: what a build does. support: what tests share. `make check` leaves out those with
the mark `system`, which start processes, servers or browsers.
"""
