"""Pages that are pictures, read by Tesseract."""
