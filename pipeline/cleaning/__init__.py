"""Printed lines to text that is ready to paste.

`clean` joins the lines, whose words `lookup.text.cleaning` cleans; it closes spaced letters up, and has the
words of a language, by which hyphens at line ends are judged.
"""
