"""A quotation of a manuscript: its printed words, and their places in the source."""

import re
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal, NamedTuple

from lookup.papers.locators import Locator, parse_locator
from lookup.text.printable import printable

Looks = Literal["", "a title", "speech", "a term"]
"""What words between marks may be, if they are no quotation."""


@dataclass
class Spans:
    """For each character of a text its start and end in a source: 8 bytes for both."""

    starts: "array[int]" = field(default_factory=partial(array, "I"))
    ends: "array[int]" = field(default_factory=partial(array, "I"))

    def add(self, start: int, end: int, times: int) -> None:
        """Add the same place so many times."""
        self.starts.extend([start] * times)
        self.ends.extend([end] * times)

    def add_each(self, start: int, times: int) -> None:
        """Add the places of so many characters of the source."""
        self.starts.extend(range(start, start + times))
        self.ends.extend(range(start + 1, start + times + 1))

    def extend(self, other: "Spans") -> None:
        """Add those of another text."""
        self.starts.extend(other.starts)
        self.ends.extend(other.ends)

    def forget(self, begins: int) -> None:
        """Take back those of the characters from `begins` on."""
        del self.starts[begins:], self.ends[begins:]

    def __len__(self) -> int:
        return len(self.starts)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __getitem__(self, at: int) -> tuple[int, int]:
        return self.starts[at], self.ends[at]

    def cut(self, start: int, end: int | None = None) -> "Spans":
        """Return those of the characters from `start` to `end`."""
        return Spans(self.starts[start:end], self.ends[start:end])


@dataclass(frozen=True)
class MappedText:
    """Plain text, and for each character its span in the source."""

    text: str
    spans: Spans

    def placed(self, locator: Locator | None) -> Locator | None:
        """Return pages that were read from this text, with their places in the source."""
        if locator is None:
            return None
        start, end = self.spans[locator.start][0], self.spans[locator.end - 1][1]
        prefix = locator.prefix
        return locator._replace(
            start=start,
            end=end,
            prefix=prefix and (self.spans[prefix[0]][0], self.spans[prefix[1] - 1][1]),
        )

    def pages(self) -> Locator | None:
        """Return the pages that it gives."""
        return self.placed(parse_locator(self.text, 0, len(self.text)))

    def within(self, places: Spans) -> "MappedText":
        """Return the text as one of a source in which that of its own has these `places`."""
        spans = Spans()
        for first, last in self.spans:
            spans.add(places[first][0], places[max(first, last - 1)][1], 1)
        return MappedText(self.text, spans)

    def cut(self, start: int, end: int) -> "MappedText":
        """Return the characters from `start` to `end`, without the spaces at either end."""
        text = self.text[start:end]
        start += len(text) - len(text.lstrip())
        end = start + len(text.strip())
        return MappedText(self.text[start:end], self.spans.cut(start, end))


def joined(pieces: Sequence[MappedText]) -> MappedText:
    """Return texts one after the other, with a space between them."""
    spans = Spans()
    for number, piece in enumerate(pieces):
        if number:
            spans.add(*piece.spans[0], 1)
        spans.extend(piece.spans)
    return MappedText(" ".join(piece.text for piece in pieces), spans)


class Name(str):
    """A work as it is named in words ("Okafor 2021"): no key of a paper, whatever it looks like."""

    __slots__ = ()


Cited = tuple[str, Locator | None]
"""A work that is cited, by its key or as a note names it, and the pages that are given."""


class Citation(NamedTuple):
    """Works that are cited together, each with its given pages, and their place in the source.

    A `textual` citation is a part of its sentence ("Okafor (2021) says ..."). What is cited by a `note` in
    words, or by that with this `label` elsewhere, is known when all notes before it are read.
    """

    each: tuple[Cited, ...]
    start: int
    end: int
    textual: bool = False
    note: MappedText | None = None
    label: str = ""

    @property
    def locator(self) -> Locator | None:
        """Return the pages of the first work."""
        return self.each[0][1] if self.each else None

    def placed(self, places: Spans) -> "Citation":
        """Return the citation of a text whose characters have these `places` in the source."""
        source = MappedText("", places)
        return self._replace(
            start=places[self.start][0],
            end=places[self.end - 1][1],
            each=tuple((key, source.placed(locator)) for key, locator in self.each),
            note=self.note and self.note.within(places),
        )


