"""What a quote cuts off at its ends, by the folded print before and after it: words, numbers, denials.

"Significant" is not in "insignificant", nor "5 mg" in "15 mg", "5" in "5 of 20" or "smokers" in "ex-smokers".
"""

from collections.abc import Iterator
from unicodedata import category

from lookup.compare.sense_words import Spoken, languages_of, sense_words
from lookup.results.difference import Difference
from lookup.text.regex import regex
from lookup.text.scripts import may_part
from lookup.text.words import UNITS_ALONE, is_unit, words_of

_TENS, _SCALES = ("|".join(words_of(kind)) for kind in ("tens", "scales"))
_IN_WORDS = f"(?:{'|'.join(words_of('cardinals', 'tens', 'scales'))})"

_GOES_ON = regex(
    rf"\s(?:{_SCALES}|dozen|times|percent|per\s?cent)\b|[\s-]?folds?\b|\s?(?:[×±:/]|\+/-)\s?\d[\d.,]*"
    rf"|(?:(?<=hundred)|(?<=thousand)|(?<=million))\sand\s{_IN_WORDS}\b|\s?[½¼¾⅓⅔]"
)
"""What goes on with a number, in digits or in words."""

_UNIT_AFTER = regex(r"\s?([^\W\d_]+)(?![^\W_])")

_BEGAN = regex(rf"(?:\b(?:minus|{_TENS})[\s-]|\b(?:{_SCALES})\s(?:and\s)?|[×±]\s?)$")
"""What a number began with, before digits or words."""

_BOUND = r"{}\s?$"
_SHARE = (
    rf"\b(?:\d+|{_IN_WORDS}|une?|uno|eine?[rs]?|een|один|одного|jeden|bir|um)(?:\s(?!in\b|of\b)[^\W\d_]+)?"
    r"\s{}\s$"
)
_RANGE = r"{}\s\S{1,12}(?:\s\S{1,12})?\s(?:and|und|et|y|a|e|en|och|og|и|і|та|i|ve|và|dan|και|و)\s$"
_RANGE_END = r"\d[\d.,]*(?:\s[^\W\d_]{1,3})?\s{}\s$"
_RANGE_BEGUN = r"{}\s\S{1,12}$"
"""What makes a number a bound, one of a share, an end of a range: "5 of 20", "between 12 and 18"."""

_QUANTITY = regex(r"\d[\d.,]*\s?\S{1,15}$")
_MORE = r"\s?({})"
"""A number with its unit, and what goes on with it: "5 mg per kg", "65 years or older"."""

_NUMBER_AFTER = r"\s{}\s(?!(?:1[5-9]|20)\d\d\b)\d"  # "5" of 20, and 5 to 8; but 5 in 2019.

_PERCENT = regex(r"(?:percent|prozent|procent|pour cent|por ciento|por cento|per cento|процент\w*)\b")
_PERCENTAGE = regex(r"\d[\d.,]*\s(?:percentage|prozent)$")
_POINTS = regex(r"[\s-]?(?:points?|punkte?)\b")
_YEAR = regex(r"(?:1[5-9]|20)\d\d\b(?![.,]?\d)")
_ANY_NUMBER = regex(
    rf"(?:\d|\b(?:{_IN_WORDS}|(?:andert|einein)halb|deux|dos|tres|zwei|drei|due|tre|два|три))\s?$"
)
"""A percentage that lacks its number, or is one of "percentage points"."""

_COMPOUND_BEFORE = regex(r"(?:[^\W_]+['′″]?|\([^\s()]{1,9}\))[-‐‑]$")
_COMPOUND_AFTER = regex(r"[-‐‑][^\W\d_]+")
"""The rest of a compound; a dash parts clauses, or words of which either may be quoted: "dose–response"."""

_LAST_NUMBER = regex(rf"(?:\d[\d.,]*|\b{_IN_WORDS})$")
FIRST_NUMBER = regex(rf"\d[\d.,]*|{_IN_WORDS}\b|[一二三四五六七八九十百千万億亿]+")
_JOINED = regex(rf"-{_IN_WORDS}\b")

_LONGEST = 40  # Characters that are looked at on either side: "between one hundred and " has 24.
_READ = 40  # Characters around the ends of the quote that tell its language there.


def cut_off(before: str, quoted: str, after: str) -> list[Difference]:
    """Return the denials right beside the folded words `quoted`, and the numbers that they have a part of."""
    spoken = languages_of(before[-_READ:], quoted[:_READ], quoted[-_READ:], after[:_READ])
    found = list(_cut_negations(before, quoted, after, spoken))
    end = _LAST_NUMBER.search(quoted[-_LONGEST:]) or _QUANTITY.search(quoted[-_LONGEST:])
    if end and (rest := _rest_of_number(quoted, after, spoken)):
        found.append(Difference("number", end.group(), f"{end.group()}{rest}"))
    start = FIRST_NUMBER.match(quoted) or _PERCENT.match(quoted)
    if start and (began := _beginning_of_number(before[-_LONGEST:], quoted, spoken)):
        found.append(Difference("number", start.group(), f"{began}{start.group()}"))
    return found


