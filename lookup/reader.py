"""One open release: what a lookup reads of it, and the papers that it read last."""

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

import duckdb

from lookup.errors import CorpusVersionError, PageNotFoundError, QueryError, UnknownKeyError
from lookup.paper import Paper, Paragraph
from lookup.release import Release
from lookup.rows import Rows

_HELD_CHARACTERS = 2_000_000
"""Characters of folded text kept of the papers asked for last: some 50 papers. With the runs of
text that are searched, a character takes about 8 bytes (measured with 8,000,000 held)."""

_CLOSE_KEY = 60.0
"""Likeness, from 0 to 100, above which a key may be the one that was meant."""

_AS_CLOSE = 15.0
"""By how much a key may be less like it than the closest one, to be named too."""

_ROW = (
    "paragraph", "page_label", "kind", "section_number", "section_title", "text", "text_raw", "cursor", "lines",
)  # fmt: skip


class Reader:
    """A release, open and read-only. Safe to share between threads."""

    def __init__(self, release: Release) -> None:
        self.release = release
        self._lock = threading.Lock()
        self._papers: OrderedDict[str, Paper] = OrderedDict()
        try:
            self._connection = duckdb.connect(str(release.database), read_only=True)
        except duckdb.Error as error:
            raise CorpusVersionError(
                f"The database {str(release.database)!r} cannot be opened ({error}). "
                "Build the corpus again, or install the duckdb that wrote it."
            ) from error

    def close(self) -> None:
        """Let go of the release's files."""
        self._connection.close()

    def sql(self, query: str, params: Sequence[Any] | None = None) -> Rows:
        """Run SQL over the release; raises QueryError with DuckDB's own words."""
        try:
            return Rows(self._connection.cursor().execute(query, params))
        except duckdb.Error as error:
            raise QueryError(f"DuckDB refused the query: {error}") from error

    def paper(self, key: str) -> Paper:
        """The paper with this key; raises UnknownKeyError, which names the closest keys."""
        with self._lock:
            if key in self._papers:
                self._papers.move_to_end(key)
                return self._papers[key]
        paper = self._read(key)
        with self._lock:
            self._papers[key] = paper
            held = sum(p.characters for p in self._papers.values())
            while held > _HELD_CHARACTERS and len(self._papers) > 1:
                held -= self._papers.popitem(last=False)[1].characters
        return paper

    def rows(self, paper: Paper, paragraphs: Sequence[int]) -> list[Mapping[str, Any]]:
        """All that an answer needs of these paragraphs (at least one, sorted), by column."""
        select = f"SELECT {', '.join(_ROW)} FROM paragraphs WHERE"
        wanted = set(paragraphs)
        if len(wanted) == 1:  # nearly always; through the index it takes half the time
            found = self.sql(
                f"{select} row_number = ?", [paper.paragraphs[paragraphs[0]].row_number]
            ).fetchall()
        else:
            between = [paper.key, paragraphs[0], paragraphs[-1]]
            found = self.sql(f"{select} key = ? AND paragraph BETWEEN ? AND ?", between).fetchall()
        return [dict(zip(_ROW, row, strict=True)) for row in sorted(found) if row[0] in wanted]

    def check_page(self, paper: Paper, page: int) -> None:
        """Raise PageNotFoundError unless `page` is 0 or a page of the paper."""
        if 0 <= page <= paper.last_page:
            return
        count = self._page_count(paper.key)
        if not 0 <= page <= count:
            pages = f"pages 1 to {count}" if count > 1 else "one page"
            raise PageNotFoundError(
                f"{paper.key!r} has {pages}; there is no page {page}. Page 0 searches all of them."
            )

    def page_label(self, key: str, page: int) -> str | None:
        """What is printed on the page as its number; None where unknown."""
        row = self.sql("SELECT page_label FROM pages WHERE key = ? AND page = ?", [key, page]).fetchone()
        return row[0] if row else None

    def _read(self, key: str) -> Paper:
        query = "SELECT paragraph, page, page_end, kind, text_norm, row_number FROM paragraphs WHERE key = ?"
        rows = self.sql(query, [key]).fetchall()
        if not rows:
            self._page_count(key)  # a paper without text, or no paper
        return Paper(key, tuple(Paragraph(*row) for row in sorted(rows)), self._raw)

    def _raw(self, paragraph: Paragraph) -> str:
        row = self.sql(
            "SELECT text_raw FROM paragraphs WHERE row_number = ?", [paragraph.row_number]
        ).fetchone()
        assert row is not None
        return str(row[0])

    def _page_count(self, key: str) -> int:
        row = self.sql("SELECT pages FROM papers WHERE key = ?", [key]).fetchone()
        if row is None:
            raise self._unknown(key)
        return int(row[0])

    def _unknown(self, key: str) -> UnknownKeyError:
        from rapidfuzz import process, utils  # not on the way to an answer  # noqa: PLC0415

        keys = [k for (k,) in self.sql("SELECT key FROM papers ORDER BY key").fetchall()]
        closest = process.extract(
            key, keys, processor=utils.default_process, limit=3, score_cutoff=_CLOSE_KEY
        )
        failed = self.sql("SELECT path, reason FROM failures WHERE key = ?", [key]).fetchone()
        detail = f"Its PDF {failed[0]!r} could not be read: {failed[1]}." if failed else ""
        near = [other for other, score, _ in closest if score >= closest[0][1] - _AS_CLOSE]
        return UnknownKeyError(key, near, detail)
