"""A query: checked, folded, and read as its writer may have meant it.

A writer leaves words out under an ellipsis and puts words of their own in brackets. Neither is what the paper
prints, so a query is also read as the pieces between them, which must stand in one passage in order.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from lookup.compare.sense_words import NOTES, languages_of
from lookup.errors import QueryError
from lookup.limits import check_text
from lookup.quote.reading import Elision, Piece, Reading
from lookup.text.folding import UNKNOWN, fold
from lookup.text.regex import regex
from lookup.text.scripts import GREEK, without_turns

LONGEST_QUERY = 20_000
"""Characters. The longest paragraphs of real papers have under 10,000; what is longer was pasted by
mistake."""


class Query(NamedTuple):
    """The words of a query, and the ways to read them: as given, then as a writer may have changed them."""

    asked: str
    readings: tuple[Reading, ...]
    others: tuple[Reading, ...] = ()
    """Readings by which nothing is explained that differs: "[1,2,3]" as [1–3], the same mark, x as ×."""

    @property
    def whole(self) -> Piece:
        """The query as given."""
        return self.readings[0].pieces[0]


def parse(asked: str, *, cased: bool = False, beside: tuple[str, str] = ("", "")) -> Query:
    """Return `asked` as a `Query`. Raise QueryError if it has nothing to look for, or is too long.

    Unless `cased`, a query that has neither capitals nor Greek letters may find "WHO" by "who". `beside` are
    the words of a manuscript right before and after the quotation.
    """
    check_text(asked)
    if len(asked) > LONGEST_QUERY:
        raise QueryError(
            f"The query has {len(asked)} characters; the limit is {LONGEST_QUERY}. "
            "Ask for one passage at a time."
        )
    cased = cased or any(map(str.isupper, asked)) or GREEK.search(asked) is not None
    asked = asked if asked.isascii() else _SOFT_BREAK.sub("\u00ad \n", without_turns(asked, UNKNOWN))
    whole = Piece(asked, fold(asked), cased)
    if not whole.blind:
        shown = asked if len(asked) <= 40 else asked[:40] + "..."
        raise QueryError(f"The query {shown!r} holds no letter or digit. Give the words to look for.")
    if len(whole.blind) == 1:
        raise QueryError(
            f"The query {asked.strip()!r} is one letter, which is on every page. Give a word or more."
        )
    words = fold(beside[0]), fold(beside[1])
    typed = [asked]
    if _MARKED.search(asked):
        from lookup.quote.typed import as_printed  # a quote without marks does without  # noqa: PLC0415

        typed = as_printed(asked)
    readings = [Reading((whole,)), *_readings(typed[0], cased=cased)]
    others = [one for text in typed[1:] for one in _readings(text, cased=cased)]
    ranged = _LISTED.sub(_as_ranges, typed[-1])
    if ranged != typed[-1]:
        others += [one._replace(ranged=True) for one in _readings(ranged, cased=cased)]
    every = (dict.fromkeys(readings), others)
    return Query(asked, *(tuple(one._replace(beside=words) for one in each) for each in every))


def _readings(typed: str, *, cased: bool) -> Iterator[Reading]:
    """Yield the readings of a text: as it is, and in pieces, in each way that its brackets may be meant."""
    whole = Piece(typed, fold(typed), cased)
    if whole.blind:
        yield Reading((whole,))
    may_be_parted = max(map(typed.count, ".·")) > 2 or not _JOINTS.isdisjoint(typed)  # few patterns compile
    if may_be_parted and _CHANGED.search(typed):
        parted = (_parted(typed, spelling, cased=cased) for spelling in _Spelling)
        yield from (reading for reading in parted if reading.pieces)


_LISTED = regex(r"(?<=\[)\d{1,4}(?:(?:,\d{1,4}){2,}|(?:,\s\d{1,4}){2,})(?=\])")


def _as_ranges(found: re.Match[str]) -> str:
    """Return the numbers of a citation mark with ranges for those that follow each other: "26-28,38"."""
    runs: list[list[int]] = []
    for number in map(int, found.group().split(",")):
        if not runs or number != runs[-1][-1] + 1:
            runs.append([])
        runs[-1].append(number)
    shown = (f"{run[0]}-{run[-1]}" if len(run) > 2 else ",".join(map(str, run)) for run in runs)
    return ",".join(shown)


_SOFT_BREAK = regex("\u00ad(?!\n)\\s")
"""A soft hyphen with a line break, or what one was before it was copied; `examine` asks whether it parts a
word."""


_MARKED = regex(r"[\\$<>*=~{^_\u2009\u202fˢⁿʳᵗ]|&[#\w]|--|\+/|\]\(|\[[\[^@]|#\w+\[|\dx\d|\sx\s")
"""What may be typed for what is printed (typed.py)."""

_DOTS = (
    r"(?:…|⋯|‥|\.(?>(?:\s?\.){2,})|·(?>(?:\s?·){2,})"
    r"|\\(?:[lc]?dots|textellipsis|textelp)(?![^\W\d_])(?:\{\})?)"
)
_ELLIPSIS = rf"\[\s*+(?:{_DOTS}|\.\.|—|-{{2,3}})\s*+\]|\(\s*+{_DOTS}\s*+\)|[/<]\s*+{_DOTS}\s*+[/>]|{_DOTS}\.?"
_TYPED_NOTE = NOTES.replace(" ", r"[\s;,:.]+").replace("'", "['’]")
_NOTE = rf"\((?P<note>(?i:{_TYPED_NOTE}))[!.]?\)"
"""What writers put in round brackets of their own."""

_BRACKET = rf"\[(?P<inserted>(?=[^\[\]\d]*[^\W\d_])(?>(?:(?!{_DOTS})[^\[\]\d])+))\]"
_JOINT = regex(rf"(?P<ellipsis>{_ELLIPSIS})|{_BRACKET}|{_NOTE}")
_FIRST_LETTERS = regex(r"(?<!\w)\[([^\W\d_]+)\](?=\w)")
"""The first letters of a word in brackets, as in "[t]he": the paper has them in another case."""
_ENDING = regex(r"(?:(?<=[^\W\d_]{3})|(?<=\b[Hh]a)(?=\[(?:s|d|ve)\]))\[([^\W\d_]+)\](?!\w)")
"""Its last letters, as in "increase[d]": the paper may have them or not."""
_BRACKETED = regex(r"(?<!\w)\w*+(?:\[[^\W\d_]++\]\w*+)+")
_CHANGED = regex(rf"\[|{_DOTS}|{_NOTE}")
_JOINTS = frozenset("[(…⋯‥\\")  # One of these, or three dots, is in what _CHANGED finds.


class _Spelling(Enum):
    """What the paper may have where a query has the ending of a word in brackets: "increas[ing]"."""

    KEPT = "increasing"
    DROPPED = "increas"
    OTHER = "[increasing]"
    """Another form of the word, for which the whole word stands in brackets."""


def _parted(asked: str, spelling: _Spelling, *, cased: bool) -> Reading:
    """Return the pieces between ellipses and brackets."""
    spelled = [(one.group(), _spelled(one, spelling)) for one in _BRACKETED.finditer(asked)]
    respelled = [(fold(one), fold(other)) for one, other in spelled if "[" not in other]
    plain = _BRACKETED.sub(lambda one: _spelled(one, spelling), asked)
    pieces: list[Piece] = []
    elisions = [Elision()]
    at = 0
    for match in [*_JOINT.finditer(plain), None]:
        text = plain[at : match.start() if match else None]
        piece = Piece(text, fold(text), cased)
        if piece.blind:
            pieces.append(piece)
            elisions.append(Elision())
        if match:
            words = match["inserted"] or match["note"]
            found = Elision(inserted=(fold(words),)) if words else Elision(ellipsis=True)
            elisions[-1] += found
            at = match.end()
    before, *between, after = elisions if pieces else (Elision(), Elision())
    changed = tuple((one, other) for one, other in respelled if one != other)
    return Reading(tuple(pieces), tuple(between), before, after, changed)


_OTHER_WORDS = frozenset({"ly", "e", "n"})
"""Endings that make another word of some: "hard[ly]", "on[e]", "eve[n]"."""


def _spelled(word: re.Match[str], spelling: _Spelling) -> str:
    """Return a word with letters in brackets as the paper may have it."""
    letters = _FIRST_LETTERS.sub(r"\1", word.group())
    ending = _ENDING.search(letters)
    if ending is None or spelling is _Spelling.KEPT:
        return _ENDING.sub(r"\1", letters)
    from lookup.compare.insertions import harmless_ending  # with a bracket at a word's end  # noqa: PLC0415

    stem, added = letters[: ending.start()], ending[1]
    beside = "ies" if spelling is _Spelling.OTHER else ""  # the print is not known yet: it is compared later
    if added in _OTHER_WORDS or not harmless_ending(
        fold(stem), fold(added), languages_of(fold(word.string)), beside=beside
    ):
        return f"[{stem}{added}]"
    return stem if spelling is _Spelling.DROPPED else f"[{stem}{added}]"
