"""Calls that read papers: the list, a page, the text around a cursor."""

from dataclasses import replace

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.fitting import clipped, fits, paged, stretch
from pagequote.calls.replies import ContextReply, NextCall, PageReply, PaperReply, PapersReply, paper_words
from pagequote.calls.table import LAST_CURSOR, LAST_PAGE, GetContextAtCursor, GetPage, GetPaper, ListPapers
from retrieval.keywords.around import around


def list_papers(corpus: Corpus, chars: int, asked: ListPapers) -> PapersReply:
    """Answer `ListPapers`."""
    found = corpus.papers(asked.query, asked.limit + 1, asked.offset)
    shown = found[: asked.limit]
    hint = "" if shown else "No paper has all these words. Try fewer words or a smaller offset, or search."
    reply = PapersReply(
        papers=tuple(map(paper_words, shown)) if asked.detail == "short" else shown,
        hint=hint,
        next_step=None if shown or not asked.query else NextCall("search", query=asked.query),
    )
    return paged(reply, chars, "papers", asked.offset + len(found), asked.offset, LAST_CURSOR)


def get_paper(corpus: Corpus, chars: int, asked: GetPaper) -> PaperReply:
    """Answer `GetPaper`."""
    paper = corpus.paper(asked.key)
    headings = corpus.outline(asked.key)[asked.offset :]
    reply = PaperReply(paper=paper, outline=headings)
    return paged(reply, chars, "outline", asked.offset + len(headings), asked.offset, LAST_PAGE)


def get_page(corpus: Corpus, chars: int, asked: GetPage) -> PageReply:
    """Answer `GetPage`."""
    number = corpus.page_number(asked.key, asked.page)
    text = corpus.page(asked.key, number)
    pages = corpus.pages(asked.key)
    label = next((one.page_label for one in pages if one.page == number), None)
    if asked.offset > len(text):
        raise QueryError(
            f"offset must be at most {len(text)}, the characters of the page, got {asked.offset}."
        )
    hint = "" if text else "The page has no text: it is a picture, or empty."
    reply = PageReply(
        key=asked.key,
        page=number,
        page_label=label,
        pages=len(pages),
        text=text[asked.offset :],
        offset=asked.offset,
        hint=hint,
    )

    def first(part: str) -> PageReply:
        end = asked.offset + len(part)
        more = f"The page goes on: give {end} as offset."
        return replace(reply, text=part, truncated=True, more=more, next_offset=end)

    if fits(reply, chars) or not reply.text:
        return clipped(reply, chars)
    return first(stretch(reply.text, lambda part: fits(first(part), chars)))


def get_context_at_cursor(corpus: Corpus, chars: int, asked: GetContextAtCursor) -> ContextReply:
    """Answer `GetContextAtCursor`."""
    document = corpus.document(asked.key)

    def reply(before: int, after: int) -> ContextReply:
        start, end = around(document, asked.cursor, before, after)
        shorter = (before, after) != (asked.chars_before, asked.chars_after)
        return ContextReply(
            key=asked.key,
            cursor=asked.cursor,
            text=document[start:end],
            start=start,
            end=end,
            length=len(document),
            truncated=shorter,
            more=f"Shortened. To read on, give {end} as cursor and 0 as chars_before." if shorter else "",
        )

    before, after = asked.chars_before, asked.chars_after
    while not fits(reply(before, after), chars) and (before or after):
        before, after = before * 3 // 4, after * 3 // 4
    return clipped(reply(before, after), chars)
