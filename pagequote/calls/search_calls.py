"""Calls that search, by topic or by keywords."""

from typing import Annotated

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.arguments import About
from pagequote.calls.fitting import NO_MORE, paged
from pagequote.calls.parameters import (
    LAST_PAGE,
    LONGEST_KEYWORDS,
    Detail,
    Excluded,
    KeywordTexts,
    Limit,
    Offset,
    OnlyKeys,
    Sentence,
    Topics,
)
from pagequote.calls.public_messages import echo, without_folders
from pagequote.calls.replies import (
    FindReply,
    HitWords,
    KeywordWords,
    SearchReply,
    SentencesReply,
    SentenceWords,
    words_of,
)
from retrieval.keywords.keyword_answer import KEYWORD_CALLS, NO_MATCH, KeywordMode
from retrieval.topics.search_answer import Mode

_BEYOND = "The section has no sentence there: it begins or ends before."
_NO_SENTENCE = "No sentence is close to this in meaning. Try other words, or search."


def search(
    corpus: Corpus,
    chars: int,
    query: Topics = "",
    limit: Limit = 5,
    mode: Annotated[Mode, About("By words and meaning, by words, or by meaning.")] = "hybrid",
    keys: OnlyKeys = (),
    author: Annotated[str, About("By this author (or part of a name) only.", most=200)] = "",
    year_from: Annotated[int, About("Of this year or later; 0 for any.", least=0, most=9999)] = 0,
    year_to: Annotated[int, About("Of this year or earlier; 0 for any.", least=0, most=9999)] = 0,
    section: Annotated[str, About("In sections whose title holds this.", most=200)] = "",
    exclude: Excluded = (),
    like: Annotated[
        str, About("Instead of `query`: near in meaning to this paragraph, KEY:PARAGRAPH of a hit.", most=320)
    ] = "",
    offset: Offset = 0,
    detail: Detail = "full",
) -> SearchReply:
    """Find the paragraphs of all papers that answer a question or are about a topic.

    Use it when you do not know the printed words. Then quote with get_quote.
    Example: {"query": "how is stray light corrected?", "limit": 5}
    """
    wanted = offset + limit + 1
    if like:
        key, _, number = like.rpartition(":")
        if not number.isdecimal() or len(number) > 9:
            raise QueryError(
                f"like must be the key and number of a paragraph, as smith2020:17, got {like!r}."
            )
        answer = corpus.similar(key, int(number), wanted, keys or None)
    elif query:
        years = (year_from or None, year_to or None) if year_from or year_to else None
        authors = [author] if author else None
        answer = corpus.search(
            query, wanted, mode, keys or None, None, years, authors, section or None, exclude=exclude
        )
    else:
        raise QueryError("query is missing: a question or topic, in your own words.")
    shown = answer.hits[offset : offset + limit]
    reply = SearchReply(
        query=echo(answer.query),
        mode=answer.mode,
        hits=tuple(words_of(HitWords, hit) for hit in shown) if detail == "short" else shown,
        answered=answer.answered,
        hint=NO_MORE if answer and not shown else without_folders(answer.hint),
    )
    return paged(reply, chars, "hits", len(answer.hits), offset)


def search_sentences(
    corpus: Corpus,
    chars: int,
    query: Sentence = "",
    limit: Limit = 5,
    keys: OnlyKeys = (),
    section: Annotated[str, About("In sections whose title holds this.", most=200)] = "",
    exclude: Excluded = (),
    beside: Annotated[str, About("Instead of `query`: the `id` of a sentence.", most=320)] = "",
    steps: Annotated[
        int, About("With `beside`: how many sentences further on; back, if negative.", -LAST_PAGE, LAST_PAGE)
    ] = 1,
    offset: Offset = 0,
    detail: Detail = "full",
) -> SentencesReply:
    """Find sentences that mean the same as yours, each with those before and after it.

    Use it for who said something, in which words. Then quote with get_quote.
    Example: {"query": "Marshes release carbon at night."}
    """
    if beside:
        one = corpus.neighbours(beside, steps)
        here = tuple(words_of(SentenceWords, each) if detail == "short" else each for each in (one,) if each)
        return SentencesReply(query=query, sentences=here, hint="" if one else _BEYOND)
    if not query:
        raise QueryError("query is missing: a sentence or claim, in your own words.")
    found = corpus.sentences(
        query, offset + limit + 1, keys=keys or None, section=section or None, exclude=exclude
    )
    shown = found[offset : offset + limit]
    reply = SentencesReply(
        query=query,
        sentences=tuple(words_of(SentenceWords, one) for one in shown) if detail == "short" else shown,
        hint="" if shown else NO_MORE if found else _NO_SENTENCE,
    )
    return paged(reply, chars, "sentences", len(found), offset)


def find(
    corpus: Corpus,
    chars: int,
    query: KeywordTexts,
    mode: Annotated[
        KeywordMode,
        About("context: the best places; phrase: side by side; all: close together; fuzzy: also misspelt."),
    ] = "context",
    keys: OnlyKeys = (),
    limit: Limit = 10,
    context_chars: Annotated[int, About("Characters of a place.", least=50, most=5_000)] = 300,
    offset: Offset = 0,
    detail: Detail = "full",
) -> FindReply:
    """Find places for keywords or a phrase, in one paper, several or all; similar words where none fit.

    Each place has a `cursor`: get_context_at_cursor shows more. `paragraphs` counts all that have the words.
    Example: {"query": "stray light", "mode": "phrase", "keys": ["smith2020"]}
    """
    asked = query if isinstance(query, str) else " ".join(f'"{one}"' for one in query)
    if sum(map(len, query)) > LONGEST_KEYWORDS:
        raise QueryError(f"The keywords have more than {LONGEST_KEYWORDS} characters together. Give fewer.")
    answer = getattr(corpus, KEYWORD_CALLS[mode].method)(
        query, keys or None, offset + limit + 1, context_chars
    )
    shown = answer.results[offset : offset + limit]
    reply = FindReply(
        keywords=asked,
        answered_by=answer.answered_by,
        paragraphs=answer.paragraphs,
        results=tuple(words_of(KeywordWords, one) for one in shown) if detail == "short" else shown,
        hint="" if shown else NO_MORE if answer else NO_MATCH,
    )
    return paged(reply, chars, "results", len(answer), offset)
