"""Search across the papers of a corpus: by words, by meaning, by both."""
