"""Markup to paragraphs: sources that have words but no pages.

`reading` knows the formats and names a module for each, which walks through its elements and tells a
`Story` (`markup_text`) what it finds, in reading order. `elements` reads XML that may be hostile.
`printed_places` finds the paragraphs of an article's markup on the pages of its PDF.
"""
