"""A query: checked, folded, and read as its writer may have meant it.

A writer leaves words out under an ellipsis and puts words of their own in brackets. Neither is what the paper
prints, so a query is also read as the pieces between them, which must stand in one passage in order.
"""

import re
from dataclasses import dataclass
from enum import Enum
from functools import cached_property

from lookup.compare.exponents import carets_to_superscripts, required_exponents
from lookup.compare.letter_case import has_case, with_case
from lookup.compare.negation import NEGATION
from lookup.errors import QueryError
from lookup.text.folding import blind, fold, fold_with_offsets, line_breaks

LONGEST_QUERY = 20_000
"""Characters. The longest paragraphs of real papers have under 10,000; what is longer was pasted by
mistake."""

SHORT_QUERY = 12
"""Letters and digits under which spaces and hyphens must be printed too: 'notable' is not 'no table'."""


class Joint(Enum):
    """What stands between two pieces of a query."""

    ELLIPSIS = "words left out"
    BRACKET = "the writer's own words, in place of a few of the paper's"


@dataclass(frozen=True)
class Piece:
    """Words that must be printed as they are: as given, and folded."""

    asked: str
    folded: str
    cased: bool = False
    """Whether its acronyms, symbols and Greek letters must be printed in the same case."""

    @cached_property
    def written(self) -> str:
        """`folded` with its capitals."""
        return with_case(fold_with_offsets(self.asked), self.asked, 0, len(self.folded))

    @cached_property
    def blind(self) -> str:
        """Its letters and digits alone."""
        return blind(self.folded)

    @cached_property
    def breaks(self) -> frozenset[int]:
        """Where in `blind` folding rejoined a word that a line break had parted."""
        return frozenset(len(blind(fold(self.asked[:at]))) for at in line_breaks(self.asked))

    @cached_property
    def exponents(self) -> frozenset[int]:
        """Where in `blind` an exponent begins that must be printed as one."""
        return frozenset(len(blind(fold(self.asked[:at]))) for at in required_exponents(self.asked))

    @property
    def short(self) -> bool:
        """Whether it is too short for a search by its letters alone."""
        return len(self.blind) < SHORT_QUERY


@dataclass(frozen=True)
class Reading:
    """One way to read a query: its pieces, and what stands between each and the next."""

    pieces: tuple[Piece, ...]
    joints: tuple[Joint, ...] = ()

    @property
    def folded(self) -> str:
        """All its words."""
        return " ".join(piece.folded for piece in self.pieces)


@dataclass(frozen=True)
class Query:
    """The words of a query, and the ways to read them: as given, then as a writer may have changed them."""

    asked: str
    readings: tuple[Reading, ...]

    @property
    def whole(self) -> Piece:
        """The query as given."""
        return self.readings[0].pieces[0]

    @cached_property
    def probe(self) -> str:
        """The longest run of plain words in it: every place that prints the query prints this."""
        pieces = self.readings[min(1, len(self.readings) - 1)].pieces
        runs = (run.strip() for piece in pieces for run in _PLAIN.findall(f" {piece.folded} "))
        return max(runs, key=len, default="") or self.whole.folded


def parse(asked: str, *, cased: bool = False) -> Query:
    """Return `asked` as a `Query`. Raise QueryError if it has nothing to look for, or is too long.

    Unless `cased`, a query that has neither capitals nor Greek letters may find "WHO" by "who".
    """
    if len(asked) > LONGEST_QUERY:
        raise QueryError(
            f"The query has {len(asked)} characters; the limit is {LONGEST_QUERY}. "
            "Ask for one passage at a time."
        )
    cased = cased or has_case(asked)
    whole = Piece(asked, fold(asked), cased)
    if not whole.blind:
        shown = asked if len(asked) <= 40 else asked[:40] + "..."
        raise QueryError(f"The query {shown!r} holds no letter or digit. Give the words to look for.")
    if len(whole.blind) == 1:
        raise QueryError(
            f"The query {asked.strip()!r} is one letter, which is on every page. Give a word or more."
        )
    readings = [Reading((whole,))]
    if _CHANGED.search(asked):
        plain = _CAPITAL.sub(r"\1", carets_to_superscripts(asked))
        for text in (_ENDING.sub(r"\1", plain), plain):
            reading = _parted(text, cased=cased)
            if reading.pieces and reading not in readings:
                readings.append(reading)
    return Query(asked, tuple(readings))


_DOTS = r"(?:…|⋯|\.(?:\s?\.){2,})"
_ELLIPSIS = rf"\[\s*{_DOTS}\s*\]|\(\s*{_DOTS}\s*\)|{_DOTS}\.?"
_BRACKET = r"\[[^\[\]\d]*[^\W\d_][^\[\]\d]*\]"
_JOINT = re.compile(rf"(?P<ellipsis>{_ELLIPSIS})|(?P<bracket>{_BRACKET})")
_CAPITAL = re.compile(r"(?<!\w)\[([^\W\d_]+)\](?=\w)")
"""The first letters of a word in brackets, as in "[t]he": the paper has them in another case."""
_ENDING = re.compile(r"(?<=\w)\[([^\W\d_]+)\]")
"""Its last letters, as in "increase[d]": the paper may have them or not."""
_CHANGED = re.compile(r"[\[…⋯^]|\.\s?\.\s?\.")


def _parted(asked: str, *, cased: bool) -> Reading:
    """Return the pieces between ellipses and brackets; a bracket with a negation stays part of a piece."""
    pieces: list[Piece] = []
    joints: list[Joint] = []
    at, joint = 0, Joint.BRACKET
    for match in _JOINT.finditer(asked):
        if match["bracket"] and NEGATION.search(fold(match["bracket"])):
            continue
        _add(asked[at : match.start()], joint, pieces, joints, cased=cased)
        found = Joint.BRACKET if match["bracket"] else Joint.ELLIPSIS
        # "[the authors] ... were": what stands at one place leaves out as much as its widest part.
        joint = found if pieces and asked[at : match.start()].strip() else max(joint, found, key=_WIDTH.index)
        at = match.end()
    _add(asked[at:], joint, pieces, joints, cased=cased)
    return Reading(tuple(pieces), tuple(joints))


_PLAIN = re.compile(r"(?<![^\s])(?:[^\W\d_]+(?: |$))+")
_WIDTH = [Joint.BRACKET, Joint.ELLIPSIS]


def _add(text: str, joint: Joint, pieces: list[Piece], joints: list[Joint], *, cased: bool) -> None:
    piece = Piece(text, fold(text), cased)
    if piece.blind:
        if pieces:
            joints.append(joint)
        pieces.append(piece)
