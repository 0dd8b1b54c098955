"""Cleaning: what was printed, ready to paste. Both the pipeline's lines and raw text are cleaned by it.

"con-/cept" at a line's end is one word, "well-/known" keeps its hyphen.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import zip_longest

from lookup.text.folding import CONTROLS, INVISIBLE, UNKNOWN
from lookup.text.scripts import is_hangul, parts_no_words

HYPHENS = "-‐\u00ad"  # Characters that break a word at a line's end: hyphen-minus, hyphen, soft hyphen.

BREAKS = f"{HYPHENS}¬⸗"
"""Those, and what old text layers (ABBYY's) and books in Fraktur have for them, between letters alone."""

ZERO_WIDTH = "\u200b\u200c\u200d\ufeff"
"""Invisible characters that viewers and typesetters put beside a hyphen."""

TH = "\U000f5448"
FT = "\U000f6674"  # Private characters, one each, for the ligatures "Th" and "ft", of which Unicode has none.

LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
    "Ĳ": "IJ",
    "ĳ": "ij",
    TH: "Th",
    FT: "ft",
}
_PRESENTATION_FORMS = {
    code: plain
    for code in (*range(0xFB13, 0xFE00), *range(0xFE70, 0xFEFD))
    if (plain := unicodedata.normalize("NFKC", chr(code))) != chr(code) and not plain.startswith(" ")
}
"""Shapes of Arabic, Hebrew and Armenian letters and ligatures, which fonts give for the letters."""

