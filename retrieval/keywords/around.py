"""Cut the text around a cursor at words."""

import re

from lookup.errors import QueryError
from lookup.text.scripts import unspaced
from retrieval.raw_text.graphemes import is_boundary

_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_LONGEST_WORD = 60  # Longest word, in characters, that is not cut; an address or a sequence may be longer.


def around(text: str, cursor: int, before: int, after: int) -> tuple[int, int]:
    """Return the span of `text` around `cursor`, `before` and `after` characters long, clipped at its ends.

    It is shortened to whole words, but holds the word at the cursor; a word longer than 60 characters may be
    cut, a character never. Raise QueryError for a cursor outside the text, or a negative number of
    characters.
    """
    if not 0 <= cursor <= len(text):
        raise QueryError(f"There is no cursor {cursor}: the text has cursors 0 to {len(text)}.")
    if before < 0 or after < 0:
        raise QueryError(f"chars_before and chars_after must be at least 0, got {before} and {after}.")
    return _border(text, max(0, cursor - before), cursor, -1), _border(
        text, min(len(text), cursor + after), cursor, 1
    )


def _border(text: str, at: int, cursor: int, step: int) -> int:
    """Return where a span around the cursor begins (`step` -1) or ends (1), at `at` or near it."""
    if at == (0 if step < 0 else len(text)):
        return at
    if _within_word(text, at):
        furthest = at - step * _LONGEST_WORD
        inwards = max(cursor, furthest) if step > 0 else min(cursor, furthest)
        at = _word_border(text, at, inwards, min(len(text), max(0, at + step * _LONGEST_WORD)))
    while at != cursor and text[min(at, at - step)].isspace():
        at -= step
    return _uncut(text, at, step)


def _uncut(text: str, at: int, step: int) -> int:
    """Return the nearest place from `at` on, in steps of `step`, where no character is cut.

    Broken UTF-16 may leave two halves of one.
    """
    while not is_boundary(text, at) or _HALVES.fullmatch(text, max(0, at - 1), at + 1):
        at += step
    return at


def _within_word(text: str, at: int) -> bool:
    """Whether a cut before `text[at]` divides a word; in unspaced scripts each character is a word."""
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    return not (before.isspace() or after.isspace() or unspaced(before) or unspaced(after))


def _word_border(text: str, at: int, *limits: int) -> int:
    """Return the place nearest to `at`, up to the first of `limits` that has one, where no word is cut.

    `at` itself where all are too far away.
    """
    for limit in limits:
        step = 1 if limit > at else -1
        for place in range(at, limit + step, step):
            if not _within_word(text, place):
                return place
    return at
