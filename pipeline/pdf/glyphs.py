"""Glyphs: what fonts without a proper encoding print, where font and code leave no doubt."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache

GONE = "\u2060"
"""In place of an accent that went into its neighbour, so that printed and coded text are equally long."""

_SYMBOL = {
    first + at: char
    for first, chars in {
        0x20: " !∀#∃%&∋()∗+,−./0123456789:;<=>?",
        0x40: "≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_",
        0x60: "‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
        0xA0: "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵",
        0xC0: "ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓",
        0xE0: "◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪",
        0xF1: "〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
    }.items()
    for at, char in enumerate(chars)
}
"""The encoding of Adobe's Symbol font (PDF 32000-1, Annex D.5)."""

_WINGDINGS = dict(
    zip(b"lnoquv\x9f\xa7\xa8\xd8\xe0\xe8\xf0\xfb\xfc\xfd\xfe", "●■□❑◆❖•▪◻➢→➔⇨✗✓☒☑", strict=True)
)
"""What word processors take out of Wingdings: marks of lists, arrows, ticks and boxes."""

_OF_FONTS: Mapping[str, Mapping[int, str]] = {
    r"Symbol(?!s)": {0xF000 + code: char for code, char in _SYMBOL.items()},
    r"Wingdings(?!\s?[23])": {
        first + code: char for code, char in _WINGDINGS.items() for first in (0, 0xF000)
    },
    r"AdvP4C4E74|TeX_CM_Maths_Symbols": str.maketrans({"0": "′", "j": "|", "¼": "="}),
    r"AdvP4C4E51|TeX_CM_Maths_Italic": str.maketrans({":": ".", ";": ",", "=": "/"}),
    r"AdvPSMP1[03]": str.maketrans({"a": "α"}),
    r"MinionMath": {0xF8020: "′"},
}
"""By patterns of the names of fonts what their characters print: fonts of signs, and of others what outlines
do not tell from other signs; checked against publishers' XML."""

_COMBINING = {
    "´": "\u0301",
    "`": "\u0300",
    "¨": "\u0308",
    "ˆ": "\u0302",
    "˜": "\u0303",
    "¸": "\u0327",
    "˚": "\u030a",
    "ˇ": "\u030c",
    "˘": "\u0306",
    "˙": "\u0307",
    "˛": "\u0328",
    "˝": "\u030b",
}

ACCENTS = "".join(_COMBINING)  # Accents by themselves; beside a letter they may be printed over it.


_LAST_CODE = 255


def glyph_names(differences: str) -> dict[str, str]:
    """Return the names in an encoding's differences ("[2/C0/C14 254/thorn]") by their characters.

    Codes above 255, which only a broken file has, name nothing (ISO 32000-1, 9.6.6.1: they are one byte).
    """
    names: dict[str, str] = {}
    code = 0
    for number, name in re.findall(r"(\d+)(?![^\s/\]])|/([^\s/\[\]]+)", differences):
        if number:
            code = int(number) if len(number) <= len(str(_LAST_CODE)) else _LAST_CODE + 1
        elif code <= _LAST_CODE:
            names[chr(code)] = name
            code += 1
    return names


@cache
def printed_characters(font: str) -> Mapping[int, str]:
    """Return what characters of a font print, by their numbers, where its outlines do not say it."""
    return next((found for name, found in _OF_FONTS.items() if re.search(name, font)), {})


def with_accents(characters: str, left: Sequence[float], right: Sequence[float]) -> str:
    """Return the characters of a word with accents on their letters, and GONE in place of the accents.

    `left` and `right` are the edges of each character, in points. An accent belongs to the neighbour that its
    middle is over, if Unicode has that letter with the accent.
    """
    if _COMBINING.keys().isdisjoint(characters):
        return characters
    out = list(characters)
    for at, char in enumerate(characters):
        mark = _COMBINING.get(char)
        if mark is None:
            continue
        middle = (left[at] + right[at]) / 2
        for beside in (at - 1, at + 1):
            if not 0 <= beside < len(out) or not left[beside] < middle < right[beside]:
                continue
            composed = unicodedata.normalize("NFC", out[beside].replace("ı", "i").replace("ȷ", "j") + mark)
            if out[beside].isalpha() and len(composed) == 1:
                out[beside], out[at] = composed, GONE
                break
    return "".join(out)
