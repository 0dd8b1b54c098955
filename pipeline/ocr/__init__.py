"""Pages that are pictures, read by Tesseract.

`tesseract` finds the program, `pages` says which pages it reads, draws and reads them, and
`recognised_lines` makes lines like those of typeset text.
"""
