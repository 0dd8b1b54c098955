"""Which PDFs become papers, and where they come from.

`find_sources` finds them: `named_files` in folders, `owners` by entries of libraries; `added` keeps papers.
"""
