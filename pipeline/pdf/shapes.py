"""Shapes: which sign a glyph's outline is, by comparing it with the same signs of known fonts."""

import re
import string
from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import log
from typing import Any, NamedTuple

import numpy as np
import pymupdf

from lookup.text.folding import UNKNOWN
from retrieval.raw_text.cleaning import FT, LIGATURES, TH

_EM = 48  # Pixels to an em at which glyphs are drawn.
_CELLS = 16  # Cells across and down into which a glyph's ink is measured.
_INK = 40  # Darkness of a pixel, of 255, from which on it is ink.
_FAINT = bytes(range(_INK + 1))  # The darknesses that are none.

_EXTENT = 6.0
"""Weight of a glyph's extent in em beside its ink: dashes, points and commas differ in nothing else."""

_NEAR = 4.5
"""Distance up to which a glyph may be a sign. Of 12,400 characters of text fonts in the shared papers, 9 of
10 are nearer to their own sign."""

_CLEAR = 1.25  # How many times as far the next other sign must be.

_NEAR_LETTER, _CLEAR_LETTER = 3.0, 1.4
"""The same for letters and digits, which are drawn in more ways, and like Greek ones."""

_FAR = 5.5
"""Distance from its own sign from which on a glyph does not show it, if another is as many times nearer as
`_CLEAR` says. Of the text fonts of the shared papers no more than one glyph in ten is so far, of the fonts of
signs with letters' codes nearly all are."""

_SIGNS = (
    string.ascii_letters
    + string.digits
    + "+−=<>≤≥±×÷~·•°μαβγδεζηθικλξπρςστφχψωΓΔΘΛΞΠΣΦΨΩ%‰&()[]{}/|.,;:!?*#@$§†‡©®™∞∂√≈≠≡∝→←↑↓′″‘’“”–—ßæœøØÆ∫∑ﬁﬂ"
)

TOLD_APART = "+−=<>≤≥±×%‰.,′"
"""Signs that turn a number, and are told from letters, digits and one another by their outlines."""

_ITS_OWN, _STILL_NEAR = 3.5, 5.0
"""Distance from its own sign up to which no other one is asked for, and that of another, at most."""

_UNBARRED, _BAR = frozenset("+<>"), 0.6
"""Signs that others have with a bar below (± ≤ ≥), and the share of a sign's width from which on the ink of
its foot is a bar: that of a + is its stem, that of < a tip."""

_SYMBOL = "symb"
_FONTS = "helv hebo heit hebi tiro tibo tiit tibi cour cobo coit cobi symb".split()
"""PyMuPDF's names of the fonts that it brings along: Helvetica, Times, Courier, Symbol."""

_TIGHT = (0.0, 0.06, 0.12, 0.18)  # Em by which letters move towards each other in their ligature.

_JOINED = {sign: LIGATURES[sign] for sign in (TH, FT, "ﬀ", "ﬃ", "ﬄ")}
"""Ligatures that the known fonts do not draw, and their letters."""

_TWINS, _DOTTED = frozenset("ﬁﬂﬃﬄ"), "ﬁﬃ"  # Ligatures that differ in one dot alone.

_SAME = dict(zip("–-\xad‐‑µ∼∗∆Ω", "−−−−−μ~*ΔΩ", strict=True))
_SAME |= {"º": "°", "˚": "°", "∙": "·", "⋅": "·", "'": "’", "ϕ": "φ"}
"""Characters that are drawn alike, and the one that stands for them."""

_ALIKE = ("Il|1/!", "O0oQθ", "−—_", "pρ", "AΛ", '‘’′“”″"`,‚;', "·.•", "vν", "xχ×", "wω", "uμ", "kκ", "EFΓ")
"""Signs that fonts draw so alike that one may be nearer to the other's in a known font."""

_GREEK = re.compile("[\u0370-\u03ff]")

ROUND_OR_STRAIGHT = frozenset("oO0lI1|")
"""Rings and strokes, which are signs as well: never told by shape alone."""

_REMEMBERED = 20_000  # Drawings of glyphs, with their characters: a publisher's fonts recur in many papers.
_ASKED_TOGETHER = 256  # Drawings that are kept: one glyph is asked for its ink, its form and its likeness.
_USUAL = 4_096  # Pixels of a drawing that is remembered, at most: a letter's box has half as many.


