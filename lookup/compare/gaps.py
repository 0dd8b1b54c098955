"""What may stand between two letters on one side and not on the other.

Each rule returns whether both sides agree, and None where it does not decide: the first that does is right
(GAPS in checks.py). Marks are punctuation only where prose has them: next to digits and single letters they
are signs, and belong to what they stand next to.
"""

from collections.abc import Mapping
from typing import NamedTuple

from lookup.compare.letters import Facts, Letters
from lookup.text.regex import regex
from lookup.text.scripts import may_part, parts_no_words, unspaced
from lookup.text.sentences import ABBREVIATIONS
from lookup.text.words import STOP_WORDS, UNITS_ALONE, is_unit, words_of

_PUNCTUATION = regex(r"[\s'\"*†‡§¶•·()\[\]{}:;!?.,\\|_`^…]")
"""What may differ between words. Signs, operators, percent, degree marks and unknown glyphs may not."""

_SPACES = regex(r"\s+")
_BRACKETS = regex(r"[()\[\]{}]")
_BRACKETED_MARK = regex(r"\[[.,;:!?]\]")
"""A mark that a writer puts in, and shows to be their own."""

_OPERATOR = regex(r"[+=<>/^×±]")
_OPERATORS = regex(r"[|:*\\/-]")
_DASH = regex(r"\s-+\s")
_DOTS_IN_LIST = regex(r",\s?\.\s?\.\s?\.\s?,")
_DOTS = regex(r"\.(?:\s?\.)+")
_STOPS = regex(r"[.!?]")
_STOP = regex(r"[.!?](?=\s?['\"]|[)\]]*\s)")
_NO_OTHER_MARK = regex(r"[\s.]*")
_LEADING_POINT = regex(r"[\s()\[\]=<>~≤≥≈±×+-][.,]\[?$")
_THOUSAND = 3  # Digits after a comma that may part thousands: (8,553).
_CHARGE = regex(r"[\^{]*-(?![\w-])\W")  # That of an ion, or a hyphen that hangs, as in "pre- and".
_LETTERS = regex(r"^.*\d")


_LABELLED = frozenset(words_of("of_labels"))
"""Words before a label: "Figure 2 a" is Figure 2a, and "step 4 a" is not step 4a."""


class Gap(NamedTuple):
    """What stands between two letters, as asked and as printed, with the facts of the letter after it.

    `before` and `after` are the runs of letters and digits around it in print, '' at an end of the text.
    """

    asked: str
    printed: str
    before: str
    after: str
    of_asked: Facts
    of_printed: Facts
    quotes: tuple[str, str]
    """Quotation marks as asked and printed that close nothing: after a digit or a single letter, primes."""

    written: str
    """The letters right before and after it with their capitals."""

    led_by: str
    """The run before `before`, as the word in "Figure 2 a"."""

    recased: bool
    """Whether the letter after it is a capital on one side alone, but in text set in capitals."""

    @property
    def both(self) -> tuple[str, str]:
        """What is asked, and what is printed."""
        return self.asked, self.printed

    @property
    def kept(self) -> tuple[str, str]:
        """The same without punctuation and spaces."""
        return _PUNCTUATION.sub("", self.asked), _PUNCTUATION.sub("", self.printed)

    @property
    def inside(self) -> bool:
        """Whether it stands between two letters, and not at an end."""
        return bool(self.before and self.after)

    @property
    def beside_digit(self) -> bool:
        """Whether a digit stands beside it."""
        return self.before[-1:].isdigit() or self.after[:1].isdigit()

    @property
    def between_values(self) -> bool:
        """Whether digits or single letters stand on both sides."""
        return _is_value(self.before[-1:], self.before) and _is_value(self.after[:1], self.after)


def differing_gaps(asked: Letters, printed: Letters) -> list[int]:
    """Return the gaps that are not the same on both sides, which have as many letters."""
    both = enumerate(zip(asked.gaps, printed.gaps, strict=True))
    return [number for number, (one, other) in both if one != other]


def gap_at(
    asked: Letters, printed: Letters, number: int, quotes: tuple[Mapping[int, str], Mapping[int, str]]
) -> Gap:
    """Return the gap before a letter; `quotes` are those of both sides that close nothing, by gap."""
    start, end = _begun(printed, number), number + 1
    while end < len(printed.chars) and not printed.gaps[end]:
        end += 1
    return Gap(
        asked.gaps[number],
        printed.gaps[number],
        printed.chars[start:number],
        printed.chars[number:end],
        asked.of(number),
        printed.of(number),
        (quotes[0].get(number, ""), quotes[1].get(number, "")),
        printed.written[max(number - 1, 0) : number + 1],
        printed.chars[_begun(printed, start) : start],
        asked.written[number : number + 1] != printed.written[number : number + 1]
        and not any(side.written[number : number + 2].isupper() for side in (asked, printed)),
    )


