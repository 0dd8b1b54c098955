"""Where a text may be cut without parting what a reader sees as one character.

The rules are those of Unicode's Standard Annex #29 for extended grapheme clusters, without its few prepending characters.
"""

import unicodedata

_JOINER = "\u200d"


def is_break(text: str, at: int) -> bool:
    """Whether `text` may be cut before `text[at]`; always at its ends."""
    if not 0 < at < len(text):
        return True
    before, after = text[at - 1], text[at]
    if before < "\u0300" and after < "\u0300":
        return (before, after) != ("\r", "\n")
    if _extends(after):
        return before in "\r\n"
    if before == _JOINER:
        return unicodedata.category(after) != "So"
    if _regional(before) and _regional(after):
        return _regional_run(text, at) % 2 == 0
    return not (_paired(before, after) or _one_syllable(before, after))


def next_break(text: str, at: int) -> int:
    """The first place from `at` on where `text` may be cut."""
    while not is_break(text, at):
        at += 1
    return at


def previous_break(text: str, at: int) -> int:
    """The last place up to `at` where `text` may be cut."""
    while not is_break(text, at):
        at -= 1
    return at


def _extends(char: str) -> bool:
    """Whether it is drawn with the character before it: marks, joiners, skin tones, tags of flags."""
    return (
        unicodedata.category(char)[0] == "M"
        or char in "\u200c\u200d\uff9e\uff9f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or "\U000e0020" <= char <= "\U000e007f"
    )


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _regional_run(text: str, at: int) -> int:
    """How many regional indicators stand before `at`: two of them are a flag."""
    first = at
    while first > 0 and _regional(text[first - 1]):
        first -= 1
    return at - first


def _paired(before: str, after: str) -> bool:
    """Whether these are the two halves of a character, as broken UTF-16 leaves them."""
    return "\ud800" <= before <= "\udbff" and "\udc00" <= after <= "\udfff"


def _one_syllable(before: str, after: str) -> bool:
    """Whether these are jamo of one Hangul syllable, or a syllable and the jamo that ends it."""
    leads, vowels, finals = (
        "\u1100" <= before <= "\u115f",
        "\u1160" <= after <= "\u11a7",
        "\u11a8" <= after <= "\u11ff",
    )
    syllable = "\uac00" <= before <= "\ud7a3"
    if leads:
        return "\u1100" <= after <= "\u11a7" or "\uac00" <= after <= "\ud7a3"
    if "\u1160" <= before <= "\u11a7" or (syllable and (ord(before) - 0xAC00) % 28 == 0):
        return vowels or finals
    return (syllable or "\u11a8" <= before <= "\u11ff") and finals
