"""Printed lines to text that is ready to paste.

`clean` joins the lines, whose words `retrieval.raw_text.cleaning` cleans; it closes spaced letters up, and
has the words of a language, by which hyphens at line ends are judged.
"""
