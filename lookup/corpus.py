"""A corpus, opened: every public call over its current release."""

import os
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Self, TypeVar

from lookup.errors import CorpusVersionError, QueryError
from lookup.limits import at_least, with_limit
from lookup.papers.library import Library
from lookup.quote.cascade import QuoteRequest, answer, answers
from lookup.quote.context import Context
from lookup.quote.match import Extent
from lookup.release.checked_files import map_vectors
from lookup.release.current import Release, current_release, default_corpus
from lookup.release.database import Database, was_closed
from lookup.release.rows import Rows
from lookup.release.schema import PARAGRAPH_SEPARATOR
from lookup.results.papers import Page, PageName, PagePart, PaperSummary, Section
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from lookup.results.showing import counted

if TYPE_CHECKING:
    from lookup.embedding.encoder import Encoder
    from lookup.embedding.sentence_vectors import SentenceVectors
    from lookup.index.printed_words import MatchCounts
    from lookup.keywords.keyword_answer import SearchAnswer
    from lookup.keywords.paper_texts import Keys, KeywordSearch
    from lookup.keywords.searches import Keywords
    from lookup.papers.original_pdf import Original
    from lookup.search.filters import Years
    from lookup.search.ranked_search import SearchParts
    from lookup.search.search_answer import Mode, RetrievalAnswer, SentenceMatch

MATCH_THRESHOLD = 0.5  # Default of the cosine from which sentences are shown.
PER_PAPER = 3  # Hits of one paper, at most, if the caller of a search does not say.

C = TypeVar("C")
P = ParamSpec("P")
T = TypeVar("T")


def open(corpus: str | os.PathLike[str] | None = None) -> "Corpus":
    """Open the corpus at `corpus` (default: $PAGEQUOTE_CORPUS, else data/corpus), read-only.

    Raise CorpusNotFoundError or CorpusVersionError.
    """
    return Corpus(default_corpus() if corpus is None else corpus)


