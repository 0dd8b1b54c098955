"""A page's text as lines of words: where they stand, how they look, and what they print."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

import pymupdf

from pipeline.pdf.glyphs import glyph_names, may_be_misencoded, printed_characters
from pipeline.pdf.placed_words import PlacedWord, placed_words, word_starts
from pipeline.pdf.superscripts import is_superscript

_ALL_BOLD = 0.9
"""Share of its characters in bold above which a line is bold: a Greek letter in a heading often is not."""

ASCENT, DESCENT = 0.78, 0.22
"""Em above and below the baseline that a level line of text takes up."""

_LOWEST = 0.4
"""Em: the least height that a font can say its glyphs have, for its size to be believed."""

_ITALIC, _BOLD = 2, 16
"""Bits of a span's font flags in PyMuPDF."""


class Word(NamedTuple):
    """Characters between white space, with their box in points from the page's upper left corner as it is shown."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    size: float
    font: str
    bold: bool
    italic: bool
    superscripts: tuple[int, ...] = ()
    """Which of its characters are superscripts: flat, start and end of each run of them, ascending."""
    printed: str = ""
    """What its characters print, one for one, where that is known to be something else than `text`; else ''."""


def bounds(words: Sequence[Word]) -> tuple[float, float, float, float]:
    """The box around the words: x0, y0, x1, y1; there is at least one."""
    _, x0, y0, x1, y1, *_ = zip(*words, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


@dataclass(frozen=True, slots=True)
class Line:
    """Words that stand on one baseline, close together, in the order in which the PDF gives them.

    `size` is the font size of most of its characters, and `baseline` (points from the top of the page as it is shown, for
    upright text) that of its first character in that size. `bold` is true where all of it is, `upright` is
    false for turned text.
    """

    page: int
    x0: float
    y0: float
    x1: float
    y1: float
    words: tuple[Word, ...]
    size: float
    bold: bool
    upright: bool = True
    baseline: float = 0.0

    @property
    def text(self) -> str:
        """The words with single spaces between."""
        return " ".join(word.text for word in self.words)

    @property
    def font(self) -> str:
        """The font of all its words; '' where they have several."""
        fonts = {word.font for word in self.words}
        return fonts.pop() if len(fonts) == 1 else ""

    @property
    def width(self) -> float:
        """From the left to the right edge, points."""
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        """From the upper to the lower edge, points."""
        return self.y1 - self.y0

    @property
    def middle(self) -> float:
        """Halfway between the upper and the lower edge, points."""
        return (self.y0 + self.y1) / 2


def lines_of_page(
    document: Any, index: int, textpage: Any, blocks: list[dict[str, Any]], matrix: Any
) -> Iterator[Line]:
    """The lines of the page `index` of a PyMuPDF document: of its text page, whose `extractDICT` gave `blocks`.

    `matrix` turns the page as it is shown, None where it is not turned.
    """
    printed = [line for block in blocks for line in block.get("lines", ())]
    texts = ["".join([span["text"] for span in line["spans"]]) for line in printed]
    fonts = _misencoded_fonts(document, index, {span["font"] for line in printed for span in line["spans"]})
    for line, text, placed in zip(printed, texts, placed_words(textpage, texts), strict=True):
        if not placed:
            continue
        if matrix:
            placed = [(*(pymupdf.Rect(word[:4]) * matrix), *word[4:]) for word in placed]  # noqa: PLW2901
        spans = line["spans"]
        run, rise = line["dir"]
        level = not matrix and abs(rise) < 0.01
        words = _words(spans, text, placed, _raised_spans(spans, run, rise), fonts, level=level)
        size = _main_size(words)
        origin = next((span["origin"] for span in spans if round(span["size"], 1) == size), (0.0, 0.0))
        rightward = run * matrix.a + rise * matrix.c if matrix else run
        yield Line(
            index + 1,
            *bounds(words),
            words,
            size,
            _all_bold(words),
            upright=rightward > 0.9,
            baseline=(pymupdf.Point(origin) * matrix).y if matrix else origin[1],
        )


def _misencoded_fonts(document: Any, index: int, fonts: set[str]) -> dict[str, dict[int, str]]:
    """What the characters of the page's `fonts` print, of those of which it is known to be something else."""
    if not any(map(may_be_misencoded, fonts)):
        return {}
    names: dict[str, dict[str, str]] = {}
    for xref, _, _, font, *_ in document.get_page_fonts(index):
        kind, differences = document.xref_get_key(xref, "Encoding/Differences")
        if kind == "array":
            names.setdefault(font.rpartition("+")[2], {}).update(glyph_names(differences))
    known = {font: printed_characters(font, names.get(font, {})) for font in fonts}
    return {font: str.maketrans(characters) for font, characters in known.items() if characters}


