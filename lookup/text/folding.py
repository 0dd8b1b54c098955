"""Folding: the one form in which a query and a text are compared, and the way back to the printed characters.

Both sides of the corpus fold with this module: `pipeline` when it writes `text_norm`, `lookup` when it reads
a query.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from lookup.text.regex import regex

_RADICALS = (
    "⺁⺂⺃⺄⺅⺆⺇⺈⺉⺊⺋⺌⺍⺎⺏⺐⺑⺒⺓⺔⺕⺖⺗⺘⺙⺛⺜⺝⺞⺠⺡⺢⺣⺤⺥⺦⺧⺨⺩⺪⺫⺬⺭⺮"
    "⺯⺰⺱⺲⺳⺴⺵⺶⺷⺸⺹⺺⺻⺼⺽⺾⺿⻀⻁⻂⻃⻄⻅⻆⻇⻈⻉⻊⻋⻌⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚"
    "⻛⻜⻝⻞⻟⻠⻡⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲"
)
_IDEOGRAPHS = (
    "厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵旡日月歺民氵氺灬爫爫丬牛犭王𤴔目示礻𥫗"
    "糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑钅長镸长门𨸏阝雨青韦页"
    "风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀"
)
"""CJK radicals, of which some fonts make a text, and the ideographs that Unicode says they are (Unicode 14,
EquivalentUnifiedIdeograph); those that NFKC replaces are left out."""

_ZEROS = "٠۰߀०০੦૦୦௦౦೦൦෦๐໐༠၀႐០᠐᥆᧐᪀᪐᭐᮰᱀᱐꘠꣐꤀꧐꧰꩐꯰"
_DIGITS = {ord(zero) + digit: str(digit) for zero in _ZEROS for digit in range(10)}

_LETTERS = {ord(one): other for one, other in zip("ёşţيكı", "еșțیکi", strict=True)}
"""ё is е where a text puts no points, ş and ţ are the cedillas of old fonts, ي and ك the Arabic letters of
Persian keyboards. The Turkish ı is an i in capitals."""

_MARKS = {
    ord(one): other
    for one, other in zip("ʻ‹›׳「」『』״־،؛؟、。।॥۔።։။។", "''''" + '"' * 5 + "-,;?,........", strict=True)
}
"""Quotation marks, the hyphen of Hebrew, and commas and stops of other scripts; the ʻokina is typed as a
quotation mark."""

_ALIKE = {ord(one): other for one, other in zip(_RADICALS, _IDEOGRAPHS, strict=True)}
_ALIKE |= _LETTERS | _DIGITS | _MARKS
_HAS_ALIKE = regex(f"[{re.escape(''.join(map(chr, _ALIKE)))}]")

OTHER_DIGIT = f"[{''.join(map(chr, _DIGITS))}]"
"""A digit of another script, as a pattern."""


DOT = "\u0307"  # That of İ, which folding sets apart from the i.


def alike(folded: str) -> str:
    """Return folded text with one character for those that are alike; as long as it was."""
    return folded if folded.isascii() or not _HAS_ALIKE.search(folded) else folded.translate(_ALIKE)


def of_its_script(digit: str, text: str) -> bool:
    """Return whether a text has letters of the script of a digit, whose digits it may have."""
    block = range(ord(digit) & ~0x7F, (ord(digit) | 0x7F) + 1)
    return any(ord(char) in block and char.isalpha() for char in text)


FOLDING = 4
"""Version of `fold`, stamped into each release; raised whenever `fold` gives another answer for any text."""

UNICODE = unicodedata.unidata_version  # Version of the Unicode tables that this Python folds with.

_SINGLE_QUOTES = "‘’‚‛′`´ʼ＇"
_DOUBLE_QUOTES = "“”„‟″«»〝〞＂"
_DASHES = "‐‑‒–—―−﹘﹣－⁃"
INVISIBLE = [
    *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, 0xFFFE),
    *range(0x200B, 0x2010),
    *range(0x202A, 0x202F),
    *range(0x2060, 0x2065),
    *range(0x2066, 0x2070),
]
CONTROLS = [*range(0x09), *range(0x0E, 0x20), *range(0x7F, 0x85), *range(0x86, 0xA0)]
"""Control characters that are not white space: a font without a proper encoding gives them, often for a minus
sign."""

UNKNOWN = "\ufffd"  # Stands for a glyph whose character is unknown; it never matches a typed character.

POINTS = [code for code in range(0x0591, 0x0671) if 10 <= unicodedata.combining(chr(code)) <= 35]
"""Vowel points of Hebrew and Arabic, which most writers leave out."""
_STRETCH = 0x0640  # What makes an Arabic word longer, and is no letter of it.
_SIGNS_OF_OWNERS = "™℠®©"

_LOOKALIKES = {
    ord(char): plain
    for plain, alike in {
        "°": "˚º◦∘",
        "<": "˂",
        ">": "˃",
        "≤": "⩽≦",
        "≥": "⩾≧",
        "~": "∼˜⁓",
        "·": "⋅∙‧",
        "*": "∗⁎",
    }.items()
    for char in alike
}
"""What publishers print for a degree sign or an operator; some of these would fold to a letter or a loose
accent."""
_LOOKALIKES |= dict.fromkeys([*map(ord, _SIGNS_OF_OWNERS), *POINTS, _STRETCH], "")
_LOOKALIKES |= {ord(char): f" {char}" for char in "¼½¾⅐⅑⅒⅓⅔⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞"}

_TO_ASCII: dict[int, str] = (
    {ord(c): "'" for c in _SINGLE_QUOTES}
    | {ord(c): '"' for c in _DOUBLE_QUOTES}
    | {ord(c): "-" for c in _DASHES}
    | dict.fromkeys(INVISIBLE, "")
    | dict.fromkeys(CONTROLS, UNKNOWN)
    | dict.fromkeys([*POINTS, _STRETCH], "")  # those of presentation forms
    | {zero + digit: str(digit) for zero in (0x0660, 0x06F0) for digit in range(10)}
    | dict(zip(map(ord, "⁄∕٪٫٬"), "//%.,", strict=True))
)

_HAS_LOOKALIKES = regex(f"[{''.join(map(chr, _LOOKALIKES))}]")
_NOT_ASCII = regex(f"[{re.escape(''.join(map(chr, _TO_ASCII)))}]")
"""What the tables are for: `translate` with a table takes longer by far, but for ASCII."""

_HYPHENS = "-‐‑\u00ad\ufffe"
_OLD_HYPHENS = "¬⸗"
_BREAK = (
    # After a hyphen at a line's end between two letters, with the zero-width spaces that viewers put beside
    # it; or after a soft one, whatever it stands between.
    rf"(?<=[^\W\d_][{_HYPHENS}])[\u200b\u200c\u200d\ufeff]*[ \t]*\r?\n\s*(?=[^\W\d_])"
    r"|(?<=[\u00ad\ufffe])[\u200b]*[ \t]*\r?\n\s*"
)
LINE_BREAK = regex(f"[{_HYPHENS}](?:{_BREAK})")
_ANY_BREAK = regex(rf"[{_HYPHENS}{_OLD_HYPHENS}](?:{_BREAK}|(?<=[^\W\d_][{_OLD_HYPHENS}])\s*\n(?=[^\W\d_]))")
"""The same, and what old text layers and books in Fraktur have for a hyphen there, which folding keeps. Both
begin with the characters that are looked for, by which patterns are several times as fast."""

# Characters of combining class 0 that nevertheless compose with the one before them (Unicode 16, derived from
# the canonical decompositions; tests/text/test_folding.py derives the list again): vowel signs of Indic
# scripts, Hangul vowels and finals.
_COMPOSE_BACKWARD = (
    "\u09be\u09d7\u0b3e\u0b56\u0b57\u0bbe\u0bd7\u0cc2\u0cd5\u0cd6\u0d3e\u0d57\u0dcf\u0ddf\u102e"
    "\u1b35\U00011127\U0001133e\U00011357\U000114b0\U000114ba\U000114bd\U000115af\U00011930"
)


def fold(text: str) -> str:
    """Return `text` for matching. Idempotent.

    NFKC, case-folded, quotes, dashes and Arabic digits in ASCII, one degree sign, no lookalikes of < and >, a
    space before a fraction such as ½, no ™ or ®, no points of Hebrew and Arabic, no invisible characters, no
    hyphens of line breaks, single spaces. `fold_with_offsets` gives the same string and where each character
    came from.
    """
    return " ".join(_fold_characters(LINE_BREAK.sub("", text) if "\n" in text else text).split())


@lru_cache(16)
def fold_with_offsets(text: str) -> "Folded":
    """Return `fold(text)` with the way back into `text`."""
    kept: Sequence[int] = range(len(text))  # without the hyphens of line breaks
    if breaks := [match.span() for match in LINE_BREAK.finditer(text)]:
        gone = {at for span in breaks for at in range(*span)}
        kept = [at for at in kept if at not in gone]
    joined = "".join(text[i] for i in kept) if len(kept) < len(text) else text
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for first, last in _clusters(joined):
        plain = joined[first:last]
        if plain.isascii() and plain.isprintable():  # a run of visible characters: one for one
            folded = _fold_characters(plain)
            starts += kept[first:last]
            ends += [at + 1 for at in kept[first:last]]
        else:
            folded = " ".join(_fold_characters(f"|{plain}|").split())[1:-1]
            starts += [kept[first]] * len(folded)
            ends += [kept[last - 1] + 1] * len(folded)
        pieces.append(folded)
    made = "".join(pieces)
    if made.startswith(" ") or made.endswith(" ") or "  " in made:  # single spaces, and none at its ends
        kept = [i for i, char in enumerate(made.rstrip(" ")) if char != " " or (i > 0 and made[i - 1] != " ")]
        made = "".join([made[i] for i in kept])
        starts, ends = [starts[i] for i in kept], [ends[i] for i in kept]
    return Folded(made, tuple(starts), tuple(ends))


class Span(NamedTuple):
    """A span of a text."""

    start: int
    end: int


class Folded(NamedTuple):
    """Folded text and, for each of its characters, the span of the source that it stands for."""

    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    def source_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the source that `text[start:end]` came from; `start < end`."""
        return self.starts[start], self.ends[end - 1]


