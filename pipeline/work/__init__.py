"""The work folder: what earlier builds left, kept by content."""
