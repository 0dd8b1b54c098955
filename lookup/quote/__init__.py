"""From a query and a key to an answer, with where each match is printed.

cascade.py is the way, top-down: query (parse), by_words (exact, proximity with verdict), semantic, hints,
match with context. candidate is what a tier finds, thresholds decide on it. verify and grep are calls of
their own.
"""
