"""A corpus, opened: every public call over its current release."""

import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from lookup.doors import Searching, searches_of
from lookup.errors import CorpusVersionError
from lookup.limits import PageName, at_least, each_of, in_thread, with_limit
from lookup.papers.library import Library
from lookup.papers.paper_calls import PaperCalls
from lookup.quote.cascade import NearestPassages, QuoteRequest, answer, answers
from lookup.quote.match import Context, Extent
from lookup.release.current import Release, current_release, default_corpus
from lookup.release.database import Database, was_closed
from lookup.results.answer import counted
from lookup.results.quote_answer import Match, QuoteAnswer, Verification

if TYPE_CHECKING:
    from lookup.doors import ReleaseSearches
    from lookup.index.printed_words import MatchCounts
    from lookup.release.rows import Rows


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
        self._mapped = None
        if release.model:
            from lookup.release.checked_files import map_vectors

            self._mapped = map_vectors(release)

    @cached_property
    def searches(self) -> "ReleaseSearches":
        return searches_of(self.library, self._mapped)

    def nearest(self, *asked: Any) -> NearestPassages:
        """Return what tier 3 finds; its packages are loaded now."""
        return self.searches.nearest_passages(*asked)


class Corpus(Searching, PaperCalls):
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
    def _library(self) -> Library:
        return self._open.library

    @property
    def _searches(self) -> "ReleaseSearches":
        return self._open.searches

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

    def __contains__(self, key: str) -> bool:
        """Return whether a paper has this key."""
        return self._library.has(key)

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
        self._searches.vectors.warm()

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
        words. All calls take pages so, and as citations have them: "p. 6", "pp. 6-7". `context` is what
        `text` of a match holds: the "paragraph", the "sentence"s, or "chars", `context_chars` characters on
        either side, beyond its paragraph too. With more than one of `paragraphs` it is that many, centred on
        the match.

        Raise QueryError, UnknownKeyError or PageNotFoundError.
        """
        extent = _extent(limit, context, context_chars, paragraphs)
        here = self._open
        return answer(
            here.library,
            QuoteRequest(here.library.key_of(key, page), query, page),
            limit,
            extent,
            here.nearest,
        )

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
        placed = (
            (key, words, page[0] if page else 0)
            for key, words, *page in each_of(asked, 2, 3, "a key, words and a page")
        )
        requests = [QuoteRequest(here.library.key_of(key, page), words, page) for key, words, page in placed]
        return tuple(answers(here.library, requests, limit, extent, here.nearest))

    def verify(
        self, key: str = "", quote: str = "", page: PageName = 0, *, before: str = "", after: str = ""
    ) -> Verification:
        """Return whether the paper `key` prints `quote`, on `page` if given.

        If not: on which page, how else, or in which other paper. Words alone: which paper prints them, or
        nearly; the others that do are `elsewhere`, and where none does the key of the answer is empty.
        `before` and `after` are what a text says right beside the quotation: a denial that stands there is
        not cut off. Words before the key are taken, too.

        Raise QueryError or UnknownKeyError.
        """
        from lookup.quote.verify import verify

        library = self._library
        key, quote = library.in_order(key, quote)
        return verify(library, quote, library.key_of(key, page) if key else "", page, (before, after))

    def verify_all(
        self,
        asked: Iterable[
            tuple[str, str]
            | tuple[str, str, PageName | Collection[int]]
            | tuple[str, str, PageName | Collection[int], tuple[str, str]]
        ],
    ) -> tuple[Verification, ...]:
        """Return `verify` of many: each of `asked` is a key (or ""), words and, optionally, a page.

        Instead of a page it may have several, of which one should print the words; after it what a manuscript
        says right before and after the quotation: a denial there is not cut off. Words may stand before the
        key. Faster than one by one: `pages` are those of the first place alone, if that is on a right page. A
        quote that cannot be judged is "unknown key" if the corpus has no such paper, else "not covered", and
        its hint says why. Raise QueryError for what has no such form.
        """
        from lookup.quote.verify import verify_all

        library = self._library
        usual: tuple[Any, ...] = (0, ("", ""))
        wanted = []
        for first, second, *given in each_of(
            asked, 2, 4, "a key, words, a page, and what is said beside them"
        ):
            key, words = library.in_order(first, second) if second else (second, first)
            page, beside = (*given, *usual[len(given) :])
            wanted.append((words, library.key_of(key, page) if key else "", page, beside))
        return tuple(verify_all(library, wanted))

    @with_limit
    def ground(self, key: str, values: Mapping[str, str], limit: int = 20) -> dict[str, QuoteAnswer]:
        """Return where the paper `key` prints each of the `values`, by its name: {"dose": "10 mg"}.

        An answer has all places, in their order, as `matches` with page, boxes and the verdict on the value
        as it is printed there: "10mg" is the same value. Where none prints it, those that nearly do, or none.
        Raise QueryError or UnknownKeyError.
        """
        from lookup.quote.grep import ground

        return ground(*self._of(key), values, limit)

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
        first and last word whole; "NO" does not find "no", but "who" finds "WHO". A place is near where it is
        printed with an exponent that the phrase lacks, or where a negation stands beside it. Raise QueryError
        or UnknownKeyError.
        """
        from lookup.quote.grep import grep

        library = self._library
        return grep(library, phrase, library.keys_of(keys), page, limit, context_chars)

    def count(self, phrase: str, keys: Iterable[str] | None = None) -> "MatchCounts":
        """Return how many paragraphs, and of about how many papers, print the words of `phrase`.

        By the index of words, so without regard to accents, signs and case. Raise QueryError or
        UnknownKeyError.
        """
        from lookup.quote.grep import count

        library = self._library
        return count(library, phrase, library.keys_of(keys))

    # SQL

    def sql(self, query: str, params: Sequence[Any] | None = None) -> "Rows":
        """Run SQL over the release and return its rows: `.fetchall()`, `.pl()`, `.df()`, `.arrow()`.

        The tables are those of docs/reference/schema.md; each ? in the query takes one of `params`. Raise
        QueryError with DuckDB's own words. The release can only be read; for the rest the SQL may do what its
        caller may, such as read and write files: for SQL of others there is `pagequote.safe_sql`.
        """
        return self._open.database.sql(query, params)

    # The twins for asyncio

    aquote = in_thread(quote)
    aquotes = in_thread(quotes)
    averify = in_thread(verify)
    averify_all = in_thread(verify_all)
    aground = in_thread(ground)
    agrep = in_thread(grep)
    acount = in_thread(count)
    asql = in_thread(sql)


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
