"""The index of words that a release holds, which `pipeline` writes and `lookup` reads: a tantivy index, a document a paragraph.

A paragraph's words are those of lookup.text.relevance.terms: they are cut and stemmed before tantivy gets them, so that all that ranks by words
agrees on what a word is.
"""

ANALYSIS = 1
"""Version of the words and of the fields; raised when an index of before would go wrong."""

FOLDER = "search"
"""In a release, the folder of the index."""

PAPERS_FILE = "papers.parquet"
"""In that folder, what is indexed of each paper: its key, the extraction it was read from, and its Counts."""

KEY, PARAGRAPH, KIND, SECTION = "key", "paragraph", "kind", "section"
"""Fields of a document. SECTION is the title of the paragraph's section as printed."""

WORDS, ASIDE_WORDS = "words", "aside_words"
"""The field of a paragraph's words, and that of a paragraph whose kind is in ASIDE, which costs and weighs nothing where it is not searched."""

ASIDE = ("reference", "furniture")
"""Kinds that a search leaves out unless they are named."""

SPACED = "spaced"
"""Name of the analyser of both fields, which parts words at spaces."""


def words_field(kind: str) -> str:
    """The field of the words of paragraphs of this kind."""
    return ASIDE_WORDS if kind in ASIDE else WORDS
