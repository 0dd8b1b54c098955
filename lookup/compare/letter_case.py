"""Letters that fold alike and mean something else: mM and mm, NO and no, Δ and δ; ß and ss.

Folding makes all letters small. Here the capitals of two texts with the same letters and digits are compared,
and what else folding makes another letter or leaves out.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from lookup.text.folding import POINTS, Folded
from lookup.text.regex import regex
from lookup.text.units import UNITS, WORDS_TOO

_WORD = regex(r"[^\W_]+")
_LETTERS = regex(r"[^\W\d_]+")
_GREEK = regex(r"(?<![Ͱ-Ͽ])[Ͱ-Ͽ](?![Ͱ-Ͽ])")
"""A Greek letter that is a symbol, and not a part of a Greek word."""

_SMALL_CAPITAL = regex(r"[dDlL]-[^\W\d_]")
"""The prefix of "D-glucose" and "L-alanine", a small capital in print: text layers have either case."""

_AFTER_NUMBER = regex(r"(?:\d\s?|\d\s?[^\W\d_]{1,4}\s?[/·]\s?)$")
"""What stands before a unit: a number, or a number with another unit and a stroke."""

_LONGEST_SYMBOL = 4
"""Letters of the longest unit whose case is compared, as in mmol or mbar; longer ones are words."""

_LONGEST_SYMBOL_AND_WORD = 2
"""The same for units that are also words: the case of ms is compared, that of min and bar is not."""

_LONGEST_ACRONYM = 6
"""Letters from which, without them, one word in capitals is "set in capitals": RESULTS, OBJECTIVE. Of the
acronyms that are also words, such as AIDS, none is as long."""


def with_case(folded: Folded, source: str, start: int, end: int) -> str:
    """Return `folded.text[start:end]` with the capitals of `source`, of which it was folded."""
    return "".join(
        [
            char.upper() if (source[at].isupper() or source[at] in "℃℉") and len(char.upper()) == 1 else char
            for char, at in zip(folded.text[start:end], folded.starts[start:end], strict=True)
        ]
    )


def has_case(text: str) -> bool:
    """Return whether a typed text shows that its writer minds the case: by a capital or a Greek letter."""
    return any(map(str.isupper, text)) or bool(_GREEK.search(text))


def may_differ(folded: str, *, cased: bool) -> bool:
    """Return whether case may mean something in a query; without capitals only that of units does."""
    return cased or any(map(str.isdigit, folded))


def case_differences(asked: str, printed: str, *, cased: bool) -> list[tuple[str, str]]:
    """Return the words of a query and of the print whose case differs and means something.

    Both texts have the same letters and digits. Units after a number are always compared. If `cased`, so are
    Greek letters, and words that have one letter (p53, n) or a capital after their first, in the query or in
    print (acronyms, symbols); but for text set in capitals, and the first letter of the query.
    """
    letters = "".join(filter(str.isalnum, asked))
    if letters == "".join(filter(str.isalnum, printed)):
        return []
    found = []
    for together in _changed_runs(letters, printed):
        if _set_in_capitals(together, len(printed.split())):
            continue
        for start, one, other in together:
            litres = other.casefold() in UNITS and _litres(one) == _litres(other)
            either = litres or _SMALL_CAPITAL.match(printed, start)
            if not either and (_unit(one, other, printed[:start]) or (cased and _symbol(one, other, start))):
                found.append((one, other))
    return found


def _changed_runs(letters: str, printed: str) -> Iterator[list[tuple[int, str, str]]]:
    """Yield the words whose case differs, those that follow each other together.

    Each is where it begins in the print, the query's word and the printed word.
    """
    words, at = [], 0
    for match in _WORD.finditer(printed):
        one, other = letters[at : at + len(match.group())], match.group()
        words.append((match.start(), one, other))
        at += len(other)
    plain = (word for word in words if any(map(str.isalpha, word[2])))
    for differ, group in groupby(plain, key=lambda word: word[1] != word[2]):
        if differ:
            yield list(group)


def _set_in_capitals(together: Sequence[tuple[int, str, str]], words: int) -> bool:
    """Return whether words that follow each other are set in capitals on one side, as headings are.

    Of several acronyms side by side each is one: one of the words is longer, or they are most of the text.
    """
    capitals = all(one.isupper() or other.isupper() for _, one, other in together)
    longest = max(len(other) for *_, other in together)
    return capitals and (longest > _LONGEST_ACRONYM or len(together) > max(1, words / 2))


def _unit(one: str, other: str, before: str) -> bool:
    """Return whether a unit after a number differs."""
    for match in _LETTERS.finditer(other):
        unit = match.group()
        written = one[slice(*match.span())]
        folded = unit.casefold()
        word = folded in WORDS_TOO and len(folded) > _LONGEST_SYMBOL_AND_WORD
        known = folded in UNITS and not word and len(folded) <= _LONGEST_SYMBOL
        if known and _AFTER_NUMBER.search(f"{before[-12:]}{other[: match.start()]}"):
            return _litres(written) != _litres(unit)
    return False


def _litres(unit: str) -> str:
    """Return a unit with each litre as l, which may be L as well."""
    return unit.replace("L", "l")


def _symbol(one: str, other: str, start: int) -> bool:
    """Return whether a word, at `start` of the print, is another acronym, symbol or Greek letter."""
    if any(one[match.start()] != match.group() for match in _GREEK.finditer(other)):
        return True
    symbol = sum(map(str.isalpha, other)) == 1 or any(map(str.isupper, one[1:] + other[1:]))
    return symbol and (start > 0 or one[1:] != other[1:])


_OWN = regex(rf"[ßẞ]|[\u0660-\u0669\u06f0-\u06f9]|[{''.join(map(chr, POINTS))}]++")
"""ß, digits of Arabic texts, and points of Hebrew and Arabic."""


def letter_forms(text: str) -> dict[int, str]:
    """Return where a text has what folding makes another letter, or leaves out, each with what it has."""
    return {} if text.isascii() else {one.start(): one.group().lower() for one in _OWN.finditer(text)}


def other_forms(asked: Mapping[int, str], printed: Mapping[int, str], *, digits: bool) -> Iterator[int]:
    """Yield the places at which a query has another letter than the print.

    Points are compared where both have some; each may leave some out. `digits` says that the query may have
    the digits of another script.
    """
    for at in sorted(asked.keys() | printed.keys()):
        one, other = asked.get(at, ""), printed.get(at, "")
        points, printed_points = set(one), set(other)
        if one == other or (one.isdigit() and digits):
            continue
        if one.isdigit() or "ß" in (one, other) or not (points <= printed_points or points >= printed_points):
            yield at
