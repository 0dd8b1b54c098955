"""Where words and values begin and end: "significant" is not in "insignificant", nor "5 mg" in "15 mg"."""

from unicodedata import category

from lookup.text.regex import regex
from lookup.text.scripts import may_part
from lookup.text.units import is_unit

_NEGATION = regex(r"(?<![^\W\d_])(?:non|un|anti)-$")
"""A prefix that turns the word that follows it into its opposite."""

_NAMED = regex(r"[\[(](?=[^\s()\[\]]*\d)(?=[^\s()\[\]]*[^\W\d_])[^\s()\[\]]+[\])]-?$")
"""An isotope or a descriptor in brackets, which is part of the name after it: [3H]thymidine, (2S)-butanol."""

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
    if before[-1:] in ("]", ")", "-") and text[at].isalpha() and _NAMED.search(text[max(0, at - 24) : at]):
        return True
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
