"""Which PDFs become papers, and where they come from.

`find_sources` joins the `files` in folders with the entries of libraries, and `names` entries without a file,
by what PDFs print; `added` keeps papers.
"""
