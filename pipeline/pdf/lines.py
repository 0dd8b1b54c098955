"""The lines of a page: words with their places, their fonts, and what they print."""

import re
from bisect import bisect, bisect_left
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache, partial
from itertools import accumulate, pairwise
from math import hypot
from typing import Any, NamedTuple
from unicodedata import decomposition, normalize

import pymupdf

from lookup.text.folding import UNKNOWN
from lookup.text.scripts import has_syllables, of_word
from pipeline.pdf.drawn_letters import place
from pipeline.pdf.fonts import Fonts, Signs, UsedFonts
from pipeline.pdf.glyphs import glyph_names, may_be_misencoded, printed_characters
from pipeline.pdf.placed_words import GONE, WHITE, PlacedWord, placed_words, word_starts
from pipeline.pdf.superscripts import SMALLER, is_superscript, superscript_runs
from pipeline.pdf.text_layer import TextLayer

_ALL_BOLD = 0.9
"""Share of a bold line's characters that are bold, more than which: Greek letters in headings often are
not."""

ASCENT, DESCENT = 0.78, 0.22  # Em above and below the baseline that a level line of text takes up.

_LEAST_HEIGHT = 0.4
"""Em: the least height of a font's glyphs, by its own account, for its size to be believed."""

_LEVEL = 0.01  # Rise of a level line over its length, at most.
_UPRIGHT = 0.9  # Cosine of the angle to the horizontal, more than which a line is upright.
_CASED = "\u08ff"  # Beyond, a part of a letter may look like a sign: the r of Bengali like a prime.

_SOFT_HYPHEN = "\xad"
_PAINTED = 0.1
"""Em from the origin of a soft hyphen to that of what follows, more than which it is drawn. Of 1,442 within
lines of 24 PDFs the pen goes on past 6, by .3 and more; past the others by nothing."""

_LARGE_SIGNS = re.compile(r"CMEX|MathExt|Math-Ext|[tp]xex|EX\d+$", re.IGNORECASE)  # These hang.
_ITALIC, _BOLD = 2, 16  # Bits of a span's font flags in PyMuPDF.

_NAMED = re.compile(r"(?:[.-]|AdvP(?:Times|S_[A-Z]+?))(?P<bold>Bd?(?=$|It?))?(?P<italic>It?)?(?:\+fb)?$")
"""How names of fonts tell bold and italics where their flags do not: "AdvTT8861b38f.I", "AdvPS_TTB"."""


class Word(NamedTuple):
    """Characters between white space; box in points from the upper left corner of the page as it is shown."""

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
    """Start and end of each run of its characters that are superscripts, ascending in one flat tuple."""
    printed: str = ""
    """What its characters print, one for one, where they are known to print something else; else ''."""


_word: Callable[[tuple[Any, ...]], Word] = partial(tuple.__new__, Word)
"""A word of all its fields, made without a call of Python's: a document has thousands."""