def _begun(letters: Letters, number: int) -> int:
    """Return the first letter of the run that ends before a letter."""
    start = max(number - 1, 0)
    while start > 0 and not letters.gaps[start]:
        start -= 1
    return start


def _is_value(char: str, run: str) -> bool:
    return char.isdigit() or (len(run) == 1 and not unspaced(char))


def loose_quotes(letters: Letters) -> dict[int, str]:
    """Return the quotation marks by gap that stand after a letter and close nothing."""
    opened: list[str] = []
    loose: dict[int, str] = {}
    for number, text in enumerate(letters.gaps):
        gap = text.replace("''", '"') if "'" in text or '"' in text else ""
        for at, mark in enumerate(gap):
            if mark not in "'\"":
                continue
            after_letter = number > 0 and not gap[:at].strip("'\"")
            before_letter = number < len(letters.chars) and not gap[at + 1 :].strip("'\"([{")
            if after_letter and before_letter:
                continue  # an apostrophe
            if before_letter:
                opened.append(mark)
            elif mark in opened:
                opened.remove(mark)
            elif after_letter:
                loose[number] = loose.get(number, "") + mark
    return loose


def _marks_of_values(gap: str, before: str, after: str) -> str:
    """Return the signs of a gap that stand beside a digit or a single letter."""
    found = ""
    for at, mark in enumerate(gap):
        if mark in "*†‡§¶!^|":
            left, right = " " not in gap[:at], " " not in gap[at + 1 :]
            beside = (left or not right) and _is_value(before[-1:], before)
            found += mark if beside or ((right or not left) and _is_value(after[:1], after)) else ""
    return found


def primes(gap: Gap) -> bool | None:
    """Primes are units, as in 14″, and the same on both sides; so are quotes that close nothing there."""
    if gap.of_asked.primed or gap.of_printed.primed:
        one, other = ([c for c in side.replace("''", '"') if c in "'\""] for side in gap.both)
        return None if one == other else False
    return False if _is_value(gap.before[-1:], gap.before) and gap.quotes[0] != gap.quotes[1] else None


def signs_of_values(gap: Gap) -> bool | None:
    """*, †, ‡, §, ¶, !, ^ and | next to digits and single letters are signs, but for raised ones of notes."""
    one, other = (_marks_of_values(side, gap.before, gap.after) for side in gap.both)
    star = gap.before[-1:].isdigit() and "*" in other
    return None if one == other or (not one and gap.of_printed.noted and not star) else False


def operators(gap: Gap) -> bool | None:
    r"""|, :, *, \, / and - between single letters are operators, as is | without spaces anywhere."""
    bars = [side.strip() == "|" and " " not in side for side in gap.both]
    if bars[0] != bars[1]:
        return False
    if not gap.between_values or gap.beside_digit or gap.of_printed.broken:
        return None
    one, other = (_OPERATORS.findall(side) for side in gap.both)
    return None if one == other else False


def dashes(gap: Gap) -> bool | None:
    """A spaced dash, or a long one, is a dash on the other side too, never a space, a comma or nothing."""
    if not gap.inside or ("-" in gap.asked and "-" in gap.printed):
        return None
    dashed = [bool(_DASH.search(side)) for side in gap.both]
    long = gap.of_asked.dashed or gap.of_printed.dashed
    return False if any(dashed) or long else None


def lines_of_verse(gap: Gap) -> bool | None:
    """A stroke between spaces shows where a line of verse ends."""
    return True if gap.asked.endswith(" / ") and gap.of_printed.ended else None


def dots(gap: Gap) -> bool | None:
    """Dots between commas stand for what a list leaves out: "x, y, ..., z"."""
    one, other = (_DOTS_IN_LIST.search(side) is not None for side in gap.both)
    return None if one == other else False


def stops(gap: Gap) -> bool | None:
    """A stop of a sentence is one on both sides: "mud; the shore" is not "mud. the shore", nor "12 h. When".

    But for the point of an abbreviation or an initial, if no capital follows on one side alone.
    """
    asked, printed = (_DOTS.sub("", _BRACKETED_MARK.sub("", side)) for side in gap.both)
    marks = _STOPS.findall(asked), _STOPS.findall(printed)
    if marks[0] == marks[1] or not gap.inside or gap.of_printed.unstopped:
        return None
    if not (_STOP.search(asked) or _STOP.search(printed) or unspaced(gap.before[-1])):
        return None
    initial = len(gap.before) == 1 and (gap.written[0].isupper() or gap.before.isdigit())
    alone = initial and all(map(_NO_OTHER_MARK.fullmatch, gap.both))
    if {*marks[0], *marks[1]} == {"."} and not gap.recased and (alone or gap.before in ABBREVIATIONS):
        return None
    return False