class Raster(NamedTuple):
    """A drawing: its left and lower edge in pixels from the glyph's origin, y upwards, and its darkness."""

    x: int
    y: int
    width: int
    darkness: bytes
    """Row by row, the lowest first."""

    @property
    def ink(self) -> Any:
        """Its darkness by row and column."""
        return np.frombuffer(self.darkness, np.uint8).reshape(-1, self.width)


class Form(NamedTuple):
    """How wide a glyph's ink is, where its foot and its top are above the baseline, in em, and its strokes.

    These are counted as low as the legs of an n are apart.
    """

    width: float
    foot: float
    top: float
    strokes: int


_LOW_ROW = 0.2  # Em above the baseline where strokes are counted.

_RANKED = 12  # Signs near a glyph that are kept.


class Likeness(NamedTuple):
    """The sign that a glyph is, '' if none is near or two are as near.

    `lies` tells that it hardly shows its own character, as glyphs of fonts of signs do. `distance` is how far
    that is; `nearer` how many times nearer the nearest sign is that it is told from, 0 where its own is near,
    or none is. `ranked` are the nearest signs with their distances.
    """

    sign: str
    distance: float
    nearer: float
    ranked: Sequence[tuple[float, str]]
    lies: bool = False

    def apart_from(self, told: Collection[str]) -> str:
        """Return the sign that it is in a font whose table has `told` of its glyphs; '' if it is uncertain.

        Fonts draw each sign once: what other glyphs are said to be is not what this one is, and no rival of
        what it is. In fonts without Greek letters, these are none either.
        """
        (nearest, sign), *others = self.ranked
        greek = any(map(_GREEK.match, told))
        rivals = [away for away, other in others if other not in told and (greek or not _GREEK.match(other))]
        times = _CLEAR_LETTER if sign in ROUND_OR_STRAIGHT else _CLEAR
        clear = not rivals or rivals[0] > times * nearest
        return sign if sign not in told and nearest <= _NEAR and clear else ""


def likeness(font: Any, glyph: int, character: str) -> Likeness | None:
    """Return what the glyph number `glyph` of PyMuPDF's `font` is, which is read as `character`.

    None if the glyph has no ink.
    """
    raster = _drawn(font, glyph)
    if raster is None:
        return None
    known = _likeness if len(raster.darkness) <= _USUAL else _likeness.__wrapped__
    return known(raster, character)


def is_like_its_own(font: Any, glyph: int, character: str) -> bool:
    """Whether a glyph is drawn as known fonts draw its character: no other one needs to be asked for."""
    raster = _drawn(font, glyph)
    return raster is not None and _is_like(raster, character)


@lru_cache(_REMEMBERED)
def _is_like(raster: Raster, character: str) -> bool:
    features, rows = _features(raster), _known(_SAME.get(character, character))
    if features is None or rows is None:
        return False
    away = rows - features
    return bool(np.vecdot(away, away).min() <= _ITS_OWN**2)


@lru_cache(_REMEMBERED)
def _likeness(raster: Raster, character: str) -> Likeness | None:
    features = _features(raster)
    if features is None:
        return None
    own = _SAME.get(character, character)
    signs, rows, squares, starts = _known_signs()
    # `rows @ features` would wake all threads of the BLAS, for each glyph
    squared = squares - 2 * np.vecdot(rows, features) + np.vecdot(features, features)
    distances = np.sqrt(np.maximum(np.minimum.reduceat(squared, starts), 0))
    if character.isprintable() and character != UNKNOWN:
        distances[_only_joined()] = np.inf
    first = np.argpartition(distances, _RANKED)[:_RANKED]
    ranked = sorted([(float(distances[at]), signs[at]) for at in first])
    if ranked[0][1] in _TWINS:
        dotted = _is_dotted(raster)
        ranked = [one for one in ranked if one[1] not in _TWINS or (one[1] in _DOTTED) == dotted]
    (nearest, sign), *others = ranked
    next_nearest = others[0][0]
    distance = float(distances[signs.index(own)]) if own in signs else float("inf")
    nearer = _times_nearer(distances, raster, own) if own in signs else 0.0
    if _alike(sign, own):
        certain = nearest <= _NEAR and distance <= _FAR and own not in ROUND_OR_STRAIGHT
        return Likeness(character if certain else "", distance, nearer, ranked)
    letter = sign.isascii() and sign.isalnum()
    near, clear = (_NEAR_LETTER, _CLEAR_LETTER) if letter else (_NEAR, _CLEAR)
    certain = nearest <= near and next_nearest > clear * nearest and sign not in ROUND_OR_STRAIGHT
    lies = distance > _FAR and distance > _CLEAR * nearest
    return Likeness(sign if certain else "", distance, nearer, ranked, lies)


