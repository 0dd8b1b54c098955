"""The papers of an open release: read from its database when first used; the last ones are kept."""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from cachetools import LRUCache

from lookup.errors import DamagedError, PageNotFoundError, QueryError, UnknownKeyError
from lookup.limits import PageName, texts
from lookup.papers.boxes import LineRow, page_at
from lookup.papers.paper import Paper, Paragraph, PassageSpan
from lookup.release.current import CUT_SHORT, WITHOUT_TEXT, WRONG_LANGUAGE
from lookup.release.database import Database
from lookup.text.folding import fold_with_offsets

if TYPE_CHECKING:
    from lookup.index.printed_words import PrintedWords
    from lookup.index.release_index import ParagraphId, ReleaseIndex

_HELD_CHARACTERS = 500_000
"""Characters of folded text that are kept: some 10 papers. With its copies and the index of its words a
character takes some 20 bytes."""

_HELD_TEXTS = 512
"""Paragraphs whose printed text is kept, 3 kB each: one query may look at the same ones several times."""

_HELD_ROWS = 64  # Paragraphs whose rows are kept, which hold the boxes of their words too.
_HELD_PAGES = 64  # Papers whose pages are kept.
_HELD_PLACES = 20_000  # Papers of which it is kept where their rows begin: some 3 MiB.
_HELD_NAMES = 1024  # Names of papers that are kept, with what they mean.

_ROWS_PER_STATEMENT = 500  # Rows read by one statement.

ROW = (
    "paragraph page page_label kind section_number section_title text text_raw superscripts cursor anchor "
    "lines"
).split()
"""Columns of each of its paragraphs that a match needs."""

_PARAGRAPH = ("paragraph", "page", "page_end", "kind", "text_norm", "superscripts", "row_number")


def _by_number(columns: str, numbers: Sequence[int]) -> str:
    """Return the query for paragraphs by row number; of literals, so that DuckDB uses its index."""
    return f"SELECT {columns} FROM paragraphs WHERE row_number IN ({', '.join(map(str, numbers))})"


Key = TypeVar("Key")
Value = TypeVar("Value")


class Held(Generic[Key, Value]):
    """What was read last, by key: so much that its sizes make `most`. Safe to share between threads."""

    def __init__(self, most: int, size: Callable[[Value], int] = lambda _: 1) -> None:
        self._lock = threading.Lock()
        # What is larger than all that may be kept is kept alone, until the next one.
        self._kept = LRUCache[Key, Value](most, lambda value: min(size(value), most))

    def all(
        self, keys: Iterable[Key], read: Callable[[Sequence[Key]], Mapping[Key, Value]]
    ) -> dict[Key, Value]:
        """Return the values of keys: what is kept, and what `read` returns of the others."""
        keys = list(dict.fromkeys(keys))
        with self._lock:
            found = {key: self._kept[key] for key in keys if key in self._kept}
        if missing := [key for key in keys if key not in found]:
            others = read(missing)
            with self._lock:
                self._kept.update(others)
            found |= others
        return found


