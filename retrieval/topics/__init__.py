"""Search the paragraphs of all papers by words, by meaning, or both.

The steps: filters (which paragraphs), lexical_index and candidates (what may answer), ranked_search (the
order), hit_snippet (what is shown). similar_sentences finds single sentences.
"""
