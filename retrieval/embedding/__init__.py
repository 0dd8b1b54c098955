"""Meaning as vectors and weighted words, by a model on the disk."""
