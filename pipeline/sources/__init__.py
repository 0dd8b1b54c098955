"""Which PDFs become papers, and where they come from.

`find_sources` finds them: `named_files` in folders, `owners` by the entries of libraries, `object_sources` in
object storage; `added` keeps single papers.
"""
