"""Letters of right-to-left scripts as a page draws them, each with its marks.

MuPDF turns round what is drawn from left to right, moves marks and parts of ligatures by it, and loses some
letters. Its trace of the page has all glyphs, each in its place.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple
from unicodedata import category, normalize

import numpy as np

_MOVED = re.compile("[\u0591-\u05c7\u0600-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
"""Arabic and pointed Hebrew: what marks and ligatures may move."""

_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
"""Letters as they are drawn at the beginning, in the middle or at the end of a word."""

UNDRAWN = re.compile("[\\s\u200b-\u200f\u2060\ufeff]")
"""White and joiners, which are read as the PDF says them."""

NO_WIDTH = 0.01
"""Em: what is narrower belongs to the letter that it is drawn at: a mark, or a letter of a ligature."""

_SAME_LINE = 0.7  # Em by which a mark may be above or below the baseline of its letter.
_LOST = 3  # flat
"""Glyphs after one that MuPDF has, and em from it, that it may have in another place or not at all."""

_BESIDE = 0.3  # Em by which a mark may be farther from the letter drawn before it than from the next.
_OFF = 0.0137
"""Points by which places are moved before they are rounded: round numbers are never between two keys then."""

NO_INK = 3  # The type of a span of `get_texttrace` that is drawn without ink.

LEAST_ALPHA = 13  # flat
"""Opacity, of 255, below which ink is not seen."""

CLIPS = 64
"""Bit of a span's `char_flags` in PyMuPDF: its text is a clip, and what is drawn within is its ink."""

Raw = dict[str, Any]  # A block, line, span or character as PyMuPDF's `extractRAWDICT` gives it.


class Glyph(NamedTuple):
    """A glyph: its characters as they are read, where it begins on its baseline, its box."""

    text: str
    origin: tuple[float, float]
    box: tuple[float, float, float, float]


def is_clear(span: Raw) -> bool:
    """Whether a span has no ink."""
    return bool(span["alpha"] < LEAST_ALPHA and not span["char_flags"] & CLIPS)


def place(origin: Sequence[float]) -> tuple[float, float]:
    """Return the origin of a character as a key: the same in MuPDF's text and in its trace."""
    return round(origin[0] + _OFF, 1), round(origin[1] + _OFF, 1)


def place_all(origins: Sequence[Sequence[float]]) -> Any:
    """Return the keys of many characters, row by row, as `place` does."""
    return np.round(np.array(origins, float).reshape(-1, 2) + _OFF, 1)


def _keys(origins: Sequence[Sequence[float]]) -> Iterable[tuple[float, ...]]:
    """Return the keys of many characters, one after the other, as `place` does."""
    return map(tuple, place_all(origins).tolist())


class DrawnLetters:
    """The glyphs of a page in the `lines` of its text; `trace` gives the spans of `get_texttrace` for it."""

    def __init__(self, trace: Callable[[], Sequence[Raw]], lines: Iterable[Raw]) -> None:
        texts = {id(line): text_of(line) for line in lines if line["dir"] == (1, 0)}
        lines = [line for line in lines if _MOVED.search(texts.get(id(line), ""))]
        self._glyphs = list(_glyphs(trace() if lines else ()))
        chars = [(c, (line, span)) for line in lines for span in line["spans"] for c in span["chars"]]
        places = _keys([char["origin"] for char, _ in chars])
        said = {(at, _parts(char["c"])[:1]): of for at, (char, of) in zip(places, chars, strict=True)}
        self._spans: dict[int, Raw] = {}
        self._numbers: dict[int, list[int]] = {id(line): [] for line in lines}
        places, last, of = _keys([one.origin for one in self._glyphs]), -_LOST - 1, None
        for number, (at, glyph) in enumerate(zip(places, self._glyphs, strict=True)):
            if found := said.get((at, _parts(glyph.text)[:1])):
                last, of = number, found
            elif number > last + _LOST or not of or not self._is_beside(glyph, self._glyphs[last], of[1]):
                continue
            line, self._spans[number] = of
            self._numbers[id(line)].append(number)

    @staticmethod
    def _is_beside(glyph: Glyph, other: Glyph, span: Raw) -> bool:
        (x, y), (there, height), size = glyph.origin, other.origin, span["size"]
        return bool(abs(y - height) < _SAME_LINE * size and abs(x - there) < _LOST * size)

    def clusters(self, line: Raw) -> list[tuple[list[Raw], Raw]]:
        """Return each letter of a line with its marks, as they are read, and with its span.

        None if no letter may be moved, and where the page draws others than MuPDF reads: a PDF can say what
        is printed instead of them.
        """
        numbers = self._numbers.get(id(line), ())
        missing = _counted(text_of(line)) - _counted("".join([self._glyphs[at].text for at in numbers]))
        if not all(map(_is_mark, missing)):  # a mark may be in the line above
            return []
        groups = self._grouped(numbers, line["spans"][0]["size"])
        return [(self._chars(group), self._spans[group[0]]) for group in groups]

    def _chars(self, group: Sequence[int]) -> list[Raw]:
        """Return a letter and its marks as `extractRAWDICT` does."""
        glyphs = [self._glyphs[at] for at in group]
        return [{"c": c, "origin": one.origin, "bbox": one.box} for one in glyphs for c in one.text]

    def _grouped(self, numbers: Sequence[int], size: float) -> list[list[int]]:
        """Return each glyph with a width, followed by the marks that are drawn at it."""
        narrow = {
            at
            for at in numbers
            if (one := self._glyphs[at]).box[2] - one.box[0] < NO_WIDTH * size or _is_mark(one.text)
        }
        starts = [self._glyphs[at].origin[0] for at in numbers if at not in narrow]
        rightwards = sum((x < after) - (x > after) for x, after in pairwise(starts)) > 0
        read = numbers[::-1] if rightwards else numbers  # within words, whatever their order
        groups = [[at] for at in read if at not in narrow] or [[at] for at in read]
        number = -1
        for at in read if starts else ():
            if at not in narrow:
                number += 1
                continue
            beside, (x, _) = groups[max(number, 0) : number + 2], self._glyphs[at].origin
            boxes = [self._glyphs[group[0]].box for group in beside]
            away = [
                max(box[0] - x, x - box[2], 0) + _BESIDE * size * later for later, box in enumerate(boxes)
            ]
            beside[away.index(min(away))].append(at)
        return groups


def _glyphs(spans: Iterable[Raw]) -> Iterator[Glyph]:
    """Yield the glyphs that are drawn; of several characters with one glyph, all in one."""
    for span in spans:
        found: list[Glyph] = []
        for code, glyph, origin, box in span["chars"]:
            text = _FORMS.sub(lambda form: normalize("NFKC", form[0]), chr(code))
            if glyph < 0 and found:
                found[-1] = found[-1]._replace(text=found[-1].text + text)
            else:
                found.append(Glyph(text, origin, box))
        yield from (one for one in found if not UNDRAWN.match(one.text))


@lru_cache(4000)
def _parts(text: str) -> str:
    """Return the letters of a text, apart from their marks."""
    return text if text.isascii() else normalize("NFKD", text)


def _counted(text: str) -> Counter[str]:
    return Counter(UNDRAWN.sub("", _parts(text)))


@lru_cache(4000)
def _is_mark(text: str) -> bool:
    return category(text[0])[0] == "M"


def text_of(line: Raw) -> str:
    """Return the characters of a line."""
    return "".join([char["c"] for span in line["spans"] for char in span["chars"]])
