"""One open release: what a lookup reads of it, and the papers that it read last."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any
from weakref import WeakSet

import duckdb

from lookup.embedding.meaning import Meaning
from lookup.errors import (
    CorpusVersionError,
    PageNotFoundError,
    PageQuoteError,
    QueryError,
    StorageError,
    UnknownKeyError,
)
from lookup.papers.paper import Paper, Paragraph
from lookup.quote.semantic import Nearest
from lookup.release.current import Release
from lookup.release.rows import Rows
from lookup.search.lexical_index import LexicalIndex
from lookup.storage.object_path import ObjectPath

_HELD_CHARACTERS = 500_000
"""Characters of folded text kept of the papers asked for last: some 10 papers. With what is searched and the index of its words
a character takes some 20 bytes."""

_CACHE = "24.0 MiB"
"""Memory that lookups leave to DuckDB, mostly for blocks that it read last, written as DuckDB writes it. Among 1,000,000 paragraphs a process then
holds 112 MiB after 120 queries, 181 without a limit; the first lookup of a paper takes 4.2 ms instead of 3.5, later ones and greps as long as
before (benchmarks, shared machine). A statement that needs more gets that."""

_OBJECT_CACHE = "256.0 MiB"
"""The same for a corpus in object storage, where a block that is read again is a request."""

_HELD_TEXTS = 64
"""Paragraphs whose printed text is kept, and papers whose pages are: one query may look at the same ones several times."""

_HELD_EMBEDDED = 8
"""Papers of which the places of all vectors are kept."""

_CLOSE_KEY = 60.0
"""Likeness, from 0 to 100, above which a key may be the one that was meant."""

_AS_CLOSE = 15.0
"""By how much a key may be less like it than the closest one, to be named too."""

_ROWS_AT_ONCE = 500
"""Rows read by one statement."""

_ROW = (
    "paragraph", "page", "page_label", "kind", "section_number", "section_title", "text", "text_raw", "cursor", "lines",
)  # fmt: skip

_PARAGRAPH = ("paragraph", "page", "page_end", "kind", "text_norm", "superscripts", "row_number")


_BETWEEN_WORDS = "regexp_matches(text_norm, '(^|[^\\pL\\pN])' || regexp_escape(?) || '($|[^\\pL\\pN])')"


_limits = threading.Lock()
_open: "dict[str, WeakSet[Reader]]" = {}
"""The readers of each database in this process. They share its memory and its limit: one that has lifted it must not find it set again
by another that opens the same file."""


class Reader:
    """A release, open and read-only. Safe to share between threads."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self._lock = threading.Lock()
        self._papers: OrderedDict[str, Paper] = OrderedDict()
        self._texts: OrderedDict[int, tuple[str, str]] = OrderedDict()
        self._pages = lru_cache(_HELD_TEXTS)(self._pages_of)
        self._embedded = lru_cache(_HELD_EMBEDDED)(self._embedded_of)
        self.meaning = Meaning(release)
        self.lexical = LexicalIndex(release)
        self.lifted = False
        try:
            with _limits:
                limited = not any(reader.lifted for reader in _sharing(release))
                self._connection = _connected(release, limited=limited)
                _open.setdefault(str(release.database), WeakSet()).add(self)
        except duckdb.Error as error:
            if isinstance(refused := self._refused(error), StorageError):
                raise refused from error
            raise CorpusVersionError(
                f"The database {str(release.database)!r} cannot be opened ({error}). "
                "Build the corpus again, or install the duckdb that wrote it."
            ) from error

    def close(self) -> None:
        """Let go of the release's files."""
        with _limits:
            _sharing(self.release).discard(self)
            if not _sharing(self.release):
                _open.pop(str(self.release.database), None)
        self._connection.close()

    def sql(self, query: str, params: Sequence[Any] | None = None) -> Rows:
        """Run SQL over the release, with as much memory as DuckDB takes by itself; raises QueryError with its own words."""
        try:
            self._unbounded()
            return Rows(self._cursor().execute(query, params), lambda: self._cursor().execute(query, params))
        except duckdb.Error as error:
            raise self._refused(error) from error

    def _refused(self, error: duckdb.Error) -> PageQuoteError:
        if isinstance(self.release.folder, ObjectPath):
            from lookup.release.object_database import what_failed  # noqa: PLC0415

            if cause := what_failed(error):
                return StorageError(
                    f"The release {self.release.name} cannot be read on ({cause}). "
                    "Refresh the corpus, or open it again: three releases are kept, and this may be an older one."
                )
        return QueryError(f"DuckDB refused the query: {error}")

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor = self._connection.cursor()
        if isinstance(self.release.folder, ObjectPath):
            cursor.execute("USE corpus")  # which is attached, and a cursor begins elsewhere
        return cursor

    def _unbounded(self) -> None:
        """Lift the limit of the lookups, until this is closed; one that somebody set by SQL stays."""
        with _limits:
            self.lifted = True
            cursor = self._cursor()
            if cursor.execute("SELECT current_setting('memory_limit')").fetchone() in (
                (_CACHE,),
                (_OBJECT_CACHE,),
            ):
                cursor.execute("RESET memory_limit")

    def select(self, query: str, params: Sequence[Any] | None = None) -> list[tuple[Any, ...]]:
        """All rows of a query of a lookup, within its memory where that suffices; raises QueryError."""
        try:
            return self._cursor().execute(query, params).fetchall()
        except duckdb.OutOfMemoryException:  # many threads, or a machine of many cores
            return self.sql(query, params).fetchall()
        except duckdb.Error as error:
            raise self._refused(error) from error

    def _first(self, query: str, params: Sequence[Any] | None = None) -> tuple[Any, ...] | None:
        return next(iter(self.select(query, params)), None)

    def paper(self, key: str) -> Paper:
        """The paper with this key; raises UnknownKeyError, which names the closest keys."""
        held = self._held(key)
        if held is None:
            held = self._read([key]).get(key)
            if held is None:
                self.page_count(key)  # a paper without text, or no paper
                held = Paper(key, (), self._printed)
            self._hold(held)
        return held

    def read_ahead(self, keys: Iterable[str]) -> None:
        """Read the papers with these keys at once, those of them that there are and that are not held."""
        missing = [key for key in dict.fromkeys(keys) if self._held(key) is None]
        if len(missing) > 1:
            for paper in self._read(missing).values():
                self._hold(paper)

    def read_texts(self, paragraphs: Sequence[Paragraph]) -> dict[int, tuple[str, str]]:
        """The printed text of each of these paragraphs, raw too, by row number; read by one statement, and held."""
        listed = ", ".join(str(paragraph.row_number) for paragraph in paragraphs)
        query = f"SELECT row_number, text, text_raw FROM paragraphs WHERE row_number IN ({listed})"
        read = {number: (text, text_raw) for number, text, text_raw in self.select(query)}
        with self._lock:
            self._texts.update(read)
            while len(self._texts) > _HELD_TEXTS:
                self._texts.popitem(last=False)
        return read

    def rows(self, wanted: Sequence[tuple[Paper, Sequence[int]]]) -> list[list[Mapping[str, Any]]]:
        """All that an answer needs of paragraphs: for each paper, those of its (sorted) numbers, in order, by column."""
        numbers = sorted({paper.paragraphs[i].row_number for paper, each in wanted for i in each})
        select = f"SELECT row_number, {', '.join(_ROW)} FROM paragraphs WHERE"
        found: dict[int, Mapping[str, Any]] = {}
        for at in range(0, len(numbers), _ROWS_AT_ONCE):
            listed = ", ".join(
                map(str, numbers[at : at + _ROWS_AT_ONCE])
            )  # literals: DuckDB uses its index for these
            for number, *row in self.select(f"{select} row_number IN ({listed})"):
                found[number] = dict(zip(_ROW, row, strict=True))
        return [[found[paper.paragraphs[i].row_number] for i in each] for paper, each in wanted]

    def texts(self, key: str) -> list[str]:
        """The texts of a paper's paragraphs, in order."""
        return [
            text
            for (text,) in self.select("SELECT text FROM paragraphs WHERE key = ? ORDER BY paragraph", [key])
        ]

    def nearest_sentences(self, key: str, text: str) -> dict[int, Nearest]:
        """For each of the paper's paragraphs that have vectors, the sentence nearest in meaning to `text`; raises ModelError."""
        vectors = self.meaning.vectors
        rows = self._embedded(key)
        if not rows:
            return {}
        first, last = rows[0][0], rows[-1][0] + 1
        similarities = vectors.similarities(self.meaning.query(text), slice(first, last)).tolist()
        nearest: dict[int, Nearest] = {}
        for (_, paragraph, sentence), similarity in zip(rows, similarities, strict=True):
            if paragraph not in nearest or similarity > nearest[paragraph].similarity:
                nearest[paragraph] = Nearest(similarity, sentence)
        return nearest

    def vector_places(self, numbers: Sequence[int]) -> list[tuple[Any, ...]]:
        """Key, paragraph and sentence of the vectors with these numbers, in their order."""
        listed = ", ".join(map(str, numbers))
        rows = self.select(f"SELECT rowid, key, paragraph, sentence FROM vectors WHERE rowid IN ({listed})")
        places = {number: tuple(place) for number, *place in rows}
        return [places[number] for number in numbers]

    def keys_holding(self, words: str) -> list[str]:
        """The keys of the papers with a paragraph that holds these folded words, in order."""
        query = "SELECT DISTINCT key FROM paragraphs WHERE contains(text_norm, ?) ORDER BY key"
        return [key for (key,) in self.select(query, [words])]

    def rows_holding(
        self, words: str, keys: Sequence[str] | None, page: int, at_once: int
    ) -> Iterator[Mapping[str, Any]]:
        """The paragraphs that hold these folded words between other letters and digits, by key and in reading order.

        Those of `keys` (None: of all papers), and with a `page` those that stand on it in part; `at_once` are read at a time.
        """
        where = ["contains(text_norm, ?)", _BETWEEN_WORDS]
        params: list[Any] = [words, words]
        if keys is not None:
            where.append(f"key IN ({', '.join('?' * len(keys))})")
            params += keys
        if page:
            where.append("? BETWEEN page AND page_end")
            params.append(page)
        last = -1
        while True:
            query = f"SELECT row_number FROM paragraphs WHERE {' AND '.join(where)} AND row_number > ? ORDER BY row_number LIMIT ?"
            numbers = [number for (number,) in self.select(query, [*params, last, at_once])]
            if not numbers:
                return
            columns = ("row_number", "key", "text_norm", *_ROW)
            listed = ", ".join(map(str, numbers))
            rows = self.select(f"SELECT {', '.join(columns)} FROM paragraphs WHERE row_number IN ({listed})")
            for row in sorted(rows, key=lambda one: one[0]):
                yield dict(zip(columns, row, strict=True))
            if len(numbers) < at_once:
                return
            last = numbers[-1]

    def check_page(self, paper: Paper, page: int) -> None:
        """Raise PageNotFoundError unless `page` is 0 or a page of the paper."""
        if 0 <= page <= paper.last_page:
            return
        count = self.page_count(paper.key)
        if not 0 <= page <= count:
            pages = f"pages 1 to {count}" if count > 1 else "one page"
            raise PageNotFoundError(
                f"{paper.key!r} has {pages}; there is no page {page}. Page 0 searches all of them."
            )

    def page_label(self, key: str, page: int) -> str | None:
        """What is printed on the page as its number; None where unknown."""
        return next((label for number, label, _ in self._pages(key) if number == page), None)

    def pages_without_text(self, key: str) -> list[int]:
        """The paper's pages that have no text to judge by."""
        return [page for page, _, source in self._pages(key) if source == "empty"]

    def _held(self, key: str) -> Paper | None:
        with self._lock:
            if key in self._papers:
                self._papers.move_to_end(key)
            return self._papers.get(key)

    def _hold(self, paper: Paper) -> None:
        with self._lock:
            self._papers[paper.key] = paper
            held = sum(p.characters for p in self._papers.values())
            while held > _HELD_CHARACTERS and len(self._papers) > 1:
                held -= self._papers.popitem(last=False)[1].characters

    def _read(self, keys: Sequence[str]) -> dict[str, Paper]:
        """The papers with these keys that have text."""
        which = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
        query = f"SELECT key, {', '.join(_PARAGRAPH)} FROM paragraphs WHERE key {which}"
        rows: dict[str, list[tuple[Any, ...]]] = {}
        for key, *row in self.select(query, keys):
            rows.setdefault(key, []).append(tuple(row))
        return {
            key: Paper(key, tuple(Paragraph(*row) for row in sorted(each)), self._printed)
            for key, each in rows.items()
        }

    def _pages_of(self, key: str) -> list[tuple[Any, ...]]:
        return self.select("SELECT page, page_label, source FROM pages WHERE key = ? ORDER BY page", [key])

    def _embedded_of(self, key: str) -> list[tuple[Any, ...]]:
        """The number of each of the paper's vectors in the matrix, with its paragraph and sentence."""
        return self.select(
            "SELECT rowid, paragraph, sentence FROM vectors WHERE key = ? ORDER BY rowid", [key]
        )

    def _printed(self, paragraph: Paragraph) -> tuple[str, str]:
        with self._lock:
            held = self._texts.get(paragraph.row_number)
        return held or self.read_texts([paragraph])[paragraph.row_number]

    def page_count(self, key: str) -> int:
        """How many pages the paper has; raises UnknownKeyError, which names the closest keys."""
        row = self._first("SELECT pages FROM papers WHERE key = ?", [key])
        if row is None:
            raise self._unknown(key)
        return int(row[0])

    def _unknown(self, key: str) -> UnknownKeyError:
        from rapidfuzz import process, utils  # not on the way to an answer  # noqa: PLC0415

        keys = [k for (k,) in self.select("SELECT key FROM papers ORDER BY key")]
        closest = process.extract(
            key, keys, processor=utils.default_process, limit=3, score_cutoff=_CLOSE_KEY
        )
        failed = self._first("SELECT path, reason FROM failures WHERE key = ?", [key])
        detail = f"Its PDF {failed[0]!r} could not be read: {failed[1]}." if failed else ""
        near = [other for other, score, _ in closest if score >= closest[0][1] - _AS_CLOSE]
        return UnknownKeyError(key, near, detail)


def _sharing(release: Release) -> "WeakSet[Reader]":
    """The open readers of the release's database; the caller holds `_limits`."""
    return _open.get(str(release.database), WeakSet())


def _connected(release: Release, *, limited: bool) -> duckdb.DuckDBPyConnection:
    """A connection to the release's database, with the limit of lookups; raises duckdb.Error."""
    if isinstance(release.folder, ObjectPath):
        from lookup.release.object_database import attach_release  # noqa: PLC0415

        connection = attach_release(release)
    else:
        connection = duckdb.connect(str(release.database), read_only=True)
    if not limited:
        return connection
    cache = _OBJECT_CACHE if isinstance(release.folder, ObjectPath) else _CACHE
    # As a configuration it would shut out whoever opens the same file; a query of theirs may need more just now.
    with suppress(duckdb.OutOfMemoryException):
        connection.execute(f"SET memory_limit = '{cache}'")
    return connection
