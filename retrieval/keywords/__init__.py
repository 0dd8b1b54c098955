"""Keyword searches with cursors, over the papers of a corpus and over plain text."""
