"""Choose the few sentences of a paragraph that a hit shows."""

from collections.abc import Collection

from lookup.text.folding import fold
from lookup.text.relevance import terms
from lookup.text.sentences import sentence_spans

SNIPPET = 300
"""Most characters of a snippet."""


def snippet_span(
    text: str, asked: Collection[str], sentence: int | None, length: int = SNIPPET
) -> tuple[int, int]:
    """Return the span of the snippet in `text`: whole sentences as far as `length` allows, else whole words.

    It lies around the `sentence` with this number; if None, around the one with most of the terms `asked`.
    """
    spans = sentence_spans(text)
    if not spans:
        return 0, 0
    if sentence is None:
        held = [len(set(terms(fold(text[start:end]))) & set(asked)) for start, end in spans]
        sentence = held.index(max(held))
    start, end = spans[sentence]
    if end - start > length:
        start, end = _within(text, start, end, asked, length)
    first = last = sentence
    while True:  # the text after a sentence tells more of the same than the text before it
        if last + 1 < len(spans) and spans[last + 1][1] - start <= length:
            last += 1
            end = spans[last][1]
        elif first > 0 and end - spans[first - 1][0] <= length:
            first -= 1
            start = spans[first][0]
        else:
            return start, end


def _within(text: str, start: int, end: int, asked: Collection[str], length: int) -> tuple[int, int]:
    """Return the first stretch of whole words, at most `length` long, that holds most of the terms."""
    words = []
    at = start
    for word in text[start:end].split():
        at = text.index(word, at)
        words.append((at, at + len(word), set(terms(fold(word))) & set(asked)))
        at += len(word)
    best, most = (start, start + length), -1
    last = 0
    for first, (begin, *_) in enumerate(words):
        last = max(last, first)
        while last + 1 < len(words) and words[last + 1][1] - begin <= length:
            last += 1
        held = len(set().union(*(each for *_, each in words[first : last + 1])))
        if held > most:
            best, most = (begin, min(words[last][1], begin + length)), held
        if last == len(words) - 1:
            break
    return best