def line_breaks(text: str) -> list[int]:
    """Return the offsets in `text` of the hyphens at line ends: those that `fold` takes out, and old ones."""
    return [match.start() for match in _ANY_BREAK.finditer(text)]


def blind(folded: str) -> str:
    """Return the blind key of folded text: its letters and digits, without hyphens and spaces."""
    if folded.isascii():  # several times as fast
        return folded.encode().translate(None, _ASCII_SYMBOLS).decode()
    return "".join(filter(str.isalnum, alike(folded)))


_ASCII_SYMBOLS = bytes(code for code in range(128) if not chr(code).isalnum())


def _fold_characters(text: str) -> str:
    if text.isascii():
        return text.casefold().translate(_TO_ASCII)
    text = text.translate(_LOOKALIKES) if _HAS_LOOKALIKES.search(text) else text
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _NOT_ASCII.sub(lambda char: _TO_ASCII[ord(char[0])], folded)


_PLAIN_RUN = regex(r"(?:[!-~]| (?=[!-~]))+(?![^\x00-\x7f])")


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Yield spans of `text` that normalise by themselves: ASCII, or a character and what joins it."""
    at = 0
    while at < len(text):
        if run := _PLAIN_RUN.match(text, at):
            end = run.end()
        else:
            end = at + 1
            while end < len(text) and not text[end].isascii() and _joins_previous(text[end]):
                end += 1
        yield at, end
        at = end


def _joins_previous(char: str) -> bool:
    if unicodedata.combining(char) or char in _COMPOSE_BACKWARD or "\u1160" <= char <= "\u11ff":
        return True
    compatible = unicodedata.normalize("NFKD", char)[0]
    return compatible != char and _joins_previous(compatible)
