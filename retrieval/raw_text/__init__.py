"""Raw text made ready: its lines cleaned, its paragraphs, where a character of it ends."""
