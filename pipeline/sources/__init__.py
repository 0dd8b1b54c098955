"""Which PDFs become papers, and where they come from.

`find_sources` finds them in folders and libraries, `object_sources` in object storage; `added` keeps single
papers.
"""
