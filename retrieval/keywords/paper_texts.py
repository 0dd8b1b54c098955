"""The papers of a release as texts to search: whole, or the passages that the index of words names."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from math import log
from typing import Any, NamedTuple

from lookup.index.release_index import ASIDE, ParagraphId
from lookup.papers.library import Held, Library
from lookup.release.current import PARAGRAPH_SEPARATOR
from retrieval.keywords.indexed_keywords import IndexedKeywords
from retrieval.keywords.keyword_answer import KeywordAnswer
from retrieval.keywords.parse import Keyword, pieces
from retrieval.keywords.searched_text import LOCATION, SearchText
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


_COLUMNS = "key, cursor, page, page_end, page_label, section_number, section_title, kind, paragraph, text"


class _Row(NamedTuple):
    """The _COLUMNS of a paragraph."""

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

Search = Callable[["SearchText | PaperTexts", Keywords, int, int], KeywordAnswer]
"""One of the searches of retrieval.keywords.searches."""


class Papers:
    """The texts of a release's papers; those searched last are kept. Safe to share between threads."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.held = Held[str, SearchText](_HELD_CHARACTERS, lambda text: len(text.text))

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
        texts = PaperTexts(Papers(self.library) if explain else self, keys)
        source = texts.whole(keys[0]) if keys is not None and len(keys) == 1 else texts
        answer = search(source, keywords, limit, context_chars)
        return replace(answer, sql=tuple(texts.ran)) if explain else answer

    @cached_property
    def indexed(self) -> IndexedKeywords:
        """Where they hold keywords."""
        return IndexedKeywords(self.library.index)


