"""Files of word processors, .docx and .odt, as events: what of them is read, as manuscripts and as sources.

`word` and `open_document` each walk through the XML of an `archive` (`xml_events`), and tell a `Listener`
what a reader of the document sees, with its place. Nothing here needs more than Python's own library.
"""
