"""Calls that search, by topic or by keywords, and that read papers: the list, a page, around a cursor."""

from dataclasses import replace

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls import replies, table
from pagequote.calls.arguments import paragraph_meant
from pagequote.calls.fitting import NO_MORE, clipped, fits, paged, stretch
from retrieval.keywords.keyword_answer import KEYWORD_CALLS, NO_MATCH
from retrieval.raw_text.graphemes import around

_BEYOND = "The section has no sentence there: it begins or ends before."
_NO_SENTENCE = "No sentence is close to this in meaning. Try other words, or search."


def search(corpus: Corpus, chars: int, asked: table.Search) -> replies.SearchReply:
    """Answer `Search`."""
    if asked.like:
        answer = corpus.similar(*paragraph_meant(asked.like), asked.wanted, asked.keys or None)
    elif asked.query:
        years = (asked.year_from or None, asked.year_to or None) if asked.year_from or asked.year_to else None
        authors = [asked.author] if asked.author else None
        filters = asked.keys or None, None, years, authors, asked.section or None
        answer = corpus.search(asked.query, asked.wanted, asked.mode, *filters, exclude=asked.exclude)
    else:
        raise QueryError("query is missing: a question or topic, in your own words.")
    shown = asked.shown(answer.hits)
    reply = replies.words_of(
        replies.SearchReply,
        answer,
        query=replies.echo(answer.query),
        hits=replies.as_detailed(asked.detail, replies.HitWords, shown),
        hint=NO_MORE if answer and not shown else replies.without_folders(answer.hint),
    )
    return paged(reply, chars, "hits", len(answer.hits), asked.offset)


def search_sentences(corpus: Corpus, chars: int, asked: table.SearchSentences) -> replies.SentencesReply:
    """Answer `SearchSentences`."""
    if asked.beside:
        one = corpus.neighbours(asked.beside, asked.steps)
        here = replies.as_detailed(asked.detail, replies.SentenceWords, (one,) if one else ())
        return replies.SentencesReply(query=asked.query, sentences=here, hint="" if one else _BEYOND)
    if not asked.query:
        raise QueryError("query is missing: a sentence or claim, in your own words.")
    keys, section = asked.keys or None, asked.section or None
    found = corpus.sentences(asked.query, asked.wanted, keys=keys, section=section, exclude=asked.exclude)
    shown = asked.shown(found)
    reply = replies.SentencesReply(
        query=asked.query,
        sentences=replies.as_detailed(asked.detail, replies.SentenceWords, shown),
        hint="" if shown else NO_MORE if found else _NO_SENTENCE,
    )
    return paged(reply, chars, "sentences", len(found), asked.offset)


def find(corpus: Corpus, chars: int, asked: table.Find) -> replies.FindReply:
    """Answer `Find`."""
    said = asked.query if isinstance(asked.query, str) else " ".join(f'"{one}"' for one in asked.query)
    if sum(map(len, asked.query)) > table.LONGEST_KEYWORDS:
        raise QueryError(
            f"The keywords have more than {table.LONGEST_KEYWORDS} characters together. Give fewer."
        )
    answer = getattr(corpus, KEYWORD_CALLS[asked.mode].method)(
        asked.query, asked.keys or None, asked.wanted, asked.context_chars
    )
    shown = asked.shown(answer.results)
    reply = replies.words_of(
        replies.FindReply,
        answer,
        keywords=said,
        results=replies.as_detailed(asked.detail, replies.KeywordWords, shown),
        hint="" if shown else NO_MORE if answer else NO_MATCH,
    )
    return paged(reply, chars, "results", len(answer), asked.offset)


def list_papers(corpus: Corpus, chars: int, asked: table.ListPapers) -> replies.PapersReply:
    """Answer `ListPapers`."""
    found = corpus.papers(asked.query, asked.limit + 1, asked.offset)
    shown = found[: asked.limit]
    hint = "" if shown else "No paper has all these words. Try fewer words or a smaller offset, or search."
    reply = replies.PapersReply(
        papers=tuple(map(replies.paper_words, shown)) if asked.detail == "short" else shown,
        hint=hint,
        next_step=None if shown or not asked.query else replies.NextCall("search", query=asked.query),
    )
    return paged(reply, chars, "papers", asked.offset + len(found), asked.offset, table.LAST_CURSOR)


def get_paper(corpus: Corpus, chars: int, asked: table.GetPaper) -> replies.PaperReply:
    """Answer `GetPaper`."""
    paper = corpus.paper(asked.key)
    headings = corpus.outline(asked.key)[asked.offset :]
    reply = replies.PaperReply(paper=paper, outline=headings)
    return paged(reply, chars, "outline", asked.offset + len(headings), asked.offset, table.LAST_PAGE)


def get_page(corpus: Corpus, chars: int, asked: table.GetPage) -> replies.PageReply:
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
    reply = replies.PageReply(
        key=asked.key,
        page=number,
        page_label=label,
        pages=len(pages),
        text=text[asked.offset :],
        offset=asked.offset,
        hint=hint,
    )

    def first(part: str) -> replies.PageReply:
        end = asked.offset + len(part)
        more = f"The page goes on: give {end} as offset."
        return replace(reply, text=part, truncated=True, more=more, next_offset=end)

    if fits(reply, chars) or not reply.text:
        return clipped(reply, chars)
    return first(stretch(reply.text, lambda part: fits(first(part), chars)))


def get_context_at_cursor(
    corpus: Corpus, chars: int, asked: table.GetContextAtCursor
) -> replies.ContextReply:
    """Answer `GetContextAtCursor`."""
    document = corpus.document(asked.key)

    def reply(before: int, after: int) -> replies.ContextReply:
        start, end = around(document, asked.cursor, before, after)
        shorter = (before, after) != (asked.chars_before, asked.chars_after)
        return replies.ContextReply(
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
