"""Capitals that mean something: mM and mm, NO and no, Δ and δ."""

from collections.abc import Iterator, Sequence
from itertools import groupby

from lookup.text.folding import alike
from lookup.text.regex import regex
from lookup.text.scripts import GREEK
from lookup.text.words import UNITS, WORDS_TOO

_WORD = regex(r"[^\W_]+")
_LETTERS = regex(r"[^\W\d_]+")
_GREEK_WORD = regex(r"[Ͱ-Ͽἀ-῿]{3}")

_GENE = regex(r"[^\W\d_]+\d[^\W_]*")
_VOWELS = regex(r"[^b-df-hj-np-tv-xz]")
"""What tells genes and symbols: a digit after letters, as in pax6, or consonants alone, as in shh."""

_SMALL_CAPITAL = regex(r"[dDlL]-[^\W\d_]")
"""The prefix of "D-glucose" and "L-alanine", a small capital in print: text layers have either case."""

_AFTER_NUMBER = regex(r"(?:\d\s?|\d\s?[^\W\d_]{1,4}\s?[/·]\s?)$")
"""What stands before a unit: a number, or a number with another unit and a stroke."""

_PREFIXED = frozenset("rad eq yr osm sv gy bq ci ya".split())
"""Units that stand with m or M, p or P before them, and rarely alone."""

_LONGEST_SYMBOL = 4
"""Letters of the longest unit whose case is compared, as in mmol or mbar; longer ones are words."""

_LONGEST_SYMBOL_AND_WORD = 2
"""The same for units that are also words: the case of ms is compared, that of min and bar is not."""

_LONGEST_ACRONYM = 6
"""Letters from which, without them, one word in capitals is "set in capitals": RESULTS, OBJECTIVE. Of the
acronyms that are also words, such as AIDS, none is as long."""


_ALL_CAPITALS = 4  # Words, at least, of a text that is set in capitals as a whole and not of acronyms alone.


def case_differences(asked: str, printed: str, *, cased: bool) -> list[tuple[str, str]]:
    """Return the words of a query and of the print whose case differs and means something.

    Both texts have the same letters and digits. Units after a number are always compared. If `cased`, so are
    Greek letters, and words that have one letter (p53, n) or a capital after their first, in the query or in
    print (acronyms, symbols); but for text set in capitals, and the first letter of the query. A query that
    is in capitals as a whole has no case to compare.
    """
    asked, printed = alike(asked), alike(printed)
    letters = "".join(filter(str.isalnum, asked))
    capitals = letters.upper() == letters and len(asked.split()) >= _ALL_CAPITALS
    if capitals or letters == "".join(filter(str.isalnum, printed)):
        return []
    greek = len(_GREEK_WORD.findall(printed)) > 1  # its articles are no symbols
    found = []
    for together in _changed_runs(letters, printed):
        if _set_in_capitals(together, len(printed.split())):
            continue
        for start, one, other in together:
            litres = other.casefold() in UNITS and _litres(one) == _litres(other)
            either = litres or _SMALL_CAPITAL.match(printed, start) or (greek and GREEK.fullmatch(other))
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
        prefixed = folded[:1] in ("m", "p") and folded[1:] in _PREFIXED
        known = (folded in UNITS or prefixed) and not word and len(folded) <= _LONGEST_SYMBOL
        if known and _AFTER_NUMBER.search(f"{before[-12:]}{other[: match.start()]}"):
            return _litres(written) != _litres(unit)
    return False


def _litres(unit: str) -> str:
    """Return a unit with each litre as l, which may be L as well."""
    return unit.replace("L", "l")


def _symbol(one: str, other: str, start: int) -> bool:
    """Return whether a word, at `start` of the print, is another acronym, symbol, gene or Greek letter."""
    if any(one[match.start()] != match.group() for match in GREEK.finditer(other)):
        return True
    if start and one[:1] != other[:1] and (_GENE.fullmatch(other) or not _VOWELS.search(other)):
        return True
    symbol = sum(map(str.isalpha, other)) == 1 or any(map(str.isupper, one[1:] + other[1:]))
    return symbol and (start > 0 or one[1:] != other[1:])
