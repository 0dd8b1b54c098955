"""A corpus, opened: quotes, pages, documents and SQL over its current release."""

import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self

from lookup import exact
from lookup.answer import Elsewhere, QuoteAnswer
from lookup.context import SEPARATOR, Context
from lookup.errors import PageNotFoundError, QueryError
from lookup.matching import Extent, match
from lookup.paper import Paper
from lookup.query import Query, parse
from lookup.reader import Reader
from lookup.release import Release, current_release, default_corpus
from lookup.rows import Rows
from lookup.tiers import findings

_NAMED = 8
"""Pages without text that an answer names, at most."""

_ELSEWHERE = 5
"""Other papers named, at most, when the words are not in the one asked for."""


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
    """An open corpus. Safe to share between threads; use it in a `with` statement or `close` it.

    It goes on reading the release it opened while newer ones are published; `refresh` goes over to the newest. Each call
    reads one release from beginning to end.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path
        self._reader = Reader(current_release(path))

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
        newest = current_release(self._path)
        if newest.folder == self.release.folder:
            return False
        self._reader = Reader(newest)  # calls under way in other threads finish on the old one
        return True

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
        asked = parse(query)
        if n < 1 or paragraphs < 1 or context_chars < 0:
            raise QueryError(
                f"n ({n}) and paragraphs ({paragraphs}) begin at 1, context_chars ({context_chars}) at 0."
            )
        reader = self._reader
        paper = reader.paper(key)
        reader.check_page(paper, page)
        extent = Extent(context, context_chars, paragraphs)
        if found := findings(paper, asked, page):
            return QuoteAnswer(key, query, tuple(match(reader, paper, one, extent) for one in found[:n]))
        elsewhere = _elsewhere(reader, key, asked)
        without_text, covered = _pages_without_text(reader, key)
        hint = _hint(paper, asked, page, elsewhere) if covered else _NOT_COVERED.format(repr(key))
        if covered and without_text:
            hint += " " + _unread(without_text)
        return QuoteAnswer(key, query, (), hint, elsewhere, covered)

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
        for row in reader.rows(paper, touching) if touching else ():
            here = [line for line in row["lines"] if line["page"] == page]
            if here:
                parts.append(row["text"][here[0]["start"] : here[-1]["end"]])
        return SEPARATOR.join(part for part in parts if part)

    def document(self, key: str) -> str:
        """The paper's document text: all its paragraphs in reading order, parted by a blank line; cursors count its characters."""
        reader = self._reader
        reader.paper(key)
        rows = reader.sql("SELECT text FROM paragraphs WHERE key = ? ORDER BY paragraph", [key]).fetchall()
        return SEPARATOR.join(text for (text,) in rows)


def _elsewhere(reader: Reader, key: str, asked: Query) -> tuple[Elsewhere, ...]:
    """Other papers that print the words, in the order of their keys."""
    if asked.short:
        return ()  # three letters stand in every paper; that says nothing about who is quoted
    holding = reader.sql(
        "SELECT DISTINCT key FROM paragraphs WHERE contains(text_norm, ?) AND key <> ? ORDER BY key",
        [asked.folded, key],
    )
    found: list[Elsewhere] = []
    for (other,) in holding:
        paper = reader.paper(other)
        if places := exact.find(paper, asked):
            page = paper.paragraphs[places[0].stretch.first].page
            found.append(Elsewhere(other, page, reader.page_label(other, page)))
        if len(found) == _ELSEWHERE:
            break
    return tuple(found)


_NOT_COVERED = (
    "not covered: {} has no text to judge by. Where its pages are scans, read them, or install Tesseract "
    "(apt-get install tesseract-ocr) and build the corpus again."
)


def _pages_without_text(reader: Reader, key: str) -> tuple[list[int], bool]:
    """The paper's pages that have no text to judge by, and whether there are others."""
    rows = reader.sql(
        "SELECT page, source = 'empty' FROM pages WHERE key = ? ORDER BY page", [key]
    ).fetchall()
    without = [page for page, empty in rows if empty]
    return without, len(without) < len(rows)


def _unread(pages: list[int]) -> str:
    named = ", ".join(map(str, pages[:_NAMED])) + (
        f" and {len(pages) - _NAMED} more" if len(pages) > _NAMED else ""
    )
    return f"Not covered: page{'s' if len(pages) > 1 else ''} {named}, without text to judge by."


def _hint(paper: Paper, asked: Query, page: int, elsewhere: tuple[Elsewhere, ...]) -> str:
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
