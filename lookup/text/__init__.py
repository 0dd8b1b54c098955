"""Plain text and its words: folding, words, sentences, what a user perceives as one character. Nothing here knows a corpus."""