_BESIDE = 80  # Characters of the source on either side of a quotation that are looked at for a denial.

_MARKUP = re.compile(r"^[^<>]*>|<[^<>]*>|<[^<>]*$|\\[a-zA-Z]+|[*_{}\[\]`~#]")
"""What of a source is not the writer's words: tags, also those cut at an end, commands, marks."""


UNREAD = "\ufffc"
"""Stands where a source prints what PageQuote cannot tell: an unknown macro, a picture, words struck out.

No paper prints it, so that a quotation that holds it is not verbatim.
"""

NOT_UTF8 = re.compile("[\udc80-\udcff]")
"""A byte of a source that is not UTF-8, as `decode` reads it."""

_WRITTEN = re.compile(r"\\(?:[A-Za-z@]+|.)|<[\w:]+|.{1,40}", re.DOTALL)
"""The beginning of what could not be read, by which a writer finds it: a macro, an element."""


class Quotation(NamedTuple):
    """Words that are quoted from one of `each`, which are none where no citation is understood.

    `start` and `end` are the place of words and marks in the source. `form` is the macro, environment or mark
    that quotes. The citation begins at `cited`. `lead` is the sentence before the words, and `looks` what
    else they may be than a quotation, by their form and place; '' for nothing else.
    """

    words: MappedText
    each: tuple[Cited, ...]
    start: int
    end: int
    form: str
    beside: tuple[str, str] = ("", "")
    """What the writer says right before and after it; known when it is judged."""
    cited: int | None = None
    lead: str = ""
    looks: Looks = ""
    why: str = ""
    """Why its citation is a proposal: what prints nothing alike is then not blamed."""
    known: bool = True
    """Whether its form is known to quote. Words in another are right or not judged, never wrong."""
    written: tuple[Cited, ...] = ()
    """What the manuscript cites, where `each` has the keys of the papers that it is."""

    @property
    def keys(self) -> tuple[str, ...]:
        """Return what it cites, each once."""
        return tuple(dict(self.each))

    @property
    def cited_as(self) -> str:
        """Return what it cites, as the manuscript does."""
        return "; ".join(dict(self.written or self.each))

    @property
    def locator(self) -> Locator | None:
        """Return the pages of the first key."""
        return self.each[0][1] if self.each else None

    def within(self, source: str) -> "Quotation":
        """Return the quotation with what stands beside it in its source."""
        before = source[max(0, self.start - _BESIDE) : self.start]
        after = source[self.end : self.end + _BESIDE]
        return self._replace(beside=(_MARKUP.sub(" ", before), _MARKUP.sub(" ", after)))

    def unread(self, source: str) -> tuple[str, ...]:
        """Return what of its source could not be read, as it is written there."""
        words = self.words
        spans = (words.spans[at] for at, char in enumerate(words.text) if char == UNREAD)
        found = (_WRITTEN.match(source, *span) for span in spans)
        return tuple(dict.fromkeys(printable(one[0]) for one in found if one and one[0]))

    def pages_of(self, key: str) -> Locator | None:
        """Return the pages given for this key."""
        return dict(self.each).get(key)


class Edit(NamedTuple):
    """`text` in place of the characters from `start` to `end` of a source."""

    start: int
    end: int
    text: str


def apply(source: str, edits: Iterable[Edit]) -> str:
    """Return the source with the edits, which must not overlap."""
    pieces, done = list[str](), 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        pieces += [source[done : edit.start], edit.text]
        done = edit.end
    return "".join([*pieces, source[done:]])
