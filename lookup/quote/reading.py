"""One way to read a query: its pieces, which must be printed as they are, and what stands between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lookup.papers.paper import PassageSpan
from lookup.quote.bounds import PIECE_WORDS
from lookup.results.difference import Difference
from lookup.text.folding import blind
from lookup.text.scripts import WORD, letters

if TYPE_CHECKING:
    from lookup.compare.letters import Letters

SHORT_QUERY = 12
"""Letters and digits under which spaces and hyphens must be printed too: 'notable' is not 'no table'."""


@dataclass(frozen=True)
class Elision:
    """What stands between two pieces of a query, before the first or after the last.

    An ellipsis, or the folded words of brackets, or both, or words of a page's head or foot; nothing where it
    is at an end.
    """

    ellipsis: bool = False
    inserted: tuple[str, ...] = ()
    furniture: str = ""

    def __add__(self, other: "Elision") -> "Elision":
        return Elision(self.ellipsis or other.ellipsis, self.inserted + other.inserted)


@dataclass(frozen=True)
class Piece:
    """Words that must be printed as they are: as given, and folded."""

    asked: str
    folded: str
    cased: bool = False
    """Whether its acronyms, symbols and Greek letters must be printed in the same case."""

    @cached_property
    def letters(self) -> "Letters":
        """Its letters with their facts."""
        from lookup.compare.letters import read  # what is printed as typed does without  # noqa: PLC0415

        return read(self.asked, raw=self.asked)

    @cached_property
    def blind(self) -> str:
        """Its letters and digits alone."""
        return blind(self.folded)

    @property
    def short(self) -> bool:
        """Whether it is too short for a search by its letters alone."""
        return letters(self.blind) < SHORT_QUERY


class Reading(NamedTuple):
    """One way to read a query: its pieces, and what stands between each and the next, and at both ends.

    `respelled` are its words with letters in brackets, folded, as asked ("[t]he") and as they are read
    ("the").
    """

    pieces: tuple[Piece, ...]
    elisions: tuple[Elision, ...] = ()
    before: Elision = Elision()
    after: Elision = Elision()
    respelled: tuple[tuple[str, str], ...] = ()
    beside: tuple[str, str] = ("", "")
    """The folded words of the writer right before and after the quotation, where they are known."""

    ranged: bool = False
    """Whether it has ranges for numbers in brackets that follow each other, as citation marks may."""

    @property
    def folded(self) -> str:
        """All its words."""
        return " ".join(piece.folded for piece in self.pieces)

    @property
    def inserted(self) -> tuple[str, ...]:
        """The folded words in brackets, wherever they stand."""
        every = (self.before, *self.elisions, self.after)
        return tuple(words for elision in every for words in elision.inserted)

    def in_one_piece(self) -> "Reading":
        """Return its words without elisions, what its brackets put in at their end."""
        if len(self.pieces) == 1:
            return self
        words = " ".join(piece.asked for piece in self.pieces)
        piece = Piece(words, self.folded, self.pieces[0].cased)
        after = Elision(inserted=self.inserted)
        return self._replace(pieces=(piece,), elisions=(), before=Elision(), after=after)

    @property
    def abridges(self) -> bool:
        """Whether it leaves out words of the paper, or puts in words or letters in brackets."""
        return bool(self.elisions or self.inserted or self.respelled)


class Elisions(NamedTuple):
    """What stands between the pieces of a reading, and what its brackets put in.

    `changes` are differences in what is said, `put_in` those that change nothing; `omitted` is what is left
    out, in so many `words`.
    """

    changes: Sequence[Difference] = ()
    put_in: tuple[Difference, ...] = ()
    omitted: Sequence[PassageSpan] = ()
    words: int = 0


NO_ELISION = Elisions()  # Those of a reading that leaves nothing out and puts nothing in.


def count(text: str) -> int:
    """Return the number of words of a folded text."""
    return len(WORD.findall(text))


def long_enough(reading: Reading) -> bool:
    """Return whether each part between two ellipses has PIECE_WORDS words; brackets do not part it."""
    words = [0]
    for piece, elision in zip(reading.pieces, (Elision(), *reading.elisions), strict=True):
        if elision.ellipsis:
            words.append(0)
        words[-1] += count(piece.folded)
    return len(words) == 1 or min(words) >= PIECE_WORDS
