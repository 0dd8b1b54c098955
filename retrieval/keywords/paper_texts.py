"""The papers of a release as texts to search: whole, or the passages that the index of words names."""

import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import log
from typing import NamedTuple

from cachetools import LRUCache

from lookup.index.release_index import ASIDE, ParagraphId
from lookup.papers.boxes import page_at
from lookup.papers.library import Library
from lookup.release.current import PARAGRAPH_SEPARATOR
from retrieval.keywords.around import around
from retrieval.keywords.fuzzy import pieces
from retrieval.keywords.indexed_keywords import IndexedKeywords
from retrieval.keywords.keyword_answer import KeywordAnswer
from retrieval.keywords.paper_sql import Statements
from retrieval.keywords.parse import Keyword
from retrieval.keywords.searched_text import Location, SearchText
from retrieval.keywords.searches import Candidates, Keywords, WindowSize

_HELD_CHARACTERS = 500_000
"""Characters of text kept of the papers searched last, some 8 papers; a character takes some 3 bytes, its
bare form included."""

_PLACES = 4
"""Paragraphs read for each result that is wanted: stretches of text are ranked otherwise than paragraphs. The
first 15 of 40 searches had 1.011 times the scores of the walk through all papers before with 4, 0.998 with
2."""

_PLACES_TOGETHER = 2  # The same where several keywords must be found: 4 changed no score.

_PARAGRAPH = 200
"""Characters of a paragraph, from which it is guessed how many rows to read around one that the index names.
They have 157 on average; where they are shorter, more are read."""


class _Row(NamedTuple):
    """A row of a paper, as statements of `paper_sql` have it."""

    key: str
    cursor: int
    page: int
    page_end: int
    page_label: str | None
    section_number: str | None
    section_title: str | None
    kind: str
    paragraph: int
    text: str

    @property
    def end(self) -> int:
        """The cursor behind its last character."""
        return self.cursor + len(self.text)


Keys = str | Iterable[str] | None  # The papers to search: a key, several, or None for all.

Search = Callable[["PaperTexts", Keywords, int, int], KeywordAnswer]
"""One of the searches of retrieval.keywords.searches."""


