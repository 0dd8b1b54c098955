"""Snippets of any text or source code."""

from lookup.snippet.excerpt import extract_relevant_excerpt
from lookup.snippet.extractor import SnippetExtractor, extract_snippet
from lookup.snippet.plain_paragraphs import split_paragraphs

__all__ = ["SnippetExtractor", "extract_relevant_excerpt", "extract_snippet", "split_paragraphs"]
