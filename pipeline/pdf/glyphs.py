"""Glyphs: what fonts without a proper encoding print, where font and code leave no doubt."""

import re
from collections.abc import Mapping
from functools import cache

from lookup.text.folding import UNKNOWN

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

_TEX_SYMBOLS = {
    first + at: char
    for first, chars in {
        0x00: "−·×*÷⋄±∓⊕⊖⊗⊘⊙",
        0x0E: "°•≍≡⊆⊇≤≥≼≽∼≈⊂⊃≪≫≺≻←→↑↓↔",
        0x2F: "∝′∞∈∋",
        0x38: "∀∃¬∅",
        0x5B: "∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}〈〉|‖",
        0x70: "√",
        0x72: "∇∫⊔⊓⊑⊒§†‡¶♣♦♥♠",
    }.items()
    for at, char in enumerate(chars)
}
"""The encoding of TeX's symbols (cmsy10; The TeXbook, appendix F) without the calligraphic letters. Its ring
is a degree sign, its asterisk that of a footnote."""

_UPPER_HALF = {"¼": "=", "þ": "+", "ð": "(", "Þ": ")", "½": "[", "\x8a": "]"}
"""What journals' typesetters put behind the 128 signs of TeX."""

_GREEK_IN_ORDER = dict(zip("abcdefghijklmnopqrstuvwx", "αβγδεζηθικλμνξοπρστυφχψω", strict=True)) | dict(
    zip("ABCDEFGHIJKLMNOPQRSTUVWX", "ΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ", strict=True)
)

_NUMBERED = re.compile(r"C(\d+)")
"""A glyph's name that says only its code in the font from which it was taken."""

_IS_SYMBOL = re.compile(r"Symbol(?!s)|AdvPSSym")
_IS_WINGDINGS = re.compile(r"Wingdings(?!\s?[23])")
_IS_TEX_SYMBOLS = re.compile(r"AdvP4C4E74|TeX_CM_Maths_Symbols")
_IS_TEX_ITALIC = re.compile(r"AdvP4C4E51|TeX_CM_Maths_Italic")
_IS_GREEK_IN_ORDER = re.compile(r"AdvPSMP1[03]")
_IS_PI = re.compile(r"AdvPi1")
"""Names of fonts of 3B2, which sets many publishers' journals; checked against publishers' XML."""
_IS_MINION_MATH = re.compile(r"MinionMath")
"""A font of mathematics with private codes; checked against publishers' XML too."""

_TEX_ITALIC = {":": ".", ";": ",", "=": "/"}
"""Where TeX's mathematical italic (cmmi10) differs from ASCII, without its letters."""

_PI = dict.fromkeys(map(chr, range(0x21, 0x7F)), UNKNOWN) | {"m": "μ", "D": "Δ", "O": "Ω", "b": "β", "*": "∼"}
"""Its other characters are signs too."""

_MINION_MATH = {"\U000f8020": "′"}

_LAST_CODE = 255


@cache
def may_be_misencoded(font: str) -> bool:
    """Whether `printed_characters` may know the font."""
    known = (
        _IS_SYMBOL,
        _IS_WINGDINGS,
        _IS_TEX_SYMBOLS,
        _IS_TEX_ITALIC,
        _IS_GREEK_IN_ORDER,
        _IS_PI,
        _IS_MINION_MATH,
    )
    return any(name.search(font) for name in known)


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


def printed_characters(font: str, names: Mapping[str, str]) -> dict[str, str]:
    """Return what characters of a font print, if that is known and another character.

    `names` are the font's names of glyphs by the characters that they are read as.
    """
    if _IS_GREEK_IN_ORDER.search(font):
        return _GREEK_IN_ORDER
    if _IS_PI.search(font):
        return _PI
    if _IS_MINION_MATH.search(font):
        return _MINION_MATH
    if _IS_TEX_ITALIC.search(font):
        return _TEX_ITALIC
    if _IS_SYMBOL.search(font):
        private = {chr(0xF000 + code): char for code, char in _SYMBOL.items()}
        return private | _by_number(names, _SYMBOL)
    if _IS_WINGDINGS.search(font):
        return {chr(first + code): char for code, char in _WINGDINGS.items() for first in (0, 0xF000)}
    if _IS_TEX_SYMBOLS.search(font):
        coded = {chr(code): char for code, char in _TEX_SYMBOLS.items()}
        return coded | _UPPER_HALF | _by_number(names, _TEX_SYMBOLS | {138: "]"})
    return {}


def _by_number(names: Mapping[str, str], table: Mapping[int, str]) -> dict[str, str]:
    numbers = {char: int(match[1]) for char, name in names.items() if (match := _NUMBERED.fullmatch(name))}
    return {char: table.get(number, char) for char, number in numbers.items()}
