"""Text as letters and digits, each with its facts: read once, by one function, for query and print alike.

A letter has what stands before it (the gap: its marks, a line's end, the stop of a sentence), how it is set
(raised, another form) and what it belongs to (an exponent, a citation mark). The checks compare letters
(checks.py).
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from lookup.text.folding import (
    DOT,
    OTHER_DIGIT,
    POINTS,
    Span,
    alike,
    blind,
    fold,
    fold_with_offsets,
    line_breaks,
)
from lookup.text.regex import regex
from lookup.text.sentences import has_stop
from lookup.text.words import occurrences


class Facts(NamedTuple):
    """What is known of a letter, and of the gap before it, beside its folded characters."""

    raised: bool | None = None
    """True in superscript, False for what is typed as a subscript: ₂."""

    exponent: bool | None = None
    """Where the exponent of a number begins: whether plain digits are as clear, as in "10-3" and "× 103"."""

    form: str = ""
    """What folding made another letter, or left out: ß, digits and points of Hebrew and Arabic."""

    cited: bool = False
    """It is of a citation mark."""

    broken: bool = False
    """A line ends with a hyphen in the gap: whether that is the word's own is a guess."""

    joined: bool = False
    """A zero-width non-joiner is in the gap, for which many type a space."""

    ended: bool = False
    """A line ends in the gap."""

    signed: bool = False
    """The gap has a sign that is no hyphen: a minus sign, or any sign in superscript."""

    primed: bool = False
    """The gap has ′, ″ or ‴, which are units and no quotation marks."""

    dashed: bool = False
    """The gap has a dash as long as an em, which parts clauses and is no hyphen."""

    noted: bool = False
    """The gap has the sign of a note, in superscript: *, †, ‡, § or ¶."""

    unstopped: bool = False
    """A heading or a paragraph ends in the gap without a stop: a writer may put one there."""


NONE = Facts()


class Letters(NamedTuple):
    """The letters and digits of a folded text, in order.

    `gaps` stand before each of them and after the last. `written` has their capitals. `facts` are those of
    the letters that have any, by their number; the facts of the last gap have the number of letters.
    """

    chars: str
    written: str
    gaps: Sequence[str]
    facts: Mapping[int, Facts]

    def of(self, number: int) -> Facts:
        """Return the facts of a letter."""
        return self.facts.get(number, NONE)

    @property
    def text(self) -> str:
        """The folded text."""
        return _woven(self.gaps, self.chars)

    @property
    def text_written(self) -> str:
        """The folded text with its capitals."""
        return _woven(self.gaps, self.written)

    def before(self, number: int) -> str:
        """Return the folded text before a letter."""
        return _woven(self.gaps[: number + 1], self.chars[:number])

    def around(self, number: int, sign: str = "") -> str:
        """Return the two words between which a gap stands, or the one that it is in, with a `sign` there."""
        before = self.before(number)
        after = _woven(["", *self.gaps[number + 1 :]], self.chars[number:])
        if sign:
            before = f"{before[: len(before) - len(self.gaps[number])]}{sign}{self.gaps[number]}"
        between = " " * before.endswith(" ")
        return between.join([*before.split()[-1:], *after.split()[:1]])

    def parts(self, spans: Iterable[tuple[int, int]]) -> Iterator["Letters"]:
        """Yield the letters of spans of `text`."""
        text = self.text
        places = [at + number for number, at in enumerate(accumulate(map(len, self.gaps[:-1])))]
        for start, end in spans:
            first, last = bisect_left(places, start), bisect_left(places, end)
            gaps = [text[one + 1 : at] for one, at in pairwise([start - 1, *places[first:last], end])]
            facts = {at - first: self.facts[at] for at in range(first, last) if at in self.facts}
            yield Letters(self.chars[first:last], self.written[first:last], gaps, facts)

    def dropping(self, first: int, last: int) -> "Letters":
        """Return the letters without those from `first` to `last` and the brackets around these."""
        size = last - first
        gap = self.gaps[first].rstrip("[(") + self.gaps[last].lstrip(")]")
        facts = {
            number if number < first else number - size: known
            for number, known in self.facts.items()
            if not first <= number < last
        }
        return Letters(
            self.chars[:first] + self.chars[last:],
            self.written[:first] + self.written[last:],
            [*self.gaps[:first], gap, *self.gaps[last + 1 :]],
            facts,
        )


