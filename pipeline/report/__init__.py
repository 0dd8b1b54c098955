"""The report of a release, and the status of a corpus, for people and programs.

`release_report` gathers the figures, with remedies for the failures; `corpus_status` adds the last builds.
"""
