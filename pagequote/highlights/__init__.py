"""Highlights of PDFs: quotes are marked in copies, and what readers have marked is read back."""

from pagequote.highlights.pdf import Highlight, read_highlights, with_highlights, words_under

__all__ = ["Highlight", "read_highlights", "with_highlights", "words_under"]
