"""The methods of a corpus that are searches, and their filters: `lookup.doors` has a door to each.

What one does not need is loaded and made when another first does.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lookup.errors import QueryError
from lookup.index.release_index import ParagraphId
from lookup.limits import check_numbers, check_text, in_thread, texts, with_limit
from lookup.papers.library import Library
from lookup.release.schema import KINDS
from retrieval.passages.passage_ranking import nearest_passages
from retrieval.raw_text.graphemes import around
from retrieval.scoring.lexical_index import Filters
from retrieval.snippets.excerpt import paper_excerpt
from retrieval.topics.candidates import ParagraphRows
from retrieval.topics.ranked_search import fused, similar
from retrieval.topics.ranked_search import search as ranked
from retrieval.topics.similar_sentences import neighbours, sentences

if TYPE_CHECKING:
    from retrieval.embedding.encoder import Encoder
    from retrieval.keywords.keyword_answer import KeywordAnswer
    from retrieval.keywords.paper_texts import Keys, Papers
    from retrieval.keywords.searches import Keywords
    from retrieval.topics.search_answer import Mode, SearchAnswer, SentenceMatch

MATCH_THRESHOLD = 0.5  # Default of the cosine from which sentences are shown.
PER_PAPER = 3  # Hits of one paper, at most, if the caller of a search does not say.


Years = int | str | tuple[int | None, int | None]
"""A year, "2015", or the first and the last year, "2015-2020"; None for no limit."""


class ReleaseSearches(ParagraphRows):
    """What the searches read of an open release. Safe to share between threads."""

    @cached_property
    def keywords(self) -> "Papers":
        """The papers as texts for keyword searches."""
        from retrieval.keywords.paper_texts import Papers

        return Papers(self.library)

    nearest_passages = nearest_passages


def _keyword_search(mode: str, most: int, chars: int, found: str) -> "Callable[..., KeywordAnswer]":
    """Return one of the keyword searches as a method, with its defaults and help."""

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
        from retrieval.keywords import searches

        here = self._searches
        asked = keywords if isinstance(keywords, str) else texts("keywords", keywords)
        run, among = getattr(searches, mode), here.library.keys_of(keys)
        return here.keywords.run(run, asked, among, limit, context_chars, explain=explain)

    search.__name__ = mode
    search.__doc__ = (
        f"Return {found}; `answered_by` says by which search. Keywords are a string (its words; several in "
        "quotation marks are one) or strings. At most `limit`, each with some `context_chars` "
        "characters; with `explain` the answer has its `sql`. Raise QueryError or UnknownKeyError."
    )
    return search


class Searching(ABC):
    """The searches of a corpus."""

    @property
    @abstractmethod
    def _searches(self) -> "ReleaseSearches":
        """What they read of the release."""

    def context(self, key: str, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text of a paper around a cursor, clipped at its ends and shortened to whole words.

        The cursor and what is wanted before and after it are counted in characters of the document text.
        Raise UnknownKeyError, or QueryError for a cursor outside the paper's document text.
        """
        check_numbers(cursor=cursor, chars_before=chars_before, chars_after=chars_after)
        here = self._searches
        from retrieval.keywords.paper_texts import PaperTexts

        text = PaperTexts(here.keywords, None).whole(here.library.key_of(key)).text
        return text[slice(*around(text, cursor, chars_before, chars_after))]

    def excerpt(self, key: str, query: str, max_chars: int = 500) -> str:
        """Return the sentences of a paragraph of the paper `key` that are nearest to `query` in meaning.

        At most `max_chars` characters. Without vectors or their model it is the snippet for the words of
        `query`, and a warning is logged. Raise QueryError or UnknownKeyError.
        """
        check_text(query)
        here = self._searches
        return paper_excerpt(here, here.library.key_of(key), query, max_chars)

    # Searches across papers, by words and by meaning

    @with_limit
    def search(
        self,
        query: str | Sequence[str],
        limit: int = 10,
        mode: "Mode" = "hybrid",
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: Years | None = None,
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
        here = self._searches
        filters = _filters(here.library, keys, kinds, years, authors, section, exclude)
        phrasings = texts("query", query)
        found = [ranked(here, one, limit, mode, filters, per_paper) for one in phrasings]
        if not found:
            raise QueryError("There is no query. Give a question or topic.")
        return found[0] if len(found) == 1 else fused(found, limit)

    @with_limit
    def similar(
        self,
        key: str,
        paragraph: int,
        limit: int = 10,
        keys: Iterable[str] | None = None,
        kinds: Iterable[str] | None = None,
        years: Years | None = None,
        authors: Iterable[str] | None = None,
        section: str | None = None,
        per_paper: int = PER_PAPER,
        exclude: Iterable[str] = (),
    ) -> "SearchAnswer":
        """Return the paragraphs of other papers nearest in meaning to this one, with filters as in `search`.

        Raise QueryError, UnknownKeyError, or ModelError where the release has no vectors. No model is needed.
        """
        check_numbers(paragraph=paragraph)
        here = self._searches
        filters = _filters(here.library, keys, kinds, years, authors, section, exclude)
        place = ParagraphId(here.library.key_of(key), paragraph)
        return similar(here, place, limit, filters, per_paper)

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
        check_text(query)
        check_numbers(offset=offset)
        here = self._searches
        filters = _filters(here.library, keys, None, None, None, section, exclude)
        asked = f"{title} {query}" if title and query.strip() else query
        return sentences(here.library, here.vectors, asked, limit, match_threshold, filters, offset)

    def neighbours(self, id: str, offset: int = 0) -> "SentenceMatch | None":  # noqa: A002  # as the column
        """Return the sentence `offset` further on in its section than the one with this `id`.

        Back, if negative; with the sentences before and after it, and its own id to go on from. None beyond
        an end of the section. Raise QueryError where no sentence has the id.
        """
        check_numbers(offset=offset)
        return neighbours(self._searches.library, id, offset)

    @property
    def encoder(self) -> "Encoder":
        """The model of the corpus, for texts of your own: `encoder.encode(texts)`. Raise ModelError.

        Its vectors compare with those of the corpus and of `vector`. It is loaded with the first text.
        """
        return self._searches.vectors.encoder

    def vector(self, text: str) -> list[float]:
        """Return the vector of `text` as a query, for SQL: `match_sentences`. Raise ModelError."""
        vector: list[float] = self._searches.vectors.query(text).tolist()
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


_YEARS = re.compile(r"\s*+(?P<first>\d{4})?\s*+(?P<to>[-–]|to)?\s*+(?P<last>(?<=[-–o ])\d{4})?\s*+")
_AND_OTHERS = re.compile(r",? (et al\.?|and others)\s*$", re.IGNORECASE)
"""What follows the first author's name where there are more; no name holds it."""


def _filters(
    library: Library,
    keys: Iterable[str] | None,
    kinds: Iterable[str] | None,
    years: Years | None,
    authors: Iterable[str] | None,
    section: str | None,
    exclude: Iterable[str],
) -> Filters:
    """Return the filters, papers by any of their names. Raise UnknownKeyError or QueryError."""
    among = _keys(library, keys, years, authors)
    named = None if kinds is None else list(dict.fromkeys(texts("kinds", kinds)))
    if unknown := [kind for kind in named or () if kind not in KINDS]:
        raise QueryError(f"There is no kind of paragraph {unknown[0]!r}. The kinds are {', '.join(KINDS)}.")
    titles = None
    if section is not None:
        check_text(section)
        holds = "contains(lower(section_title), lower(?))"
        query = f"SELECT DISTINCT section_title FROM printed_paragraphs WHERE {holds}"
        titles = [title for (title,) in library.select(query, [section])]
    return Filters(among, named, titles, tuple(library.keys_of(exclude) or ()))


def _keys(
    library: Library, keys: Iterable[str] | None, years: Years | None, authors: Iterable[str] | None
) -> list[str] | None:
    named = library.keys_of(keys)
    for key in named or ():
        library.page_count(key)
    where: list[str] = []
    params: list[Any] = []
    if years is not None:
        first, last = _first_and_last(years)
        where.append("year BETWEEN coalesce(?, year) AND coalesce(?, year)")
        params += [first, last]
    if authors is not None:
        written = [_AND_OTHERS.sub("", name) for name in texts("authors", authors)]
        holds = "contains(strip_accents(lower(a)), strip_accents(lower(?)))"
        one = f"len(list_filter(authors, lambda a: {holds})) > 0"
        where.append(f"({' OR '.join([one] * len(written)) or 'false'})")
        params += written
    if not where:
        return named
    if named is not None:
        where.append(f"key IN ({', '.join('?' * len(named)) or 'NULL'})")
        params += named
    return [key for (key,) in library.select(f"SELECT key FROM papers WHERE {' AND '.join(where)}", params)]


def _first_and_last(years: Years) -> tuple[int | None, int | None]:
    """Return the first and the last year. Raise QueryError."""
    written = _YEARS.fullmatch(years) if isinstance(years, str) else None
    if written is not None and (written["first"] or written["last"]):
        first, last = written["first"], written["last"] if written["to"] else written["first"]
        return int(first) if first else None, int(last) if last else None
    if isinstance(years, int):
        return years, years
    if isinstance(years, tuple | list) and len(years) == 2 and all(isinstance(y, int | None) for y in years):
        return years[0], years[1]
    raise QueryError(f"years must be one, as 2015, or two, as '2015-2020' or (2015, None), got {years!r}.")