def _main_size(words: Sequence[Word]) -> float:
    """The font size of most of the characters."""
    if len({word.size for word in words}) == 1:
        return words[0].size
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return max(sizes, key=lambda size: sizes[size])


def _all_bold(words: Sequence[Word]) -> bool:
    in_bold = sum([len(word.text) for word in words if word.bold])
    return in_bold > 0 and in_bold > _ALL_BOLD * sum([len(word.text) for word in words])


def _raised_spans(spans: list[dict[str, Any]], run: float, rise: float) -> tuple[bool, ...]:
    """Which of a line's spans are superscripts; () where none is. (`run`, `rise`) is the direction of the line."""
    sizes = [span["size"] for span in spans]
    if max(sizes) - min(sizes) < 0.1:
        return ()
    feet = [run * span["origin"][1] - rise * span["origin"][0] for span in spans]
    beside = set(zip(sizes, feet, strict=True))
    raised = tuple(
        [
            any(is_superscript(len(span["text"]), size, foot, *other) for other in beside)
            for span, size, foot in zip(spans, sizes, feet, strict=True)
        ]
    )
    return raised if any(raised) else ()


def _words(
    spans: list[dict[str, Any]],
    text: str,
    placed: Sequence[PlacedWord],
    raised: tuple[bool, ...],
    fonts: Mapping[str, Mapping[int, str]],
    *,
    level: bool,
) -> tuple[Word, ...]:
    """The words of a line: each has the style of its first character."""
    misencoded = bool(fonts) and any(span["font"] in fonts for span in spans)
    if len(spans) == 1 and not misencoded:
        style: tuple[Any, ...] = (*_style(spans[0]), ())
        reach = _reach(spans[0]) if level else None
        if reach:
            top, foot = reach
            return tuple([Word(word[4], word[0], top, word[2], foot, *style, *word[5:]) for word in placed])
        return tuple([Word(word[4], *word[:4], *style, *word[5:]) for word in placed])
    styles = [_style(span) for span in spans]
    reaches = [_reach(span) if level else None for span in spans]
    ends = list(accumulate([len(span["text"]) for span in spans]))
    prints = text
    if misencoded:
        prints = "".join([span["text"].translate(fonts.get(span["font"], {})) for span in spans])
    words: list[Word] = []
    number = 0
    for (x0, y0, x1, y1, characters, *known), start in zip(placed, word_starts(text), strict=True):
        while ends[number] <= start:
            number += 1
        end = start + len(characters)
        above = _raised_characters(raised, ends, start, end) if raised else ()
        printed = known[0] if known else prints[start:end]
        if printed == characters:
            printed = ""
        reach = reaches[number]
        if end > ends[number] and reach:
            reach = _widest(reach, reaches[number + 1])
        top, foot = reach or (y0, y1)
        words.append(Word(characters, x0, top, x1, foot, *styles[number], above, printed))
    return tuple(words)


def _reach(span: dict[str, Any]) -> tuple[float, float] | None:
    """From where to where level characters reach, by their font's size: fonts lie about the height of their glyphs."""
    size, (_, baseline), (_, upper, _, lower) = span["size"], span["origin"], span["bbox"]
    if lower - upper < _LOWEST * size:  # a font whose size says nothing
        return None
    return baseline - ASCENT * size, baseline + DESCENT * size


def _widest(one: tuple[float, float], other: tuple[float, float] | None) -> tuple[float, float]:
    return (min(one[0], other[0]), max(one[1], other[1])) if other else one


def _style(span: dict[str, Any]) -> tuple[float, str, bool, bool]:
    flags = span["flags"]
    return round(span["size"], 1), span["font"], bool(flags & _BOLD), bool(flags & _ITALIC)


def _raised_characters(raised: Sequence[bool], ends: Sequence[int], start: int, end: int) -> tuple[int, ...]:
    """Which of the characters from `start` to `end` of a line are in raised spans, which end at `ends`; flat, from `start`."""
    runs: list[int] = []
    begin = 0
    for up, stop in zip(raised, ends, strict=True):
        if up and begin < end and start < stop:
            runs += (max(begin, start) - start, min(stop, end) - start)
        begin = stop
    return tuple(runs)
