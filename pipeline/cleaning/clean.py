"""Cleaning: printed lines to text that is ready to paste, with the place of each word in it."""

import re
import unicodedata
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from lookup.text.folding import CONTROLS, UNKNOWN
from lookup.text.scripts import is_hangul, parts_no_words
from pipeline.cleaning.hyphenation import HYPHENS, ZERO_WIDTH, keeps_hyphen, keeps_together
from pipeline.cleaning.letterspacing import letters_closed_up
from pipeline.pdf.lines import Line, Word
from pipeline.pdf.shapes import TH
from pipeline.pdf.superscripts import superscript_runs

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
}
_PRESENTATION_FORMS = {
    code: plain
    for code in (*range(0xFB13, 0xFE00), *range(0xFE70, 0xFEFD))
    if (plain := unicodedata.normalize("NFKC", chr(code))) != chr(code) and not plain.startswith(" ")
}
"""Shapes of Arabic, Hebrew and Armenian letters and ligatures, which fonts give for the letters."""

_SIGN_PIECES = dict(zip(range(0xF8E5, 0xF8FF), "‾⏐⎯®©™⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪⎮⎞⎟⎠⎤⎥⎦⎫⎬⎭", strict=True))
"""Adobe's private codes for signs of its Symbol font beyond Unicode 3: pieces of tall brackets."""

_INVISIBLE = [
    *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, 0xFFFE),
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
]  # fmt: skip
_CLEAN: dict[int, str] = (
    {ord(c): plain for c, plain in LIGATURES.items()}
    | _SIGN_PIECES
    | _PRESENTATION_FORMS
    | dict.fromkeys(_INVISIBLE, "")
    | dict.fromkeys(CONTROLS, UNKNOWN)
)
_UNCLEAN = re.compile("[" + "".join(map(re.escape, map(chr, _CLEAN))) + "]")

_BROKEN = re.compile(rf"(?:[^\W_]|[%)\]])[{HYPHENS}]+[{ZERO_WIDTH}]*$")

_SUSPENDED = frozenset("and or to und oder bis et ou y o e".split())  # noqa: SIM905
"""Words behind a hyphen that waits for a later word: "water- and fat-soluble"."""

_RING = re.compile(r"(?<=\d)[◦∘˚\u030a]|(?<!\S)[◦∘˚\u030a](?=[CFK]\b)")
"""Rings printed for a degree sign."""


@dataclass(frozen=True)
class CleanLine:
    """A printed line, its span in the clean text, and the spans of its words."""

    line: Line
    start: int
    end: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CleanText:
    """A paragraph's text, ready to paste and as printed, its lines, and start and end of each superscript."""

    text: str
    text_raw: str
    lines: tuple[CleanLine, ...]
    superscripts: tuple[int, ...]


def clean_code(lines: Sequence[Line]) -> CleanText:
    """Return the text of a listing: hyphens at line ends stay, and `text_raw` has the indents of lines."""
    found = clean(lines, {}, judged=False)
    left = min(line.x0 for line in lines)
    indents = [round((line.x0 - left) / (line.width / max(1, len(line.text)))) for line in lines]
    raw = [" " * indent + line.text for indent, line in zip(indents, lines, strict=True)]
    return replace(found, text_raw="\n".join(raw))


def clean(
    lines: Sequence[Line],
    words: Mapping[str, int],
    listed: Container[str] = frozenset(),
    *,
    judged: bool = True,
) -> CleanText:
    """Return a paragraph's text, with hyphens of line ends judged, and without ligatures and the invisible.

    `words` counts the document's words (vocabulary), `listed` has those of its language (lexicon).
    Where they are not `judged`, a hyphen is a hyphen. `text_raw` separates words by one space and lines by a
    newline; `CleanLine.words` goes in step with it.
    """
    pieces: list[str] = []
    at = 0
    space = ""
    cleaned: list[CleanLine] = []
    superscripts: list[tuple[int, int]] = []
    for line, following in zip_longest(lines, lines[1:]):
        parts = _clean_words(line.words)
        goes_on = judged and following is not None and _parts_no_words(line, following, words)
        if judged and following is not None and not goes_on and _BROKEN.search(line.words[-1].text):
            (after,) = _clean_words(following.words[:1])
            goes_on = after != "" and after not in _SUSPENDED
            if goes_on and _drops_hyphen(line.words[-1].text, parts[-1], after, words, listed):
                parts[-1] = parts[-1].rstrip(HYPHENS)
        closed = letters_closed_up(line.words, line.text)
        spans: list[tuple[int, int]] = []
        for number, part in enumerate(parts):
            if part:
                between = "" if number in closed else space
                pieces += (between, part)
                at += len(between)
                space = " "
            spans.append((at, at + len(part)))
            at += len(part)
        if goes_on:
            space = ""
        for word, span in zip(line.words, spans, strict=True):
            if word.superscripts:
                superscripts += _superscripts(word, *span)
        cleaned.append(CleanLine(line, spans[0][0], at, tuple(spans)))
    text = "".join(pieces)
    return CleanText(
        text, "\n".join([line.text for line in lines]), tuple(cleaned), superscript_runs(text, superscripts)
    )


def _clean_words(words: Sequence[Word]) -> list[str]:
    """Return what the words print, without invisible characters."""
    parts = [word.printed or word.text for word in words]
    together = " ".join(parts)
    if together.isascii() and together.isprintable():
        return parts
    if _UNCLEAN.search(together):
        parts = [part.translate(_CLEAN) for part in parts]
    if _RING.search(together):
        parts = [_RING.sub("°", part) for part in parts]
    return parts


def _parts_no_words(line: Line, following: Line, words: Mapping[str, int]) -> bool:
    """Whether no space stands for the end of a line: its script has none, or has them but breaks words."""
    last, first = line.words[-1].text, following.words[0].text
    if parts_no_words(last[-1], first[0]):
        return True
    return is_hangul(last[-1]) and is_hangul(first[0]) and keeps_together(last, first, words)


def _superscripts(word: Word, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the spans of a word's superscripts in the text; `start` and `end` are the word's own."""
    printed = word.printed or word.text
    for first, last in zip(word.superscripts[::2], word.superscripts[1::2], strict=True):
        before = start + len(printed[:first].translate(_CLEAN))
        after = min(end, before + len(printed[first:last].translate(_CLEAN)))
        if before < after:
            yield before, after


def _drops_hyphen(
    printed: str, part: str, following: str, words: Mapping[str, int], listed: Container[str]
) -> bool:
    hyphens = printed.rstrip(ZERO_WIDTH)
    soft = hyphens.endswith("\u00ad") and hyphens.rstrip("\u00ad")[-1:] not in HYPHENS
    return soft or not keeps_hyphen(part.rstrip(HYPHENS), following, words, listed)
