"""The index of words of a release: its layout, opening it, and where the papers print words."""
