"""What letters and digits alone overlook: where words and values begin and end, and what stands between them.

"significant" is not printed in "insignificant", nor "5 mg" in "15 mg", "-5 mg" or "5 mg/kg"; `1.5` is not
`15`.
"""

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple
from unicodedata import category

from lookup.text.regex import regex
from lookup.text.scripts import may_part, parts_no_words
from lookup.text.units import is_unit

_LETTERS = regex(r"^.*\d")
_PUNCTUATION = regex(r"[\s'\"*†‡§¶•·()\[\]{}:;!?.,\\|_`^…]")
"""What may differ between words. Signs, operators, percent, degree marks and unknown glyphs may not."""

_SPACES = regex(r"\s+")
_QUOTES = regex("['\"]")
_QUOTATION = regex(r"(?<![^\W\d_])['\"]|['\"](?![^\W\d_])")
"""A mark that is no apostrophe."""
_STRAIGHT_PRIME = regex(r"\d['\"]")
_NO_MARK = regex(r"[\s-]+")
_BRACKETS = regex(r"[()\[\]{}]")
_OPERATOR = regex(r"[+=<>/^×±]")
_LEADING_POINT = regex(r"[\s()\[\]=<>~≤≥≈±×+-][.,]\[?$")
_CHARGE = regex(r"[\^{]*-(?![\w-])\W")  # That of an ion, or a hyphen that hangs, as in "pre- and".


class Known(NamedTuple):
    """What is known of a print beside its letters: places, counted in letters and digits.

    `breaks` are those at which a line break in either took a hyphen away, or left one, that may or may not
    be the word's own; `signs` those of minus signs and signs in superscript, which are no hyphens; `commas`
    those of commas in citation marks in superscript, which copies lose; `primes` those of ′ and ″, which are
    units; `raised` those where a citation mark in superscript begins, which is no value.
    """

    breaks: frozenset[int] = frozenset()
    signs: frozenset[int] = frozenset()
    commas: frozenset[int] = frozenset()
    primes: frozenset[int] = frozenset()
    raised: frozenset[int] = frozenset()


_NOTHING = Known()


def same_words(asked: str, printed: str, known: Known = _NOTHING) -> bool:
    """Return whether two folded texts with the same letters and digits have the same words and numbers.

    Punctuation may differ, and a space may stand for a hyphen. Decimal points, signs, operators, ranges and
    units may not differ (`1.5` is not `15`, `.05` not `05`, `- 5` not `5`, `<` not `>`, `10 %` not `10 ‰`),
    and words may not come apart or together (`no table` is not `notable`, `re-sign` not `resign`), but in
    scripts that put no spaces between them.
    """
    gaps = list(zip(_gaps(asked), _gaps(printed), strict=True))
    if not _requoted(asked, printed):
        straight = (
            at for at, (_, other) in enumerate(gaps) if _STRAIGHT_PRIME.match(f"{other[0][-1:]}{other[1]}")
        )
        known = known._replace(primes=known.primes.union(straight))
    return all(_agree(one, other, at, known) for at, (one, other) in enumerate(gaps))


def _requoted(asked: str, printed: str) -> bool:
    """Return whether a query has the print's quotation marks, or others in their place, or none."""
    one, other = _QUOTATION.findall(asked), _QUOTATION.findall(printed)
    pairs = {*zip(one, other, strict=False)}
    return len(other) % 2 == 0 and (not one or (len(one) == len(other) and len(pairs) == len({*other})))


def other_marks(asked: str, printed: str) -> Iterator[tuple[str, str]]:
    """Yield what differs in punctuation alone between two texts that `same_words` finds the same.

    Each with the words on either side, as asked and as printed.
    """
    for at, gaps in enumerate(zip(_gaps(asked), _gaps(printed), strict=True)):
        before, _, after = gaps[0]
        marks, printed_marks = (_NO_MARK.sub("", gap[1]) for gap in gaps)
        if marks != printed_marks and before and after:
            yield around(asked, at), around(printed, at)


def around(text: str, at: int) -> str:
    """Return the two words of a folded text between which it has had `at` letters and digits, or the one."""
    letters = (place for place, char in enumerate(text) if char.isalnum())
    place = next(islice(letters, at, None), len(text))
    between = " " * text[:place].endswith(" ")
    return between.join([*text[:place].split()[-1:], *text[place:].split()[:1]])