class _OpenRelease:
    """The parts of an open release. What a quote does not need is made and loaded when first used."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self.database = Database(release)
        self.library = Library(self.database)
        self._mapped = map_vectors(release)

    @cached_property
    def vectors(self) -> "SentenceVectors":
        from lookup.embedding.sentence_vectors import SentenceVectors

        return SentenceVectors(self.database, self._mapped)

    @cached_property
    @with_limit
    def search(self) -> "SearchParts":
        from lookup.search.candidates import ParagraphRows
        from lookup.search.ranked_search import SearchParts

        rows = ParagraphRows(self.library, self.vectors)
        return SearchParts(self.library, self.vectors, self.library.lexical, rows)

    @cached_property
    def keywords(self) -> "KeywordSearch":
        from lookup.keywords.paper_texts import KeywordSearch

        return KeywordSearch(self.library)


def _in_thread(method: Callable[Concatenate[C, P], T]) -> Callable[Concatenate[C, P], Awaitable[T]]:
    """Return the method as a coroutine that runs in a thread of its own: many at once from asyncio."""

    @wraps(method)
    async def call(self: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        import asyncio  # a command does without

        return await asyncio.to_thread(method, self, *args, **kwargs)

    return call


def _keyword_search(mode: str, most: int, chars: int, found: str) -> "Callable[..., SearchAnswer]":
    """Return a method of Corpus: one of the searches of lookup.keywords, with its defaults and help."""

    @with_limit
    def search(
        self: "Corpus",
        keywords: "Keywords",
        keys: "Keys" = None,
        limit: int = most,
        context_chars: int = chars,
        *,
        explain: bool = False,
    ) -> "SearchAnswer":
        from lookup.keywords import searches

        here = self._open
        run, among = getattr(searches, mode), here.library.keys_of(keys)
        return here.keywords.run(run, keywords, among, limit, context_chars, explain=explain)

    search.__name__ = mode
    search.__doc__ = (
        f"Return {found}; `answered_by` says by which search. Keywords are a string (its words; several in "
        "quotation marks are one) or strings. At most `limit`, each with some `context_chars` "
        "characters; with `explain` the answer has its `sql`. Raise QueryError or UnknownKeyError."
    )
    return search


class Corpus:
    """An open corpus. Safe to share between threads; use it in a `with` statement or `close` it.

    After a fork open it anew, as it does by itself where it is unpickled; asyncio has `aquote` and its like.

    It reads the release that it opened while newer ones are published; `refresh` changes to the newest. Each
    call reads a single release.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._newest = _newest(path)

    @property
    def _open(self) -> _OpenRelease:
        """The parts of the release. Raise ClosedCorpusError: also what is kept in memory is not told then."""
        if self._newest.database.closed:
            raise was_closed()
        return self._newest

    @property
    def release(self) -> Release:
        """The release that is read."""
        return self._newest.release

    def __reduce__(self) -> tuple[type["Corpus"], tuple[str | os.PathLike[str]]]:
        """Open it anew where it is unpickled."""
        return Corpus, (self._path,)

    def __repr__(self) -> str:
        held = counted(self.release.manifest["rows"]["papers"], "paper")
        return f"<Corpus {str(self._path)!r}: {held}, {self.release.name}>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the release's files. Calls in other threads, and later ones, raise ClosedCorpusError."""
        self._newest.database.close()

    def refresh(self) -> bool:
        """Change to the newest release; return whether there was a newer one."""
        if current_release(self._path).folder == self.release.folder:
            return False
        self._newest = _newest(self._path)  # calls under way in other threads finish on the old one
        return True

    def warm(self) -> None:
        """Load the model for answers by meaning now, not with the first query.

        Raise ModelError or DamagedError.
        """
        self._open.vectors.meaning.warm()

    # Quotes

    @with_limit
    def quote(
        self,
        key: str,
        query: str,
        page: PageName = 0,
        limit: int = 1,
        context: Context = "paragraph",
        context_chars: int = 400,
        paragraphs: int = 1,
    ) -> QuoteAnswer:
        """Return the `limit` best places where the paper `key` prints `query`, with words, page and boxes.

        `page` (0 for all) restricts the search to paragraphs that begin on, run over or end on that page: the
        PDF's, counted from 1, or the one that prints the number or text ("iv"); of both, the first with the
        words. All calls take pages so. `context` is what `text` of a match holds: the "paragraph", the
        "sentence"s, or "chars": `context_chars` characters on either side, beyond its paragraph too. With
        more than one of `paragraphs` it is that many, centred on the match.

        Raise QueryError, UnknownKeyError or PageNotFoundError.
        """
        extent = _extent(limit, context, context_chars, paragraphs)
        here = self._open
        return answer(
            here.library,
            QuoteRequest(here.library.key_of(key), query, page),
            limit,
            extent,
            lambda: here.vectors,
        )

    aquote = _in_thread(quote)

    @with_limit
    def quotes(
        self,
        asked: Iterable[tuple[str, str] | tuple[str, str, PageName]],
        limit: int = 1,
        context: Context = "paragraph",
        context_chars: int = 400,
        paragraphs: int = 1,
    ) -> tuple[QuoteAnswer, ...]:
        """Return `quote` of many: each of `asked` is a key, the words and, optionally, a page.

        Faster than one by one. Where a query cannot be answered (an unknown key, a page that does not exist)
        the `hint` of its answer says why. `context_chars` counts characters. Raise QueryError for a `limit`
        below 1 or a `context` that is none.
        """
        extent = _extent(limit, context, context_chars, paragraphs)
        here = self._open
        requests = [QuoteRequest(here.library.key_of(key), *query) for key, *query in asked]
        return tuple(answers(here.library, requests, limit, extent, lambda: here.vectors))

    aquotes = _in_thread(quotes)

    def verify(
        self, quote: str, key: str = "", page: PageName = 0, *, before: str = "", after: str = ""
    ) -> Verification:
        """Return whether the paper `key` prints `quote`, on `page` if given.

        If not: on which page, how else, or in which other paper. Without a key: which paper prints it, or
        nearly; the others that do are `elsewhere`, and where none does the key of the answer is empty.
        `before` and `after` are what a text says right beside the quotation: a denial that stands there is
        not cut off.

        Raise QueryError or UnknownKeyError.
        """
        from lookup.quote.verify import verify

        library = self._open.library
        return verify(library, quote, library.key_of(key) if key else "", page, (before, after))

    averify = _in_thread(verify)

    def verify_all(
        self,
        asked: Iterable[
            tuple[str, str]
            | tuple[str, str, PageName | Collection[int]]
            | tuple[str, str, PageName | Collection[int], tuple[str, str]]
        ],
    ) -> tuple[Verification, ...]:
        """Return `verify` of many: each of `asked` is a quote, a key (or "") and, optionally, a page.

        Instead of a page it may have several, of which one should print the quote; after it what a manuscript
        says right before and after the quotation: a denial there is not cut off. Faster than one by one:
        `pages` are those of the first place alone, if that is on a right page. A quote that cannot be judged
        is "unknown key" if the corpus has no such paper, else "not covered", and its hint says why.
        """
        from lookup.quote.verify import verify_all

        library = self._open.library
        usual: tuple[Any, ...] = (0, ("", ""))
        wanted = [
            (quote, library.key_of(key) if key else "", *given, *usual[len(given) :])
            for quote, key, *given in asked
        ]
        return tuple(verify_all(library, wanted))

    averify_all = _in_thread(verify_all)

    @with_limit
    def ground(self, key: str, values: Mapping[str, str], limit: int = 20) -> dict[str, QuoteAnswer]:
        """Return where the paper `key` prints each of the `values`, by its name: {"dose": "10 mg"}.

        An answer has all places, in their order, as `matches` with page, boxes and the verdict on the value
        as it is printed there: "10mg" is the same value. Where none prints it, those that nearly do, or none.
        Raise QueryError or UnknownKeyError.
        """
        from lookup.quote.grep import ground

        library = self._open.library
        return ground(library, library.key_of(key), values, limit)

    aground = _in_thread(ground)

    @with_limit
    def grep(
        self,
        phrase: str,
        keys: Iterable[str] | None = None,
        page: PageName = 0,
        limit: int = 50,
        context_chars: int = 80,
    ) -> tuple[Match, ...]:
        """Return every place that prints `phrase`, by key and in reading order: the first `limit`.

        Each has `context_chars` characters on either side. In all papers, or in those with these `keys`; with
        a `page`, on that page of them. The phrase is compared folded, and must stand within a paragraph, its
        first and last word whole. Raise QueryError or UnknownKeyError.
        """
        from lookup.quote.grep import grep

        library = self._open.library
        return grep(library, phrase, library.keys_of(keys), page, limit, context_chars)

    agrep = _in_thread(grep)

    def count(self, phrase: str, keys: Iterable[str] | None = None) -> "MatchCounts":
        """Return how many paragraphs, and of about how many papers, print the words of `phrase`.

        By the index of words, so without regard to accents, signs and case. Raise QueryError or
        UnknownKeyError.
        """
        from lookup.quote.grep import count

        library = self._open.library
        return count(library, phrase, library.keys_of(keys))

    acount = _in_thread(count)

    # Papers

    @with_limit
    def papers(self, words: str = "", limit: int | None = None, offset: int = 0) -> tuple[PaperSummary, ...]:
        """Return the papers by key of which key, title, authors, year, DOI and venue together hold `words`.

        Parts of words count, in any case and with any accents. At most `limit` papers (None: all),
        from the `offset`th on. Raise QueryError.
        """
        from lookup.papers.outline import list_papers

        return list_papers(self._open.library, words, limit, offset)

    apapers = _in_thread(papers)

    def resolve(self, name: str) -> tuple[PaperSummary, ...]:
        """Return the papers that a name may mean: one, where it is clear which.

        A name is a key in any case, a DOI or its address, a file, authors with or without a year ("Fan 2021",
        "Fan et al. (2021)", "Müller & Fan"), or a title or its beginning. All calls that take a key take such
        a name where it means one paper; the key of the answer tells which.
        """
        from lookup.papers.outline import paper_summary

        library = self._open.library
        return tuple(paper_summary(library, key) for key in library.meant(name))

    aresolve = _in_thread(resolve)

    def paper(self, key: str) -> PaperSummary:
        """Return the paper with this key. Raise UnknownKeyError."""
        from lookup.papers.outline import paper_summary

        return paper_summary(*self._of(key))

    apaper = _in_thread(paper)

    def pages(self, key: str) -> tuple[Page, ...]:
        """Return the pages of a paper in order. Raise UnknownKeyError."""
        from lookup.papers.outline import pages

        return pages(*self._of(key))

    apages = _in_thread(pages)

    def outline(self, key: str) -> tuple[Section, ...]:
        """Return the headings of a paper in reading order. Raise UnknownKeyError."""
        from lookup.papers.outline import outline

        return outline(*self._of(key))

    aoutline = _in_thread(outline)

    def original(self, key: str) -> "Original":
        """Return the PDF that a paper was read from. Raise UnknownKeyError."""
        from lookup.papers.original_pdf import Original

        library, key = self._of(key)
        ((path, sha256),) = library.about(key, "SELECT path, sha256 FROM papers WHERE key = ?")
        return Original(key, library.database.release.source(path), sha256)

    def abstract(self, key: str) -> str | None:
        """Return the abstract of a paper, None where it is not known. Raise UnknownKeyError."""
        library, key = self._of(key)
        ((text,),) = library.about(key, "SELECT abstract FROM papers WHERE key = ?")
        return None if text is None else str(text)

    aabstract = _in_thread(abstract)

    def page_number(self, key: str, page: PageName) -> int:
        """Return the page of the PDF, counted from 1, that `page` means: itself, else the one that prints it.

        Raise UnknownKeyError or PageNotFoundError.
        """
        library, key = self._of(key)
        return library.page_number(key, page)

    def page(self, key: str, page: PageName) -> str:
        """Return the text of one page in reading order, with a blank line between paragraphs.

        Of a paragraph that runs over several pages it has the part that is printed there.

        Raise UnknownKeyError or PageNotFoundError.
        """
        return PARAGRAPH_SEPARATOR.join(part.text for part in self.page_parts(key, page))

    apage = _in_thread(page)

    def page_parts(self, key: str, page: PageName) -> tuple[PagePart, ...]:
        """Return what one page prints of each paragraph, in reading order: kind, text, and words in boxes.

        Raise UnknownKeyError or PageNotFoundError.
        """
        from lookup.papers.outline import page_parts

        return page_parts(*self._of(key), page)

    apage_parts = _in_thread(page_parts)

    def document(self, key: str) -> str:
        """Return the paper's document text, whose characters cursors count.

        All its paragraphs in reading order, with a blank line between them.

        Raise UnknownKeyError.
        """
        library, key = self._of(key)
        return PARAGRAPH_SEPARATOR.join(library.texts(key))

    adocument = _in_thread(document)

    def context(self, key: str, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text of a paper around a cursor, clipped at its ends and shortened to whole words.

        The cursor and what is wanted before and after it are counted in characters of the document text.
        Raise UnknownKeyError, or QueryError for a cursor outside the paper's document text.
        """
        return self._open.keywords.around(self._open.library.key_of(key), cursor, chars_before, chars_after)

    acontext = _in_thread(context)

    def excerpt(self, key: str, query: str, max_chars: int = 500) -> str:
        """Return the sentences of a paragraph of the paper `key` that are nearest to `query` in meaning.

        At most `max_chars` characters. Without vectors or their model it is the snippet for the words of
        `query`, and a warning is logged. Raise QueryError or UnknownKeyError.
        """
        from lookup.snippet.excerpt import paper_excerpt

        here = self._open
        return paper_excerpt(here.library, here.vectors, here.library.key_of(key), query, max_chars)

    aexcerpt = _in_thread(excerpt)

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
    ) -> "RetrievalAnswer":
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
        from lookup.search.filters import resolve
        from lookup.search.ranked_search import fused, search

        parts = self._open.search
        filters = resolve(parts.library, keys, kinds, years, authors, section, exclude)
        phrasings = [query] if isinstance(query, str) else query
        found = [search(parts, one, limit, mode, filters, per_paper) for one in phrasings]
        if not found:
            raise QueryError("There is no query. Give a question or topic.")
        return found[0] if len(found) == 1 else fused(found, limit)

    asearch = _in_thread(search)

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
    ) -> "RetrievalAnswer":
        """Return the paragraphs of other papers nearest in meaning to this one, with filters as in `search`.

        Raise QueryError, UnknownKeyError, or ModelError where the release has no vectors. No model is needed.
        """
        from lookup.index.release_index import ParagraphId
        from lookup.search.filters import resolve
        from lookup.search.ranked_search import similar

        parts = self._open.search
        filters = resolve(parts.library, keys, kinds, years, authors, section, exclude)
        return similar(parts, ParagraphId(parts.library.key_of(key), paragraph), limit, filters, per_paper)

    asimilar = _in_thread(similar)

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
        from lookup.search.similar_sentences import sentences

        here = self._open
        asked = query, limit, match_threshold, keys, section, offset, title, exclude
        return sentences(here.library, here.vectors, *asked)

    asentences = _in_thread(sentences)

    def neighbours(self, id: str, offset: int = 0) -> "SentenceMatch | None":  # noqa: A002  # as the column
        """Return the sentence `offset` further on in its section than the one with this `id`.

        Back, if negative; with the sentences before and after it, and its own id to go on from. None beyond
        an end of the section. Raise QueryError where no sentence has the id.
        """
        from lookup.search.similar_sentences import neighbours

        return neighbours(self._open.library, id, offset)

    aneighbours = _in_thread(neighbours)

    @property
    def encoder(self) -> "Encoder":
        """The model of the corpus, for texts of your own: `encoder.encode(texts)`. Raise ModelError.

        Its vectors compare with those of the corpus and of `vector`. It is loaded with the first text.
        """
        return self._open.vectors.meaning.encoder

    def vector(self, text: str) -> list[float]:
        """Return the vector of `text` as a query, for SQL: `match_sentences`. Raise ModelError."""
        vector: list[float] = self._open.vectors.meaning.query(text).tolist()
        return vector

    avector = _in_thread(vector)

    search_context = _keyword_search("search_context", 15, 300, "the best stretches")
    asearch_context = _in_thread(search_context)
    search_exact_phrase = _keyword_search("search_exact_phrase", 10, 4000, "the places with the phrase")
    asearch_exact_phrase = _in_thread(search_exact_phrase)
    search_boolean_and = _keyword_search("search_boolean_and", 15, 3000, "the places with all keywords")
    asearch_boolean_and = _in_thread(search_boolean_and)
    search_fuzzy = _keyword_search("search_fuzzy", 15, 300, "places with such words")
    asearch_fuzzy = _in_thread(search_fuzzy)

    def _of(self, name: str) -> tuple[Library, str]:
        library = self._open.library
        return library, library.key_of(name)

    # SQL

    def sql(self, query: str, params: Sequence[Any] | None = None) -> Rows:
        """Run SQL over the release and return its rows: `.fetchall()`, `.pl()`, `.df()`, `.arrow()`.

        The tables are those of docs/reference/schema.md; each ? in the query takes one of `params`. Raise
        QueryError with DuckDB's own words. The release can only be read; for the rest the SQL may do what its
        caller may, such as read and write files: for SQL of others there is `pagequote.safe_sql`.
        """
        return self._open.database.sql(query, params)

    asql = _in_thread(sql)


def _newest(path: str | os.PathLike[str]) -> _OpenRelease:
    """Return the current release, open; the next one, should it be replaced and removed before it is open."""
    while True:
        release = current_release(path)
        try:
            return _OpenRelease(release)
        except CorpusVersionError:
            if current_release(path).folder == release.folder:
                raise


def _extent(limit: int, context: Context, context_chars: int, paragraphs: int) -> Extent:
    at_least(1, limit=limit, paragraphs=paragraphs)
    at_least(0, context_chars=context_chars)
    return Extent("paragraph" if paragraphs > 1 else context, context_chars, paragraphs)