class PaperTexts:
    """The papers with these `keys`, or all (None), as a search takes texts from them.

    Statements run with parameters; `ran` has them with their values in
    place, as a client runs them.
    """

    def __init__(self, papers: Papers, keys: Sequence[str] | None) -> None:
        self._papers, self._library = papers, papers.library
        self._keys = keys
        self.ran: list[str] = []

    def candidates(
        self, keywords: Sequence[Keyword], size: WindowSize, wanted: int, needed: int
    ) -> Candidates:
        """Return the passages that the index of words ranks first, enough for `wanted` results.

        A result holds at least so many of the keywords as are `needed`.
        """
        printed = self._papers.indexed
        where = "" if self._keys is None else f"\nWHERE key IN ({', '.join('?' * len(self._keys))})"
        ((counted,),) = self._select(
            f"SELECT coalesce(sum(paragraphs), 0)::BIGINT\nFROM papers{where}", *(self._keys or ())
        )
        paragraphs = int(counted)
        held = [printed.count(printed.keyword(one.forms), self._keys) for one in keywords]
        if sum(map(bool, held)) < needed:
            return Candidates((), 0)
        weighted = [
            (one.forms, log(1 + paragraphs / max(1, count)))
            for one, count in zip(keywords, held, strict=True)
        ]

        def best(needed: int, keys: Collection[str] | None) -> list[ParagraphId]:
            """Return the best paragraphs with so many keywords as are needed."""
            return _aside_last(
                limit, lambda left, aside: printed.best(weighted, keys, left, needed, aside=aside)
            )

        if not size.spread:  # the first paragraphs by key
            query = printed.keyword(keywords[0].forms)
            limit = wanted
            places = _aside_last(
                limit,
                lambda left, aside: chain.from_iterable(
                    printed.in_order(query, self._keys, left, aside=aside)
                ),
            )
        else:
            limit = (_PLACES if needed < 2 else _PLACES_TOGETHER) * wanted
            places = best(needed, self._keys)
        spread = size.spread if needed < 2 else 0
        if size.spread and needed > 1 and len(places) < limit:  # what stands in several paragraphs
            spread = size.spread
            papers: Collection[str] | None = self._keys
            if needed == len(keywords):
                queries = [printed.keyword(one.forms) for one in keywords]
                for query in sorted(queries, key=lambda one: printed.count(one, self._keys)):
                    papers = printed.papers(query, papers)
            places += best(1, papers)
        texts = self._passages(dict.fromkeys(places), spread + size.shown // 2) if places else ()
        having = printed.having([one.forms for one in keywords], self._keys, needed)
        return Candidates(texts, paragraphs, (held, having), len(places) >= limit)

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """Return the words of the papers that hold a piece of one of `words`, which may be meant by it."""
        parts = list(dict.fromkeys(part for word in words for part in pieces(word)))
        return self._papers.indexed.vocabulary(parts, self._keys)

    def whole(self, key: str) -> SearchText:
        """Return the text of the paper with this key; raise UnknownKeyError."""

        def read(keys: Sequence[str]) -> dict[str, SearchText]:
            query = f"SELECT {_COLUMNS}\nFROM printed_paragraphs\nWHERE key = ?\nORDER BY key, paragraph"
            rows = [_Row(*row) for row in self._select(query, *keys)]
            if not rows:
                self._library.page_count(key)
            return {key: _text(self._library, rows) if rows else SearchText("", [0], key)}

        return self._papers.held.all([key], read)[key]

    def _passages(self, places: Iterable[ParagraphId], chars: int) -> list[SearchText]:
        """Return the texts around these paragraphs, by key and in reading order, none twice.

        Each has `chars` characters on either side, as far as the paper goes, and whole paragraphs.
        """
        at = self._library.row_numbers(places).keys()
        read: dict[int, _Row] = {}
        wanted = dict.fromkeys(at, 2 + chars // _PARAGRAPH)
        while wanted:
            near = {
                i for number, rows in wanted.items() for i in range(max(0, number - rows), number + rows + 1)
            }
            listed = ", ".join(map(str, sorted(near - read.keys())))  # literals, for which there is an index
            found = self._select(
                f"SELECT row_number, {_COLUMNS}\nFROM printed_paragraphs\nWHERE row_number IN ({listed})"
            )
            read |= {number: _Row(*row) for number, *row in found}
            wanted = {
                number: 2 * rows for number, rows in wanted.items() if not _reaches(read, number, rows, chars)
            }
        return [_text(self._library, rows) for rows in _runs(read, sorted(at), chars)]

    def _select(self, sql: str, *values: str) -> Sequence[tuple[Any, ...]]:
        left = iter(values)
        self.ran.append(re.sub(r"\?", lambda _: "'" + next(left).replace("'", "''") + "'", sql))
        return self._library.select(sql, values)


def _aside_last(limit: int, found: Callable[[int, bool], Iterable[ParagraphId]]) -> list[ParagraphId]:
    """Return the first paragraphs that are `found`: so many as are left, then those of kinds in ASIDE."""
    places: list[ParagraphId] = []
    for aside in (False, True):
        if left := limit - len(places):
            places += islice(found(left, aside), left)
    return places


def _reaches(read: Mapping[int, _Row], number: int, rows: int, chars: int) -> bool:
    """Return whether `rows` rows on either side have `chars` characters, or the paper has no more there."""
    row = read[number]
    before, after = (read.get(at) for at in (number - rows, number + rows))
    return (before is None or before.key != row.key or before.cursor <= row.cursor - chars) and (
        after is None or after.key != row.key or after.end >= row.end + chars
    )


def _runs(read: Mapping[int, _Row], numbers: Iterable[int], chars: int) -> list[list[_Row]]:
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
    """Return the text of consecutive rows of a paper; its locations read the lines of rows on two pages."""
    begins = rows[0].cursor
    located = [row._replace(text="") for row in rows]

    def location(at: int) -> Mapping[str, Any]:
        row = located[bisect_right(located, at + begins, key=lambda one: one.cursor) - 1]
        page, label = library.page_of(row.key, row._asdict(), at + begins - row.cursor)
        return dict(
            zip(LOCATION, (page, label, row.section_number, row.section_title, row.kind), strict=True)
        )

    return SearchText(
        PARAGRAPH_SEPARATOR.join(row.text for row in rows),
        [row.cursor - begins for row in rows],
        rows[0].key,
        frozenset(number for number, row in enumerate(rows) if row.kind in ASIDE),
        location,
        begins,
    )
