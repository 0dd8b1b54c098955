"""The searches: each takes the texts that may answer it from a shelf, and says which search answered."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from lookup.errors import QueryError
from lookup.keywords.closeness import complete_windows, near_windows
from lookup.keywords.fuzzy import near_words
from lookup.keywords.keywords import Keyword, keywords_of, phrase_of, single_words
from lookup.keywords.ranking import ranked_windows, weights
from lookup.keywords.shelf import Pool, Shelf
from lookup.keywords.text import Hit
from lookup.keywords.windows import Chosen, Searched, Windows, chosen
from lookup.results.keyword_answer import AnsweredBy, SearchAnswer, SearchResult

_NEAR = 4
"""Times its length that the words of a phrase may be apart..."""

_NEAR_AT_LEAST = 200
"""...and the characters that they always may."""

_MEANT = 40
"""Words, at most, that are taken for one keyword: the likest."""

_NOTHING = Pool((), 0)

Asked = str | Iterable[str]


def search_context(shelf: Shelf, asked: Asked, count: int, chars: int) -> SearchAnswer:
    """The best stretches by TF-IDF; where none of the keywords that tell something stands anywhere, Boolean, then fuzzy."""
    _check(count, chars)
    keywords = keywords_of(asked)
    return (
        _ranked(shelf, [keyword for keyword in keywords if keyword.telling], count, chars, "ranking")
        or _complete(shelf, keywords, count, chars, "boolean")
        or _fuzzy(shelf, keywords, count, chars)
    )


def search_boolean_and(shelf: Shelf, asked: Asked, count: int, chars: int) -> SearchAnswer:
    """The stretches of at most `chars` characters that hold all keywords, the closest first."""
    _check(count, chars)
    return _complete(shelf, keywords_of(asked), count, chars, "boolean")


def search_exact_phrase(shelf: Shelf, asked: Asked, count: int, chars: int) -> SearchAnswer:
    """The places of the phrase; where there is none, those where most of its words stand close together."""
    _check(count, chars)
    phrase = phrase_of(asked)
    return _complete(shelf, [phrase], count, chars, "phrase") or _near(shelf, phrase, count, chars)


def search_fuzzy(shelf: Shelf, asked: Asked, count: int, chars: int) -> SearchAnswer:
    """The best stretches by TF-IDF of the keywords and of words that may be meant by them."""
    _check(count, chars)
    return _fuzzy(shelf, keywords_of(asked), count, chars)


def _fuzzy(shelf: Shelf, keywords: Sequence[Keyword], count: int, chars: int) -> SearchAnswer:
    words = single_words(keywords)
    words = tuple(word for word in words if word.telling) or words
    vocabulary = shelf.vocabulary([word.joined for word in words])
    widened = [word.with_near(near_words(word.joined, vocabulary)[:_MEANT]) for word in words]
    return _ranked(shelf, widened, count, chars, "fuzzy")


def _ranked(
    shelf: Shelf, keywords: Sequence[Keyword], count: int, chars: int, answered_by: AnsweredBy
) -> SearchAnswer:
    def windows(pool: Pool, hits: Sequence[Sequence[Hit]]) -> Windows:
        held = pool.held or _held(len(keywords), hits)
        return ranked_windows(weights(held, pool.paragraphs), chars)

    pool = shelf.pool(keywords, chars, count, together=False) if keywords else _NOTHING
    return _answer(pool, keywords, windows, count, chars, answered_by)


def _complete(
    shelf: Shelf, keywords: Sequence[Keyword], count: int, chars: int, answered_by: AnsweredBy
) -> SearchAnswer:
    windows = complete_windows(len(keywords), chars)
    pool = shelf.pool(keywords, chars, count, together=True)
    return _answer(pool, keywords, lambda *_: windows, count, chars, answered_by)


def _near(shelf: Shelf, phrase: Keyword, count: int, chars: int) -> SearchAnswer:
    words = single_words([phrase])
    words = tuple(word for word in words if word.telling) or words
    apart = max(_NEAR_AT_LEAST, _NEAR * len(phrase.asked))
    windows = near_windows(len(words), apart)
    pool = shelf.pool(words, apart, count, together=False)
    return _answer(pool, words, lambda *_: windows, count, chars, "proximity")


def _answer(
    pool: Pool,
    keywords: Sequence[Keyword],
    windows: Callable[[Pool, Sequence[Sequence[Hit]]], Windows],
    count: int,
    chars: int,
    answered_by: AnsweredBy,
) -> SearchAnswer:
    texts = [Searched(text, text.hits(keywords)) for text in pool.texts]
    made = windows(pool, [text.hits for text in texts])
    results = tuple(_result(one, keywords) for one in chosen(texts, made, count, chars))
    return SearchAnswer(results, answered_by if results else None)


def _held(count: int, hits: Sequence[Sequence[Hit]]) -> list[int]:
    """How many paragraphs hold each of `count` keywords."""
    paragraphs = {(hit.keyword, number, hit.paragraph) for number, each in enumerate(hits) for hit in each}
    held = Counter(keyword for keyword, _, _ in paragraphs)
    return [held[keyword] for keyword in range(count)]


def _result(one: Chosen, keywords: Sequence[Keyword]) -> SearchResult:
    text, (start, end) = one.searched.text, one.shown
    inside = [hit for hit in one.searched.hits if start <= hit.start and hit.end <= end]
    return SearchResult(
        score=one.window.score,
        cursor=one.window.cursor,
        matched=tuple(keywords[number].asked for number in sorted({hit.keyword for hit in inside})),
        text=text.text[start:end],
        start=start,
        spans=tuple((hit.start - start, hit.end - start) for hit in inside),
        key=text.key,
        **text.place(one.window.start)._asdict(),
    )


def _check(count: int, chars: int) -> None:
    if count < 1 or chars < 0:
        raise QueryError(f"max_results ({count}) begins at 1, context_chars ({chars}) at 0.")
