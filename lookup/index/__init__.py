"""The index of words of a release: its layout, opening it, and where the papers print words.

`layout` is the contract with `pipeline`, `release_index` opens the files, `printed_words` finds words and
phrases as they are printed. The ranking by stems is in retrieval.topics.
"""
