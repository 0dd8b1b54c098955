"""A corpus, opened: quotes, pages, documents and SQL over its current release."""

import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Self

import duckdb

from lookup.answer import Box, Elsewhere, Match, QuoteAnswer
from lookup.boxes import boxes, page_at
from lookup.context import SEPARATOR, Context, centred, window
from lookup.errors import CorpusVersionError, PageNotFoundError, QueryError, UnknownKeyError
from lookup.finding import Finding, Stretch
from lookup.folding import fold_with_offsets
from lookup.paper import Paper, Paragraph
from lookup.query import Query, parse
from lookup.release import Release, current_release, default_corpus
from lookup.rows import Rows
from lookup.tiers import findings

_HELD_CHARACTERS = 8_000_000
"""Characters of folded text kept of the papers asked for last: about 100 papers, under 20 MB."""

_ELSEWHERE = 5
"""Other papers named when the words are not in the one asked for."""


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


class Corpus:
    """An open release of a corpus. Safe to share between threads; use it in a `with` statement or `close` it.

    It goes on reading the release it opened while newer ones are published; `refresh` goes over to the newest.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._open()

    def _open(self) -> None:
        self.release: Release = current_release(self._path)
        try:
            self._connection = duckdb.connect(str(self.release.database), read_only=True)
        except duckdb.Error as error:
            raise CorpusVersionError(
                f"The database {str(self.release.database)!r} cannot be opened ({error}). "
                "Build the corpus again, or install the duckdb that wrote it."
            ) from error
        self._papers: OrderedDict[str, Paper] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the release's files."""
        self._connection.close()

    def refresh(self) -> bool:
        """Go over to the newest release; whether there was a newer one."""
        if current_release(self._path).folder == self.release.folder:
            return False
        self._open()  # calls under way in other threads finish on the old connection
        return True

    def sql(self, query: str, params: Sequence[Any] | None = None) -> Rows:
        """Run SQL over the release and return its rows: `.fetchall()`, `.pl()`, `.df()`, `.arrow()`.

        The tables are those of docs/schema.md; each ? in the query takes one of `params`. Raises QueryError with DuckDB's own words.
        """
        try:
            return Rows(self._connection.cursor().execute(query, params))
        except duckdb.Error as error:
            raise QueryError(f"DuckDB refused the query: {error}") from error

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

        `page` (1-based, 0 for all) restricts the search to text that begins, runs over or ends on that page. `context` is what `text`
        of a match holds: the "paragraph" (or that many `paragraphs`, centred on the match), the "sentence"s, or
        `context_chars` "chars" on either side.

        Raises QueryError, UnknownKeyError or PageNotFoundError.
        """
        asked = parse(query)
        if n < 1 or paragraphs < 1 or context_chars < 0:
            raise QueryError(
                f"n ({n}) and paragraphs ({paragraphs}) begin at 1, context_chars ({context_chars}) at 0."
            )
        paper = self._paper(key)
        self._check_page(paper, page)
        found = findings(paper, asked, page)[:n]
        if found:
            return QuoteAnswer(
                key,
                query,
                tuple(self._match(paper, one, context, context_chars, paragraphs) for one in found),
            )
        elsewhere = self._elsewhere(key, asked)
        return QuoteAnswer(key, query, (), _hint(paper, asked, page, elsewhere), elsewhere, paper.covered)

    def page(self, key: str, page: int) -> str:
        """The text of one page in reading order, paragraphs parted by a blank line, as far as they are printed there."""
        paper = self._paper(key)
        if not page:
            raise PageNotFoundError(f"There is no page 0 of {key!r}: pages are counted from 1.")
        self._check_page(paper, page)
        rows = self.sql(
            "SELECT text, lines FROM paragraphs WHERE key = ? AND page <= ? AND page_end >= ? ORDER BY paragraph",
            [key, page, page],
        ).fetchall()
        parts = []
        for text, lines in rows:
            here = [line for line in lines if line["page"] == page]
            if here:
                parts.append(text[here[0]["start"] : here[-1]["end"]])
        return SEPARATOR.join(part for part in parts if part)

    def document(self, key: str) -> str:
        """The paper's document text: all its paragraphs in reading order, parted by a blank line; cursors count its characters."""
        self._paper(key)
        rows = self.sql("SELECT text FROM paragraphs WHERE key = ? ORDER BY paragraph", [key]).fetchall()
        return SEPARATOR.join(text for (text,) in rows)

    def _paper(self, key: str) -> Paper:
        with self._lock:
            if key in self._papers:
                self._papers.move_to_end(key)
                return self._papers[key]
        paper = self._load(key)
        with self._lock:
            self._papers[key] = paper
            held = sum(p.characters for p in self._papers.values())
            while held > _HELD_CHARACTERS and len(self._papers) > 1:
                held -= self._papers.popitem(last=False)[1].characters
        return paper

    def _load(self, key: str) -> Paper:
        query = "SELECT paragraph, page, page_end, kind, text_norm FROM paragraphs WHERE key = ?"
        rows = self.sql(query, [key]).fetchall()
        if not rows:
            self._page_count(key)  # a paper without text, or no paper
        return Paper(key, tuple(Paragraph(*row) for row in sorted(rows)), partial(self._raw, key))

    def _page_count(self, key: str) -> int:
        row = self.sql("SELECT pages FROM papers WHERE key = ?", [key]).fetchone()
        if row is None:
            raise self._unknown(key)
        return int(row[0])

    def _check_page(self, paper: Paper, page: int) -> None:
        if 0 <= page <= paper.last_page:
            return
        count = self._page_count(paper.key)
        if not 0 <= page <= count:
            pages = f"pages 1 to {count}" if count > 1 else "one page"
            raise PageNotFoundError(
                f"{paper.key!r} has {pages}; there is no page {page}. Page 0 searches all of them."
            )

    def _raw(self, key: str, paragraph: int) -> str:
        query = "SELECT text_raw FROM paragraphs WHERE key = ? AND paragraph = ?"
        row = self.sql(query, [key, paragraph]).fetchone()
        assert row is not None
        return str(row[0])

    def _unknown(self, key: str) -> UnknownKeyError:
        from rapidfuzz import process, utils  # not on the way to an answer  # noqa: PLC0415

        keys = [k for (k,) in self.sql("SELECT key FROM papers ORDER BY key").fetchall()]
        closest = process.extract(key, keys, processor=utils.default_process, limit=3, score_cutoff=60)
        failed = self.sql("SELECT path, reason FROM failures WHERE key = ?", [key]).fetchone()
        detail = f"Its PDF {failed[0]!r} could not be read: {failed[1]}." if failed else ""
        return UnknownKeyError(key, [found[0] for found in closest], detail)

    def _match(
        self, paper: Paper, finding: Finding, context: Context, context_chars: int, paragraphs: int
    ) -> Match:
        stretch = finding.stretch
        wanted = self._around(paper, stretch, paragraphs)
        names = "paragraph, page_label, kind, section_number, section_title, text, text_raw, cursor, lines"
        found = self.sql(
            f"SELECT {names} FROM paragraphs WHERE key = ? AND paragraph BETWEEN ? AND ?",
            [paper.key, wanted[0], wanted[-1]],
        ).fetchall()
        rows = [
            dict(zip(names.split(", "), row, strict=True)) for row in sorted(found) if row[0] in set(wanted)
        ]
        place = {row["paragraph"]: i for i, row in enumerate(rows)}
        first, last = rows[place[stretch.first]], rows[place[stretch.last]]
        folded = fold_with_offsets(first["text"])
        start = folded.starts[stretch.start]
        end = (folded if last is first else fold_with_offsets(last["text"])).ends[stretch.end - 1]
        starts = {}
        at = 0
        for row in rows:
            starts[row["paragraph"]] = at
            at += len(row["text"]) + len(SEPARATOR)
        shown = window(
            rows, starts[stretch.first] + start, starts[stretch.last] + end, context, context_chars
        )
        printed: list[Box] = []
        for row in rows[place[stretch.first] : place[stretch.last] + 1]:
            begin = start if row is first else 0
            finish = end if row is last else len(row["text"])
            printed += boxes(row["lines"], begin, finish)
        known = paper.paragraphs[stretch.first]
        page = page_at(first["lines"], start, known.page)
        label = first["page_label"] if page == known.page else self._page_label(paper.key, page)
        return Match(
            key=paper.key,
            page=page,
            page_label=label,
            paragraph=stretch.first,
            section_number=first["section_number"],
            section_title=first["section_title"],
            kind=known.kind,
            score=finding.score,
            tier=finding.tier,
            verdict=finding.verdict,
            text=shown.text,
            text_raw=shown.text_raw,
            span=shown.span,
            boxes=tuple(printed),
            cursor=first["cursor"] + start,
            differences=finding.differences,
            omitted=finding.omitted,
        )

    def _around(self, paper: Paper, stretch: Stretch, count: int) -> list[int]:
        """The paragraphs of an answer: those that the stretch reads through, and as many around as were asked for."""
        order: Sequence[int] = next(
            f.paragraphs for f in reversed(paper.flows) if {stretch.first, stretch.last} <= set(f.paragraphs)
        )
        begin, end = centred(order, stretch.first, stretch.last, count)
        return list(order[begin : end + 1])

    def _page_label(self, key: str, page: int) -> str | None:
        row = self.sql("SELECT page_label FROM pages WHERE key = ? AND page = ?", [key, page]).fetchone()
        return row[0] if row else None

    def _elsewhere(self, key: str, asked: Query) -> tuple[Elsewhere, ...]:
        if asked.short:
            return ()  # three letters stand in every paper; that says nothing about who is quoted
        rows = self.sql(
            "SELECT key, min(page), arg_min(page_label, page) FROM paragraphs "
            "WHERE contains(text_norm, ?) AND key <> ? GROUP BY key ORDER BY key LIMIT ?",
            [asked.folded, key, _ELSEWHERE],
        ).fetchall()
        return tuple(Elsewhere(*row) for row in rows)


def _hint(paper: Paper, asked: Query, page: int, elsewhere: tuple[Elsewhere, ...]) -> str:
    if not paper.covered:
        return f"not covered: {paper.key!r} has no text to judge by. Its pages may be scans; read them, or run OCR over the PDF."
    if page and (found := findings(paper, asked)):
        pages = sorted({paper.paragraphs[one.stretch.first].page for one in found})
        return (
            f"Not on page {page}, but on page {', '.join(map(str, pages))}: drop the page hint or correct it."
        )
    if elsewhere:
        places = ", ".join(f"{other.key} (page {other.page})" for other in elsewhere)
        return f"Not printed in {paper.key!r}, but in {places}."
    if page:
        return f"Not printed in {paper.key!r}. Read the page: `pagequote page {paper.key} {page}`; or ask for fewer words."
    return (
        f"Not printed in {paper.key!r} as asked. Ask for fewer words, or for the words as the paper has them."
    )
