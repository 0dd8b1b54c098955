"""A PDF's bytes to pages of lines, and the labels of pages.

`reading` opens the PDF; `placed_words` (with `glyphs` for broken fonts) and `superscripts` give `lines`
their words; `page_labels` and `page_numbers` say what a reader calls each page.
"""
