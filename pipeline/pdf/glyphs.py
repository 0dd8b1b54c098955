"""Glyphs: what fonts without a proper encoding print, where font and code leave no doubt."""

import re
from collections.abc import Mapping, Sequence
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

_TEX_ITALIC = {":": ".", ";": ",", "=": "/"}
"""Where TeX's mathematical italic (cmmi10) differs from ASCII, without its letters."""

_PI = dict.fromkeys(map(chr, range(0x21, 0x7F)), UNKNOWN) | {"m": "μ", "D": "Δ", "O": "Ω", "b": "β", "*": "∼"}
"""Its other characters are signs too."""

_MINION_MATH = {"\U000f8020": "′"}

_FONTS: Sequence[tuple[re.Pattern[str], Mapping[str, str], Mapping[int, str]]] = tuple(
    (re.compile(name), by_character, by_number)
    for name, by_character, by_number in (
        ("AdvPSMP1[03]", _GREEK_IN_ORDER, {}),
        ("AdvPi1", _PI, {}),
        ("MinionMath", _MINION_MATH, {}),
        ("AdvP4C4E51|TeX_CM_Maths_Italic", _TEX_ITALIC, {}),
        ("Symbol(?!s)|AdvPSSym", {chr(0xF000 + code): char for code, char in _SYMBOL.items()}, _SYMBOL),
        (
            "AdvP4C4E74|TeX_CM_Maths_Symbols",
            {chr(code): char for code, char in _TEX_SYMBOLS.items()} | _UPPER_HALF,
            _TEX_SYMBOLS | {138: "]"},
        ),
    )
)
"""Names of fonts; what their characters print, and the codes of the fonts from which their glyphs were taken.

Those of 3B2, which sets many publishers' journals, and MinionMath were checked against publishers' XML.
"""

_LAST_CODE = 255


@cache
def may_be_misencoded(font: str) -> bool:
    """Whether `printed_characters` may know the font."""
    return any(name.search(font) for name, _, _ in _FONTS)


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
    for name, by_character, by_number in _FONTS:
        if name.search(font):
            numbers = {
                char: int(match[1]) for char, of in names.items() if (match := _NUMBERED.fullmatch(of))
            }
            return {
                **by_character,
                **{char: by_number.get(n, char) for char, n in numbers.items() if by_number},
            }
    return {}
