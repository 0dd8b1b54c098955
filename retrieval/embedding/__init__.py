"""Meaning as vectors.

model (a folder on the disk), encoder (texts to vectors), vectors (the stored ones of a release),
sentence_vectors (both together: the sentences of a paper nearest to a text); of a sparse model terms and
weighted_words.
"""
