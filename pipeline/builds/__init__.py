"""The stages of a build.

`survey` has the settings, and compares the sources with the last build; `plan` prints that. `stages` runs
`extract_sources`, `embed_sentences` and the publication under the locks; `summary` reports. `add_paper` adds
one PDF.
"""
