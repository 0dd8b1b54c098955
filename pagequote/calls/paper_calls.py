"""Calls that read papers: the list, a page, the text around a cursor."""

from dataclasses import replace
from typing import Annotated

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.arguments import About
from pagequote.calls.fitting import clipped, fits, paged, stretch
from pagequote.calls.parameters import LAST_CURSOR, LAST_PAGE, Detail, Key, PrintedPage
from pagequote.calls.replies import ContextReply, NextCall, PageReply, PaperReply, PapersReply, paper_words
from retrieval.keywords.around import around


def list_papers(
    corpus: Corpus,
    chars: int,
    query: Annotated[
        str, About("Words of key, title, authors, year, DOI or venue; empty for all papers.", most=500)
    ] = "",
    limit: Annotated[int, About("Papers to give.", least=1, most=100)] = 20,
    offset: Annotated[
        int, About("How many to skip: `next_offset` of the answer before.", least=0, most=LAST_CURSOR)
    ] = 0,
    detail: Detail = "full",
) -> PapersReply:
    """List the papers, or find the key of a paper by author, year or words of its title.

    Example: {"query": "smith 2020"}
    """
    found = corpus.papers(query, limit + 1, offset)
    shown = found[:limit]
    hint = "" if shown else "No paper has all these words. Try fewer words or a smaller offset, or search."
    reply = PapersReply(
        papers=tuple(map(paper_words, shown)) if detail == "short" else shown,
        hint=hint,
        next_step=None if shown or not query else NextCall("search", query=query),
    )
    return paged(reply, chars, "papers", offset + len(found), offset, LAST_CURSOR)


def get_paper(
    corpus: Corpus,
    chars: int,
    key: Key,
    offset: Annotated[
        int, About("How many headings to skip: `next_offset` of the answer before.", least=0, most=LAST_PAGE)
    ] = 0,
) -> PaperReply:
    """Describe a paper, and list its headings with their pages and cursors."""
    paper = corpus.paper(key)
    headings = corpus.outline(key)[offset:]
    reply = PaperReply(paper=paper, outline=headings)
    return paged(reply, chars, "outline", offset + len(headings), offset, LAST_PAGE)


def get_page(
    corpus: Corpus,
    chars: int,
    key: Key,
    page: Annotated[
        Annotated[int, About(least=1, most=LAST_PAGE)] | PrintedPage,
        About("The page of the PDF, counted from 1, or else as printed."),
    ],
    offset: Annotated[
        int,
        About("Where on the page to begin: `next_offset` of the answer before.", least=0, most=LAST_CURSOR),
    ] = 0,
) -> PageReply:
    """Read one page of a paper.

    A long page comes in parts: give `next_offset` as offset for the next part.
    Example: {"key": "smith2020", "page": 3}
    """
    number = corpus.page_number(key, page)
    text = corpus.page(key, number)
    pages = corpus.pages(key)
    label = next((one.page_label for one in pages if one.page == number), None)
    if offset > len(text):
        raise QueryError(f"offset must be at most {len(text)}, the characters of the page, got {offset}.")
    hint = "" if text else "The page has no text: it is a picture, or empty."
    reply = PageReply(
        key=key, page=number, page_label=label, pages=len(pages), text=text[offset:], offset=offset, hint=hint
    )

    def first(part: str) -> PageReply:
        end = offset + len(part)
        more = f"The page goes on: give {end} as offset."
        return replace(reply, text=part, truncated=True, more=more, next_offset=end)

    if fits(reply, chars) or not reply.text:
        return clipped(reply, chars)
    return first(stretch(reply.text, lambda part: fits(first(part), chars)))


def get_context_at_cursor(
    corpus: Corpus,
    chars: int,
    key: Key,
    cursor: Annotated[
        int, About("A cursor that another answer gave for this paper.", least=0, most=LAST_CURSOR)
    ],
    chars_before: Annotated[int, About("Characters before it.", least=0, most=20_000)] = 1000,
    chars_after: Annotated[int, About("Characters after it.", least=0, most=20_000)] = 1000,
) -> ContextReply:
    """Read the text of a paper around a `cursor` that another answer gave.

    To read on, call it again with `end` as cursor and 0 as chars_before.
    Example: {"key": "smith2020", "cursor": 5234}
    """
    document = corpus.document(key)

    def reply(before: int, after: int) -> ContextReply:
        start, end = around(document, cursor, before, after)
        shorter = (before, after) != (chars_before, chars_after)
        return ContextReply(
            key=key,
            cursor=cursor,
            text=document[start:end],
            start=start,
            end=end,
            length=len(document),
            truncated=shorter,
            more=f"Shortened. To read on, give {end} as cursor and 0 as chars_before." if shorter else "",
        )

    before, after = chars_before, chars_after
    while not fits(reply(before, after), chars) and (before or after):
        before, after = before * 3 // 4, after * 3 // 4
    return clipped(reply(before, after), chars)