def _times_nearer(distances: Any, raster: Raster, own: str) -> float:
    if _has_another_foot(raster, own):
        return float("inf")
    alike, others = _told_from(own)
    near, other = float(distances[alike].min()), float(distances[others].min())
    if near <= _ITS_OWN or other > _STILL_NEAR:
        return 0.0
    return near / other if other else float("inf")  # a glyph of a known font is that sign


def _has_another_foot(raster: Raster, own: str) -> bool:
    """Whether a bar is drawn below a sign that has none, or below a ± is none."""
    if own not in _UNBARRED and own != "±":
        return False
    ink = raster.ink > _INK
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not len(rows):
        return False
    foot = np.flatnonzero(ink[rows[0]])
    barred = int(foot[-1] - foot[0] + 1) >= _BAR * int(columns[-1] - columns[0] + 1)
    return barred != (own == "±")


@cache
def _told_from(own: str) -> tuple[Any, Any]:
    """Return which of `_known_signs` are drawn like a sign, and which are told from it."""
    signs, *_ = _known_signs()
    apart = TOLD_APART if own != "−" else TOLD_APART.translate(dict.fromkeys(map(ord, ".,′")))
    told = [(sign.isascii() and sign.isalnum()) or sign in apart for sign in signs]
    alike = np.array([_alike(sign, own) for sign in signs])
    return np.flatnonzero(alike), np.flatnonzero(np.array(told) & ~alike)


def has_ink(font: Any, glyph: int) -> bool:
    """Whether anything is drawn of a glyph."""
    raster = _drawn(font, glyph)
    return raster is not None and bool(raster.darkness.strip(_FAINT))


def form(font: Any, glyph: int) -> Form | None:
    """Return the form of a glyph; None if it has no ink."""
    raster = _drawn(font, glyph)
    ink = raster.ink > _INK if raster else np.zeros((0, 0), bool)
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    if not raster or not len(rows):
        return None
    foot, top = raster.y + int(rows[0]), raster.y + int(rows[-1]) + 1
    row = min(max(round(_LOW_ROW * _EM) - raster.y, int(rows[0])), int(rows[-1]))
    across = ink[row].astype(np.int8)
    strokes = int(across[0]) + int((np.diff(across) > 0).sum())
    return Form(int(columns[-1] - columns[0] + 1) / _EM, foot / _EM, top / _EM, strokes)


@cache
def usual_width(text: str) -> float:
    """Return how wide Latin letters, digits and signs are beside one another in Times, in em."""
    font = _known_font("tiro")
    return float(sum(font.glyph_advance(ord(char)) for char in text))


def is_known(character: str) -> bool:
    """Whether a glyph can be compared with the character as known fonts draw it."""
    return _known(_SAME.get(character, character)) is not None


def _alike(one: str, other: str) -> bool:
    return one.casefold() == other.casefold() or any(one in group and other in group for group in _ALIKE)


@cache
def _known_signs() -> tuple[list[str], Any, Any, Any]:
    """Return the signs that a known font draws, and of all of them: rows, their squares, their beginnings."""
    known = {sign: rows for sign in (*_drawn_as(), *_JOINED) if (rows := _known(sign)) is not None}
    rows = np.concatenate(list(known.values()))
    starts = np.cumsum([0, *map(len, known.values())])[:-1]
    return list(known), rows, np.einsum("ij,ij->i", rows, rows), starts


@cache
def _only_joined() -> list[int]:
    """Return which of `_known_signs` no character stands for, but in unknown ones."""
    return [at for at, sign in enumerate(_known_signs()[0]) if sign in _JOINED and sign != TH]


@cache
def _known(sign: str) -> Any:
    """Return the features of a sign, row by row as the known fonts draw it; None if none does.

    Most fonts are right, and need the signs of some letters: to draw all of them takes 0.25 s.
    """
    found = [
        features
        for name in _FONTS
        for raster in _rasters(name, sign)
        if raster is not None and (features := _features(raster)) is not None
    ]
    return np.array(found) if found else None


def _rasters(name: str, sign: str) -> Iterator[Raster | None]:
    """Yield the drawings of a sign, and of those that look the same, in a known font."""
    font = _known_font(name)
    if sign in _JOINED:
        yield from (_joined(font, _JOINED[sign], tight) for tight in _TIGHT if name != _SYMBOL)
        return
    for one in _drawn_as().get(sign, ()):
        if glyph := font.has_glyph(ord(one)):
            yield _drawn(font, glyph)


