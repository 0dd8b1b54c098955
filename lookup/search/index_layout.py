"""The layout of a release's index of words, which `pipeline` writes and `lookup` reads.

It is a tantivy index with a document for each paragraph: its words, and those of the headings that it is
under, the paper's title and its section's. The words come from lookup.text.relevance.terms: they are cut and
stemmed before tantivy gets them, so that all rankings by words agree on what a word is.
"""

from functools import lru_cache

from lookup.text.folding import fold
from lookup.text.relevance import terms

ANALYSIS = 2
"""Version of the words and of the fields; raised when an older index would give wrong results."""

FOLDER = "search"
"""The folder of the index in a release."""

PAPERS_FILE = "papers.parquet"
"""The file in that folder with what is indexed of each paper: its key, its extraction, and its counts of
words."""

KEY, PARAGRAPH, KIND, SECTION = "key", "paragraph", "kind", "section"
"""Fields of a document. SECTION is the title of the paragraph's section as printed."""

WORDS, ASIDE_WORDS = "words", "aside_words"
"""The fields of a paragraph's words: WORDS, or ASIDE_WORDS if its kind is in ASIDE.

A field that is not searched costs no time, and its words do not change the weights of the others.
"""

ASIDE = ("reference", "furniture")
"""Kinds that a search leaves out unless they are named."""

SPACED = "spaced"
"""Name of the analyser of both fields, which splits words at spaces."""


def words_field(kind: str) -> str:
    """Return the field for the words of paragraphs of this kind."""
    return ASIDE_WORDS if kind in ASIDE else WORDS


TITLE = "min_by(text_norm, paragraph) FILTER (kind = 'title')"
"""SQL for the title of a paper as printed, folded, from its paragraphs."""

_HELD_HEADINGS = 4096
"""Titles and headings whose terms are kept: some 1 MiB."""


def heading_terms(title: str | None, kind: str, section: str | None) -> tuple[str, ...]:
    """Return the terms of the headings that a paragraph of this kind is under; no heading is under itself.

    `title` is folded, `section` as printed.
    """
    above = "" if kind == "title" else title or ""
    section = "" if kind in {"title", "heading"} else section or ""
    return _terms(above) + _terms(section)


@lru_cache(_HELD_HEADINGS)
def _terms(heading: str) -> tuple[str, ...]:
    return tuple(terms(fold(heading)))
