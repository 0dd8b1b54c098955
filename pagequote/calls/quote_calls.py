"""Calls about printed words: where a paper prints them, and whether it does.

All calls take an open corpus, the greatest length of their reply as JSON, and the arguments that are asked,
checked. All raise PageQuoteError.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from pagequote.calls import replies
from pagequote.calls.fitting import NO_MORE, clipped, fits, paged, shortened_to_fit
from pagequote.calls.killable import SMALL
from pagequote.calls.replies import echo, without_folders
from pagequote.calls.table import CheckQuotes, Detail, GetQuote, GrepRaw, ShowPage
from pagequote.quoted_form import latex_template

_NARROWER = (200, 0)  # Characters shown on either side of a quote where its paragraph does not fit.
_FEW = 5  # Quotations that are judged where they are asked for, in the time of a few single ones.

_QUOTED = 50_000
"""Characters of these quotations together: the longest, if no paper prints them, take 0.3 s each."""


def get_quote(corpus: Corpus, chars: int, asked: GetQuote) -> replies.QuoteReply:
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


def _quote_reply(answer: QuoteAnswer, detail: Detail, template: str) -> replies.QuoteReply:
    nearest = next((one for one in answer.matches[:1] if one.verdict == "related"), None)
    return replies.words_of(
        replies.QuoteReply,
        answer,
        query=echo(answer.query),
        matches=tuple(replies.quote_place(one, answer.query, template, detail) for one in answer.matches),
        hint=without_folders(answer.hint),
        next_step=replies.next_call(answer.next_step, answer.query, nearest),
    )


def grep_raw(corpus: Corpus, chars: int, asked: GrepRaw) -> replies.GrepReply:
    """Answer `GrepRaw`."""
    found = corpus.grep(asked.quote, asked.keys or None, asked.page, asked.wanted, asked.context_chars)
    kind = replies.PhraseWords if asked.detail == "short" else replies.PhrasePlace
    shown: tuple[Any, ...] = tuple(replies.words_of(kind, one) for one in asked.shown(found))
    hint = "No paper prints this phrase within a paragraph. Try fewer words."
    hint = "" if shown else NO_MORE if found else hint
    held = corpus.count(asked.quote, asked.keys or None)
    reply = replies.words_of(replies.GrepReply, held, phrase=asked.quote, matches=shown, hint=hint)
    return paged(reply, chars, "matches", len(found), asked.offset)


def show_page(corpus: Corpus, chars: int, asked: ShowPage) -> replies.PictureReply:
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


def check_quotes(corpus: Corpus, chars: int, asked: CheckQuotes) -> replies.CheckReply:
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
