"""A benchmark of finding and judging quotes."""
