"""Pages drawn as pictures.

`inspection` decides what to mark on a page and `drawing` draws it; `page_drawers` draws bare pages for the
web.
"""
