"""Which PDFs become papers, and where they come from."""
