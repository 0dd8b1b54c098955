"""What a corpus holds: its papers, and the pages, headings and text of each."""

from collections.abc import Sequence
from typing import Any

from lookup.limits import PageName, at_least
from lookup.papers.boxes import words_of
from lookup.papers.library import Library
from lookup.results.papers import Page, PagePart, PaperSummary, PrintedWord, Section
from lookup.text.regex import regex

_PAPER = "key, title, authors, year, doi, venue, pages, paragraphs, status = 'covered'"
_NAMED = "concat_ws(' ', key, title, array_to_string(authors, ' '), year, doi, venue)"

_HOLDS = f"contains(strip_accents(lower({_NAMED})), strip_accents(lower(?)))"

_NUMBERED = regex(r"[\dA-Za-z]+(?:\.\d+)*")
"""A section number with a part for each level: "2", "2.1", "A.3", "IV"."""


def list_papers(library: Library, words: str, limit: int | None, offset: int) -> tuple[PaperSummary, ...]:
    """Return papers by key: see `Corpus.papers`."""
    at_least(0, limit=limit or 0, offset=offset)
    parts = words.split()
    meant = library.meant(words) if parts else ()
    named = ", ".join("?" * len(meant)) or "NULL"
    holds = " AND ".join([_HOLDS] * len(parts)) or "true"
    query = (
        f"SELECT {_PAPER} FROM papers WHERE ({holds}) OR key IN ({named}) "
        f"ORDER BY key IN ({named}) DESC, key LIMIT ? OFFSET ?"
    )
    return tuple(_summary(row) for row in library.select(query, [*parts, *meant, *meant, limit, offset]))


def paper_summary(library: Library, key: str) -> PaperSummary:
    """Return the paper with this key. Raise UnknownKeyError."""
    (row,) = library.about(key, f"SELECT {_PAPER} FROM papers WHERE key = ?")
    return _summary(row)


def pages(library: Library, key: str) -> tuple[Page, ...]:
    """Return the pages of a paper in order. Raise UnknownKeyError."""
    columns = "page, page_label, width, height, source"
    rows = library.about(key, f"SELECT {columns} FROM pages WHERE key = ? ORDER BY page")
    return tuple(Page(*row) for row in rows)


def outline(library: Library, key: str) -> tuple[Section, ...]:
    """Return the headings of a paper in reading order. Raise UnknownKeyError."""
    columns = "section_number, coalesce(section_title, text), page, page_label, paragraph, cursor"
    headings = "FROM printed_paragraphs WHERE key = ? AND kind = 'heading' ORDER BY paragraph"
    rows = library.about(key, f"SELECT {columns} {headings}")
    numbers = ((row[0] or "").strip(" .") for row in rows)
    levels = (number.count(".") + 1 if _NUMBERED.fullmatch(number) else 1 for number in numbers)
    return tuple(Section(level, *row) for level, row in zip(levels, rows, strict=True))


def page_parts(library: Library, key: str, page: PageName) -> tuple[PagePart, ...]:
    """Return what is printed on one page, in reading order. Raise UnknownKeyError or PageNotFoundError."""
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


def _summary(row: Sequence[Any]) -> PaperSummary:
    key, title, authors, *rest = row
    return PaperSummary(key, title, tuple(authors or ()), *rest)
