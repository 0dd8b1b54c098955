"""The stages of a build.

`settings` is the input, `survey` compares the sources with the last build, and `plan` prints that. `stages`
runs `extract_sources`, `embed_sentences` and the publication under the locks; `summary` reports. `add_paper`
adds one PDF.
"""
