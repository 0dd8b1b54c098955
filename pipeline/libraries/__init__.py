"""The libraries that people keep: keys, metadata and PDFs of papers, as `entries`.

`read_library` chooses between `bibtex`, `csl_json` and `zotero`, which reads a copy of its database.
"""
