"""Meaning as vectors: the model on the disk, its encoder, the stored vectors of a release."""
