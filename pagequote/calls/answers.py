"""The answers to the calls: where papers print words, what they say of something, papers and pages to read.

All calls take an open corpus, the greatest length of their reply as JSON, and the arguments that are asked,
checked. All raise PageQuoteError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from pagequote.calls import replies, table
from pagequote.calls.arguments import paragraph_meant
from pagequote.calls.fitting import NO_MORE, P, clipped, fits, paged, shortened_to_fit, stretch
from pagequote.calls.killable import SMALL
from pagequote.calls.replies import echo, without_folders
from pagequote.quoted_form import latex_template
from retrieval.keywords.keyword_answer import KEYWORD_CALLS, NO_MATCH
from retrieval.raw_text.graphemes import around

_NARROWER = (200, 0)  # Characters shown on either side of a quote where its paragraph does not fit.
_FEW = 5  # Quotations that are judged where they are asked for, in the time of a few single ones.

_QUOTED = 50_000
"""Characters of these quotations together: the longest, if no paper prints them, take 0.3 s each."""


_BEYOND = "The section has no sentence there: it begins or ends before."
_NO_SENTENCE = "No sentence is close to this in meaning. Try other words, or search."


def get_quote(corpus: Corpus, chars: int, asked: table.GetQuote) -> replies.QuoteReply:
    """Answer `GetQuote`."""
    template = latex_template(asked.template) if asked.template else ""
    key, quote, page, limit = asked.key, asked.quote, asked.page, asked.limit
    extent = limit, asked.context, asked.context_chars, asked.paragraphs
    answer = corpus.quote(key, quote, page, *extent)
    if page and not answer.matches and not answer.elsewhere:  # the words may be on another page
        there = corpus.quote(key, quote, 0, *extent)
        if there.matches and there.matches[0].verdict != "related":
            answer, page = replace(answer, matches=there.matches), 0
    hint = answer.hint
    reply = _quote_reply(answer, asked.detail, template)
    for narrow in _NARROWER:
        if fits(replace(reply, matches=reply.matches[:1]), chars) or not answer:
            break
        answer = replace(corpus.quote(key, quote, page, limit, "chars", narrow), hint=hint)
        more = "The text around the words is shortened: the context at `cursor` shows more."
        reply = replace(_quote_reply(answer, asked.detail, template), truncated=True, more=more)
    return shortened_to_fit(
        reply,
        chars,
        "matches",
        lambda count: {
            "more": f"{count} of {len(reply.matches)} places are shown. Use `page`, or context 'sentence'."
        },
    )


def takes_long(given: Mapping[str, Any]) -> bool:
    """Return whether `check_quotes` may take long with these arguments, as they came."""
    quotes = given.get("quotes")
    return not isinstance(quotes, list | tuple) or len(quotes) > _FEW or len(str(quotes)) > SMALL


def _quote_reply(answer: QuoteAnswer, detail: table.Detail, template: str) -> replies.QuoteReply:
    nearest = next((one for one in answer.matches[:1] if one.verdict == "related"), None)
    return replies.words_of(
        replies.QuoteReply,
        answer,
        query=echo(answer.query),
        matches=tuple(replies.quote_place(one, answer.query, template, detail) for one in answer.matches),
        hint=without_folders(answer.hint),
        next_step=replies.next_call(answer.next_step, answer.query, nearest),
    )


def _listed(
    kind: type[P],
    asked: Any,
    chars: int,
    items: str,
    found: Sequence[Any],
    short: type,
    none: str,
    **said: Any,
) -> P:
    """Return the reply with those `items` of what was found that are asked for, whole or as `short` has them.

    `none` is what to do where nothing was found, and `said` its other fields.
    """
    shown = asked.shown(tuple(found))
    listed = replies.as_detailed(asked.detail, short, shown)
    hint = "" if shown else NO_MORE if found else none
    return paged(kind(**{items: listed, "hint": hint, **said}), chars, items, len(found), asked.offset)


def grep_raw(corpus: Corpus, chars: int, asked: table.GrepRaw) -> replies.GrepReply:
    """Answer `GrepRaw`."""
    found = corpus.grep(asked.quote, asked.keys or None, asked.page, asked.wanted, asked.context_chars)
    places: list[Any] = [replies.words_of(replies.PhrasePlace, one) for one in found]
    held = corpus.count(asked.quote, asked.keys or None)
    said = {"phrase": asked.quote, "paragraphs": held.paragraphs, "papers": held.papers}
    none = "No paper prints this phrase within a paragraph. Try fewer words."
    return _listed(replies.GrepReply, asked, chars, "matches", places, replies.PhraseWords, none, **said)


def show_page(corpus: Corpus, chars: int, asked: table.ShowPage) -> replies.PictureReply:
    """Answer `ShowPage`."""
    if not asked.quote:
        number = corpus.page_number(asked.key, asked.page or 1)
        labels = {one.page: one.page_label for one in corpus.pages(asked.key)}
        return replies.PictureReply(key=asked.key, page=number, page_label=labels.get(number))
    answer = corpus.quote(asked.key, asked.quote, asked.page, context="sentence")
    hint, step = without_folders(answer.hint), replies.next_call(answer.next_step, answer.query)
    reply = replies.PictureReply(key=asked.key, hint=hint, next_step=step)
    if answer:
        found = answer.matches[0]
        boxes = tuple(box for box in found.boxes if box.page == found.page)
        place: dict[str, Any] = {"page": found.page, "page_label": found.page_label, "boxes": boxes}
        reply = replace(reply, **place, verdict=found.verdict, quote=found.quote)
    return clipped(reply, chars)


def check_quotes(corpus: Corpus, chars: int, asked: table.CheckQuotes) -> replies.CheckReply:
    """Answer `CheckQuotes`."""
    if sum(len(one.quote) for one in asked.quotes) > _QUOTED:
        raise QueryError(
            f"The quotations have more than {_QUOTED:,} characters together. Send them in several calls."
        )
    verified = corpus.verify_all([(one.key, one.quote, one.page) for one in asked.quotes])
    found = [
        _value(corpus, there) if one.kind == "value" else (there, ())
        for one, there in zip(asked.quotes, verified, strict=True)
    ]
    results = tuple(replies.checked_quote(*one) for one in found)
    reply = replies.CheckReply(results=results, wrong=sum(not one for one, _ in found))

    def rest(count: int) -> dict[str, Any]:
        left = len(results) - count
        return {
            "wrong": sum(not one for one, _ in found[:count]),
            "more": f"{count} of {len(results)} quotations are checked. Send the last {left} again.",
        }

    return shortened_to_fit(reply, chars, "results", rest)


def _value(corpus: Corpus, found: Verification) -> tuple[Verification, tuple[Match, ...]]:
    """Return the verdict on a value as the paper spells it, and its places."""
    if not found.match and found.verdict != "not found":
        return found, ()
    places = corpus.ground(found.key, {"": found.quote})[""].matches if found.key else ()
    if places and found.verdict not in PRINTED:
        found = replace(corpus.verify(found.key, places[0].quote, found.page), quote=found.quote)
    return found, places


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
    hint = NO_MORE if answer and not asked.shown(answer.hits) else without_folders(answer.hint)
    said = {"query": echo(answer.query), "mode": answer.mode, "answered": answer.answered, "hint": hint}
    return _listed(replies.SearchReply, asked, chars, "hits", answer.hits, replies.HitWords, "", **said)


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
    words = replies.SentenceWords
    return _listed(
        replies.SentencesReply, asked, chars, "sentences", found, words, _NO_SENTENCE, query=asked.query
    )


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
    places = {"keywords": said, "answered_by": answer.answered_by, "paragraphs": answer.paragraphs}
    words = replies.KeywordWords
    return _listed(replies.FindReply, asked, chars, "results", answer.results, words, NO_MATCH, **places)


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
