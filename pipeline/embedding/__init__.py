"""Vectors of sentences, kept by the text that they are of."""
