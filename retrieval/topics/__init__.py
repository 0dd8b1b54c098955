"""Search the paragraphs of all papers by words, by meaning, or both."""
