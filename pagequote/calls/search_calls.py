"""Calls that search, by topic or by keywords."""

from typing import Annotated

from lookup.corpus import Corpus
from lookup.errors import QueryError
from lookup.keywords.keyword_answer import NO_MATCH
from lookup.keywords.modes import KEYWORD_CALLS, KeywordMode
from lookup.search.search_answer import Mode, RetrievalAnswer
from pagequote.calls.arguments import About
from pagequote.calls.following import NO_MORE, paged
from pagequote.calls.parameters import (
    LONGEST_KEYWORDS,
    Detail,
    Excluded,
    Key,
    KeywordTexts,
    Offset,
    OnlyKeys,
    Sentence,
    Topics,
)
from pagequote.calls.public_messages import echo, without_folders
from pagequote.calls.replies import (
    FindReply,
    HitWords,
    KeywordPlace,
    SearchReply,
    SentencesReply,
    SentenceWords,
    words_of,
)

_NO_SENTENCE = "No sentence is close to this in meaning. Try other words, or search."


def search(
    corpus: Corpus,
    chars: int,
    query: Topics,
    n: Annotated[int, About("Paragraphs to give.", least=1, most=50)] = 5,
    mode: Annotated[Mode, About("By words and meaning, by words, or by meaning.")] = "hybrid",
    keys: OnlyKeys = (),
    author: Annotated[str, About("By this author (or part of a name) only.", most=200)] = "",
    year_from: Annotated[int, About("Of this year or later; 0 for any.", least=0, most=9999)] = 0,
    year_to: Annotated[int, About("Of this year or earlier; 0 for any.", least=0, most=9999)] = 0,
    section: Annotated[str, About("In sections whose title holds this.", most=200)] = "",
    exclude: Excluded = (),
    offset: Offset = 0,
    detail: Detail = "full",
) -> SearchReply:
    """Find the paragraphs of all papers that answer a question or are about a topic.

    Use it when you do not know the printed words. Then quote with get_quote.
    Example: {"query": "how is stray light corrected?", "n": 5}
    """
    years = (year_from or None, year_to or None) if year_from or year_to else None
    authors = [author] if author else None
    wanted = offset + n + 1
    answer = corpus.search(
        query, wanted, mode, keys or None, None, years, authors, section or None, exclude=exclude
    )
    return _hits(answer, chars, n, offset, detail)


def similar(
    corpus: Corpus,
    chars: int,
    key: Key,
    paragraph: Annotated[
        int, About("The `paragraph` of an answer about that paper.", least=0, most=1_000_000)
    ],
    n: Annotated[int, About("Paragraphs to give.", least=1, most=50)] = 5,
    keys: OnlyKeys = (),
    offset: Offset = 0,
    detail: Detail = "full",
) -> SearchReply:
    """Find paragraphs of other papers that are close to one paragraph in meaning.

    Example: {"key": "smith2020", "paragraph": 17}
    """
    answer = corpus.similar(key, paragraph, offset + n + 1, keys or None)
    return _hits(answer, chars, n, offset, detail)


def _hits(answer: RetrievalAnswer, chars: int, n: int, offset: int, detail: Detail) -> SearchReply:
    shown = answer.hits[offset : offset + n]
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
    query: Sentence,
    n_results: Annotated[int, About("Sentences to give.", least=1, most=50)] = 5,
    keys: OnlyKeys = (),
    section: Annotated[str, About("In sections whose title holds this.", most=200)] = "",
    exclude: Excluded = (),
    offset: Offset = 0,
    detail: Detail = "full",
) -> SentencesReply:
    """Find sentences that mean the same as yours, each with those before and after it.

    Use it for who said something, in which words. Then quote with get_quote.
    Example: {"query": "Marshes release carbon at night."}
    """
    found = corpus.sentences(
        query, offset + n_results + 1, keys=keys or None, section=section or None, exclude=exclude
    )
    shown = found[offset : offset + n_results]
    reply = SentencesReply(
        query=query,
        sentences=tuple(words_of(SentenceWords, one) for one in shown) if detail == "short" else shown,
        hint="" if shown else NO_MORE if found else _NO_SENTENCE,
    )
    return paged(reply, chars, "sentences", len(found), offset)


