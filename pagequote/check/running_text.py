"""A manuscript's running text, with the quotations and citations in it, and what reads it from a source.

Each reader of a markup turns its source into a `RunningText`; `quoting` says which of them belong together.
"""

import re
import sys
from array import array
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import ClassVar, NamedTuple

from lookup.errors import QueryError
from lookup.quote.typed import moved
from lookup.text.scripts import without_turns
from pagequote.check.quotation import UNREAD, Citation, MappedText, Spans

CITED, SHOWN = "\ufdd0", "\ufdd1"
"""Mark a citation in the text, and stand for the rest of what shows it: no characters of any source."""

NO_BREAK = "\xa0"
"""A space that begins no code of Markdown, however many there are."""

_NOT_A_BREAK = re.compile(r"[^\r\n]")


def spaces(text: str, blank: str = " ") -> str:
    """Return spaces in place of a text, but for its line breaks."""
    return _NOT_A_BREAK.sub(blank, text)


STRUCK, HELD, LINE_HELD = "\ufdd2", "\ufdd3", "\ufdd4"
"""Stand in a markup that is translated, around what is struck out, around what is held by what nobody knows,
and at the beginning of its lines."""

QUOTES = str.maketrans(dict.fromkeys('"“”„«»‹›', "\u201f"))
"""Makes of a quotation mark one that opens and closes nothing, and is the same when folded."""

OURS = str.maketrans(dict.fromkeys((CITED, SHOWN), UNREAD))


class Quoted(NamedTuple):
    """Quoted characters of the text: a block, or between quotation marks.

    A quotation over paragraphs is opened `again` at these characters. What is not `known` to quote stands
    in a form of which a reader cannot tell; one that only looks different, in italics, may quote where a
    citation stands right `beside` it.
    """

    start: int
    end: int
    form: str
    block: bool = False
    again: tuple[int, ...] = ()
    known: bool = True
    beside: bool = False


MOST_CHARACTERS = 8 << 20
"""Characters of a manuscript: a thesis of 500 pages has 1 million. With 13 bytes for each, 110 MB."""

_UTF32 = f"utf-32-{sys.byteorder[0]}e"


class RunningText:
    """The printed text of a manuscript, each character with its place in the source. An `aside` is a note.

    Raise QueryError for more than MOST_CHARACTERS.
    """

    def __init__(self) -> None:
        self._codes = array("I")
        self.spans = Spans()
        self.asides = bytearray()
        self.citations: dict[int, Citation] = {}
        self.quoted: list[Quoted] = []
        self.files: list[str] = []
        self.aside = False

    @property
    def length(self) -> int:
        """Return the number of characters."""
        return len(self.asides)

    @property
    def last_place(self) -> int:
        """Return where the text so far ends in the source."""
        return self.spans[self.length - 1][1] if self.length else 0

    def text(self, start: int = 0, end: int | None = None) -> str:
        """Return the characters from `start` to `end`."""
        return self._codes[start:end].tobytes().decode(_UTF32, "surrogatepass")

    def add(self, text: str, start: int, end: int) -> None:
        """Add `text`, which the source writes as `source[start:end]`."""
        self._take(text)
        self.spans.add(start, end, len(text))

    def copy(self, source: str, start: int, end: int, where: str = "") -> None:
        """Add `source[start:end]` as it is; raised ("^") or lowered ("_") if it is a number."""
        begins = self.length
        self.add_each(source[start:end], start)
        if where:
            self.move(where, begins)

    def add_each(self, text: str, start: int) -> None:
        """Add `text`, of which the source writes each character as one, from `start` on."""
        self._take(text.translate(OURS))
        self.spans.add_each(start, len(text))

    def _take(self, text: str) -> None:
        if self.length + len(text) > MOST_CHARACTERS:
            raise QueryError(
                f"The manuscript has over {MOST_CHARACTERS:,} characters, the limit. Check it in parts."
            )
        self._codes.frombytes(text.encode(_UTF32, "surrogatepass"))
        self.asides += (b"\1" if self.aside else b"\0") * len(text)

    def extend(self, other: "RunningText", places: Spans | None = None) -> None:
        """Add another text with what it cites, and what it quotes if it is of another source.

        The characters of that have these `places` in the source.
        """
        begins, cited = self.length, other.citations
        self._take(other.text())
        if not self.aside:
            self.asides[begins:] = other.asides
        if places is None:
            self.spans.extend(other.spans)
        else:
            for first, last in other.spans:
                end = places[last - 1][1] if last > first else places[first][0] if first < len(places) else 0
                self.spans.add(places[min(first, len(places) - 1)][0], end, 1)
            cited = {at: one.placed(places) for at, one in cited.items()}
            there = (one._replace(start=begins + one.start, end=begins + one.end) for one in other.quoted)
            self.quoted += there
        self.citations |= {begins + at: one for at, one in cited.items()}

    def move(self, where: str, begins: int) -> None:
        """Raise ("^") or lower ("_") the number from `begins` on; its characters keep their places."""
        codes = array("I", moved(self.text(begins), where).encode(_UTF32, "surrogatepass"))
        self._codes[begins : begins + len(codes)] = codes

    def unread(self, start: int, end: int) -> None:
        """Add what stands for `source[start:end]`, of which the reader of the draft sees something else."""
        self.add(UNREAD, start, end)

    def forget(self, begins: int) -> None:
        """Take back the characters from number `begins` on: they are not shown."""
        del self._codes[begins:], self.asides[begins:]
        self.spans.forget(begins)
        while self.citations and next(reversed(self.citations)) >= begins:
            self.citations.popitem()
        while self.quoted and self.quoted[-1].end > begins:
            self.quoted.pop()

    def cite(self, citation: Citation) -> None:
        """Add a citation."""
        self.citations[self.length] = citation
        self.add(CITED, citation.start, citation.end)

    def mark(self, citation: Citation, begins: int, end: int) -> None:
        """Make of the characters from number `begins` to `end` a citation."""
        marks = f"{CITED}{SHOWN * (end - begins - 1)}"
        self._codes[begins:end] = array("I", marks.encode(_UTF32, "surrogatepass"))
        self.citations[begins] = citation

    @contextmanager
    def noting(self, start: int, end: int) -> Iterator[None]:
        """Add what is added meanwhile as a note: `source[start:end]`. It cites, by keys or in words."""
        before, self.aside = self.aside, True
        self.add(" ", start, start)  # no mark of the text stands at a word of the note
        begins = self.length
        yield
        if self.words(begins).text and not any(place >= begins for place in reversed(self.citations)):
            self.cite(Citation((), start, end, note=self.words(begins)))
        self.aside = before

    def contain(self, begins: int, form: str, *, known: bool = True, beside: bool = False) -> None:
        """Quote the characters from `begins` on as a block; `known` and `beside` are those of `Quoted`."""
        if self.length > begins:
            self.quoted.append(Quoted(begins, self.length, form, block=True, known=known, beside=beside))

    @contextmanager
    def quoting(self, form: str, start: int, end: int, *, block: bool) -> Iterator[None]:
        """Quote what is added meanwhile, as a block or between marks: the source from `start` to `end`."""
        begins = self.length
        self.add("\n\n" if block else "“", start, start + 1)
        inner = self.length
        yield
        ends = self.length
        self.add("\n\n" if block else "”", end - 1, end)
        if not block:
            self.quoted.append(Quoted(begins, ends + 1, form))
        elif ends > inner:
            self.quoted.append(Quoted(inner, ends, form, block=True))

    def words(self, start: int = 0, end: int | None = None) -> MappedText:
        """Return the text from `start` to `end` without citations, and without notes unless it is of one."""
        stop = self.length if end is None else end
        text, note = self.text(start, stop), start < stop and self.asides[start]
        shown, spans = [], Spans()
        places = [(0, len(text))] if note else [one.span() for one in _BODY.finditer(self.asides[start:stop])]
        for first, last in places:
            for run in _SHOWN.finditer(text, first, last):
                shown.append(run[0])
                spans.extend(self.spans.cut(start + run.start(), start + run.end()))
        whole = MappedText(without_turns("".join(shown), UNREAD), spans)
        return whole.cut(0, len(whole.text))


