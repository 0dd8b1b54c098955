"""Highlights of PDFs: quotes are marked in copies, and what readers have marked is read back."""
