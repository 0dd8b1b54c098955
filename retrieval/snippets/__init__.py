"""Snippets of any text or source code.

The steps of `extractor`: cut a text into segments (`segments`, of prose and of code: `code`, `blocks`,
`brackets`), score them (`terms`), choose those that fit (`selection`), and mark the
words. `excerpt` and `plain_paragraphs` find a passage by its meaning.
"""
