"""Meaning as vectors.

model (a folder on the disk), encoder (texts to vectors), vectors (the stored ones of a release), meaning (the
two together), sentence_vectors (the sentences of a paper nearest to a text); of a sparse model terms and
weighted_words.
"""
