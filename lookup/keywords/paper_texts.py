"""The papers of a release as texts to search."""

import threading
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from cachetools import LRUCache

from lookup.keywords.fuzzy import pieces
from lookup.keywords.paper_sql import SqlStatement, StatementLog, papers_holding, words_holding
from lookup.keywords.parse import Keyword
from lookup.keywords.searched_text import Location, SearchText
from lookup.keywords.searches import Pool
from lookup.papers.boxes import page_at
from lookup.papers.library import Library
from lookup.release.schema import PARAGRAPH_SEPARATOR

_HELD_CHARACTERS = 500_000
"""Characters of text kept of the papers searched last, some 8 papers; a character takes some 3 bytes, its
bare form included."""

_MORE = 5
"""Papers searched besides one for each result: SQL ranks other stretches than those that are shown."""

_MORE_TOGETHER = 30
"""The same where all keywords must be found: a paper may have them too far apart."""

_LAST = ("reference", "furniture")

_COLUMNS = "key, cursor, page, page_end, page_label, section_number, section_title, kind, paragraph, text"


class Papers:
    """The texts of a release's papers; those searched last are kept. Safe to share between threads."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lock = threading.Lock()
        self._texts: LRUCache[str, SearchText] = LRUCache(_HELD_CHARACTERS, getsizeof=_size)

    def texts(self, keys: Sequence[str], statements: StatementLog) -> list[SearchText]:
        """Return the texts of the papers with these keys; raise UnknownKeyError."""
        with self._lock:
            held = {key: self._texts[key] for key in keys if key in self._texts}
        missing = [key for key in keys if key not in held]
        for key, rows in _by_key(statements.run(_reading(missing)) if missing else ()).items():
            held[key] = _text(self.library, key, rows)
        for key in keys:
            if key not in held:
                self.library.page_count(key)
                held[key] = SearchText("", [0], key)
        with self._lock:
            self._texts.update((key, held[key]) for key in keys)
        return [held[key] for key in keys]


def _size(text: SearchText) -> int:
    """Return the characters of a text; a cache has room for any single text, however long."""
    return min(len(text.text), _HELD_CHARACTERS)


class PaperShelf:
    """The papers with these `keys`, or all (None), as a search takes texts from them.

    A single paper is searched without asking SQL for candidates.
    """

    def __init__(self, papers: Papers, keys: Sequence[str] | None) -> None:
        self._papers = papers
        self._keys = keys
        self.statements = StatementLog(papers.library)

    def pool(self, keywords: Sequence[Keyword], chars: int, wanted: int, *, together: bool) -> Pool:
        """Return the papers that SQL ranks first."""
        if self._keys is not None and len(self._keys) == 1:
            text = self._papers.texts(self._keys, self.statements)[0]
            return Pool((text,), len(text.borders))
        limit = wanted + (_MORE_TOGETHER if together else _MORE)
        rows = self.statements.run(papers_holding(keywords, self._keys, chars, limit, together=together))
        if not rows:
            return Pool((), 0)
        texts = self._papers.texts([row[0] for row in rows], self.statements)
        return Pool(texts, rows[0][1], [held or 0 for held in rows[0][2:]])

    def vocabulary(self, words: Sequence[str]) -> Collection[str]:
        """Return the words of the papers that hold a piece of one of `words`."""
        if self._keys is not None and len(self._keys) == 1:
            return self._papers.texts(self._keys, self.statements)[0].vocabulary
        parts = list(dict.fromkeys(part for word in words for part in pieces(word)))
        printed = (word for (word,) in self.statements.run(words_holding(parts, self._keys)))
        return SearchText("\n".join(printed), [0]).vocabulary


def _reading(keys: Sequence[str]) -> SqlStatement:
    which = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
    return SqlStatement(
        f"SELECT {_COLUMNS}\nFROM printed_paragraphs\nWHERE key {which}\nORDER BY key, paragraph", tuple(keys)
    )


def _by_key(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    for key, *row in rows:
        found.setdefault(key, []).append(tuple(row))
    return found


def _text(library: Library, key: str, rows: Sequence[tuple[Any, ...]]) -> SearchText:
    """Return the document text of a paper, from its rows in order."""
    last = frozenset(number for number, row in enumerate(rows) if row[6] in _LAST)
    text = PARAGRAPH_SEPARATOR.join(row[-1] for row in rows)
    borders = [row[0] for row in rows]
    return SearchText(text, borders, key, last, _locations(library, key, [row[:-1] for row in rows], borders))


def _locations(
    library: Library, key: str, rows: Sequence[tuple[Any, ...]], borders: Sequence[int]
) -> Callable[[int], Location]:
    """Return a function from an offset to its location; it reads the lines of paragraphs on two pages."""

    def location(at: int) -> Location:
        cursor, page, page_end, label, number, title, kind, paragraph = rows[
            max(0, bisect_right(borders, at) - 1)
        ]
        if page != page_end:
            query = "SELECT lines FROM printed_paragraphs WHERE key = ? AND paragraph = ?"
            ((lines,),) = library.select(query, [key, paragraph])
            printed = page_at(lines, at - cursor, page)
            label = label if printed == page else library.page_label(key, printed)
            page = printed
        return Location(page, label, number, title, kind)

    return location
