"""PDFs to a corpus: extract, embed, publish."""
