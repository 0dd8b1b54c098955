"""Snippets of any text or source code."""
