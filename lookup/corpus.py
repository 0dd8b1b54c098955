"""A corpus, opened: quotes, pages, documents and SQL over its current release."""

import os
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from lookup.errors import CorpusVersionError, PageNotFoundError, QueryError
from lookup.keywords.corpus_searches import CorpusSearches
from lookup.papers.outline import CorpusPapers
from lookup.papers.reader import Reader
from lookup.quote.cascade import Asked, answer, answers
from lookup.quote.context import SEPARATOR, Context
from lookup.quote.grep import grep
from lookup.quote.match import Extent
from lookup.quote.thresholds import MATCH_THRESHOLD
from lookup.quote.verify import verify, verify_all
from lookup.release.current import Release, current_release, default_corpus
from lookup.release.rows import Rows
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from lookup.search.corpus_retrieval import CorpusRetrieval

if TYPE_CHECKING:
    from lookup.search.similar_sentences import SentenceMatch

P = ParamSpec("P")
T = TypeVar("T")


def open(corpus: str | os.PathLike[str] | None = None) -> "Corpus":
    """Open the corpus at `corpus` (default: $PAGEQUOTE_CORPUS, else data/corpus), read-only.

    Raises CorpusNotFoundError or CorpusVersionError.
    """
    return Corpus(default_corpus() if corpus is None else corpus)


def get_quote(
    key: str,
    query: str,
    page: int = 0,
    n: int = 1,
    context: Context = "paragraph",
    context_chars: int = 400,
    paragraphs: int = 1,
) -> QuoteAnswer:
    """`Corpus.quote` on the default corpus, opened once and refreshed when a newer release is published."""
    path = default_corpus().absolute()
    with _opening:
        if path not in _opened:
            _opened[path] = Corpus(path)
        else:
            _opened[path].refresh()
        corpus = _opened[path]
    return corpus.quote(key, query, page, n, context, context_chars, paragraphs)


_opening = threading.Lock()
_opened: dict[Path, "Corpus"] = {}