@cache
def _drawn_as() -> dict[str, list[str]]:
    """Return the characters of _SIGNS by the one that stands for them."""
    found: dict[str, list[str]] = {}
    for one in _SIGNS:
        found.setdefault(_SAME.get(one, one), []).append(one)
    return found


@cache
def _known_font(name: str) -> Any:
    return pymupdf.Font(name)


def _joined(font: Any, letters: str, tight: float) -> Raster | None:
    placed: list[Raster] = []
    begin = 0.0
    for letter in letters:
        glyph = font.has_glyph(ord(letter))
        drawn = _drawn(font, glyph)
        if drawn is None:
            return None
        placed.append(drawn._replace(x=drawn.x + round(begin * _EM)))
        begin += font.glyph_advance(ord(letter)) - tight
    x0, y0 = min(one.x for one in placed), min(one.y for one in placed)
    width = max(one.x + one.width for one in placed) - x0
    both = np.zeros((max(one.y + len(one.ink) for one in placed) - y0, width), np.uint8)
    for one in placed:
        part = both[one.y - y0 :, one.x - x0 :][: len(one.ink), : one.width]
        np.maximum(part, one.ink, out=part)
    return Raster(x0, y0, width, both.tobytes())


@lru_cache(_ASKED_TOGETHER)
def _drawn(font: Any, glyph: int) -> Raster | None:
    """Return a glyph as it is drawn; None if it cannot be drawn, or nothing is."""
    drawn = pymupdf.mupdf.fz_render_glyph_pixmap(font.this, glyph, *_how_drawn(), 8)
    if not (made := drawn.m_internal):
        return None
    if made.storable.refs > 1:  # PyMuPDF 2.0 takes one reference too many: none would be freed
        pymupdf.mupdf.ll_fz_drop_pixmap(made)
    darkness = bytes(pymupdf.mupdf.fz_pixmap_samples_memoryview(drawn))
    if not darkness:
        return None
    width, stride = made.w, made.stride
    if stride > width:
        darkness = b"".join([darkness[at : at + width] for at in range(0, len(darkness), stride)])
    return Raster(made.x, made.y, width, darkness)


@cache
def _how_drawn() -> tuple[Any, Any]:
    """Return the scale in which glyphs are drawn, and the box in which they are."""
    mupdf = pymupdf.mupdf
    return mupdf.FzMatrix(_EM, 0, 0, _EM, 0, 0), mupdf.FzIrect(-99 * _EM, -99 * _EM, 99 * _EM, 99 * _EM)


def _is_dotted(raster: Raster) -> bool:
    """Whether there is white within the height of its last stroke, below the dot of an i."""
    ink = raster.ink > _INK
    columns = np.flatnonzero(ink.any(axis=0))
    stroke = ink[:, columns[-1] - len(columns) // 8 : columns[-1]].any(axis=1)
    rows = np.flatnonzero(stroke)
    return len(rows) > 0 and not stroke[rows[0] : rows[-1]].all()


def _features(raster: Raster) -> Any:
    """Return the ink of a glyph by cells of its own box, and the box's extent; None without ink."""
    darkness = raster.ink
    inked = darkness > _INK
    rows, columns = inked.any(axis=1).nonzero()[0], inked.any(axis=0).nonzero()[0]
    if not len(rows):
        return None
    first, left = int(rows[0]), int(columns[0])
    height, width = int(rows[-1]) + 1 - first, int(columns[-1]) + 1 - left
    ink = darkness[first : first + height, left : left + width].astype(np.float32) / 255
    features = np.empty(_CELLS * _CELLS + 5, np.float32)
    features[:-5].reshape(_CELLS, _CELLS)[:] = _shares(height) @ ink @ _shares(width).T
    foot = raster.y + first
    extent = width / _EM, height / _EM, (foot + height) / _EM, foot / _EM, 0.3 * log(width / height)
    features[-5:] = [_EXTENT * one for one in extent]
    return features


@cache
def _shares(pixels: int) -> Any:
    """Return the matrix that takes the means of a line of so many pixels over each cell."""
    edges = np.linspace(0, pixels, _CELLS + 1)
    starts = np.arange(pixels)
    cells = [
        np.clip(np.minimum(end, starts + 1) - np.maximum(begin, starts), 0, None)
        for begin, end in pairwise(edges)
    ]
    return np.array([cell / cell.sum() for cell in cells], np.float32)
