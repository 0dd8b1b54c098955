"""Papers as matching sees them.

library reads the papers of a release. paper holds the paragraphs of each, in the orders in which they are
read; span and passage_text are a place in it and the text there. printed_lines and boxes tell where
that is printed, original_file in which file. outline lists papers, pages and headings.
"""