_BODY = re.compile(rb"\0+")
_SHOWN = re.compile(f"[^{CITED}{SHOWN}]+")


class Scanner:
    """Adds a source to a running text. A token is read by the method that has the name of its group.

    Such a method, `_on_NAME`, returns where the source goes on; None for the end of the token. The text
    around it goes on to `end`. A token for which there is no method prints nothing.
    """

    TOKENS: ClassVar[re.Pattern[str]]
    STARTS: ClassVar[re.Pattern[str]]
    """The characters with which tokens begin: looking for these first halves the time of a reading."""

    MARKS: ClassVar[Mapping[str, str]]
    """What marks print."""

    def __init__(self, source: str, flow: RunningText) -> None:
        self.source = source
        self.flow = flow
        self.end = len(source)
        self._slanted: list[int] = []

    def read(self, at: int, end: int) -> None:
        """Add the markup `source[at:end]`."""
        before, self.end = self.end, end
        while at < end:
            token = self._next(at, end)
            self.plain(at, token.start() if token else end)
            at = self.token(token) if token else end
        self.end = before

    def _next(self, at: int, end: int) -> re.Match[str] | None:
        while first := self.STARTS.search(self.source, at, end):
            if token := self.TOKENS.match(self.source, first.start(), end):
                return token
            at = first.end()
        return None

    def plain(self, start: int, end: int) -> None:
        """Add text without markup."""
        self.flow.copy(self.source, start, end)

    def token(self, token: re.Match[str]) -> int:
        """Add what a token prints. Return where the source goes on."""
        method = getattr(self, f"_on_{token.lastgroup}", None)
        after = method(token) if method else None
        return token.end() if after is None else max(after, token.end())

    def hold(self, start: int, end: int, form: str, *, known: bool = False, beside: bool = False) -> None:
        """Add the markup `source[start:end]`, which may be quoted in this form."""
        begins = self.flow.length
        self.read(start, end)
        self.flow.contain(begins, form, known=known, beside=beside)

    def _on_mark(self, token: re.Match[str]) -> None:
        """Add what a mark prints."""
        self.flow.add(self.MARKS[token[0]], *token.span())

    def _on_strong(self, token: re.Match[str]) -> None:
        """Begin or end words in italics or in bold, which may be quoted where a citation follows."""
        if self._slanted and not self.source[token.start() - 1].isspace():
            self.flow.contain(self._slanted.pop(), "italics or bold", known=False, beside=True)
        else:
            self._slanted.append(self.flow.length)
