"""A PDF's bytes to pages of lines, and the labels of pages.

`opening` opens the PDF and `reading` reads it. `text_layer` is what MuPDF reads, in `logical_order`, and
`even_sizes` mends sizes that OCR measured, and of scripts set together. `placed_words` and
`superscripts` give `lines` their words; `fonts`, `glyphs` and `shapes` say what glyphs print, `struck` what
is drawn over words, `visibility` what no reader sees. `page_labels` and `page_numbers` say what a reader
calls each page; `sheets` reads two printed pages on one as two.
`pymupdf_layout` keeps out what PyMuPDF would load besides.
"""
