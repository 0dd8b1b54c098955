"""Calls about printed words: where a paper prints them, and whether it does.

All calls take an open corpus, the greatest length of their reply as JSON, and checked arguments. Agents read
their docstrings: what a call does, when to use it, an example. All raise PageQuoteError.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.quote.match import Context
from lookup.results.difference import PRINTED
from lookup.results.quote_answer import Match, QuoteAnswer, Verification
from pagequote.calls import parameters, replies
from pagequote.calls.arguments import About
from pagequote.calls.fitting import NO_MORE, clipped, fits, paged, shortened_to_fit
from pagequote.calls.killable import SMALL
from pagequote.calls.public_messages import echo, without_folders
from pagequote.quoted_form import latex_template

_NARROWER = (200, 0)  # Characters shown on either side of a quote where its paragraph does not fit.
_QUOTES = 50  # Quotations checked by one call: some 5 ms each, more where they are not printed.
_FEW = 5  # Quotations that are judged where they are asked for, in the time of a few single ones.

_QUOTED = 50_000
"""Characters of these quotations together: the longest, if no paper prints them, take 0.3 s each."""


@dataclass(frozen=True)
class QuoteToCheck:
    """A quotation, and its given source."""

    quote: parameters.Words
    key: parameters.KeyOrAny = ""
    page: Annotated[parameters.PageOrNone, About("The page that is cited; 0 if none is.")] = 0
    kind: Annotated[
        Literal["quote", "value"], About("value: a number with its unit; all its places are given.")
    ] = "quote"


def get_quote(
    corpus: Corpus,
    chars: int,
    key: parameters.Key,
    quote: parameters.Words,
    page: parameters.PageHint = 0,
    limit: Annotated[int, About("Places to give.", least=1, most=20)] = 1,
    context: Annotated[Context, About("What to show around the words.")] = "paragraph",
    context_chars: Annotated[
        int, About("Characters on either side, with context 'chars'.", least=0, most=5_000)
    ] = 400,
    paragraphs: Annotated[int, About("Paragraphs to show, with context 'paragraph'.", least=1, most=20)] = 1,
    template: Annotated[
        str,
        About(
            "For `latex` of a match: mciteboxp, biblatex, natbib, plain, or a text with {key}, {page}, "
            "{printed_page} and {quote}.",
            most=1_000,
        ),
    ] = "",
    detail: parameters.Detail = "full",
) -> replies.QuoteReply:
    """Find where one paper prints these words: the exact printed words, their page, and a verdict.

    Use it before you quote a paper. Copy `quote` of a match, never your own words, and cite its `page`.
    Do not quote what is only "related". Without a match, see `hint`, `next_step` and `elsewhere`.
    Example: {"key": "smith2020", "quote": "the flux at night was small"}
    """
    template = latex_template(template) if template else ""
    answer = corpus.quote(key, quote, page, limit, context, context_chars, paragraphs)
    if page and not answer.matches and not answer.elsewhere:  # the words may be on another page
        there = corpus.quote(key, quote, 0, limit, context, context_chars, paragraphs)
        if there.matches and there.matches[0].verdict != "related":
            answer, page = replace(answer, matches=there.matches), 0
    hint = answer.hint
    reply = _quote_reply(answer, detail, template)
    for narrow in _NARROWER:
        if fits(replace(reply, matches=reply.matches[:1]), chars) or not answer:
            break
        answer = replace(corpus.quote(key, quote, page, limit, "chars", narrow), hint=hint)
        more = "The text around the words is shortened: the context at `cursor` shows more."
        reply = replace(_quote_reply(answer, detail, template), truncated=True, more=more)
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


def _quote_reply(answer: QuoteAnswer, detail: parameters.Detail, template: str) -> replies.QuoteReply:
    nearest = next((one for one in answer.matches[:1] if one.verdict == "related"), None)
    return replies.QuoteReply(
        key=answer.key,
        query=echo(answer.query),
        matches=tuple(replies.quote_place(one, answer.query, template, detail) for one in answer.matches),
        hint=without_folders(answer.hint),
        next_step=replies.next_call(answer.next_step, answer.query, nearest),
        elsewhere=answer.elsewhere,
        covered=answer.covered,
    )


def grep_raw(
    corpus: Corpus,
    chars: int,
    quote: parameters.Phrase,
    keys: parameters.OnlyKeys = (),
    page: parameters.PageHint = 0,
    limit: Annotated[int, About("Places to give.", least=1, most=100)] = 20,
    context_chars: Annotated[int, About("Characters on either side.", least=0, most=2_000)] = 80,
    offset: parameters.Offset = 0,
    detail: parameters.Detail = "full",
) -> replies.GrepReply:
    """Find every place in all papers that prints exactly this phrase, in order of key and page.

    Use it to see which papers print something, and in how many paragraphs its words stand.
    Example: {"quote": "carbon dioxide flux", "keys": ["smith2020"]}
    """
    found = corpus.grep(quote, keys or None, page, offset + limit + 1, context_chars)
    places = found[offset : offset + limit]
    kind = replies.PhraseWords if detail == "short" else replies.PhrasePlace
    shown: tuple[Any, ...] = tuple(replies.words_of(kind, one) for one in places)
    hint = "No paper prints this phrase within a paragraph. Try fewer words."
    hint = "" if shown else NO_MORE if found else hint
    held = corpus.count(quote, keys or None)
    reply = replies.GrepReply(
        phrase=quote,
        paragraphs=held.paragraphs,
        papers=held.papers,
        matches=shown,
        hint=hint,
    )
    return paged(reply, chars, "matches", len(found), offset)


def show_page(
    corpus: Corpus,
    chars: int,
    key: parameters.Key,
    page: Annotated[
        parameters.PageOrNone,
        About(
            "The page of the PDF, counted from 1, or as printed; 0 for the page of the words, or the first."
        ),
    ] = 0,
    quote: Annotated[str, About("Words to mark on it; empty for none.", most=parameters.LONGEST_QUERY)] = "",
) -> replies.PictureReply:
    """Look at a page: its picture, with words marked. For figures, tables, formulas, and to see a quote.

    Example: {"key": "smith2020", "quote": "the flux at night was small"}
    """
    if not quote:
        number = corpus.page_number(key, page or 1)
        labels = {one.page: one.page_label for one in corpus.pages(key)}
        return replies.PictureReply(key=key, page=number, page_label=labels.get(number))
    answer = corpus.quote(key, quote, page, context="sentence")
    hint, step = without_folders(answer.hint), replies.next_call(answer.next_step, answer.query)
    reply = replies.PictureReply(key=key, hint=hint, next_step=step)
    if answer:
        found = answer.matches[0]
        boxes = tuple(box for box in found.boxes if box.page == found.page)
        place: dict[str, Any] = {"page": found.page, "page_label": found.page_label, "boxes": boxes}
        reply = replace(reply, **place, verdict=found.verdict, quote=found.quote)
    return clipped(reply, chars)


def check_quotes(
    corpus: Corpus,
    chars: int,
    quotes: Annotated[tuple[QuoteToCheck, ...], About("The quotations.", least=1, most=_QUOTES)],
) -> replies.CheckReply:
    """Check many quotations at once: whether each is printed word for word in its paper, and on that page.

    Use it on a text that you wrote, before you hand it in. Correct all that is not "verbatim" or "abridged".
    With an empty key it tells which paper prints the words.
    Example: {"quotes": [{"key": "smith2020", "quote": "the flux at night was small", "page": 3}]}
    """
    if sum(len(one.quote) for one in quotes) > _QUOTED:
        raise QueryError(
            f"The quotations have more than {_QUOTED:,} characters together. Send them in several calls."
        )
    found = [
        _value(corpus, verified) if one.kind == "value" else (verified, ())
        for one, verified in zip(
            quotes, corpus.verify_all([(one.key, one.quote, one.page) for one in quotes]), strict=True
        )
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