def bounds(words: Sequence[Word]) -> tuple[float, float, float, float]:
    """Return the box around one or more words: x0, y0, x1, y1."""
    _, x0, y0, x1, y1, *_ = zip(*words, strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def joined(word: Word, rest: Word) -> Word:
    """Return a word with the characters of another at its end, in the box around both."""
    x0, y0, x1, y1 = bounds((word, rest))
    text, printed = word.text + rest.text, (word.printed or word.text) + (rest.printed or rest.text)
    superscripts = word.superscripts + tuple(len(word.text) + at for at in rest.superscripts)
    printed = printed if printed != text else ""
    return word._replace(text=text, x0=x0, y0=y0, x1=x1, y1=y1, superscripts=superscripts, printed=printed)


@dataclass(eq=False)
class Line:
    """Words close together on one baseline, in the order in which the PDF gives them.

    `size` is the font size of most of its characters, `baseline` that of the first character in this size, in
    points from the top of the page as it is shown, for upright text. `bold` is true if all of it is bold,
    `upright` is false for rotated text. `aside` says why it is no part of the page's text: what hides it
    (`lookup.release.schema.PUT_ON`, OF_PAGE), a reader's "note", a form's "field", "struck" through; else ''.
    It is never changed, and equals itself alone: a page may draw it twice. What is `frozen` takes twice as
    long to make.
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
    aside: str = ""
    text: str = field(init=False, repr=False)
    """Its words, separated by single spaces."""
    letters: int = field(init=False, repr=False)
    """How many characters its words have."""
    width: float = field(init=False, repr=False)
    """From the left to the right edge, points."""
    height: float = field(init=False, repr=False)
    """From the upper to the lower edge, points."""
    middle: float = field(init=False, repr=False)
    """Halfway between the upper and the lower edge, points."""
    font: str = field(init=False, repr=False)
    """The font of all its words; '' if they have several."""
    known: dict[str, Any] = field(init=False, repr=False)
    """Its features that were asked for, by their names (`pipeline.layout.line_features`)."""

    def __post_init__(self) -> None:
        self.known = {}
        text = " ".join([word.text for word in self.words])
        self.text, self.letters = text, len(text) - len(self.words) + 1
        self.width, self.height = self.x1 - self.x0, self.y1 - self.y0
        self.middle = (self.y0 + self.y1) / 2
        fonts = {word.font for word in self.words}
        self.font = fonts.pop() if len(fonts) == 1 else ""


def lines_of_page(
    page: Any,
    fonts: Fonts,
    used: UsedFonts,
    unseen: Iterable[Sequence[str]],
    layer: TextLayer,
    matrix: Any,
) -> Iterator[Line]:
    """Return the lines of a page of PyMuPDF's.

    `fonts` are the document's, those `used` are on the page; the text `layer` is of the page, `unseen`
    as `Visibility` tells it. `matrix` rotates the page as it is shown; None if it is not rotated.
    """
    printed, texts = layer.lines, layer.texts
    prints = _prints(page, fonts, used, layer)
    of_lines = zip(printed, texts, prints, placed_words(layer, texts), unseen, strict=True)
    for line, text, said, placed, out_of_sight in of_lines:
        if not placed:
            continue
        if matrix:
            placed = [(*(pymupdf.Rect(word[:4]) * matrix), *word[4:]) for word in placed]  # noqa: PLW2901
        spans = line["spans"]
        run, rise = line["dir"]
        level = not matrix and abs(rise) < _LEVEL
        words = _words(spans, text, said, placed, _superscript_spans(spans, run, rise), level=level)
        rightward = run * matrix.a + rise * matrix.c if matrix else run
        for part, why in _by_visibility(words, text, out_of_sight):
            *_, sizes, _, bolds, _, _, _ = zip(*part, strict=True)
            size = sizes[0] if len(set(sizes)) == 1 else _main_size(part)
            main = (span for span in spans if round(span["size"], 1) == size)
            # a space that MuPDF adds stands on the baseline of what is before it, of a fraction, say
            origin = next((span["origin"] for span in main if not span["text"].isspace()), (0.0, 0.0))
            yield Line(
                page.number + 1,
                *bounds(part),
                part,
                size,
                any(bolds) and _all_bold(part),
                upright=rightward > _UPRIGHT,
                baseline=(pymupdf.Point(origin) * matrix).y if matrix else origin[1],
                aside=why,
            )


def _by_visibility(
    words: tuple[Word, ...], text: str, unseen: Sequence[str]
) -> list[tuple[tuple[Word, ...], str]]:
    """Return the words of a line that are seen, and those that are not with the reason, each in order.

    `unseen` tells of each character of their text why it is not, '' if it is. A word that is seen in part
    prints this part.
    """
    if not unseen:
        return [(words, "")]
    parts: dict[str, list[Word]] = {"": []}
    for word, start in zip(words, word_starts(text), strict=True):
        out = unseen[start : start + len(word.text)]
        if any(out) and not all(out):
            printed = zip(word.printed or word.text, out, strict=True)
            print_seen = "".join([GONE if why else c for c, why in printed])
            parts[""].append(word._replace(printed=print_seen))
        else:
            parts.setdefault(out[0], []).append(word)
    return [(tuple(part), why) for why, part in parts.items() if part]


def _prints(page: Any, fonts: Fonts, used: UsedFonts, layer: TextLayer) -> Sequence[str]:
    """Return what each line prints, character for character; '' for a line that prints what it says."""
    found = _by_glyphs(page, fonts, used, layer)
    softly = [number for number, text in enumerate(layer.texts) if _SOFT_HYPHEN in text]
    alone = fonts.without_hyphens(fonts.of_page(page, used.numbers)) if softly else ()
    for number in softly:
        line = layer.characters_of(number)
        found[number] = _with_painted_hyphens(line, found[number] or layer.texts[number], alone)
    return found


def _with_painted_hyphens(line: dict[str, Any], prints: str, alone: Container[str]) -> str:
    """Return what a line prints, with a hyphen for each soft one within it past which the pen goes on.

    Producers draw a hyphen or a minus whose table says that it is a soft one, and leave soft hyphens in the
    text, without ink and without room, where a line once ended. That at the end of a line breaks a word, but
    in the fonts `alone`, which have no other: there it may be the hyphen of a compound.
    """
    chars = [(char, span["size"]) for span in line["spans"] for char in span["chars"]]
    printed = list(prints)
    for at, ((char, size), (following, _)) in enumerate(pairwise(chars)):
        if printed[at] == _SOFT_HYPHEN:
            (x0, y0), (x1, y1) = char["origin"], following["origin"]
            if hypot(x1 - x0, y1 - y0) > _PAINTED * size:
                printed[at] = "-"
    if prints.endswith(_SOFT_HYPHEN) and line["spans"][-1]["font"] in alone:
        printed[-1] = "-"
    return "".join(printed)


def _by_glyphs(page: Any, fonts: Fonts, used: UsedFonts, layer: TextLayer) -> list[str]:
    """Return what each line prints by its glyphs and fonts; '' for a line that prints what it says."""
    lines = layer.lines
    of_page = fonts.of_page(page, used.numbers)
    suspects, signs = fonts.signs(layer, of_page, used.codes)
    named = {span["font"] for line in lines for span in line["spans"]}
    known = _misencoded_fonts(page.parent, of_page, named)
    if not signs and not known:
        return [""] * len(lines)
    rows = {at[1] for at in signs}
    places = sorted([(y, x) for x, y, *_ in signs])
    with_signs = {number for number, line in enumerate(lines) if _holds(line, places)}
    prints = [
        "".join(
            [
                _printed(raw, known.get(span["font"], {}), signs, rows)
                if number in with_signs and span["font"] in suspects
                else span["text"].translate(known.get(span["font"], {}))
                for span, raw in zip(line["spans"], characters["spans"], strict=True)
            ]
        )
        for number, line in enumerate(lines)
        for characters in [layer.characters_of(number) if number in with_signs else line]
    ]
    return [
        _with_inked_spaces(text, said) if UNKNOWN in said else said
        for text, said in zip(layer.texts, prints, strict=True)
    ]


def _with_inked_spaces(text: str, prints: str) -> str:
    """Return what a line prints, unknown beside each space of its text in whose place something is drawn."""
    printed = list(prints)
    for at, (char, sign) in enumerate(zip(text, prints, strict=True)):
        if char in WHITE and sign == UNKNOWN:
            for beside in range(max(0, at - 1), min(len(text), at + 2)):
                printed[beside] = UNKNOWN
    return "".join(printed)


def _holds(line: dict[str, Any], places: Sequence[tuple[float, float]]) -> bool:
    """Whether one of these places, y and x in ascending order, is near a line."""
    x0, y0, x1, y1 = line["bbox"]
    size = max(span["size"] for span in line["spans"])
    near = places[bisect(places, (y0 - size,)) : bisect(places, (y1 + size,))]
    return any(x0 - size <= x <= x1 + size for _, x in near)


def _printed(span: dict[str, Any], known: Mapping[int, str], signs: Signs, rows: Container[float]) -> str:
    """Return what characters print: by their font's published codes, else by their outlines.

    `rows` are the heights of all `signs`.
    """
    printed: list[str] = []
    height, in_row = None, False  # of the last character
    for char in span["chars"]:
        c: str = char["c"]
        sign = known.get(ord(c), "")
        if sign in {"", UNKNOWN}:
            if char["origin"][1] != height:
                height = char["origin"][1]
                in_row = place((0.0, height))[1] in rows
            at = place(char["origin"]) if in_row else ()
            seen = signs.get(at) or signs.get((*at, c)) or ""
            of_letter = c > _CASED and of_word(c) and seen != UNKNOWN and not seen.isalnum()
            sign = c if of_letter else seen or sign or c
        printed.append(sign)
    return "".join(printed)


def _misencoded_fonts(
    document: Any, of_page: Iterable[tuple[int, str, str]], fonts: set[str]
) -> dict[str, dict[int, str]]:
    """Return what the characters of the page's `fonts` print, for fonts known to print something else."""
    if not any(map(may_be_misencoded, fonts)):
        return {}
    names: dict[str, dict[str, str]] = {}
    for xref, _, font in of_page:
        kind, differences = document.xref_get_key(xref, "Encoding/Differences")
        if kind == "array":
            names.setdefault(font.rpartition("+")[2], {}).update(glyph_names(differences))
    known = {font: printed_characters(font, names.get(font, {})) for font in fonts}
    return {font: str.maketrans(characters) for font, characters in known.items() if characters}


def _main_size(words: Sequence[Word]) -> float:
    """Return the font size of most of the characters."""
    sizes: Counter[float] = Counter()
    for word in words:
        sizes[word.size] += len(word.text)
    return max(sizes, key=lambda size: sizes[size])


def _all_bold(words: Sequence[Word]) -> bool:
    in_bold = [len(word.text) for word in words if word.bold]
    return sum(in_bold) > _ALL_BOLD * sum([len(word.text) for word in words])


def _superscript_spans(spans: list[dict[str, Any]], run: float, rise: float) -> tuple[bool, ...]:
    """Whether each span of a line in direction (`run`, `rise`) is a superscript; () if none is."""
    sizes = [span["size"] for span in spans]
    largest = max(sizes)
    if min(sizes) >= SMALLER * largest:
        return ()
    baselines = [run * span["origin"][1] - rise * span["origin"][0] for span in spans]
    beside = set(zip(sizes, baselines, strict=True))
    superscripts = tuple(
        [
            size < SMALLER * largest
            and any(is_superscript(len(span["text"]), size, baseline, *other) for other in beside)
            for span, size, baseline in zip(spans, sizes, baselines, strict=True)
        ]
    )
    return superscripts if any(superscripts) else ()


def _words(
    spans: list[dict[str, Any]],
    text: str,
    prints: str,
    placed: Sequence[PlacedWord],
    superscripts: tuple[bool, ...],
    *,
    level: bool,
) -> tuple[Word, ...]:
    """Return the words of a line, each in the style of its first character; `prints` as `_prints` says.

    What is a word for want of spaces, in Chinese, Japanese and Korean, is in that of most of its characters.
    """
    prints = "" if prints == text else prints
    if len(spans) == 1 and not prints:
        return _words_of_span(spans[0], placed, level=level)
    ends = list(accumulate([len(span["text"]) for span in spans]))
    words: list[Word] = []
    number, styled = 0, -1  # of the span in which the word begins, and of that whose style is known
    for (x0, y0, x1, y1, characters, by_place), start in zip(placed, word_starts(text), strict=True):
        while ends[number] <= start:
            number += 1
        end = start + len(characters)
        printed = prints[start:end]
        if by_place:
            signs = zip(characters, by_place, printed or characters, strict=True)
            printed = "".join([by if by != c else sign for c, by, sign in signs])
        of = number
        if end > ends[number] and has_syllables(characters):
            of = max(range(number, bisect_left(ends, end) + 1), key=lambda at: _shared(ends, at, start, end))
        if of != styled:
            span, styled = spans[of], of
            style = _style(span["size"], span["font"], span["flags"])
            height = height_of(span) if level else None
        top, foot = height or (y0, y1)
        if end > ends[number] and height and (other := height_of(spans[number + 1])):
            top, foot = min(top, other[0]), max(foot, other[1])
        raised = _superscript_characters(superscripts, ends, start, end) if superscripts else ()
        if printed:
            by_glyphs = [
                (at, at + 1)
                for at, (c, sign) in enumerate(zip(characters, printed, strict=True))
                if c != sign and decomposition(sign).startswith("<super>") and normalize("NFKC", sign) == c
            ]
            for at, _ in by_glyphs:
                printed = printed[:at] + characters[at] + printed[at + 1 :]
            spans_raised = zip(raised[::2], raised[1::2], strict=True)
            raised = superscript_runs(characters, [*by_glyphs, *spans_raised]) if by_glyphs else raised
        printed = "" if printed == characters else printed
        words.append(_word((characters, x0, top, x1, foot, *style, raised, printed)))
    return tuple(words)


def _shared(ends: Sequence[int], number: int, start: int, end: int) -> int:
    """Return how many characters from `start` to `end` of a line are of a span."""
    return min(ends[number], end) - max(ends[number - 1] if number else 0, start)


def _words_of_span(span: dict[str, Any], placed: Sequence[PlacedWord], *, level: bool) -> tuple[Word, ...]:
    """Return the words of a line in one style: most lines are, and this is the fast way."""
    style: tuple[Any, ...] = (*_style(span["size"], span["font"], span["flags"]), ())
    height = height_of(span) if level else None
    if height is None:
        return tuple([_word((word[4], *word[:4], *style, word[5])) for word in placed])
    top, foot = height
    return tuple([_word((word[4], word[0], top, word[2], foot, *style, word[5])) for word in placed])


def height_of(span: dict[str, Any]) -> tuple[float, float] | None:
    """Return the upper and lower edge of level characters by their font size.

    Fonts are often wrong about the height of their glyphs. None if the font's size says nothing either.
    """
    size, (_, baseline), (_, upper, _, lower) = span["size"], span["origin"], span["bbox"]
    if lower - upper < _LEAST_HEIGHT * size:
        return None
    if _hangs(span["font"]):
        return baseline, baseline + size
    return baseline - ASCENT * size, baseline + DESCENT * size


@lru_cache(1000)
def _hangs(font: str) -> bool:
    """Whether a font has the large signs of TeX's formulas, which hang from their baselines: sums, roots."""
    return _LARGE_SIGNS.search(font) is not None


@lru_cache(1000)
def _style(size: float, font: str, flags: int) -> tuple[float, str, bool, bool]:
    bold, italic = named_style(font)
    return round(size, 1), font, bold or bool(flags & _BOLD), italic or bool(flags & _ITALIC)


@cache
def named_style(font: str) -> tuple[bool, bool]:
    """Return whether the name of a font says that it is bold, and that it is italic."""
    named = _NAMED.search(font)
    return named is not None and bool(named["bold"]), named is not None and bool(named["italic"])


def _superscript_characters(
    superscripts: Sequence[bool], ends: Sequence[int], start: int, end: int
) -> tuple[int, ...]:
    """Return the runs of superscripts from `start` to `end` of a line, counted from `start`, in a flat tuple.

    `superscripts` tells which of the line's spans are raised, `ends` where they end.
    """
    runs: list[int] = []
    begin = 0
    for up, stop in zip(superscripts, ends, strict=True):
        if up and begin < end and start < stop:
            runs += (max(begin, start) - start, min(stop, end) - start)
        begin = stop
    return tuple(runs)