class Corpus(CorpusPapers, CorpusSearches, CorpusRetrieval):
    """An open corpus. Safe to share between threads; use it in a `with` statement or `close` it.

    It goes on reading the release it opened while newer ones are published; `refresh` goes over to the newest. Each call
    reads one release from beginning to end.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._reader = _newest(path)

    @property
    def release(self) -> Release:
        """The release that is read."""
        return self._reader.release

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the release's files."""
        self._reader.close()

    def refresh(self) -> bool:
        """Go over to the newest release; whether there was a newer one."""
        if current_release(self._path).folder == self.release.folder:
            return False
        self._reader = _newest(self._path)  # calls under way in other threads finish on the old one
        return True

    def warm(self) -> None:
        """Load the model that answers by meaning now rather than with the first query that needs it; raises ModelError."""
        self._reader.meaning.warm()

    def sql(self, query: str, params: Sequence[Any] | None = None) -> Rows:
        """Run SQL over the release and return its rows: `.fetchall()`, `.pl()`, `.df()`, `.arrow()`.

        The tables are those of docs/schema.md; each ? in the query takes one of `params`. Raises QueryError with DuckDB's own words.
        """
        return self._reader.sql(query, params)

    def quote(
        self,
        key: str,
        query: str,
        page: int = 0,
        n: int = 1,
        context: Context = "paragraph",
        context_chars: int = 400,
        paragraphs: int = 1,
    ) -> QuoteAnswer:
        """Where the paper `key` prints `query`: the `n` best places, each with its words, page and boxes.

        `page` (1-based, 0 for all) restricts the search to paragraphs that begin on, run over or end on that page. `context` is what `text`
        of a match holds: the "paragraph" (or that many `paragraphs`, centred on the match), the "sentence"s, or
        `context_chars` "chars" on either side.

        Raises QueryError, UnknownKeyError or PageNotFoundError.
        """
        extent = _extent(n, context, context_chars, paragraphs)
        return answer(self._reader, Asked(key, query, page), n, extent)

    def quotes(
        self,
        asked: Iterable[tuple[str, str] | tuple[str, str, int]],
        n: int = 1,
        context: Context = "paragraph",
        context_chars: int = 400,
        paragraphs: int = 1,
    ) -> tuple[QuoteAnswer, ...]:
        """`quote` for many: each of `asked` is a key, a query and, if you like, a page. Faster than one by one.

        One that cannot be answered (an unknown key, a page that does not exist) says so in the `hint` of its answer.
        """
        extent = _extent(n, context, context_chars, paragraphs)
        return tuple(answers(self._reader, [Asked(*one) for one in asked], n, extent))

    def grep(
        self,
        phrase: str,
        keys: Iterable[str] | None = None,
        page: int = 0,
        limit: int = 50,
        context_chars: int = 80,
    ) -> tuple[Match, ...]:
        """Every place that prints `phrase`, the first `limit` of them by key and in reading order, with `context_chars` around each.

        In all papers, or in those with these `keys`; with a `page`, on that page of them. The phrase is compared folded, and must
        stand within a paragraph, its first and last word whole. Raises QueryError or UnknownKeyError.
        """
        reader = self._reader
        wanted = None if keys is None else list(keys)
        for key in wanted or ():
            reader.page_count(key)
        return grep(reader, phrase, wanted, page, limit, context_chars)

    def verify(self, quote: str, key: str, page: int = 0) -> Verification:
        """Whether the paper `key` prints `quote`, on `page` where one is given; if not, on which page, how else, or in which other paper.

        Raises QueryError or UnknownKeyError.
        """
        return verify(self._reader, quote, key, page, Extent("sentence", 0, 1))

    def verify_all(
        self, asked: Iterable[tuple[str, str] | tuple[str, str, int | Collection[int]]]
    ) -> tuple[Verification, ...]:
        """`verify` for many: each of `asked` is a quote, a key and, if you like, a page, or pages of which one should print it.

        Faster than one by one, since `pages` are those of the first place alone where that is right. One that cannot be answered (an unknown key) is "not covered", and its hint says why.
        """
        wanted = [(quote, key, _as_pages(*page)) for quote, key, *page in asked]
        return tuple(verify_all(self._reader, wanted, Extent("sentence", 0, 1)))

    def sentences(
        self,
        query: str,
        n_results: int = 10,
        match_threshold: float = MATCH_THRESHOLD,
        keys: Iterable[str] | None = None,
        section: str | None = None,
        offset: int = 0,
        title: str = "",
    ) -> "tuple[SentenceMatch, ...]":
        """The sentences most similar to `query` in meaning, best first, each with the one before and the one after it in its section.

        Those with a cosine of `match_threshold` or more, in all papers or those with these `keys`, in sections whose heading holds
        `section` (whatever its case). A `title` is encoded together with the query. With an `offset` the sentences shown are that
        many further on (back, if negative) than the ones that matched. Raises QueryError, UnknownKeyError, or ModelError where the release
        has no vectors or their model is not on this machine.
        """
        from lookup.search.similar_sentences import sentences  # noqa: PLC0415

        wanted = None if keys is None else list(keys)
        return sentences(self._reader, query, n_results, match_threshold, wanted, section, offset, title)

    def excerpt(self, key: str, query: str, max_chars: int = 500) -> str:
        """The sentences of the paper `key` nearest to `query` in meaning: at most `max_chars` characters of one paragraph.

        Without vectors or their model it is the snippet for the words of `query`, and a warning is logged. Raises QueryError or
        UnknownKeyError.
        """
        from lookup.snippet.paper_excerpt import paper_excerpt  # not on the way to an answer  # noqa: PLC0415

        return paper_excerpt(self._reader, key, query, max_chars)

    def vector(self, text: str) -> list[float]:
        """The vector of `text` as a query, for SQL: `match_sentences`; raises ModelError."""
        vector: list[float] = self._reader.meaning.query(text).tolist()
        return vector

    async def aquote(
        self,
        key: str,
        query: str,
        page: int = 0,
        n: int = 1,
        context: Context = "paragraph",
        context_chars: int = 400,
        paragraphs: int = 1,
    ) -> QuoteAnswer:
        """`quote`, in a thread of its own: many at once from asyncio."""
        return await _in_thread(self.quote, key, query, page, n, context, context_chars, paragraphs)

    async def asentences(
        self,
        query: str,
        n_results: int = 10,
        match_threshold: float = MATCH_THRESHOLD,
        keys: Iterable[str] | None = None,
        section: str | None = None,
        offset: int = 0,
        title: str = "",
    ) -> "tuple[SentenceMatch, ...]":
        """`sentences`, in a thread of its own: many at once from asyncio."""
        return await _in_thread(
            self.sentences, query, n_results, match_threshold, keys, section, offset, title
        )

    def page(self, key: str, page: int) -> str:
        """The text of one page in reading order, paragraphs parted by a blank line, as far as they are printed there.

        Raises UnknownKeyError or PageNotFoundError.
        """
        reader = self._reader
        paper = reader.paper(key)
        if not page:
            raise PageNotFoundError(f"There is no page 0 of {key!r}: pages are counted from 1.")
        reader.check_page(paper, page)
        touching = [p.paragraph for p in paper.paragraphs if p.page <= page <= p.page_end]
        parts = []
        for row in reader.rows([(paper, touching)])[0] if touching else ():
            here = [line for line in row["lines"] if line["page"] == page]
            if here:
                parts.append(row["text"][here[0]["start"] : here[-1]["end"]])
        return SEPARATOR.join(part for part in parts if part)

    def document(self, key: str) -> str:
        """The paper's document text: all its paragraphs in reading order, parted by a blank line; cursors count its characters."""
        reader = self._reader
        reader.paper(key)
        return SEPARATOR.join(reader.texts(key))


async def _in_thread(call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    import asyncio  # a command does without  # noqa: PLC0415

    return await asyncio.to_thread(call, *args, **kwargs)


def _newest(path: str | os.PathLike[str]) -> Reader:
    """The current release, open; the next one, should it be replaced and removed before it is open."""
    while True:
        release = current_release(path)
        try:
            return Reader(release)
        except CorpusVersionError:
            if current_release(path).folder == release.folder:
                raise


def _as_pages(page: int | Collection[int] = 0) -> Collection[int]:
    if isinstance(page, int):
        return (page,) if page else ()
    return page


def _extent(n: int, context: Context, context_chars: int, paragraphs: int) -> Extent:
    if n < 1 or paragraphs < 1 or context_chars < 0:
        raise QueryError(
            f"n ({n}) and paragraphs ({paragraphs}) begin at 1, context_chars ({context_chars}) at 0."
        )
    return Extent(context, context_chars, paragraphs)
