"""Cleaning: what was printed, ready to paste. Both the pipeline's lines and raw text are cleaned by it."""

import re
import unicodedata
from collections.abc import Container, Iterable, Mapping, Sequence
from itertools import zip_longest

from lookup.text.folding import CONTROLS, INVISIBLE, UNKNOWN
from lookup.text.scripts import is_hangul, parts_no_words
from retrieval.raw_text.hyphenation import (
    BREAKS,
    HYPHENS,
    ZERO_WIDTH,
    keeps_hyphen,
    keeps_together,
    vocabulary,
)

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