class Library:
    """The papers of a release. Safe to share between threads."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.select = database.select
        self._papers = Held[str, Paper](
            _HELD_CHARACTERS, lambda paper: sum(len(one.text_norm) for one in paper.paragraphs)
        )
        self._texts = Held[int, tuple[str, str]](_HELD_TEXTS)
        self._rows = Held[int, Mapping[str, Any]](_HELD_ROWS)
        self._first_rows = Held[str, int](_HELD_PLACES)
        pages = "SELECT page, page_label, source FROM pages WHERE key = ? ORDER BY page"
        self._pages = lru_cache(_HELD_PAGES)(lambda key: self.select(pages, [key], key))
        self.meant = lru_cache(_HELD_NAMES)(self._meant)

    @cached_property
    def index(self) -> "ReleaseIndex":
        """The index of words of the release."""
        from lookup.index.release_index import ReleaseIndex  # a known key does without  # noqa: PLC0415

        return ReleaseIndex(self.database.release)

    @cached_property
    def printed(self) -> "PrintedWords":
        """Where the papers print words, by that index."""
        from lookup.index.printed_words import PrintedWords  # a known key does without  # noqa: PLC0415

        return PrintedWords(self.index)

    def count(self, table: str) -> int:
        """Return the number of rows of a table."""
        rows: int = self.database.release.manifest["rows"][table]
        return rows

    def paper(self, key: str) -> Paper:
        """Return the paper with this key. Raise UnknownKeyError, which names the closest keys."""
        found = self._papers.all([key], self._read)
        if key not in found:
            self.page_count(key)  # raises
        return found[key]

    def parts(self, wanted: Mapping[str, Collection[int]]) -> list[Paper]:
        """Return parts of papers, each as a paper of its own, from the numbers of their paragraphs by key.

        The paragraphs of a part are numbered from 0 on. Numbers that a paper does not have are left out, and
        parts without text. One statement reads them all.
        """
        from lookup.index.release_index import ParagraphId  # noqa: PLC0415  # a known key does without

        places = (ParagraphId(key, number) for key, numbers in wanted.items() for number in numbers)
        rows: dict[str, list[Paragraph]] = {key: [] for key in wanted}
        # A number that a paper does not have may be that of a paragraph of the next one.
        numbers = self.row_numbers(places)
        for key, hidden, *row in self.numbered(f"key, hidden, {', '.join(_PARAGRAPH)}", numbers):
            one = Paragraph(*row)
            if not hidden and one.paragraph in wanted.get(key, ()):
                rows[key].append(one)
        return [
            self._paper(key, [one._replace(paragraph=at) for at, one in enumerate(sorted(found))])
            for key, found in rows.items()
            if found
        ]

    def read_ahead(self, keys: Iterable[str]) -> None:
        """Read the papers with these keys by one statement, but for unknown keys and papers that are kept."""
        self._papers.all(keys, self._read)

    def keyed(self, select: str, keys: Sequence[str], after: str = "") -> list[tuple[Any, ...]]:
        """Return the rows of a query for the papers with these keys, in any order: WHERE is added to it."""

        def rows(some: list[str]) -> list[tuple[Any, ...]]:
            which = "= ?" if len(some) == 1 else f"IN ({', '.join('?' * len(some))})"
            return self.select(f"{select} WHERE key {which} {after}", some, some[0])

        return self.database.by_shard(keys, rows)

    def numbered(self, columns: str, numbers: Iterable[int]) -> list[tuple[Any, ...]]:
        """Return these columns of the paragraphs with these row numbers, in any order."""
        return self.database.by_shard(
            numbers, lambda some: self.select(_by_number(columns, some), None, some[0])
        )

    def narrowed(self, numbers: Iterable[int], where: str, params: Sequence[Any]) -> list[int]:
        """Return those of some row numbers where a condition on the paragraph `one` holds, in any order.

        It has the columns key, page, page_end and text_norm.
        """

        def rows(some: list[int]) -> list[tuple[Any, ...]]:
            # Materialized: with a further condition, DuckDB reads all paragraphs, and not by its index.
            one = _by_number("row_number, key, page, page_end, text_norm", some)
            query = f"WITH one AS MATERIALIZED ({one}) SELECT row_number FROM one WHERE {where}"
            return self.select(query, params, some[0])

        return [number for (number,) in self.database.by_shard(numbers, rows)]

    def scanned(self, where: str, params: Sequence[Any], keys: Sequence[str] | None) -> list[int]:
        """Return all row numbers where such a condition holds, by key and number; in these papers, None: all.

        All paragraphs are read: 0.1 s of the processor a million, where their numbers take 0.14 ms each.
        """
        some = " AND key IN (SELECT unnest(?))" if keys is not None else ""
        query = f"SELECT row_number FROM printed_paragraphs one WHERE {where}{some} ORDER BY key, row_number"
        given = [*params, list(keys)] if keys is not None else params
        return [number for (number,) in self.select(query, given)]

    def read_texts(self, paragraphs: Sequence[Paragraph]) -> dict[int, tuple[str, str]]:
        """Return `text` and `text_raw` of paragraphs by row number; what is not kept is read at once."""

        def read(numbers: Sequence[int]) -> dict[int, tuple[str, str]]:
            if len(numbers) == 1:  # a match needs the row as well, most often
                (row,) = self._rows.all(numbers, self._read_rows).values()
                return {numbers[0]: (row["text"], row["text_raw"])}
            rows = self.numbered("row_number, text, text_raw", numbers)
            return {number: (text, text_raw) for number, text, text_raw in rows}

        return self._texts.all((one.row_number for one in paragraphs), read)

    def rows(self, wanted: Sequence[tuple[Paper, Sequence[int]]]) -> list[list[Mapping[str, Any]]]:
        """Return, for each paper, the rows (columns ROW) of the paragraphs with these sorted numbers."""
        numbers = sorted({paper.paragraphs[i].row_number for paper, each in wanted for i in each})
        found = self._rows.all(numbers, self._read_rows)
        return [[found[paper.paragraphs[i].row_number] for i in each] for paper, each in wanted]

    def about(self, key: str, query: str) -> list[tuple[Any, ...]]:
        """Return the rows of a query whose one parameter is the key of a paper. Raise UnknownKeyError."""
        self.page_count(key)
        return self.select(query, [key], key)

    def texts(self, key: str) -> list[str]:
        """Return the texts of a paper's paragraphs, in order. Raise UnknownKeyError."""
        query = "SELECT text FROM printed_paragraphs WHERE key = ? ORDER BY paragraph"
        return [text for (text,) in self.about(key, query)]

    def row_numbers(self, places: "Iterable[ParagraphId]") -> "dict[int, ParagraphId]":
        """Return the paragraphs by their row numbers; raise DamagedError for papers that are not there."""
        places = list(places)
        keys = sorted({one.key for one in places})
        query = "SELECT key, row_number FROM paragraphs"
        first = self._first_rows.all(keys, lambda some: dict(self.keyed(query, some, "AND paragraph = 0")))
        if gone := [key for key in keys if key not in first]:
            raise DamagedError(
                f"The index of words of the release {self.database.release.name} names the paper "
                f"{gone[0]!r}, which it does not have. Build the corpus again."
            )
        return {first[one.key] + one.paragraph: one for one in places}

    def has(self, key: str) -> bool:
        """Return whether a paper has this key."""
        return self._page_count(key) is not None

    def key_of(self, name: str, page: object = 0) -> str:
        """Return the key of the one paper that `name` means; else `name` itself.

        With a page of a supplement, "S1:3", the key of that supplement, if there is one. Raise QueryError.
        """
        if not isinstance(name, str):
            raise QueryError(f"A key must be given as a text, got {type(name).__name__}: {name!r}.")
        keys = self.meant(name)
        key = keys[0] if len(keys) == 1 else name
        if isinstance(page, str) and ":" in page:
            from lookup.papers.locators import supplement_of  # a page by its number does without  # noqa: PLC0415

            supplement = f"{key}-{supplement_of(page)}"
            return supplement if self.has(supplement) else key
        return key

    def in_order(self, key: str, words: str) -> tuple[str, str]:
        """Return a key and the words that are asked of its paper, given in either order; "" for no key."""
        for one in (key, words):
            if not isinstance(one, str):
                raise QueryError(f"A key and words must be given as texts, got {type(one).__name__}.")
        if not words:
            return "", key
        alike = (len(key.split()) < 2) == (len(words.split()) < 2)  # keys have no spaces, most words do
        likely = (key, words) if alike or len(key.split()) < 2 else (words, key)
        if not key or self.has(likely[0]) or not (self.has(likely[1]) or alike):
            return likely
        return (words, key) if self.has(words) or len(self.meant(words)) == 1 else (key, words)

    def keys_of(self, names: str | Iterable[str] | None) -> list[str] | None:
        """Return `key_of` of each name, or of one; None for None. Raise QueryError for what is no text."""
        return None if names is None else list(dict.fromkeys(map(self.key_of, texts("keys", names))))

    def page_count(self, key: str) -> int:
        """Return the number of the paper's pages. Raise UnknownKeyError, which names the closest keys."""
        count = self._page_count(key)
        if count is None:
            detail = ""
            query = "SELECT path, reason, detail FROM failures WHERE key = ?"
            for path, reason, told in self.select(query, [key], key)[:1]:
                detail = told if reason == "no PDF" else f"Its PDF {path!r} could not be read: {reason}."
            from lookup.papers.naming import nearest  # not on the way to an answer  # noqa: PLC0415

            raise UnknownKeyError(key, list(self.meant(key)) or nearest(self.select, key), detail)
        return count

    def pages_meant(self, key: str, page: PageName) -> list[int] | None:
        """Return the pages that a name or locator may mean: those of the PDF, then those that print it.

        None where it is not understood.
        """
        from lookup.papers.locators import pages_of, supplement_of  # few quotes have one  # noqa: PLC0415

        supplement = supplement_of(str(page))
        if supplement and not key.endswith(f"-{supplement}"):
            return None
        return pages_of(str(page), [(number, label) for number, label, _ in self._pages(key)])

    def page_number(self, key: str, page: PageName) -> int:
        """Return the first of `pages_meant`. Raise UnknownKeyError or PageNotFoundError."""
        count = self.page_count(key)
        if not count:
            raise PageNotFoundError(
                f"{key!r} has no pages: it was read from markup. Leave the page out; the anchor of an "
                "answer is the place of its words."
            )
        if not page:
            raise PageNotFoundError(f"There is no page 0 of {key!r}: pages are counted from 1.")
        if meant := self.pages_meant(key, page):
            return meant[0]
        pages = f"pages 1 to {count}" if count > 1 else "one page"
        printed = [label for _, label, _ in self._pages(key) if label]
        labels = f" (printed {printed[0]} to {printed[-1]})" if len(printed) > 1 else ""
        raise PageNotFoundError(f"{key!r} has {pages}{labels}; there is no page {page}.")

    def page_of(self, key: str, row: Mapping[str, Any], offset: int) -> tuple[int, str | None]:
        """Return the page that prints an offset of the text of a row of `paragraphs`, and its label.

        Of a row on two pages the lines are read, unless it has them.
        """
        if row["page"] == row.get("page_end"):
            return row["page"], row["page_label"]
        query = "SELECT lines FROM printed_paragraphs WHERE key = ? AND paragraph = ?"
        lines = row["lines"] if "lines" in row else self.select(query, [key, row["paragraph"]], key)[0][0]
        page = page_at(lines, offset, row["page"])
        return page, row["page_label"] if page == row["page"] else self.page_label(key, page)

    def page_label(self, key: str, page: int) -> str | None:
        """Return what is printed on the page as its number; None where unknown."""
        return next((label for number, label, _ in self._pages(key) if number == page), None)

    def pages_without_text(self, key: str) -> list[int]:
        """Return the paper's pages that have no text to judge by."""
        return [page for page, _, source in self._pages(key) if source in WITHOUT_TEXT]

    def read_by_ocr(self, key: str, page: int) -> bool:
        """Return whether OCR read the page."""
        return any(number == page and source == "ocr" for number, _, source in self._pages(key))

    def reservations(self, key: str) -> str:
        """Return whether the paper is cut short, in a wrong language, or lacks a PDF."""
        said = [
            detail
            if reason in (CUT_SHORT, WRONG_LANGUAGE)
            else f"{ANOTHER_PDF} {PurePath(path).name} ({reason})."
            for name, path, reason, detail in self.select(_FAILED, [key, key], key)
            if name == key or not self.has(name)
        ]
        return " ".join(said)

    def hidden_by(self, key: str) -> dict[int, str | None]:
        """Return what hides those paragraphs of a paper that no reader sees, by row number."""
        query = "SELECT row_number, hidden_by FROM paragraphs WHERE key = ? AND hidden"
        return dict(self.select(query, [key], key))

    def _page_count(self, key: str) -> int | None:
        rows = self.select("SELECT pages FROM papers WHERE key = ?", [key], key)
        return int(rows[0][0]) if rows else None

    def _read(self, keys: Sequence[str]) -> dict[str, Paper]:
        """Return the papers with these keys, those without text too."""
        query = f"SELECT key, hidden, {', '.join(_PARAGRAPH)} FROM paragraphs"
        found: dict[str, tuple[list[Paragraph], list[Paragraph]]] = {}  # those that are seen, and hidden ones
        for key, hidden, *row in self.keyed(query, keys):
            found.setdefault(key, ([], []))[hidden].append(Paragraph(*row))
        return {
            key: self._paper(key, *map(sorted, found.get(key, ())))
            for key in keys
            if key in found or self.has(key)
        }

    def _paper(self, key: str, seen: Iterable[Paragraph] = (), hidden: Iterable[Paragraph] = ()) -> Paper:
        def lines(one: Paragraph) -> list[LineRow]:
            found: list[LineRow] = self._rows.all([one.row_number], self._read_rows)[one.row_number]["lines"]
            return found

        def text(one: Paragraph) -> tuple[str, str]:
            return self.read_texts([one])[one.row_number]

        return Paper(key, tuple(seen), text, self.read_texts, tuple(hidden), lines)

    def word_pages(self, paper: Paper, spans: Sequence[PassageSpan]) -> list[range]:
        """Return the pages of each span of `paper`, from that of its first word to that of its last.

        Of paragraphs that two pages share the printed lines are read, by one statement.
        """
        ends = [((one.first, one.start), (one.last, one.end - 1)) for one in spans]
        both = {i for pair in ends for i, _ in pair}
        wanted = sorted(i for i in both if paper.paragraphs[i].page != paper.paragraphs[i].page_end)
        rows = self.rows([(paper, wanted)])[0] if wanted else []
        shared = {
            i: (row, fold_with_offsets(row["text"]).starts) for i, row in zip(wanted, rows, strict=True)
        }

        def page(paragraph: int, offset: int) -> int:
            if paragraph not in shared:
                return paper.paragraphs[paragraph].page
            row, starts = shared[paragraph]
            return page_at(row["lines"], starts[offset], row["page"])

        return [range(page(*first), page(*last) + 1) for first, last in ends]

    def _read_rows(self, numbers: Sequence[int]) -> dict[int, Mapping[str, Any]]:
        """Return the rows (columns ROW) with these numbers."""
        found: dict[int, Mapping[str, Any]] = {}
        for at in range(0, len(numbers), _ROWS_PER_STATEMENT):
            some = numbers[at : at + _ROWS_PER_STATEMENT]
            for number, *row in self.numbered(f"row_number, {', '.join(ROW)}", some):
                found[number] = dict(zip(ROW, row, strict=True))
        return found

    def _meant(self, name: str) -> tuple[str, ...]:
        """Return the keys of the papers that a name may mean: the paper with that key, else see `naming`."""
        if self.has(name):
            return (name,)
        from lookup.papers.naming import meant, named  # a known key does without  # noqa: PLC0415

        return tuple(meant(named(self.select, name), name))


ANOTHER_PDF = "Its entry has another PDF that is not in the corpus:"
_FAILED = r"""
SELECT key, path, reason, detail FROM failures
    WHERE key = ? AND reason IN ('cut short', 'ocr language', 'missing file')
    OR regexp_matches(key, '-S\d+$') AND regexp_replace(key, '-S\d+$', '') = ? ORDER BY reason"""
