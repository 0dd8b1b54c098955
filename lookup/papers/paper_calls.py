"""The calls of a corpus about its papers: their pages, headings and text."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from lookup.limits import PageName, at_least, check_text, in_thread, with_limit
from lookup.papers.boxes import words_of
from lookup.papers.library import Library
from lookup.release.current import PARAGRAPH_SEPARATOR
from lookup.results.papers import Original, Page, PagePart, PaperSummary, PrintedWord, Section
from lookup.text.regex import regex

_PAPER = "key, title, authors, year, doi, venue, pages, paragraphs, status = 'covered'"
_NAMED = "concat_ws(' ', key, title, array_to_string(authors, ' '), year, doi, venue)"

_HOLDS = f"contains(strip_accents(lower({_NAMED})), strip_accents(lower(?)))"

_NUMBERED = regex(r"[\dA-Za-z]+(?:\.\d+)*")
"""A section number with a part for each level: "2", "2.1", "A.3", "IV"."""


class PaperCalls(ABC):
    """What a corpus says of its papers."""

    @property
    @abstractmethod
    def _library(self) -> Library:
        """The papers of the release that is read."""

    @with_limit
    def papers(self, words: str = "", limit: int | None = None, offset: int = 0) -> tuple[PaperSummary, ...]:
        """Return the papers by key of which key, title, authors, year, DOI and venue together hold `words`.

        Parts of words count, in any case and with any accents. At most `limit` papers (None: all),
        from the `offset`th on. Raise QueryError.
        """
        check_text(words)
        at_least(0, limit=limit or 0, offset=offset)
        library, parts = self._library, words.split()
        meant = library.meant(words) if parts else ()
        named = ", ".join("?" * len(meant)) or "NULL"
        holds = " AND ".join([_HOLDS] * len(parts)) or "true"
        query = (
            f"SELECT {_PAPER} FROM papers WHERE ({holds}) OR key IN ({named}) "
            f"ORDER BY key IN ({named}) DESC, key LIMIT ? OFFSET ?"
        )
        return tuple(map(_summary, library.select(query, [*parts, *meant, *meant, limit, offset])))

    def resolve(self, name: str) -> tuple[PaperSummary, ...]:
        """Return the papers that a name may mean: one, where it is clear which.

        A name is a key in any case, a DOI or its address, a file, authors with or without a year ("Fan 2021",
        "Fan et al. (2021)", "Müller & Fan"), or a title or its beginning. All calls that take a key take such
        a name where it means one paper; the key of the answer tells which.
        """
        check_text(name)
        library = self._library
        return tuple(_paper(library, key) for key in library.meant(name))

    def paper(self, key: str) -> PaperSummary:
        """Return the paper with this key. Raise UnknownKeyError."""
        return _paper(*self._of(key))

    def pages(self, key: str) -> tuple[Page, ...]:
        """Return the pages of a paper in order. Raise UnknownKeyError."""
        library, key = self._of(key)
        columns = "page, page_label, width, height, source"
        rows = library.about(key, f"SELECT {columns} FROM pages WHERE key = ? ORDER BY page")
        return tuple(Page(*row) for row in rows)

    def outline(self, key: str) -> tuple[Section, ...]:
        """Return the headings of a paper in reading order. Raise UnknownKeyError."""
        library, key = self._of(key)
        columns = "section_number, coalesce(section_title, text), page, page_label, paragraph, cursor"
        headings = "FROM printed_paragraphs WHERE key = ? AND kind = 'heading' ORDER BY paragraph"
        rows = library.about(key, f"SELECT {columns} {headings}")
        numbers = ((row[0] or "").strip(" .") for row in rows)
        levels = (number.count(".") + 1 if _NUMBERED.fullmatch(number) else 1 for number in numbers)
        return tuple(Section(level, *row) for level, row in zip(levels, rows, strict=True))

    def original(self, key: str) -> Original:
        """Return the PDF that a paper was read from. Raise UnknownKeyError."""
        library, key = self._of(key)
        ((path, sha256),) = library.about(key, "SELECT path, sha256 FROM papers WHERE key = ?")
        release = library.database.release
        return Original(key, release.source(path), sha256, release.may_ask(path))

    def abstract(self, key: str) -> str | None:
        """Return the abstract of a paper, None where it is not known. Raise UnknownKeyError."""
        library, key = self._of(key)
        ((text,),) = library.about(key, "SELECT abstract FROM papers WHERE key = ?")
        return None if text is None else str(text)

    def page_number(self, key: str, page: PageName) -> int:
        """Return the page of the PDF, counted from 1, that `page` means: itself, else the one that prints it.

        Raise UnknownKeyError or PageNotFoundError.
        """
        library = self._library
        return library.page_number(library.key_of(key, page), page)

    def page(self, key: str, page: PageName) -> str:
        """Return the text of one page in reading order, with a blank line between paragraphs.

        Of a paragraph that runs over several pages it has the part that is printed there.

        Raise UnknownKeyError or PageNotFoundError.
        """
        return PARAGRAPH_SEPARATOR.join(part.text for part in self.page_parts(key, page))

    def page_parts(self, key: str, page: PageName) -> tuple[PagePart, ...]:
        """Return what one page prints of each paragraph, in reading order: kind, text, and words in boxes.

        Raise UnknownKeyError or PageNotFoundError.
        """
        library, key = self._of(key)
        paper = library.paper(key)
        number = library.page_number(key, page)
        touching = [p.paragraph for p in paper.paragraphs if p.page <= number <= p.page_end]
        parts = []
        for row in library.rows([(paper, touching)])[0] if touching else ():
            here = [line for line in row["lines"] if line["page"] == number]
            text = row["text"][here[0]["start"] : here[-1]["end"]] if here else ""
            if text:
                lines = tuple(
                    tuple(PrintedWord(row["text"][start:end], *box) for start, end, *box in words_of(line))
                    for line in here
                )
                pages = tuple(sorted({line["page"] for line in row["lines"]}))
                parts.append(PagePart(row["paragraph"], row["kind"], text, lines, pages))
        return tuple(parts)

    def document(self, key: str) -> str:
        """Return the paper's document text, whose characters cursors count.

        All its paragraphs in reading order, with a blank line between them.

        Raise UnknownKeyError.
        """
        library, key = self._of(key)
        return PARAGRAPH_SEPARATOR.join(library.texts(key))

    def _of(self, name: str) -> tuple[Library, str]:
        library = self._library  # one release for the whole call
        return library, library.key_of(name)

    # The twins for asyncio

    apapers = in_thread(papers)
    aresolve = in_thread(resolve)
    apaper = in_thread(paper)
    apages = in_thread(pages)
    aoutline = in_thread(outline)
    aabstract = in_thread(abstract)
    apage = in_thread(page)
    apage_parts = in_thread(page_parts)
    adocument = in_thread(document)


def _paper(library: Library, key: str) -> PaperSummary:
    (row,) = library.about(key, f"SELECT {_PAPER} FROM papers WHERE key = ?")
    return _summary(row)


def _summary(row: Sequence[Any]) -> PaperSummary:
    key, title, authors, *rest = row
    return PaperSummary(key, title, tuple(authors or ()), *rest)