def _beginning_of_number(before: str, quoted: str, spoken: Spoken) -> str:
    """Return what the number right after `before` began with, '' if nothing does."""
    if _PERCENT.match(quoted):
        found = _ANY_NUMBER.search(before)
    elif _YEAR.match(quoted):
        found = sense_words(spoken, _RANGE, "between").search(before)
    else:
        found = (
            _BEGAN.search(before)
            or sense_words(spoken, _BOUND, "bounds").search(before)
            or sense_words(spoken, _SHARE, "of").search(before)
            or sense_words(spoken, _RANGE, "between").search(before)
            or sense_words(spoken, _RANGE_END, "until").search(before)
        )
    return found.group() if found else ""


def _rest_of_number(quoted: str, after: str, spoken: Spoken) -> str:
    """Return what goes on with the number, or number and unit, at the end of `quoted`; '' if nothing does."""
    more = sense_words(spoken, _MORE, "more").match(after)
    if not more and _PERCENTAGE.search(quoted):
        more = _POINTS.match(after)
    if more or not _LAST_NUMBER.search(quoted):
        return more.group() if more else ""
    text, at = f"{quoted[-_LONGEST:]}{after}", len(quoted[-_LONGEST:])
    goes_on = (
        _GOES_ON.match(text, at)
        or _JOINED.match(text, at)
        or sense_words(spoken, _MORE, "measures").match(after)
        or sense_words(spoken, _NUMBER_AFTER, "until", "of").match(after)
    )
    if goes_on:
        return goes_on.group()
    if sense_words(spoken, _RANGE_BEGUN, "between").search(quoted):
        return after[:_LONGEST]
    unit = _UNIT_AFTER.match(after) if quoted[-1].isdigit() else None
    return unit.group() if unit and unit[1] in UNITS_ALONE else ""


def cut_compounds(printed: str, start: int, end: int) -> Iterator[Difference]:
    """Yield the compounds of which `printed[start:end]` has a part: "smokers" of "ex-smokers"."""
    before, after = _COMPOUND_BEFORE.search(printed, 0, start), _COMPOUND_AFTER.match(printed, end)
    if before and printed[start].isalpha():
        part = printed[start:end].split(maxsplit=1)[0]
        yield Difference("cut word", part, f"{before.group()}{part}")
    if after and printed[end - 1].isalnum():
        part = printed[start:end].rsplit(maxsplit=1)[-1]
        yield Difference("cut word", part, f"{part}{after.group()}")


_STOPS = (".", "!", "?", ";", ":")  # What ends a clause: a negation after it is of the next.

_LONGEST_NEGATION = 48
"""Characters beside a quote that are looked at for a negation: "not clear in the least that " has 28."""

_ARTICLES = r"(?:\s(?:the|a|an|any|these|those|its|their|our|such|los|las|i|gli|le|les|die|der|de|het))?"
_VERBAL = (
    r"(?:\s(?:yet|ever|been|be|have|to|able|in|(?:manage|succeed|want|wish|try|intend)\w*|[^\W\d_]+ly)){1,3}"
)
"""What stands between an English denial and the verb that a quote begins with: "has not yet been" shown."""

_GENITIVES = frozenset("of der des von de du van di del della dei degli delle из z".split())
"""What begins a quote that goes on with a share: "two thirds" of the members, "the absence" of fever."""

_CONTRACTED = regex(r"n?'t\b")


def _cut_negations(before: str, quoted: str, after: str, spoken: Spoken) -> Iterator[Difference]:
    """Yield the negations that a quote cuts off, by the folded print before and after it.

    "was" ends right before the "not" of "was not seen"; "seen" begins right after it.
    """
    before = before[-_LONGEST_NEGATION:]
    after = "" if quoted.endswith(_STOPS) else after[:_LONGEST_NEGATION]
    form = r"({})" + _ARTICLES + r"\s?$"
    begun = sense_words(spoken, form, "denies", "before").search(before)
    if begun is None and "English" in spoken:
        begun = sense_words(("English",), r"({})" + _VERBAL + r"\s?$", "denies").search(before)
    if begun is None and (first := quoted.partition(" ")[0]) in _GENITIVES:
        begun = sense_words(spoken, form, "before").search(f"{before}{first}")
    ended = (
        sense_words(spoken, r"\s*({})", "denies").match(after)
        or sense_words(spoken, r"[\s,]*({})", "after").match(after)
        or _CONTRACTED.match(after)
    )
    if begun:
        word = begun.group().strip()
        hedge = sense_words(spoken, "{}", "hedges").fullmatch(word) or word == "whether"
        yield Difference("hedge" if hedge else "negation", "", word)
    if ended and (begun is None or ended.group().strip() != word):
        yield Difference("negation", "", ended.group().strip())


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
    if _is_sign(text[at]):
        return True
    if may_part(before[-1], text[at]):
        return _DENIES_BEFORE.search(before) is not None or _is_numeral(before[-1], text[at])
    if not text[at].isalnum():  # the point of "1.5", the hyphen of "1-5" or "IL-5"
        return text[at] in ".,-" and before[-1].isalnum() and text[at + 1 : at + 2].isdigit()
    if text[at].isdigit():
        return before[-1].isalnum() or _LEAD.search(before) is not None
    return before[-1].isalnum() or _is_sign(before[-1]) or _NEGATION.search(before) is not None


def cuts_after(text: str, end: int) -> bool:
    """Return whether what ends before `end` is only the beginning of a word or number."""
    if end >= len(text) or _is_sign(text[end]):  # "है" is not "ह"
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


def _is_sign(char: str) -> bool:
    """Return whether a character is a sign of the letter before it, as a vowel is in Indic scripts."""
    return category(char)[0] == "M"


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