def without_marks_in_other_form(asked: Letters, printed: Letters) -> tuple[Letters, Letters]:
    """Return both sides without the citation marks that both show, and each in its way: "[18]" and ¹⁸."""
    alike = asked.chars == printed.chars
    cited = [number for number in printed.facts if alike and printed.of(number).cited]
    for last in sorted((one for one in cited if not printed.of(one + 1).cited), reverse=True):
        first = last
        while printed.of(first - 1).cited:
            first -= 1
        here = slice(first + 1, last + 1)
        shown = asked.gaps[first].endswith(("[", "(")) or asked.of(first).raised
        borders = [[side.gaps[first], side.gaps[last + 1]] for side in (asked, printed)]
        if shown and borders[0] != borders[1] and list(asked.gaps[here]) == list(printed.gaps[here]):
            asked, printed = asked.dropping(first, last + 1), printed.dropping(first, last + 1)
    return asked, printed


def _woven(gaps: Sequence[str], chars: str) -> str:
    """Return characters with the gap before each, and one gap more."""
    pairs = zip(gaps, [*chars, ""], strict=True)
    return "".join([part for pair in pairs for part in pair])


@lru_cache(64)
def read(
    source: str,
    superscripts: tuple[int, ...] = (),
    raw: str = "",
    cited: tuple[Span, ...] = (),
    within: Span | None = None,
) -> Letters:
    """Return the letters of a text as typed or printed, or of a part: `within` a span of the folded text.

    `superscripts` are the spans that are raised beside characters such as ², flat: start, end, start, end.
    `raw` is the text with its line ends, where `source` has none, and `cited` are the spans of its folded
    text that are citation marks.
    """
    folded = fold_with_offsets(source)
    text = alike(folded.text)
    first, last = within or Span(0, len(text))
    places = [at for at in range(first, last) if text[at].isalnum()]
    gaps = [text[end + 1 : at] for end, at in pairwise([first - 1, *places, last])]
    chars = "".join([text[at] for at in places])
    if DOT in text:  # that of İ, which folding sets apart
        gaps = [
            gap.removeprefix(DOT) if char == "i" else gap for char, gap in zip(f" {chars}", gaps, strict=True)
        ]
    before = next((at + 1 for at in range(first - 1, -1, -1) if text[at].isalnum()), 0)
    after = next((at for at in range(last, len(text)) if text[at].isalnum()), len(text))
    facts: dict[int, dict[str, Any]] = defaultdict(dict)
    for start, end, name, value in _known(source, superscripts):
        here = Span(bisect_left(folded.starts, start), bisect_left(folded.starts, end))
        gone = start < end and here.start == here.end  # what folding leaves out, as ™
        for number in () if gone else _numbers(places, here, before, after):
            facts[number][name] = value
    for span in cited:
        for number in _numbers(places, span, before, after):
            facts[number]["cited"] = True
    if "\n" in raw or _JOINER in raw:
        earlier = len(blind(text[:first]))
        for number, name in _of_lines(raw, blind(text)):
            if 0 <= number - earlier <= len(chars):
                facts[number - earlier][name] = True
    if after < len(text):
        facts.pop(len(chars), None)
    known = {number: Facts(**found) for number, found in facts.items()}
    written = ((folded.text[at], source[folded.starts[at]]) for at in places)
    capitals = [char if char == sign else _capital(char, sign) for char, sign in written]
    return Letters(chars, "".join(capitals), gaps, known)


def _numbers(places: Sequence[int], span: Span, before: int, after: int) -> range:
    """Return the numbers of the letters at `places` in a span; of the next one at an empty span, a gap.

    Gaps from `before` to `after` count, which stand next to the letters.
    """
    first = bisect_left(places, span.start)
    if span.start == span.end:
        return range(first, first + (before <= span.start <= after))
    return range(first, bisect_left(places, span.end))


def joined(parts: Iterable[Letters]) -> Letters:
    """Return the letters of several texts as those of one, with a space between two."""
    chars = written = ""
    gaps: list[str] = []
    facts: dict[int, Facts] = {}
    for part in parts:
        gaps += [f"{gaps.pop()} {part.gaps[0]}" if gaps else part.gaps[0], *part.gaps[1:]]
        facts |= {len(chars) + number: known for number, known in part.facts.items()}
        chars += part.chars
        written += part.written
    return Letters(chars, written, gaps, facts)


def _capital(char: str, sign: str) -> str:
    """Return a folded letter as a capital if the sign that it stands for is one, and it has one."""
    capital = char.upper()
    return capital if len(capital) == 1 and (sign.isupper() or sign in "℃℉") else char


