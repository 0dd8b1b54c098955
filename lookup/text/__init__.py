"""Plain text and its words: folded, blind (letters and digits alone), bare. Nothing here knows a corpus."""
