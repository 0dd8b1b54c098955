"""Snippets of any text or source code.

The steps of `extractor`: cut a text into segments (`segments`, of prose and of code: `code`, `blocks`,
`brackets`), score them (`terms`), choose those that fit (`selection`), and mark the
words. `excerpt` and `plain_paragraphs` find a passage by its meaning.
"""

from retrieval.raw_text.paragraphs import RawParagraph, segment_paragraphs, split_paragraphs
from retrieval.snippets.answering import RelevantSpan, relevant_spans
from retrieval.snippets.excerpt import extract_relevant_excerpt
from retrieval.snippets.extractor import SnippetExtractor, extract_snippet

__all__ = [
    "RawParagraph",
    "RelevantSpan",
    "SnippetExtractor",
    "extract_relevant_excerpt",
    "extract_snippet",
    "relevant_spans",
    "segment_paragraphs",
    "split_paragraphs",
]
