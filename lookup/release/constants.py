"""What readers and writers of a release agree on, for those that do not need its tables."""

LAYOUT = 7
"""Version of the tables and files of a release; increased when a reader of the old ones would fail."""

WITHOUT_TEXT = ("empty", "unreadable")  # Sources of pages that have no text to judge by.
WRONG_LANGUAGE, LAYOUT_FAILED, CUT_SHORT = "ocr language", "layout", "cut short"
"""Reasons in `failures` of papers in the release: scans read in a wrong language, a page kept as lines."""
PARAGRAPH_SEPARATOR = "\n\n"
"""Stands between two paragraphs in a paper's document text, whose characters `cursor` counts."""