_SIGN_PIECES = dict(zip(range(0xF8E5, 0xF8FF), "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
"""Adobe's private codes for signs of its Symbol font beyond Unicode 3: pieces of tall brackets."""

CLEAN: dict[int, str] = (
    {ord(c): plain for c, plain in LIGATURES.items()}
    | _SIGN_PIECES
    | _PRESENTATION_FORMS
    | dict.fromkeys([*INVISIBLE, 0x2065], "")
    | dict.fromkeys(CONTROLS, UNKNOWN)
)
"""What each character becomes that is not pasted as it is."""

_UNCLEAN = re.compile("[" + "".join(map(re.escape, map(chr, CLEAN))) + "]")

_BROKEN = re.compile(rf"(?:[^\W_]|[%)\]])[{HYPHENS}]+[{ZERO_WIDTH}]*$|[^\W\d_][{BREAKS}]$")

_SUSPENDED = frozenset("and or to und oder bis et ou y o e".split())
"""Words behind a hyphen that waits for a later word: "water- and fat-soluble"."""

_RING = re.compile(r"[◦∘˚\u030a](?:(?<=\d.)|(?<!\S.)(?=[CFK]\b))")
"""Rings printed for a degree sign."""


_STRAIGHT = str.maketrans(dict.fromkeys("“”„‟", '"') | dict.fromkeys("‘’‚‛", "'"))


def clean_for_quote(text: str, document: str = "", *, straight_quotes: bool = False) -> str:
    """Return raw text, as copied or extracted from a PDF, ready to paste: one line with single spaces.

    Words broken at line ends are joined, ligatures expanded, invisible characters dropped; case, quotes and
    dashes stay. Whether a word keeps the hyphen of a line's end is judged by the other words of `document`,
    the text that it is from; without one, by those of `text`. With `straight_quotes` quotation marks and
    apostrophes are " and '.
    """
    cleaned = clean_lines(text.splitlines(), vocabulary((document or text).splitlines()))
    return cleaned.translate(_STRAIGHT) if straight_quotes else cleaned


def clean_lines(lines: Iterable[str], words: Mapping[str, int]) -> str:
    """Return the text of printed lines; `words` counts the document's words (vocabulary)."""
    split = [line.split() for line in lines if line.strip()]
    pieces: list[str] = []
    for line, following in zip_longest(split, split[1:]):
        parts = clean_words(line)
        goes_on = False
        if following:
            parts[-1], goes_on = line_end(line[-1], parts[-1], following[0], following[0], words)
        pieces.append(" ".join(filter(None, parts)) + ("" if goes_on else " "))
    return "".join(pieces).strip()


def clean_words(words: Sequence[str]) -> list[str]:
    """Return the words of a line without invisible characters and ligatures; some may be empty."""
    together = " ".join(words)
    if together.isascii() and together.isprintable():
        return list(words)
    parts = list(words)
    if _UNCLEAN.search(together):
        parts = [part.translate(CLEAN) for part in parts]
    if _RING.search(together):
        parts = [_RING.sub("°", part) for part in parts]
    return parts


def line_end(
    last: str,
    part: str,
    first: str,
    printed: str,
    words: Mapping[str, int],
    listed: Container[str] = frozenset(),
) -> tuple[str, bool]:
    """Return the last word of a line, without a hyphen that only breaks it, and whether it goes on.

    `part` is the word `last`, cleaned; `first` is the next line's first word, `printed` what that prints.
    `words` counts the document's words (vocabulary), `listed` has those of its language.
    """
    if parts_no_words(last[-1], first[0]):
        return part, True
    if is_hangul(last[-1]) and is_hangul(first[0]) and keeps_together(last, first, words):
        return part, True
    if not _BROKEN.search(last):
        return part, False
    (after,) = clean_words([printed])
    goes_on = after != "" and after not in _SUSPENDED
    if last[-1] not in HYPHENS and last[-1] in BREAKS:
        goes_on = goes_on and after[0].isalpha()
    hyphens = last.rstrip(ZERO_WIDTH)
    soft = hyphens.endswith("\u00ad") and hyphens.rstrip("\u00ad")[-1:] not in HYPHENS
    if soft:  # numbers are not broken: it is a hyphen
        drops = not (part[-1:].isdigit() or after[:1].isdigit())
    else:
        drops = not keeps_hyphen(part.rstrip(BREAKS), after, words, listed)
    if goes_on and drops:
        part = part.rstrip(BREAKS)
    elif goes_on and part[-1:] not in HYPHENS:  # a soft one, which cleaning took, or another sign
        part = f"{part.rstrip(BREAKS)}-"
    return part, goes_on


_WORD = re.compile(r"[^\W\d_]+(?:[-‐][^\W\d_]+)*")
_LAST_WORD = re.compile(_WORD.pattern + "$")
_FIRST_WORD = re.compile(r"[^\W\d_]+")


_PARTICLES = "을 를 은 는 의 에 와 과 로 고 며 에서 에게 으로 부터 까지 에는 에도 에서는 서만".split()
"""Of Korean: they stand behind their word, and are hardly ever words themselves."""


def vocabulary(lines: Iterable[str]) -> Counter[str]:
    """Count the unbroken words of the printed lines, lower-cased; compounds count whole ('well-known')."""
    found: list[str] = []
    broken = False
    for line in lines:
        words = _WORD.findall(_plain(line).replace("-\u00ad", "-"))
        ends_broken = line.rstrip(ZERO_WIDTH)[-1:] in BREAKS
        found += words[1 if broken else 0 : -1 if ends_broken else None]
        broken = ends_broken
    return Counter(found)


def _plain(text: str) -> str:
    """Return a text in small letters, with one hyphen and without the long s, for lists of words."""
    return text.lower().replace("‐", "-").replace("ſ", "s")


def keeps_together(left: str, right: str, words: Mapping[str, int]) -> bool:
    """Whether `left/right`, broken at a line's end without a hyphen, is one word, as Korean breaks them."""
    left_match, right_match = _LAST_WORD.search(left), _FIRST_WORD.match(right)
    if not left_match or not right_match:
        return False
    first, second = left_match.group(), right_match.group()
    whole = words.get(first + second, 0)
    known = whole > 0 and whole >= min(words.get(first, 0), words.get(second, 0))  # which count these halves
    return known or second in _PARTICLES


def keeps_hyphen(left: str, right: str, words: Mapping[str, int], listed: Container[str]) -> bool:
    """Whether `left-/right`, broken at a line's end, keeps its hyphen.

    The document's own `words` decide (those it prints unbroken, with counts). If it has neither form, a
    hyphen stays beside a digit, before a capital and beside a single letter. Then `listed`, the words of
    the language, decide: a hyphen goes if the joined word is among them, and stays if both halves are
    words, of the language or of the document.
    """
    left_match, right_match = _LAST_WORD.search(left), _FIRST_WORD.match(right)
    if not left_match or not right_match:
        return True
    first, second = _plain(left_match.group()), _plain(right_match.group())
    compound = words.get(f"{first}-{second}", 0)
    whole = max(words.get(first + second, 0), words.get(first.replace("-", "") + second, 0))
    if whole != compound:
        return compound > whole
    part = first.rpartition("-")[2]  # of "cross-bor-/der", "bor" is broken off
    if right_match.group()[0].isupper() or 1 in {len(part), len(second)}:
        return True
    if part + second in words or part + second in listed:
        return False
    return (part in words or part in listed) and (second in words or second in listed)
