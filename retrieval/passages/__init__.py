"""Tier 3: the passages of a paper nearest to a query in words and meaning."""