_SUPERSCRIPTS = regex("[²³¹⁰ⁱ⁴-ⁿᵃᵇᶜᵈᵉᶠᵍʰʲᵏˡᵐᵒᵖʳˢᵗᵘᵛʷˣʸᶻ]+")
_SUBSCRIPTS = regex("[₀-₉]")
_FORMS = regex(rf"[ßẞı]|{OTHER_DIGIT}|[{''.join(map(chr, POINTS))}]++")
_SIGNS = (
    ("signed", regex("[-−–‐‑⁻⁺+]"), "−⁻⁺"),
    ("noted", regex("[*†‡§¶]"), ""),
    ("primed", regex("[′″‴]"), "′″‴"),
    ("dashed", regex("[—―]"), "—―"),
)
"""Facts of gaps, with the characters that give them in superscript, and those that do wherever they stand."""

_SIGNED_DIGIT = regex(r"[-⁻−–]\s?[\d¹²³⁰⁴-⁹]")
_TIMES_TEN = regex(r"[×·*xX⋅∙]\s?10$")
_POWER = regex(r"[i-zⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ](?![^\W\d_])")
"""A letter that stands for a number; those before i are labels of notes, as in "5a"."""
_ZERO = regex("[0⁰]+")


def _known(source: str, superscripts: Sequence[int]) -> Iterator[tuple[int, int, str, Any]]:
    """Yield what is known of the letters of a span of the source, or of the gap at an empty one."""
    if not has_stop(source):
        yield len(source), len(source), "unstopped", True
    spans = [*superscripts, *superscript_characters(source)]
    if source.isascii() and not spans:
        return
    for start, end in zip(spans[::2], spans[1::2], strict=True):
        yield start, end, "raised", True
        if start and source[start - 1].isdigit():
            yield start, start, "exponent", _clear_exponent(source, start, end)
    for match in _SUBSCRIPTS.finditer(source):
        yield *match.span(), "raised", False
    for match in _FORMS.finditer(source):
        yield match.start(), match.start(), "form", match.group().lower()
    for name, pattern, alone in _SIGNS:
        for match in pattern.finditer(source):
            if (alone and match.group() in alone) or is_superscript(*match.span(), superscripts):
                yield match.start(), match.start(), name, True


def _clear_exponent(source: str, start: int, end: int) -> bool | None:
    """Return whether superscripts after a digit are as clear in plain characters; None if no exponent.

    "× 10³" is, as "× 103", and 10⁻³ as "10-3": nobody takes these for other numbers. 10³ is not, nor "× 10⁰",
    which as "× 100" is a hundred.
    """
    if _SIGNED_DIGIT.match(source, start):
        return True
    if source[start].isdigit():
        return bool(_TIMES_TEN.search(source, max(0, start - 4), start)) and not _ZERO.fullmatch(
            source, start, end
        )
    return False if _POWER.match(source, start) else None


def _of_lines(raw: str, chars: str) -> list[tuple[int, str]]:
    """Return what `raw` tells of gaps by its line ends and joiners, in letters of a text without these."""
    verse = len(raw) <= _LINE_OF_VERSE * raw.count("\n")  # nobody shows where lines of prose end
    ends = {
        "broken": line_breaks(raw),
        "joined": list(occurrences(raw, _JOINER)),
        "ended": list(occurrences(raw, "\n")) if verse else [],
    }
    found = []
    whole = ""
    for name, places in ends.items():
        if places:
            parts = [blind(fold(raw[start:end])) for start, end in pairwise([0, *places, len(raw)])]
            found += [(at, name) for at in accumulate(map(len, parts[:-1]))]
            whole = "".join(parts)
    if whole == chars or not found:
        return found
    from rapidfuzz.distance import Levenshtein  # words that are printed do without  # noqa: PLC0415

    codes = Levenshtein.opcodes(whole, chars)
    moved = []
    for at, name in found:
        code = next((code for code in codes if at < code.src_end), None)
        moved.append(
            (min(code.dest_start + at - code.src_start, code.dest_end) if code else len(chars), name)
        )
    return moved


_LINE_OF_VERSE = 60  # Characters of a line of verse, at most, on average.
_JOINER = "\u200c"


def superscript_characters(text: str) -> list[int]:
    """Return the spans of the superscript characters of `text`, such as ³; flat."""
    if text.isascii():
        return []
    return [border for match in _SUPERSCRIPTS.finditer(text) for border in match.span()]


def is_superscript(start: int, end: int, superscripts: Sequence[int]) -> bool:
    """Return whether all of `start:end` is in superscript, by the flat spans of `superscripts`."""
    run = bisect_right(superscripts, start)
    return run % 2 == 1 and end <= superscripts[run]
