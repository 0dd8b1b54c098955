"""Printed lines to text that is ready to paste.

`clean` joins the lines; `hyphenation` judges hyphens at line ends by the document's words and those of its
language (`lexicon`); `letterspacing` closes spaced letters up.
"""
