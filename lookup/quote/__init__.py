"""From a query and a key to an answer, with where each match is printed.

cascade.py is the way, top-down: query (parse), by_words (exact, proximity with verdict), semantic, hints,
match with context. reading is what a query may mean, candidate what a tier finds, bounds and thresholds
decide on it. verify and grep are calls of
their own.
"""
