"""The libraries that people keep: keys, metadata and PDFs of papers, as `entries`.

`read_library` chooses between `bibtex`, `csl_json` and `zotero`. The last reads a `sqlite_copy`, with the
citation keys of `zotero_keys` and the folder for linked files of `zotero_preferences`.
"""
