"""From a query to a verdict: parse, exact, ellipsis, proximity, semantic, hints."""
