"""Keyword search with cursors, over papers and over plain text."""