def citation_mark(gap: Gap) -> bool | None:
    """A comma of a citation mark may have more space, [3, 4] for [3,4]; copies lose those of raised ones.

    A raised one is no number apart, as in "studies 12".
    """
    cited, raised, comma = gap.of_printed.cited, gap.of_printed.raised, gap.printed.strip() == ","
    if cited and comma and gap.asked.strip() == "," and len(gap.after) != _THOUSAND:
        return raised or len(gap.asked) >= len(gap.printed)
    if not (cited and raised):
        return None
    if comma and not gap.asked:
        return True
    alone = gap.before[-1:].isalpha() and not _BRACKETS.search(gap.printed)
    return False if alone and gap.asked.isspace() != gap.printed.isspace() else None


def between_digits(gap: Gap) -> bool | None:
    """Digits are one number, or several, on both sides: "80, 100" is not "80,100"."""
    if not (gap.before[-1:].isdigit() and gap.after[:1].isdigit()):
        return None
    one, other = (_SPACES.sub("", side) for side in gap.both)
    if not one:
        return not other and bool(gap.asked) == bool(gap.printed)
    return one == other != "." and (one != "," or len(gap.asked) == len(gap.printed))


def true_signs(gap: Gap) -> bool | None:
    """A minus sign, or a sign in superscript, is on both sides."""
    signed = gap.of_asked.signed or gap.of_printed.signed
    return False if signed and gap.kept[0] != gap.kept[1] else None


def brackets(gap: Gap) -> bool | None:
    """Brackets are the same where they mean something: f(x)+1 is not f(x+1), nor 25 (25).

    A citation mark may be without its brackets where no space stands for them.
    """
    one, other = (_BRACKETS.findall(side) for side in gap.both)
    if one == other or not gap.inside:
        return None
    power = gap.of_printed.raised and not gap.of_printed.cited and one[:1] + other[:1] not in (["("], ["["])
    if power or (gap.between_values and not gap.beside_digit):
        return False
    dropped = gap.asked[-1:].isspace() and gap.printed.endswith(("(", "["))
    changed = dropped or (len(other) > 0 and other[: len(one)] != one)
    return False if (changed and gap.beside_digit) or _OPERATOR.search(gap.printed) else None


def next_to_digits(gap: Gap) -> bool | None:
    """Next to a digit signs and points are the same; the hyphen of IL-6 and the space of 5 mg are none."""
    if not gap.beside_digit:
        return None
    if gap.inside and _part_otherwise(gap):
        return False
    # A sign or a unit; but the hyphen of IL-6 and the space of 5 mg are neither. That of cm-1 is a sign.
    joint = gap.inside and not is_unit(_LETTERS.sub("", gap.before))
    signed = any("-" in side and len(side) > 1 for side in gap.both)
    hyphens = {"", "-"} if joint and not signed else {""}
    points = [gap.after[:1].isdigit() and _LEADING_POINT.search(side) is not None for side in gap.both]
    return points[0] == points[1] and (gap.kept[0] == gap.kept[1] or {*gap.kept} <= hyphens)


def _part_otherwise(gap: Gap) -> bool:
    """Return whether a space or hyphen makes another name beside a digit: "B 2" of B2, "after-4 h"."""
    if gap.before in STOP_WORDS and len(gap.before) > 1 and "-" in gap.asked and not gap.kept[1]:
        return True
    if {*gap.both} != {"", " "}:
        return False
    if gap.after[:1].isdigit():
        return len(gap.before) == 1 and gap.written[0].isupper() and gap.written.isascii()
    return len(gap.after) == 1 and gap.after not in UNITS_ALONE and gap.led_by not in _LABELLED


def hyphens_and_spaces(gap: Gap) -> bool | None:
    """A space may stand for a hyphen; words neither come apart nor together, but at line ends."""
    if not {*gap.kept} <= {"", "-"}:
        return None
    broken = gap.of_asked.broken or gap.of_printed.broken
    if broken or not gap.inside or {*gap.both} == {"", "- "}:
        return True
    if {*gap.both} == {"", " "} and (gap.of_asked.joined or gap.of_printed.joined):
        return True
    if {*gap.both} == {"", " "}:
        return parts_no_words(gap.before[-1], gap.after[0]) or may_part(gap.before[-1], gap.after[0])
    return bool(gap.asked) == bool(gap.printed) and (
        gap.kept[0] == gap.kept[1] or not (_CHARGE.match(gap.asked) or _CHARGE.match(gap.printed))
    )


def other_signs(gap: Gap) -> bool:
    """All but punctuation and spaces is the same."""
    return gap.kept[0] == gap.kept[1]
