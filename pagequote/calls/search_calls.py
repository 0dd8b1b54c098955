"""Calls that search, by topic or by keywords."""

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.fitting import NO_MORE, paged
from pagequote.calls.names import paragraph_meant
from pagequote.calls.public_messages import echo, without_folders
from pagequote.calls.replies import (
    FindReply,
    HitWords,
    KeywordWords,
    SearchReply,
    SentencesReply,
    SentenceWords,
    as_detailed,
)
from pagequote.calls.table import LONGEST_KEYWORDS, Find, Search, SearchSentences
from retrieval.keywords.keyword_answer import KEYWORD_CALLS, NO_MATCH

_BEYOND = "The section has no sentence there: it begins or ends before."
_NO_SENTENCE = "No sentence is close to this in meaning. Try other words, or search."


def search(corpus: Corpus, chars: int, asked: Search) -> SearchReply:
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
    reply = SearchReply(
        query=echo(answer.query),
        mode=answer.mode,
        hits=as_detailed(asked.detail, HitWords, shown),
        answered=answer.answered,
        hint=NO_MORE if answer and not shown else without_folders(answer.hint),
    )
    return paged(reply, chars, "hits", len(answer.hits), asked.offset)


def search_sentences(corpus: Corpus, chars: int, asked: SearchSentences) -> SentencesReply:
    """Answer `SearchSentences`."""
    if asked.beside:
        one = corpus.neighbours(asked.beside, asked.steps)
        here = as_detailed(asked.detail, SentenceWords, (one,) if one else ())
        return SentencesReply(query=asked.query, sentences=here, hint="" if one else _BEYOND)
    if not asked.query:
        raise QueryError("query is missing: a sentence or claim, in your own words.")
    keys, section = asked.keys or None, asked.section or None
    found = corpus.sentences(asked.query, asked.wanted, keys=keys, section=section, exclude=asked.exclude)
    shown = asked.shown(found)
    reply = SentencesReply(
        query=asked.query,
        sentences=as_detailed(asked.detail, SentenceWords, shown),
        hint="" if shown else NO_MORE if found else _NO_SENTENCE,
    )
    return paged(reply, chars, "sentences", len(found), asked.offset)


def find(corpus: Corpus, chars: int, asked: Find) -> FindReply:
    """Answer `Find`."""
    said = asked.query if isinstance(asked.query, str) else " ".join(f'"{one}"' for one in asked.query)
    if sum(map(len, asked.query)) > LONGEST_KEYWORDS:
        raise QueryError(f"The keywords have more than {LONGEST_KEYWORDS} characters together. Give fewer.")
    answer = getattr(corpus, KEYWORD_CALLS[asked.mode].method)(
        asked.query, asked.keys or None, asked.wanted, asked.context_chars
    )
    shown = asked.shown(answer.results)
    reply = FindReply(
        keywords=said,
        answered_by=answer.answered_by,
        paragraphs=answer.paragraphs,
        results=as_detailed(asked.detail, KeywordWords, shown),
        hint="" if shown else NO_MORE if answer else NO_MATCH,
    )
    return paged(reply, chars, "results", len(answer), asked.offset)
