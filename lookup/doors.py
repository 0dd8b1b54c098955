"""The doors from `lookup` to `retrieval`, the package of searches above it: the only place that names it.

Each imports it when it is called, so that a quote that is printed loads none of it.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, TypeVar

from lookup.limits import with_limit

if TYPE_CHECKING:
    from lookup.papers.library import Library
    from lookup.release.checked_files import MappedFiles
    from retrieval.embedding.encoder import Encoder
    from retrieval.keywords.document import Document as Document
    from retrieval.keywords.keyword_answer import KeywordAnswer as KeywordAnswer
    from retrieval.keywords.keyword_answer import KeywordPlace as KeywordPlace
    from retrieval.keywords.paper_texts import Keys
    from retrieval.keywords.searches import Keywords
    from retrieval.raw_text.cleaning import clean_for_quote as clean_for_quote
    from retrieval.release_searches import ReleaseSearches as ReleaseSearches
    from retrieval.snippets import RawParagraph as RawParagraph
    from retrieval.snippets import RelevantSpan as RelevantSpan
    from retrieval.snippets import SnippetExtractor as SnippetExtractor
    from retrieval.snippets import extract_relevant_excerpt as extract_relevant_excerpt
    from retrieval.snippets import extract_snippet as extract_snippet
    from retrieval.snippets import relevant_spans as relevant_spans
    from retrieval.snippets import segment_paragraphs as segment_paragraphs
    from retrieval.snippets import split_paragraphs as split_paragraphs
    from retrieval.topics.filters import Years
    from retrieval.topics.search_answer import Hit as Hit
    from retrieval.topics.search_answer import Mode
    from retrieval.topics.search_answer import SearchAnswer as SearchAnswer
    from retrieval.topics.search_answer import SentenceMatch as SentenceMatch

NAMES = {
    "retrieval.keywords.document": "Document",
    "retrieval.keywords.keyword_answer": "KeywordAnswer KeywordPlace",
    "retrieval.topics.search_answer": "Hit SearchAnswer SentenceMatch",
    "retrieval.raw_text.cleaning": "clean_for_quote",
    "retrieval.snippets": "RawParagraph RelevantSpan SnippetExtractor extract_relevant_excerpt "
    "extract_snippet relevant_spans segment_paragraphs split_paragraphs",
}
"""The public names of `lookup` that `retrieval` has, by module."""

MATCH_THRESHOLD = 0.5  # Default of the cosine from which sentences are shown.
PER_PAPER = 3  # Hits of one paper, at most, if the caller of a search does not say.

C = TypeVar("C")
P = ParamSpec("P")
T = TypeVar("T")


def in_thread(method: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], Awaitable[T]]:
    """Return the method as a coroutine that runs in a thread of its own: many at once from asyncio."""

    @wraps(method)
    async def call(self: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio  # a command does without

        return await asyncio.to_thread(method, self, *args, **kwargs)

    return call


def searches_of(library: "Library", mapped: "MappedFiles | None") -> "ReleaseSearches":
    """Return the searches over an open release, whose files of vectors are `mapped`."""
    from retrieval.raw_text.cleaning import clean_for_quote as clean_for_quote
    from retrieval.release_searches import ReleaseSearches as ReleaseSearches

    return ReleaseSearches(library, mapped)


def _keyword_search(mode: str, most: int, chars: int, found: str) -> "Callable[..., KeywordAnswer]":
    """Return a method of Corpus: one of the keyword searches, with its defaults and help."""

    @with_limit
    def search(
        self: "Searching",
        keywords: "Keywords",
        keys: "Keys" = None,
        limit: int = most,
        context_chars: int = chars,
        *,
        explain: bool = False,
    ) -> "KeywordAnswer":
        return self._searches.by_keywords(mode, keywords, keys, limit, context_chars, explain=explain)

    search.__name__ = mode
    search.__doc__ = (
        f"Return {found}; `answered_by` says by which search. Keywords are a string (its words; several in "
        "quotation marks are one) or strings. At most `limit`, each with some `context_chars` "
        "characters; with `explain` the answer has its `sql`. Raise QueryError or UnknownKeyError."
    )
    return search


class Searching(ABC):
    """The methods of a corpus that `retrieval` answers."""

    @property
    @abstractmethod
    def _searches(self) -> "ReleaseSearches":
        """The searches over the release that is read."""

    def context(self, key: str, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text of a paper around a cursor, clipped at its ends and shortened to whole words.

        The cursor and what is wanted before and after it are counted in characters of the document text.
        Raise UnknownKeyError, or QueryError for a cursor outside the paper's document text.
        """
        return self._searches.around(key, cursor, chars_before, chars_after)

    def excerpt(self, key: str, query: str, max_chars: int = 500) -> str:
        """Return the sentences of a paragraph of the paper `key` that are nearest to `query` in meaning.

        At most `max_chars` characters. Without vectors or their model it is the snippet for the words of
        `query`, and a warning is logged. Raise QueryError or UnknownKeyError.
        """
        return self._searches.excerpt(key, query, max_chars)

    # Searches across papers, by words and by meaning

    @with_limit
    def search(
        self,
        query: str | Sequence[str],
        limit: int = 10,
        mode: "Mode" = "hybrid",
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: "Years | None" = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
        exclude: Iterable[str] = (),
    ) -> "SearchAnswer":
        """Return the `limit` paragraphs that answer `query` best, each with the sentences of it that do.

        Of several phrasings of a question, those that answer all of them best together.
        By words and meaning ("hybrid"), by words ("lexical") or by meaning ("semantic"); without vectors or a
        model by words, which `mode` and `hint` of the answer say. Only in papers with these `keys`, of these
        `years` (one, or the first and the last) and by one of these `authors` (or part of a name); only
        paragraphs of these `kinds` (default: all but references and furniture), in sections whose title holds
        `section`; not in the papers to `exclude`. At most `per_paper` are of one paper (0: any number),
        unless the filters leave only one.

        Raise QueryError, UnknownKeyError, or SearchError where the release has no index of words, or tantivy
        is not installed.
        """
        filters = keys, kinds, years, authors, section, exclude
        return self._searches.search(query, limit, mode, per_paper, *filters)

    @with_limit
    def similar(
        self,
        key: str,
        paragraph: int,
        limit: int = 10,
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: "Years | None" = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
        exclude: Iterable[str] = (),
    ) -> "SearchAnswer":
        """Return the paragraphs of other papers nearest in meaning to this one, with filters as in `search`.

        Raise QueryError, UnknownKeyError, or ModelError where the release has no vectors. No model is needed.
        """
        filters = keys, kinds, years, authors, section, exclude
        return self._searches.similar(key, paragraph, limit, per_paper, *filters)

    @with_limit
    def sentences(
        self,
        query: str,
        limit: int = 10,
        match_threshold: float = MATCH_THRESHOLD,
        keys: Iterable[str] | None = None,
        section: str | None = None,
        offset: int = 0,
        title: str = "",
        exclude: Iterable[str] = (),
    ) -> "tuple[SentenceMatch, ...]":
        """Return the sentences most similar to `query` in meaning, best first, each with its neighbours.

        Neighbours are those in its section. Only sentences with a cosine of `match_threshold` or more, in all
        papers or those with these `keys`, but not in those to `exclude`, in sections whose heading holds
        `section` (in any case). A `title` is encoded together with the query. With an `offset` the sentences
        shown are that many further on (back, if negative) than the ones that matched.

        Raise QueryError, UnknownKeyError, or ModelError where the release has no vectors or their model is
        not on this machine.
        """
        asked = query, limit, match_threshold, keys, section, offset, title, exclude
        return self._searches.sentences(*asked)

    def neighbours(self, id: str, offset: int = 0) -> "SentenceMatch | None":  # noqa: A002  # as the column
        """Return the sentence `offset` further on in its section than the one with this `id`.

        Back, if negative; with the sentences before and after it, and its own id to go on from. None beyond
        an end of the section. Raise QueryError where no sentence has the id.
        """
        return self._searches.neighbours(id, offset)

    @property
    def encoder(self) -> "Encoder":
        """The model of the corpus, for texts of your own: `encoder.encode(texts)`. Raise ModelError.

        Its vectors compare with those of the corpus and of `vector`. It is loaded with the first text.
        """
        return self._searches.vectors.meaning.encoder

    def vector(self, text: str) -> list[float]:
        """Return the vector of `text` as a query, for SQL: `match_sentences`. Raise ModelError."""
        vector: list[float] = self._searches.vectors.meaning.query(text).tolist()
        return vector

    search_context = _keyword_search("search_context", 15, 300, "the best stretches")
    search_exact_phrase = _keyword_search("search_exact_phrase", 10, 4000, "the places with the phrase")
    search_boolean_and = _keyword_search("search_boolean_and", 15, 3000, "the places with all keywords")
    search_fuzzy = _keyword_search("search_fuzzy", 15, 300, "places with such words")

    # The twins for asyncio

    acontext = in_thread(context)
    aexcerpt = in_thread(excerpt)
    asearch = in_thread(search)
    asimilar = in_thread(similar)
    asentences = in_thread(sentences)
    aneighbours = in_thread(neighbours)
    avector = in_thread(vector)
    asearch_context = in_thread(search_context)
    asearch_exact_phrase = in_thread(search_exact_phrase)
    asearch_boolean_and = in_thread(search_boolean_and)
    asearch_fuzzy = in_thread(search_fuzzy)
