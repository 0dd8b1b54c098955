"""Vectors of sentences.

`pending` finds the sentences without a vector, `vector_cache` keeps vectors by their text, and
`last_embedding` remembers which model the next release has vectors of.
"""
