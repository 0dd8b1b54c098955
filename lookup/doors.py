"""The doors from `lookup` to `retrieval`, the package of searches above it: the only place that names it.

Each imports it when it is called, so that a quote that is printed loads none of it.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lookup.papers.library import Library
    from lookup.release.checked_files import MappedFiles
    from retrieval.corpus_searches import ReleaseSearches as ReleaseSearches
    from retrieval.corpus_searches import Searching as Searching
    from retrieval.keywords.keyword_answer import KeywordAnswer as KeywordAnswer
    from retrieval.keywords.keyword_answer import KeywordPlace as KeywordPlace
    from retrieval.keywords.searches import Document as Document
    from retrieval.raw_text.cleaning import clean_for_quote as clean_for_quote
    from retrieval.raw_text.paragraphs import RawParagraph as RawParagraph
    from retrieval.raw_text.paragraphs import segment_paragraphs as segment_paragraphs
    from retrieval.raw_text.paragraphs import split_paragraphs as split_paragraphs
    from retrieval.snippets.answering import RelevantSpan as RelevantSpan
    from retrieval.snippets.answering import relevant_spans as relevant_spans
    from retrieval.snippets.excerpt import extract_relevant_excerpt as extract_relevant_excerpt
    from retrieval.snippets.extractor import SnippetExtractor as SnippetExtractor
    from retrieval.snippets.extractor import extract_snippet as extract_snippet
    from retrieval.topics.search_answer import Hit as Hit
    from retrieval.topics.search_answer import SearchAnswer as SearchAnswer
    from retrieval.topics.search_answer import SentenceMatch as SentenceMatch

NAMES = {
    "retrieval.keywords.searches": "Document",
    "retrieval.keywords.keyword_answer": "KeywordAnswer KeywordPlace",
    "retrieval.topics.search_answer": "Hit SearchAnswer SentenceMatch",
    "retrieval.raw_text.cleaning": "clean_for_quote",
    "retrieval.raw_text.paragraphs": "RawParagraph segment_paragraphs split_paragraphs",
    "retrieval.snippets.answering": "RelevantSpan relevant_spans",
    "retrieval.snippets.excerpt": "extract_relevant_excerpt",
    "retrieval.snippets.extractor": "SnippetExtractor extract_snippet",
}
"""The public names of `lookup` that `retrieval` has, by module."""


class _Door:
    """A method of `retrieval.corpus_searches.Searching`, under the name that the door has."""

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, corpus: object, kind: type) -> Any:
        from retrieval.corpus_searches import Searching

        return vars(Searching)[self._name].__get__(corpus, kind)


_SEARCHES = (
    "context excerpt search similar sentences neighbours vector search_context search_exact_phrase "
    "search_boolean_and search_fuzzy"
).split()

if not TYPE_CHECKING:
    _TWINS = [f"a{name}" for name in _SEARCHES]
    Searching = type("Searching", (), {name: _Door() for name in (*_SEARCHES, *_TWINS, "encoder")})
    """The methods of a corpus that `retrieval` answers, and their twins for asyncio."""


def searches_of(library: "Library", mapped: "MappedFiles | None") -> "ReleaseSearches":
    """Return what the searches read of an open release, whose files of vectors are `mapped`."""
    from retrieval.corpus_searches import ReleaseSearches

    return ReleaseSearches(library, mapped)
