"""Pages drawn as pictures."""
