"""The libraries that people keep: which papers they name, under which keys, with what metadata, and where the PDFs are."""
