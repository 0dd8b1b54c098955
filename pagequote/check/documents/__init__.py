"""Manuscripts of word processors, .docx and .odt: every character has its offset in their XML."""