class Papers:
    """The texts of a release's papers; those searched last are kept. Safe to share between threads."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lock = threading.Lock()
        self._texts: LRUCache[str, SearchText] = LRUCache(
            _HELD_CHARACTERS, lambda text: min(len(text.text), _HELD_CHARACTERS)
        )

    def run(
        self,
        search: Search,
        keywords: Keywords,
        keys: Sequence[str] | None,
        limit: int,
        context_chars: int,
        *,
        explain: bool,
    ) -> KeywordAnswer:
        """Return what `search` finds, with `explain` its SQL too; raise QueryError or UnknownKeyError."""
        for key in keys or ():
            self.library.page_count(key)
        # Texts that are kept need no SQL to show.
        source = PaperTexts(Papers(self.library) if explain else self, keys)
        answer = search(source, keywords, limit, context_chars)
        return replace(answer, sql=tuple(source.statements.ran)) if explain else answer

    def around(self, key: str, cursor: int, chars_before: int, chars_after: int) -> str:
        """Return the text of a paper around a cursor: see `Corpus.context`."""
        paper = self.text(key, Statements(self.library))
        start, end = around(paper.text, cursor, chars_before, chars_after)
        return paper.text[start:end]

    @cached_property
    def indexed(self) -> IndexedKeywords:
        """Where they hold keywords."""
        return IndexedKeywords(self.library.index)

    def text(self, key: str, statements: Statements) -> SearchText:
        """Return the text of the paper with this key; raise UnknownKeyError."""
        with self._lock:
            held = self._texts.get(key)
        if held is None:
            rows = [_Row(*row) for row in statements.whole_paper(key)]
            if not rows:
                self.library.page_count(key)
            held = _text(self.library, rows) if rows else SearchText("", [0], key)
            with self._lock:
                self._texts[key] = held
        return held

    def passages(self, places: Iterable[ParagraphId], chars: int, statements: Statements) -> list[SearchText]:
        """Return the texts around these paragraphs, by key and in reading order, none twice.

        Each has `chars` characters on either side, as far as the paper goes, and whole paragraphs.
        """
        at = self.library.row_numbers(places).keys()
        read: dict[int, _Row] = {}
        wanted = dict.fromkeys(at, 2 + chars // _PARAGRAPH)
        while wanted:
            near = {
                i for number, rows in wanted.items() for i in range(max(0, number - rows), number + rows + 1)
            }
            asked = near - read.keys()
            read |= {number: _Row(*row) for number, *row in statements.numbered_rows(sorted(asked))}
            wanted = {
                number: 2 * rows for number, rows in wanted.items() if not _reaches(read, number, rows, chars)
            }
        return [_text(self.library, rows) for rows in _passages(read, sorted(at), chars)]


class PaperTexts:
    """The papers with these `keys`, or all (None), as a search takes texts from them.

    A single paper is searched whole.
    """

    def __init__(self, papers: Papers, keys: Sequence[str] | None) -> None:
        self._papers = papers
        self._keys = keys
        self.statements = Statements(papers.library)

    def candidates(
        self, keywords: Sequence[Keyword], size: WindowSize, wanted: int, needed: int
    ) -> Candidates:
        """Return the passages that the index of words ranks first."""
        if self._keys is not None and len(self._keys) == 1:
            text = self._papers.text(self._keys[0], self.statements)
            return Candidates((text,), len(text.borders))
        printed = self._papers.indexed
        paragraphs = self.statements.counted(self._keys)
        held = [printed.count(printed.keyword(one.forms), self._keys) for one in keywords]
        if sum(map(bool, held)) < needed:
            return Candidates((), 0)
        weights = [log(1 + paragraphs / max(1, count)) for count in held]
        if not size.spread:
            places, limit, spread = self._first(keywords[0], wanted), wanted, 0
        else:
            limit, spread = (_PLACES if needed < 2 else _PLACES_TOGETHER) * wanted, 0
            places = self._best(keywords, weights, limit, needed, self._keys)
            if needed < 2:
                spread = size.spread
            elif len(places) < limit:  # what stands in several paragraphs
                spread = size.spread
                papers: Collection[str] | None = self._keys
                if needed == len(keywords):
                    papers = printed.in_one_paper([printed.keyword(one.forms) for one in keywords], papers)
                places += self._best(keywords, weights, limit, 1, papers)
        around = spread + size.shown // 2
        texts = self._papers.passages(dict.fromkeys(places), around, self.statements) if places else ()
        having = printed.having([one.forms for one in keywords], self._keys, needed)
        return Candidates(texts, paragraphs, held, having, len(places) >= limit)

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """Return the words of the papers that hold a piece of one of `words`."""
        if self._keys is not None and len(self._keys) == 1:
            return self._papers.text(self._keys[0], self.statements).vocabulary
        parts = list(dict.fromkeys(part for word in words for part in pieces(word)))
        return self._papers.indexed.vocabulary(parts, self._keys)

    def _first(self, keyword: Keyword, limit: int) -> list[ParagraphId]:
        """Return the first paragraphs by key that hold the keyword, references and furniture last."""
        printed = self._papers.indexed
        query = printed.keyword(keyword.forms)
        places: list[ParagraphId] = []
        for aside in (False, True):
            if left := limit - len(places):
                lots = printed.in_order(query, self._keys, left, aside=aside)
                places += islice((place for lot in lots for place in lot), left)
        return places

    def _best(
        self,
        keywords: Sequence[Keyword],
        weights: Sequence[float],
        limit: int,
        needed: int,
        keys: Collection[str] | None,
    ) -> list[ParagraphId]:
        """Return the best paragraphs with so many keywords as are needed, references and furniture last."""
        weighted = [(one.forms, weight) for one, weight in zip(keywords, weights, strict=True)]
        places: list[ParagraphId] = []
        for aside in (False, True):
            if left := limit - len(places):
                places += self._papers.indexed.best(weighted, keys, left, needed, aside=aside)
        return places


def _reaches(read: Mapping[int, _Row], number: int, rows: int, chars: int) -> bool:
    """Return whether `rows` rows on either side have `chars` characters, or the paper has no more there."""
    row = read[number]
    before, after = (read.get(at) for at in (number - rows, number + rows))
    return (before is None or before.key != row.key or before.cursor <= row.cursor - chars) and (
        after is None or after.key != row.key or after.end >= row.end + chars
    )


def _passages(read: Mapping[int, _Row], numbers: Iterable[int], chars: int) -> list[list[_Row]]:
    """Return the rows within `chars` characters of those with these ascending numbers, as runs."""
    found: list[list[_Row]] = []
    ended = 0
    for number in numbers:
        row = read[number]
        first = last = number
        while (one := read.get(first - 1)) and one.key == row.key and one.end > row.cursor - chars:
            first -= 1
        while (one := read.get(last + 1)) and one.key == row.key and one.cursor < row.end + chars:
            last += 1
        begun = bool(found) and found[-1][0].key == row.key and first <= ended
        if not begun:
            found.append([])
        found[-1] += [read[at] for at in range(ended if begun else first, last + 1)]
        ended = max(ended, last + 1) if begun else last + 1
    return found


def _text(library: Library, rows: Sequence[_Row]) -> SearchText:
    """Return the text of consecutive rows of a paper."""
    begins = rows[0].cursor
    return SearchText(
        PARAGRAPH_SEPARATOR.join(row.text for row in rows),
        [row.cursor - begins for row in rows],
        rows[0].key,
        frozenset(number for number, row in enumerate(rows) if row.kind in ASIDE),
        _locations(library, [row._replace(text="") for row in rows]),
        begins,
    )


def _locations(library: Library, rows: Sequence[_Row]) -> Callable[[int], Location]:
    """Return a function from an offset to its location; it reads the lines of paragraphs on two pages."""
    cursors = [row.cursor for row in rows]

    def location(at: int) -> Location:
        row = rows[max(0, bisect_right(cursors, at + cursors[0]) - 1)]
        page, label = row.page, row.page_label
        if page != row.page_end:
            query = "SELECT lines FROM printed_paragraphs WHERE key = ? AND paragraph = ?"
            ((lines,),) = library.select(query, [row.key, row.paragraph], row.key)
            page = page_at(lines, at + cursors[0] - row.cursor, row.page)
            label = label if page == row.page else library.page_label(row.key, page)
        return Location(page, label, row.section_number, row.section_title, row.kind)

    return location
