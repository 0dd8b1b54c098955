"""The keyword searches. Each takes texts that may answer it from a source; the answer names the search."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from lookup.limits import at_least, with_limit
from retrieval.keywords.keyword_answer import AnsweredBy, KeywordAnswer, KeywordPlace
from retrieval.keywords.parse import Keyword, keywords_of, near_words, phrase_of
from retrieval.keywords.searched_text import Occurrence, SearchText
from retrieval.keywords.windows import (
    ChosenWindow,
    TextCoverage,
    best_windows,
    close_windows,
    fewest_near,
    ranked_windows,
)
from retrieval.raw_text.graphemes import around

if TYPE_CHECKING:
    from retrieval.keywords.paper_texts import PaperTexts

_MORE = 4  # How many times more texts are asked for where those taken at first hold too few results.
_ROUNDS = 3  # How often, at most: what is printed in very many places may hardly ever stand close together.
_NEAR = 4  # The words of a phrase may be this many times its length apart...
_NEAR_AT_LEAST = 200  # ...and always this many characters.
_TOGETHER = 3000  # Characters within which all keywords stand, however many are shown: about a page.
_MEANT = 40  # Words, at most, that are taken for one keyword: the likest.
Keywords = str | Iterable[str]  # Keywords as a caller gives them: a string of words, or one string each.


class Candidates(NamedTuple):
    """Texts to search, of so many paragraphs.

    `counts` are how many of these hold each keyword, and how many as many keywords as are needed. They may be
    of more texts than are to be searched; None: count them. If there are `more` texts, a search that finds
    too little in these asks for more.
    """

    texts: Sequence[SearchText]
    paragraphs: int
    counts: tuple[Sequence[int], int] | None = None
    more: bool = False


class WindowSize(NamedTuple):
    """Characters over which the keywords of a result may be spread, and those that it shows."""

    spread: int
    shown: int


TextSource: TypeAlias = "SearchText | PaperTexts"
"""One text, or the papers of which a search takes the texts that may answer it."""


def search_context(source: TextSource, asked: Keywords, count: int, chars: int) -> KeywordAnswer:
    """Find the best stretches by BM25.

    Where no keyword but stop words is found, by the Boolean search, then by the fuzzy one.
    """
    keywords = keywords_of(asked)
    return (
        _ranked(source, [keyword for keyword in keywords if keyword.is_content_word], count, chars, "ranking")
        or _complete(source, keywords, count, chars, "boolean")
        or _fuzzy(source, keywords, count, chars)
    )


def search_boolean_and(source: TextSource, asked: Keywords, count: int, chars: int) -> KeywordAnswer:
    """Find the stretches within which all keywords stand, the closest first; `chars` are shown."""
    return _complete(source, keywords_of(asked), count, chars, "boolean")


def search_exact_phrase(source: TextSource, asked: Keywords, count: int, chars: int) -> KeywordAnswer:
    """Find the phrase; where it is nowhere, the stretches where most of its words stand close together."""
    phrase = phrase_of(asked)
    return _complete(source, [phrase], count, chars, "phrase") or _near(source, phrase, count, chars)


def search_fuzzy(source: TextSource, asked: Keywords, count: int, chars: int) -> KeywordAnswer:
    """Find the best stretches by BM25 of the keywords and of words that may be meant by them."""
    return _fuzzy(source, keywords_of(asked), count, chars)


def _fuzzy(source: TextSource, keywords: Sequence[Keyword], count: int, chars: int) -> KeywordAnswer:
    words = _content_words(keywords)
    joined = [word.joined for word in words]
    vocabulary = source.vocabulary if isinstance(source, SearchText) else source.vocabulary(joined)
    widened = [word.with_near(near_words(word.joined, vocabulary)[:_MEANT]) for word in words]
    return _ranked(source, widened, count, chars, "fuzzy")


def _ranked(
    source: TextSource, keywords: Sequence[Keyword], count: int, chars: int, answered_by: AnsweredBy
) -> KeywordAnswer:
    if not keywords:
        return KeywordAnswer((), None)
    return _answer(source, keywords, count, WindowSize(chars, chars), answered_by, 1)


def _complete(
    source: TextSource, keywords: Sequence[Keyword], count: int, chars: int, answered_by: AnsweredBy
) -> KeywordAnswer:
    size = WindowSize(_TOGETHER if len(keywords) > 1 else 0, chars)
    return _answer(source, keywords, count, size, answered_by, len(keywords))


def _near(source: TextSource, phrase: Keyword, count: int, chars: int) -> KeywordAnswer:
    words = _content_words([phrase])
    size = WindowSize(max(_NEAR_AT_LEAST, _NEAR * len(phrase.asked)), chars)
    return _answer(source, words, count, size, "proximity", fewest_near(len(words)))


def _content_words(keywords: Sequence[Keyword]) -> tuple[Keyword, ...]:
    """Return the single words of the keywords without stop words; all of them where there are no others.

    Words end at spaces here, not at hyphens.
    """
    words = keywords_of([word for keyword in keywords for word in keyword.asked.split()])
    return tuple(word for word in words if word.is_content_word) or words


def _answer(
    source: TextSource,
    keywords: Sequence[Keyword],
    count: int,
    size: WindowSize,
    answered_by: AnsweredBy,
    needed: int,
) -> KeywordAnswer:
    at_least(1, limit=count)
    at_least(0, context_chars=size.shown)
    for tried in range(_ROUNDS):
        if isinstance(source, SearchText):
            candidates = Candidates((source,), len(source.borders))
        else:
            candidates = source.candidates(keywords, size, count * _MORE**tried, needed)
        texts = [TextCoverage(text, text.find(keywords)) for text in candidates.texts]
        held, having = candidates.counts or _counts(len(keywords), [text.found for text in texts], needed)
        windows = (
            ranked_windows(held, candidates.paragraphs, size.shown)
            if answered_by in ("ranking", "fuzzy")
            else close_windows(len(keywords), needed, size.spread)
        )
        best = best_windows(texts, windows, count, size.shown)
        if len(best) == count or not candidates.more:
            break
    results = tuple(_result(one, keywords) for one in best)
    return KeywordAnswer(results, answered_by if results else None, having if results else 0)


def _counts(keywords: int, found: Sequence[Sequence[Occurrence]], needed: int) -> tuple[Sequence[int], int]:
    """Return how many paragraphs hold each of the keywords, and how many so many of them as are needed."""
    held: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    for number, each in enumerate(found):
        for one in each:
            held[number, one.paragraph].add(one.keyword)
    counts = Counter(chain.from_iterable(held.values()))
    return [counts[keyword] for keyword in range(keywords)], sum(len(one) >= needed for one in held.values())


def _result(chosen: ChosenWindow, keywords: Sequence[Keyword]) -> KeywordPlace:
    text, (start, end) = chosen.coverage.text, chosen.shown
    inside = [one for one in chosen.coverage.found if start <= one.start and one.end <= end]
    return KeywordPlace(
        score=chosen.window.score,
        cursor=text.begins + chosen.window.cursor,
        matched=tuple(keywords[number].asked for number in sorted({one.keyword for one in inside})),
        text=text.text[start:end],
        start=text.begins + start,
        spans=tuple((one.start - start, one.end - start) for one in inside),
        key=text.key,
        **text.location(chosen.window.start),
    )


_PARAGRAPH = re.compile(r"(?:\A|\n[^\S\n]*\n)\s*(?=\S)")


def _method(run: Callable[..., KeywordAnswer], most: int, chars: int) -> Callable[..., KeywordAnswer]:
    """Return a method of Document: one of the searches, with its defaults and help."""

    def search(
        self: "Document",
        keywords: Keywords,
        limit: int = most,
        context_chars: int = chars,
    ) -> KeywordAnswer:
        return run(self._searched, keywords, limit, context_chars)

    search.__name__, search.__doc__ = run.__name__, run.__doc__
    return with_limit(search)


class Document:
    """A text with the keyword searches of a corpus. Blank lines part its paragraphs.

    Its cursors are offsets in the text. Keywords are a string (its words; several in quotation marks are one
    keyword) or strings (one keyword each). They match whole words, whatever their case, accents and hyphens
    are; the words of one keyword stand side by side in a paragraph. Results do not overlap; each holds some
    `context_chars` characters, the matched words always.
    """

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _searched(self) -> SearchText:
        borders = [match.end() for match in _PARAGRAPH.finditer(self.text)]
        return SearchText(self.text, borders or [0])

    search_context = _method(search_context, 15, 300)
    search_exact_phrase = _method(search_exact_phrase, 10, 4000)
    search_boolean_and = _method(search_boolean_and, 15, 3000)
    search_fuzzy = _method(search_fuzzy, 15, 300)

    def context(self, cursor: int, chars_before: int = 1000, chars_after: int = 1000) -> str:
        """Return the text around a cursor, clipped at its ends and shortened to whole words.

        Raise QueryError for a cursor outside the text.
        """
        start, end = around(self.text, cursor, chars_before, chars_after)
        return self.text[start:end]
