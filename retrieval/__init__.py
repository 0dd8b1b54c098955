"""Searches over a corpus and over texts: topics, sentences, keywords, snippets, nearest passages."""
