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

from lookup.text.alike import DOT, OTHER_DIGIT, alike
from lookup.text.folding import POINTS, Folded, blind, fold, fold_with_offsets, line_breaks
from lookup.text.regex import regex
from lookup.text.sentences import ANY_STOP, stops


class Span(NamedTuple):
    """A stretch of a text."""

    start: int
    end: int


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

    stop: str = ""
    """The stop of a sentence that ends in the gap; ANY_STOP at the end of a paragraph without one."""


NONE = Facts()


class Letters(NamedTuple):
    """The letters and digits of a folded text, in order.

    `gaps` stand before each of them and after the last; `places` are their offsets in the text that was read.
    `written` has their capitals. `facts` are those of the letters that have any, by their number; the facts
    of the last gap have the number of letters.
    """

    chars: str
    written: str
    gaps: Sequence[str]
    places: Sequence[int]
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

    def number_at(self, offset: int) -> int:
        """Return how many letters stand before an offset of the folded text that was read."""
        return bisect_left(self.places, offset)

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
            [*self.places[:first], *self.places[last:]],
            facts,
        )


def without_marks_in_other_form(asked: Letters, printed: Letters) -> tuple[Letters, Letters]:
    """Return both sides without the citation marks that both show, and each in its way: "[18]" and ¹⁸."""
    cited = [number for number in printed.facts if printed.of(number).cited]
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
    source: str, superscripts: tuple[int, ...] = (), raw: str = "", cited: tuple[Span, ...] = ()
) -> Letters:
    """Return the letters of a text as typed or printed.

    `superscripts` are the spans that are raised beside characters such as ², flat: start, end, start, end.
    `raw` is the text with its line ends, where `source` has none, and `cited` are the spans of its folded
    text that are citation marks.
    """
    folded = fold_with_offsets(source)
    text = alike(folded.text)
    places: list[int] = []
    gaps: list[str] = []
    ended = 0
    for run in _RUN.finditer(text):
        gaps += [text[ended : run.start()], *[""] * (run.end() - run.start() - 1)]
        places += range(*run.span())
        ended = run.end()
    gaps.append(text[ended:])
    chars = "".join(_RUN.findall(text))
    if DOT in text:  # that of İ, which folding sets apart
        gaps = [
            gap.removeprefix(DOT) if char == "i" else gap for char, gap in zip(f" {chars}", gaps, strict=True)
        ]
    facts: dict[int, dict[str, Any]] = defaultdict(dict)
    for start, end, name, value in _known(source, superscripts):
        first, last = (bisect_left(places, bisect_left(folded.starts, at)) for at in (start, end))
        for number in range(first, last) if start < end else (first,):
            facts[number][name] = value
    for start, end in cited:
        for number in range(bisect_left(places, start), bisect_left(places, end)):
            facts[number]["cited"] = True
    if "\n" in raw or _JOINER in raw:
        for number, name in _of_lines(raw, chars):
            facts[number][name] = True
    known = {number: Facts(**found) for number, found in facts.items()}
    return Letters(chars, _with_capitals(folded, source, places), gaps, places, known)


def joined(parts: Iterable[tuple[Letters, int, int]]) -> Letters:
    """Return the letters of several stretches as those of one text, with a space between two.

    Each stretch is from one offset to another of the folded text that its letters were read from.
    """
    chars, written, gaps, places, facts = "", "", [""], [0], {}
    shift = 0
    for letters, start, end in parts:
        first, last = letters.number_at(start), letters.number_at(end)
        inner = _gaps_within(letters, first, last, start, end)
        gaps = [*gaps[:-1], f"{gaps[-1]} {inner[0]}" if shift else inner[0], *inner[1:]]
        ends = len(letters.chars) if last == len(letters.chars) else None
        for number, known in letters.facts.items():
            here = len(chars) + number - first
            if first <= number < last or number == ends:
                facts[here] = known
            elif number == last and known.stop and known.stop in inner[-1]:
                facts[here] = Facts(stop=known.stop)
        places += [at - start + shift for at in letters.places[first:last]]
        chars += letters.chars[first:last]
        written += letters.written[first:last]
        shift += end - start + 1
    return Letters(chars, written, gaps, places[1:], facts)


def _gaps_within(letters: Letters, first: int, last: int, start: int, end: int) -> list[str]:
    """Return the gaps of the letters from `first` to `last`, cut to the offsets from `start` to `end`."""
    gaps = list(letters.gaps[first : last + 1])
    before = letters.places[first - 1] + 1 if first else 0
    gaps[-1] = gaps[-1][: end - (letters.places[last - 1] + 1 if last else 0)]
    gaps[0] = gaps[0][max(0, start - before) :]
    return gaps


def _with_capitals(folded: Folded, source: str, places: Sequence[int]) -> str:
    written = [folded.text[at] for at in places]
    for match in _MAY_BE_CAPITAL.finditer(source):
        if match.group().isupper() or match.group() in "℃℉":
            first, last = (bisect(folded.starts, match.start()) for bisect in (bisect_left, bisect_right))
            for number in range(bisect_left(places, first), bisect_left(places, last)):
                capital = written[number].upper()
                written[number] = capital if len(capital) == 1 else written[number]
    return "".join(written)


_RUN = regex(r"[^\W_]+")
_MAY_BE_CAPITAL = regex(r"[^a-z\W\d_]|[℃℉]")
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
    for at, stop in stops(source):
        yield at, at, "stop", stop or ANY_STOP
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
    breaks = line_breaks(raw)
    parts = (raw[start:end] for start, end in pairwise([0, *breaks]))
    found = [(at, "broken") for at in accumulate(len(blind(fold(part))) for part in parts)]
    for name, sign in (("joined", _JOINER), ("ended", "\n")):
        lines = raw.split(sign)[:-1]
        if name == "ended" and len(raw) > _LINE_OF_VERSE * len(lines):
            continue  # lines of prose, whose ends nobody shows
        found += [(at, name) for at in accumulate(len(blind(fold(line))) for line in lines)]
    whole = blind(fold(raw))
    if whole == chars:
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
