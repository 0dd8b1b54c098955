"""A PDF's bytes to pages of lines of words."""
