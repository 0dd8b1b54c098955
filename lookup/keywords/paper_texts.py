"""The papers of a release as texts to search."""

import threading
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any

from lookup.keywords.candidates import papers_holding, words_holding
from lookup.keywords.fuzzy import pieces
from lookup.keywords.keywords import Keyword
from lookup.keywords.shelf import Pool
from lookup.keywords.statements import Statement, Statements
from lookup.keywords.text import Place, SearchText
from lookup.papers.boxes import page_at
from lookup.papers.library import Library
from lookup.release.schema import PARAGRAPH_SEPARATOR

_HELD_CHARACTERS = 500_000
"""Characters of text kept of the papers searched last, some 8 papers; with its bare form a character takes some 3 bytes."""

_MORE = 5
"""Papers searched beside one for each result: the stretches that SQL ranks are not quite those that are shown."""

_MORE_TOGETHER = 30
"""The same where all keywords are wanted: a paper may have them too far apart."""

_LAST = ("reference", "furniture")

_COLUMNS = "key, cursor, page, page_end, page_label, section_number, section_title, kind, paragraph, text"


class Papers:
    """The texts of a release's papers, those searched last held. Safe to share between threads."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self._lock = threading.Lock()
        self._texts: OrderedDict[str, SearchText] = OrderedDict()

    def texts(self, keys: Sequence[str], statements: Statements) -> list[SearchText]:
        """The texts of the papers with these keys; raises UnknownKeyError."""
        with self._lock:
            held = {key: self._texts[key] for key in keys if key in self._texts}
        missing = [key for key in keys if key not in held]
        for key, rows in _by_key(statements.run(_reading(missing)) if missing else ()).items():
            held[key] = _text(self.library, key, rows)
        for key in keys:
            if key not in held:
                self.library.page_count(key)
                held[key] = SearchText("", [0], key)
        self._hold([held[key] for key in keys])
        return [held[key] for key in keys]

    def _hold(self, texts: Iterable[SearchText]) -> None:
        with self._lock:
            for text in texts:
                self._texts[text.key or ""] = text
                self._texts.move_to_end(text.key or "")
            size = sum(len(text.text) for text in self._texts.values())
            while size > _HELD_CHARACTERS and len(self._texts) > 1:
                size -= len(self._texts.popitem(last=False)[1].text)


class PaperShelf:
    """The papers with these `keys`, or all (None), as a search takes texts from them; a single one is searched without asking which to search."""

    def __init__(self, papers: Papers, keys: Sequence[str] | None) -> None:
        self._papers = papers
        self._keys = keys
        self.statements = Statements(papers.library)

    def pool(self, keywords: Sequence[Keyword], chars: int, wanted: int, *, together: bool) -> Pool:
        """The papers that SQL ranks first."""
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
        """The words with a piece of one of `words`: of the papers' vocabulary, those that may be meant."""
        if self._keys is not None and len(self._keys) == 1:
            return self._papers.texts(self._keys, self.statements)[0].vocabulary
        parts = list(dict.fromkeys(part for word in words for part in pieces(word)))
        printed = (word for (word,) in self.statements.run(words_holding(parts, self._keys)))
        return SearchText("\n".join(printed), [0]).vocabulary


def _reading(keys: Sequence[str]) -> Statement:
    which = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
    return Statement(
        f"SELECT {_COLUMNS}\nFROM paragraphs\nWHERE key {which}\nORDER BY key, paragraph", tuple(keys)
    )


def _by_key(rows: Iterable[tuple[Any, ...]]) -> dict[str, list[tuple[Any, ...]]]:
    found: dict[str, list[tuple[Any, ...]]] = {}
    for key, *row in rows:
        found.setdefault(key, []).append(tuple(row))
    return found


def _text(library: Library, key: str, rows: Sequence[tuple[Any, ...]]) -> SearchText:
    """The document text of a paper, from its rows in order."""
    last = frozenset(number for number, row in enumerate(rows) if row[6] in _LAST)
    text = PARAGRAPH_SEPARATOR.join(row[-1] for row in rows)
    borders = [row[0] for row in rows]
    return SearchText(text, borders, key, last, _places(library, key, [row[:-1] for row in rows], borders))


def _places(
    library: Library, key: str, rows: Sequence[tuple[Any, ...]], borders: Sequence[int]
) -> Callable[[int], Place]:
    """What tells where an offset is printed; the lines are read where a paragraph runs over a page."""

    def place(at: int) -> Place:
        cursor, page, page_end, label, number, title, kind, paragraph = rows[
            max(0, bisect_right(borders, at) - 1)
        ]
        if page != page_end:
            query = "SELECT lines FROM paragraphs WHERE key = ? AND paragraph = ?"
            ((lines,),) = library.select(query, [key, paragraph])
            printed = page_at(lines, at - cursor, page)
            label = label if printed == page else library.page_label(key, printed)
            page = printed
        return Place(page, label, number, title, kind)

    return place