def gap_at(text: str, at: int) -> str:
    """Return what stands between letters or digits of a text after `at` of them."""
    return next(islice(_gaps(text), at, None))[1]


def _gaps(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each gap before a letter or digit, and the last: run before it, gap, character after."""
    before, gap = "", ""
    for char in text:
        if char.isalnum():
            yield before, gap, char
            before = char if gap else before + char
            gap = ""
        else:
            gap += char
    yield before, gap, ""


def _agree(asked: tuple[str, str, str], printed: tuple[str, str, str], at: int, known: Known) -> bool:
    before, one, after = asked
    other = printed[1]
    if one == other or (at in known.commas and {one, other} <= {"", ",", " , "}):
        return True
    if at in known.primes and _primes(one) != _primes(other):
        return False
    if at in known.raised and one.isspace() != other.isspace():
        return False
    if before[-1:].isdigit() and after.isdigit():
        return _agree_between_digits(one, other)
    kept, kept_other = (_PUNCTUATION.sub("", gap) for gap in (one, other))
    if (at in known.signs and kept != kept_other) or not _same_brackets(asked, printed):
        return False
    if after.isdigit() or before[-1:].isdigit():
        # A sign or a unit; but the hyphen of IL-6 and the space of 5 mg are neither. That of cm-1 is a sign.
        joint = before.isalnum() and after.isalnum() and not is_unit(_LETTERS.sub("", before))
        signed = any("-" in gap and len(gap) > 1 for gap in (one, other))
        hyphens = {"", "-"} if joint and not signed else {""}
        return _pointed(one, after) == _pointed(other, after) and (
            kept == kept_other or {kept, kept_other} <= hyphens
        )
    if {kept, kept_other} <= {"", "-"}:
        apart, apart_other = bool(one), bool(other)
        if (at in known.breaks and one != " ") or not (before and after) or {one, other} == {"", "- "}:
            return True
        if {one, other} == {"", " "}:
            return parts_no_words(before[-1], after) or may_part(before[-1], after)
        return apart == apart_other and (
            kept == kept_other or not (_CHARGE.match(one) or _CHARGE.match(other))
        )
    return kept == kept_other


def _same_brackets(asked: tuple[str, str, str], printed: tuple[str, str, str]) -> bool:
    """Return whether gaps have the same brackets where these mean something: f(x)+1 is not f(x+1).

    A citation mark may be without its brackets where no space stands for them: 25 is not (25).
    """
    before, one, after = asked
    brackets, others = (_BRACKETS.findall(gap) for gap in (one, printed[1]))
    if brackets == others or not (before and after):
        return True
    dropped = one[-1:].isspace() and printed[1].endswith(("(", "["))
    changed = dropped or (len(others) > 0 and others[: len(brackets)] != brackets)
    valued = changed and (after.isdigit() or before[-1].isdigit())
    return not valued and not _OPERATOR.search(printed[1])


def _primes(gap: str) -> list[str]:
    """Return the primes and double primes of a gap; folding makes two primes of a double one."""
    return _QUOTES.findall(gap.replace("''", '"'))


def _agree_between_digits(one: str, other: str) -> bool:
    """Return whether digits are one number, or several, on both sides: "80, 100" is not "80,100"."""
    closed, closed_other = _SPACES.sub("", one), _SPACES.sub("", other)
    if not closed:
        return not closed_other and bool(one) == bool(other)
    return closed == closed_other != "." and (closed != "," or len(one) == len(other))


def _pointed(gap: str, after: str) -> bool:
    """Return whether a gap before a digit ends with the decimal point of .05."""
    return after.isdigit() and _LEADING_POINT.search(gap) is not None


_NEGATION = regex(r"(?<![^\W\d_])(?:non|un|anti)-$")
"""A prefix that turns the word that follows it into its opposite."""

_DENIES = "不非無无未沒没否弗勿毋莫"
"""Characters that deny the word that follows them, in Chinese and Japanese."""

_DENIES_BEFORE = regex(rf"[{_DENIES}][有是会會能法再曾可得应應必敢肯愿願要想该該]{{0,2}}$")
"""The same with the Chinese verb that it goes with: 没有, 不是, 不可能, 无法."""

_DENIES_AFTER = regex(
    rf"[{_DENIES}]|[\u3041-\u309f]{{0,12}}?(?:ない|なか|なく|なけ|なさ|ません|まい|ざ|ず|ぬ)"
)
"""What denies the words before it: a character, or the rest of a Japanese verb."""

_NUMERALS = "〇零一二三四五六七八九十百千万萬億亿兆两兩"

_LEAD = regex(r"(?:\d[.,:/]|[$€£\ufffd]|[-+<>~≤≥≈±×]\s?|(?<![\w.,;:!?)\]}\"'%])[.,])$")
"""What belongs to the number that follows it; a sign may stand apart, as in "- 5"."""

_TAIL = regex(r"[.,:/\-]\d|\s?[%‰°\ufffd]|\s?×\s?10")
"""What belongs to the number that stands before it."""

_ION = regex(r"\+(?!\w)|-(?![\w-])")
"""A charge after a letter or digit, or a hyphen that hangs, as in "pre- and"."""

_MEASURED = regex(r"\d\s?((?>(?:[^\W\d_]++\s?[/·]\s?)*))([^\W\d_]++)$")
"""A number with its unit, or with units and strokes."""

_RATE = regex(r"\s?[/·]\s?([^\W\d_]+)")  # What goes on after a unit: "10 mg" is not "10 mg/kg".

_POWER = regex(r"\s?-\d|\s?[/·]?\s?([^\W\d_]+)\s?-\d")
"""What goes on after a unit: "10 cm" is not "10 cm-1", nor "10 mg" "10 mg kg-1"."""

_LONGEST_MEASURE = 30
"""Characters that are looked at for a number with its units; "100000 μmol / min / mg" has 23."""


def on_word_boundaries(text: str, at: int, end: int) -> bool:
    """Return whether `at:end` cuts no word and no number of `text`."""
    return not cuts_before(text, at) and not cuts_after(text, end)


def cuts_before(text: str, at: int) -> bool:
    """Return whether what begins at `at` is only the rest of a word or number."""
    before = text[max(0, at - 6) : at]
    if not before:
        return False
    if may_part(before[-1], text[at]):
        return _DENIES_BEFORE.search(before) is not None or _is_numeral(before[-1], text[at])
    if not text[at].isalnum():  # the point of "1.5", the hyphen of "1-5" or "IL-5"
        return text[at] in ".,-" and before[-1].isalnum() and text[at + 1 : at + 2].isdigit()
    if text[at].isdigit():
        return before[-1].isalnum() or _LEAD.search(before) is not None
    return before[-1].isalnum() or _NEGATION.search(before) is not None


def cuts_after(text: str, end: int) -> bool:
    """Return whether what ends before `end` is only the beginning of a word or number."""
    if end >= len(text) or category(text[end])[0] == "M":  # a vowel sign: "है" is not "ह"
        return end < len(text)
    if may_part(text[end - 1], text[end]):
        return _is_numeral(text[end - 1], text[end]) or _DENIES_AFTER.match(text, end) is not None
    if text[end - 1].isalpha() and _measure_goes_on(text, end):
        return True
    if not text[end - 1].isalnum():  # "1." of "1.5", "5," of "5,000", "20 °" of "20 °c"
        return (text[end - 1] == "°" and text[end].isalpha()) or (
            text[end - 1] in ".,-" and text[end - 2 : end - 1].isdigit() and text[end].isdigit()
        )
    if text[end].isalnum() or _ION.match(text, end):
        return True
    return text[end - 1].isdigit() and _TAIL.match(text, end) is not None


def _is_numeral(*chars: str) -> bool:
    return all(char in _NUMERALS for char in chars)


def _measure_goes_on(text: str, end: int) -> bool:
    """Return whether a number's unit goes on after `end`."""
    measured = _MEASURED.search(text, max(0, end - _LONGEST_MEASURE), end)
    if measured is None:
        return False
    known = is_unit(measured[2])
    if rate := _RATE.match(text, end):
        return known or is_unit(rate[1])
    power = _POWER.match(text, end)
    return known and power is not None and (power[1] is None or is_unit(power[1]))
