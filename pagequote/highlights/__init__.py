"""Highlights of PDFs: quotes are marked in copies, and what readers have marked is read back."""

from pagequote.highlights.pdf import Highlight, on_each_page, read_highlights, with_highlights, words_under

__all__ = ["Highlight", "on_each_page", "read_highlights", "with_highlights", "words_under"]
