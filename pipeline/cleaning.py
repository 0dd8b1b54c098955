"""Printed lines to text that is ready to paste, with the place of each word in it."""

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from lookup.folding import CONTROLS, UNKNOWN
from pipeline.hyphens import HYPHENS, ZERO_WIDTH, keeps_hyphen
from pipeline.reading import Line, Word
from pipeline.superscripts import superscript_runs

_LIGATURES = {
    "ﬀ": "ff",
    "ﬁ": "fi",
    "ﬂ": "fl",
    "ﬃ": "ffi",
    "ﬄ": "ffl",
    "ﬅ": "st",
    "ﬆ": "st",
    "Ĳ": "IJ",
    "ĳ": "ij",
}
_UNSEEN = [
    *(0x00AD, 0x034F, 0x061C, 0x180E, 0xFEFF, 0xFFFE),
    *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070),
]  # fmt: skip
_CLEAN: dict[int, str] = (
    {ord(c): plain for c, plain in _LIGATURES.items()}
    | dict.fromkeys(_UNSEEN, "")
    | dict.fromkeys(CONTROLS, UNKNOWN)
)

_BROKEN = re.compile(rf"[^\W_][{HYPHENS}][{ZERO_WIDTH}]*$")


@dataclass(frozen=True)
class CleanLine:
    """A printed line, the span of the text that it became, and the same for each of its words."""

    line: Line
    start: int
    end: int
    words: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class CleanText:
    """A paragraph's text as printed and ready to paste, its lines, and its superscripts (flat: start and end of each run)."""

    text: str
    text_raw: str
    lines: tuple[CleanLine, ...]
    superscripts: tuple[int, ...]


def clean(lines: Sequence[Line], words: Mapping[str, int], listed: Container[str] = frozenset()) -> CleanText:
    """The lines of a paragraph as text: hyphens of line breaks rejoined or kept, ligatures expanded, what is invisible gone.

    `words` counts the document's words (hyphens.vocabulary), `listed` has those of its language (lexicon). `text_raw` has the words of each line parted by one space
    and the lines by a newline; `CleanLine.words` goes in step with them.
    """
    text = space = ""
    cleaned: list[CleanLine] = []
    raised: list[tuple[int, int]] = []
    for place, line in enumerate(lines):
        following = lines[place + 1].words[0].text.translate(_CLEAN) if place + 1 < len(lines) else ""
        spans: list[tuple[int, int]] = []
        for number, word in enumerate(line.words):
            part = word.text.translate(_CLEAN)
            goes_on = (
                number == len(line.words) - 1 and following != "" and _BROKEN.search(word.text) is not None
            )
            if goes_on and _drops_hyphen(word.text, part, following, words, listed):
                part = part.rstrip(HYPHENS)
            text += space if part else ""
            spans.append((len(text), len(text) + len(part)))
            if word.raised:
                raised += _raised(word, *spans[-1])
            text += part
            if part:
                space = "" if goes_on else " "
        cleaned.append(CleanLine(line, spans[0][0], spans[-1][1], tuple(spans)))
    return CleanText(
        text, "\n".join(line.text for line in lines), tuple(cleaned), superscript_runs(text, raised)
    )


def _raised(word: Word, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The spans of the text that a word's superscripts became; `start` and `end` are the word's own."""
    for first, last in zip(word.raised[::2], word.raised[1::2], strict=True):
        before = start + len(word.text[:first].translate(_CLEAN))
        after = min(end, before + len(word.text[first:last].translate(_CLEAN)))
        if before < after:
            yield before, after


def _drops_hyphen(
    printed: str, part: str, following: str, words: Mapping[str, int], listed: Container[str]
) -> bool:
    soft = printed.rstrip(ZERO_WIDTH).endswith("\u00ad")
    return soft or not keeps_hyphen(part.rstrip(HYPHENS), following, words, listed)