def search_context(
    corpus: Corpus,
    chars: int,
    keywords: KeywordTexts,
    keys: OnlyKeys = (),
    max_results: Annotated[int, About("Places to give.", least=1, most=50)] = 10,
    context_chars: Annotated[int, About("Characters of a place.", least=50, most=5_000)] = 300,
    offset: Offset = 0,
    detail: Detail = "full",
) -> FindReply:
    """Find the best places for some keywords, or similar words, in one paper, several or all.

    Each place has a `cursor`: get_context_at_cursor shows more.
    Example: {"keywords": "stray light", "keys": ["smith2020"]}
    """
    return _find(corpus, chars, "search_context", keywords, keys, max_results, context_chars, offset, detail)


def search_exact_phrase(
    corpus: Corpus,
    chars: int,
    keywords: KeywordTexts,
    keys: OnlyKeys = (),
    max_results: Annotated[int, About("Places to give.", least=1, most=50)] = 10,
    context_chars: Annotated[int, About("Characters of a place.", least=50, most=5_000)] = 600,
    offset: Offset = 0,
    detail: Detail = "full",
) -> FindReply:
    """Find places that have all these words side by side, else those where most of them are close together.

    `answered_by` tells which: "phrase" or "proximity". Example: {"keywords": "stray light correction"}
    """
    return _find(
        corpus, chars, "search_exact_phrase", keywords, keys, max_results, context_chars, offset, detail
    )


def search_boolean_and(
    corpus: Corpus,
    chars: int,
    keywords: KeywordTexts,
    keys: OnlyKeys = (),
    max_results: Annotated[int, About("Places to give.", least=1, most=50)] = 10,
    context_chars: Annotated[
        int, About("Characters within which all keywords must be.", least=50, most=5_000)
    ] = 600,
    offset: Offset = 0,
    detail: Detail = "full",
) -> FindReply:
    """Find places that have all these keywords close to each other, in any order, the closest first.

    Example: {"keywords": "salinity methane", "context_chars": 400}
    """
    return _find(
        corpus, chars, "search_boolean_and", keywords, keys, max_results, context_chars, offset, detail
    )


def find(
    corpus: Corpus,
    chars: int,
    keywords: KeywordTexts,
    mode: Annotated[
        KeywordMode,
        About("Rank by the words; find them as a phrase; find all of them together; take similar words too."),
    ] = "context",
    keys: OnlyKeys = (),
    max_results: Annotated[int, About("Places to give.", least=1, most=50)] = 10,
    context_chars: Annotated[int, About("Characters of a place.", least=50, most=5_000)] = 300,
    offset: Offset = 0,
    detail: Detail = "full",
) -> FindReply:
    """Find places for some keywords, in one paper, several or all."""
    return _find(
        corpus, chars, KEYWORD_CALLS[mode].method, keywords, keys, max_results, context_chars, offset, detail
    )


def _find(
    corpus: Corpus,
    chars: int,
    call: str,
    keywords: str | tuple[str, ...],
    keys: tuple[str, ...],
    max_results: int,
    context_chars: int,
    offset: int,
    detail: Detail,
) -> FindReply:
    asked = keywords if isinstance(keywords, str) else " ".join(f'"{one}"' for one in keywords)
    if sum(map(len, keywords)) > LONGEST_KEYWORDS:
        raise QueryError(f"The keywords have more than {LONGEST_KEYWORDS} characters together. Give fewer.")
    answer = getattr(corpus, call)(keywords, keys or None, offset + max_results + 1, context_chars)
    shown = answer.results[offset : offset + max_results]
    reply = FindReply(
        keywords=asked,
        answered_by=answer.answered_by,
        paragraphs=answer.paragraphs,
        results=tuple(words_of(KeywordPlace, one) for one in shown) if detail == "short" else shown,
        hint="" if shown else NO_MORE if answer else NO_MATCH,
    )
    return paged(reply, chars, "results", len(answer), offset)
