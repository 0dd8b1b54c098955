"""Text that no reader sees: the rendered page is asked whether it shows the ink of what may be hidden."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import accumulate
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import pymupdf

from lookup.release.schema import PUT_ON
from pipeline.pdf.contents import (
    ALL_BUT_TEXT,
    ODD,
    OUTLINES,
    TEXT,
    TYPE_3,
    Box,
    Overlay,
    leave_out,
    listed,
    rotation_of,
    run_lists,
)
from pipeline.pdf.drawn_letters import CLIPS, LEAST_ALPHA, NO_WIDTH, is_clear
from pipeline.pdf.lines import height_of
from pipeline.pdf.text_layer import TextLayer

_LEAST_SIZE = 1.0  # flat
"""Points: text below this size, or as flat, is not read. The smallest type of the shared papers is 2.3."""

_LEAST_ADVANCE = 0.2
"""Points from one character to the next, below which they are squeezed into a line. None of 113,000 spans of
the shared documents has less."""

_DENSE, _LIGHT = 64, 0xD8
"""Opacity below which, and red, green and blue from which on, ink may not show on white paper."""

_SHADE = 0.06  # flat
"""Difference of red, green or blue, of 1, up to which colours are one."""

_DRAWING = 3  # The type of a block of PyMuPDF's that is a drawn path, not text.
_OUTLINE = 1  # The type of a span of `get_texttrace` that is outlines.
_THICK = 2.0  # Points: thinner strokes, also side by side, cover no text.
_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.
_SLANTED = 0.01  # What both parts of a direction are more than, where a line's box is not all covered by it.
_SCAN = 0.5  # flat
"""Share of a page's area from which on its pictures are a scan, and text below them is what OCR read."""

_COVERED = 0.25  # 1.25x: other words are hidden in 1 of 19 papers
"""Share of a line's height: what overlaps less of it, a rule for example, does not cover its characters."""

_STRIPS = 0.5  # Share of a line's area that is covered by strips together.
_BOXES_PER_BATCH = 1000  # Boxes that are compared with those of the text at once, to save memory.

_CORE = 0.3
"""Share of its height, above and below, that other text of another colour may lose and covers no more with.
Lines beside one another overlap by their boxes."""

_LARGE = 1.5  # Times the size of the first text, more than which letters may cover others.

_SPACE = 0.2  # flat
"""Em that a space is wide at least: what overlaps only the spaces at a line's end covers nothing."""

_ZOOM = 2.0  # flat
"""Pixels to a point at which it is looked whether text shows."""

_SCAN_ZOOM, _AROUND = 0.75, 6.0
"""The same for text of scans, which has no ink of its own; and points around it where the scan may show it.
"""

_BETWEEN_BANDS = 36.0  # flat
"""Points of a page without text in doubt from which on they are not drawn."""

_SHOWS = 16  # flat
"""Difference of a pixel, of 255, from which on it is seen: with and without text, or beside another pixel."""

_INKED = 128  # How much ink, of 255, a pixel within a letter has.
_OF_OUTLINES = 0.25  # Share of the outlines of a character that show, at least, where it is seen.

_INNER = 0.15  # flat
"""Share of a character's width, on either side, into which its neighbours may reach."""

_INNER_DOWN = 0.05  # Em, above and below, into which other lines may reach; "_" reaches less far.

_STYLE = itemgetter("font", "char_flags", "alpha", "color")

_UNDER_TEXT = frozenset({"drawing", "picture"})
"""Kinds of covers over which the page may draw other text."""

Paths = Callable[[], Sequence[Mapping[str, Any]]]


class _Asked(NamedTuple):
    """Characters of a span: its line and number, their places there, what may hide them, their boxes.

    Whether the span has no ink, and the boxes of text that may be drawn over what hides it.
    """

    span: tuple[int, int]
    places: Sequence[int]
    why: str
    boxes: Any
    is_clear: bool
    later: Sequence[Box]


class _Cover(NamedTuple):
    """What may hide spans: its kind (`lookup.release.schema`), its box, what it is drawn after, its colour.

    It may hide the first `after` spans of the page, and all others of its `colour`.
    """

    kind: str
    box: Box
    after: int
    colour: int = -1


class Visibility:
    """What can be seen of the text `layer` of a page with `kinds` of resources, below what was `added`.

    `paths` gives the page's drawings as `get_cdrawings` does.
    """

    def __init__(
        self, page: Any, layer: TextLayer, kinds: frozenset[str], added: Overlay, paths: Paths
    ) -> None:
        self._page = page
        self._paths = paths
        self._added = added
        self._kinds = kinds
        self._layer = layer
        self._places = [
            (number, at)
            for number, line in enumerate(layer.lines)
            for at, span in enumerate(line["spans"])
            if span["text"].strip()
        ]
        self._spans = [layer.lines[number]["spans"][at] for number, at in self._places]

    def unseen(self) -> Iterator[Sequence[str]]:
        """Yield for each line of text why no reader sees its characters; () where all are seen.

        Why is a word of `lookup.release.schema.PUT_ON` or OF_PAGE, '' for a character that is seen.
        """
        doubts, since = self._doubts()
        told = dict(self._at_once())
        hidden = self._hidden(doubts, since) if any(doubts) else {}
        gone = {line for line, _ in told} | {line for (line, _), why in hidden.items() if any(why.values())}
        for line in range(len(self._layer.lines)):
            spans = self._layer.characters_of(line)["spans"] if line in gone else ()
            yield [
                told.get((line, number), "") or hidden.get((line, number), {}).get(at, "")
                for number, span in enumerate(spans)
                for at in range(len(span["chars"]))
            ]

    def _at_once(self) -> Iterator[tuple[tuple[int, int], str]]:
        """Yield the spans, by line and number, that no reader sees whatever is over them, and why.

        Without ink, they are the text of a scan, or of a drawing, where that shows something.
        """
        left, top, right, foot = self._boxes.T
        lengths = np.array([len(span["text"]) for span in self._spans])
        may_be_flat = (foot - top < _LEAST_SIZE) | (right - left < _LEAST_ADVANCE * lengths)
        may_be_flat |= np.array([self._layer.lines[line]["dir"] != _LEVEL for line, _ in self._places], bool)
        for place, span, may_be in zip(self._places, self._spans, may_be_flat.tolist(), strict=True):
            is_flat = may_be and _is_flat(span, self._layer.lines[place[0]]["dir"])
            if is_flat or span["size"] < _LEAST_SIZE:
                yield place, "tiny"
            elif is_clear(span) and self._is_blank(span["bbox"]):
                yield place, "no ink"

    def _is_blank(self, box: Box) -> bool:
        """Whether a page shows nothing around a box of text without ink, or nothing but level rules."""
        edges = zip(_wider(box, _AROUND), [*self._paper[:2]] * 2, strict=True)
        left, top, right, foot = (max(0, round(_SCAN_ZOOM * (edge - begin))) for edge, begin in edges)
        rows = self._shown[top:foot]
        if not rows or left >= min(right, len(rows[0])):
            return False
        return all(max(row[left:right]) - min(row[left:right]) < _SHOWS for row in rows)

    @cached_property
    def _paper(self) -> Box:
        return tuple(self._page.rect * ~rotation_of(self._page))

    @cached_property
    def pictures(self) -> list[Box]:
        """The boxes of the page's pictures, not rotated."""
        return [one["bbox"] for one in self._page.get_image_info()] if "Image" in self._kinds else []

    @cached_property
    def _is_scan(self) -> bool:
        """Whether its pictures are a scan: text over and below them is what OCR read."""
        if not self.pictures:
            return False
        left, top, right, foot = self._paper
        x0, y0, x1, y1 = np.array(self.pictures).T
        across = np.minimum(x1, right) - np.maximum(x0, left)
        down = np.minimum(y1, foot) - np.maximum(y0, top)
        shown = (np.maximum(across, 0) * np.maximum(down, 0)).sum()
        return bool(shown >= _SCAN * (right - left) * (foot - top))

    @cached_property
    def _shown(self) -> Sequence[bytes]:
        """The darkest colours of the page's pixels without its text, row by row, `_SCAN_ZOOM` to a point."""
        part = pymupdf.Rect(self._paper) * pymupdf.Matrix(_SCAN_ZOOM, _SCAN_ZOOM)
        colours = pymupdf.mupdf.fz_device_rgb()
        pixels = _picture(part, [self._drawn], TEXT, colours, zoom=_SCAN_ZOOM)
        return [row.tobytes() for row in reduce(np.minimum, np.moveaxis(pixels, 2, 0))]

    @cached_property
    def _drawn(self) -> Any:
        return listed(self._page)

    def _doubts(self) -> tuple[list[str], Any]:
        """Return for each of the spans what may hide it, '' where nothing may.

        Beside it the number of the first span that may be drawn over what hides it.
        """
        styles = list(map(_STYLE, self._spans))  # a page has hundreds of spans in few styles
        of_styles = dict(zip(styles, self._spans, strict=True))
        doubts = {style: self._doubt(span) for style, span in of_styles.items()}
        found = [doubts[style] for style in styles]
        since = np.full(len(found), len(found))
        covers = list(self._covers()) if found else []
        for kind in dict.fromkeys([one.kind for one in covers]):
            covered, last = _covered([one for one in covers if one.kind == kind], self._boxes, self._colours)
            for at in np.flatnonzero(covered):
                if found[at] in PUT_ON:
                    found[at] = "annotation"  # one of several kinds
                elif found[at] != "white" or kind != "drawing":
                    found[at] = kind
            if kind in _UNDER_TEXT:
                since = np.where(last > 0, last % len(found), since)
        return found, since

    def _doubt(self, span: dict[str, Any]) -> str:
        """Return why the ink of a span may be none or not show, whatever is over it; '' if it does."""
        if span["char_flags"] & CLIPS or ODD in self._kinds or TYPE_3 + span["font"] in self._kinds:
            return "no ink"
        return "white" if span["alpha"] < _DENSE or _shades([span["color"]]).min() >= _LIGHT else ""

    def _covers(self) -> Iterator[_Cover]:
        """Yield what may hide text: drawings, pictures, text in another colour, and what was put there."""
        styles = Counter([(span["color"], span["size"]) for span in self._spans])
        colour, size = max(styles, key=styles.__getitem__)
        yield from self._drawings()
        for at, span in enumerate(self._spans):
            if span["color"] != colour or span["size"] > _LARGE * size:
                line, number = self._places[at]
                is_slanted = min(map(abs, self._layer.lines[line]["dir"])) > _SLANTED
                for x0, y0, x1, y1 in self._of_chars(line, number) if is_slanted else [self._boxes[at]]:
                    off = _CORE * (y1 - y0)
                    yield _Cover("no ink", (x0, y0 + off, x1, y1 - off), at)
        last = len(self._spans)
        usual = pymupdf.sRGB_to_pdf(colour)
        for span in self._layer.trace() if OUTLINES in self._kinds else ():
            if span["type"] == _OUTLINE and not np.allclose(span["color"], usual, atol=_SHADE):
                yield _Cover("no ink", span["bbox"], last)
        yield from (_Cover("picture", box, last) for box in (() if self._is_scan else self.pictures))
        yield from (_Cover(kind, box, last) for kind, box in self._added.boxes)

    def _drawings(self) -> Iterator[_Cover]:
        """Yield the drawings that may hide text: what is filled, and strokes that fill their boxes."""
        blocks = self._layer.blocks
        drawn = [at for at, block in enumerate(blocks) if block["type"] == _DRAWING and block["alpha"]]
        boxes = np.array([blocks[at]["bbox"] for at in drawn]).reshape(-1, 4)
        over = sorted({drawn[one] for some, _ in met(boxes, self._boxes) for one in some})
        ends = list(accumulate([len(block.get("lines", ())) for block in blocks])) if over else []
        stroked: list[_Cover] = []
        for at in over:
            block = blocks[at]
            x0, y0, x1, y1 = block["bbox"]
            before = bisect_left(self._places, (ends[at], 0))
            cover = _Cover("drawing", block["bbox"], before, block["color"])
            if block["stroked"] and min(x1 - x0, y1 - y0) > _THICK:  # there may be several
                stroked.append(cover)
            else:
                yield cover
        if _covered(stroked, self._boxes, self._colours)[0].any():
            for path in self._paths():  # whose boxes are said without the width of their strokes
                width = path.get("width") or 0.0
                if "s" in path["type"] and width * len(path["items"]) > _THICK:
                    yield _Cover("drawing", _wider(path["rect"], width / 2), len(self._spans))

    def _hidden(self, doubts: Sequence[str], since: Any) -> dict[tuple[int, int], dict[int, str]]:
        """Return for spans in doubt, by line and number, why each character is not seen."""
        redacted = [box for kind, box in self._added.boxes if kind == "redaction"]
        asked = list(self._asked(doubts, since))
        if not asked:
            return {}
        found = {}
        lists = [self._drawn, *self._added.drawn.values()]
        for one, shown in zip(asked, _with_ink(lists, asked), strict=True):
            why = ["" if seen else one.why for seen in shown]
            for at, box in enumerate(one.boxes if redacted and one.why in PUT_ON else ()):
                if any(_is_within(box, other) for other in redacted):
                    why[at] = "redaction"
            line, number = one.span
            if TYPE_3 + self._layer.lines[line]["spans"][number]["font"] in self._kinds:
                # their boxes say little: all or none of a span
                why = [max(why) if 2 * sum(map(bool, why)) > len(why) else ""] * len(why)
            found[one.span] = dict(zip(one.places, why, strict=True))
        return found

    def _asked(self, doubts: Sequence[str], since: Any) -> Iterator[_Asked]:
        """Yield the characters of spans in doubt."""
        for at, why in enumerate(doubts):
            if not why or (why not in PUT_ON and is_clear(self._spans[at])):
                continue
            (line, number), alpha = self._places[at], self._spans[at]["alpha"]
            raw = self._layer.characters_of(line)["spans"][number]
            chars = [char["c"] for char in raw["chars"]]
            places = [at for at, c in enumerate(chars) if c.isprintable() and not c.isspace()]
            boxes, later = self._of_chars(line, number), self._later(at, since[at])
            yield _Asked((line, number), places, why, boxes[places], alpha < LEAST_ALPHA, later)

    def _later(self, at: int, since: int) -> list[Box]:
        """Return the boxes of characters of other lines, from span `since` on, that may stand over a span."""
        x0, y0, x1, y1 = self._boxes[at]
        left, top, right, foot = self._boxes[(first := max(since, at + 1)) :].T
        over = np.flatnonzero((left < x1) & (right > x0) & (top < y1) & (foot > y0)) + first
        found = [place for place in map(self._places.__getitem__, over) if place[0] != self._places[at][0]]
        return [tuple(box) for place in found for box in self._of_chars(*place, -_INNER)]

    @cached_property
    def _boxes(self) -> Any:
        """The boxes of its spans with ink, of level ones without the spaces at their ends."""
        return np.array([_inked(span) for span in self._spans]).reshape(-1, 4)

    @cached_property
    def _colours(self) -> Any:
        return _shades([span["color"] for span in self._spans])

    def _of_chars(self, line: int, number: int, inner: float = _INNER) -> Any:
        span, direction = self._layer.characters_of(line)["spans"][number], self._layer.lines[line]["dir"]
        return _boxes(span, direction, inner)


def _with_ink(lists: Sequence[Any], asked: Sequence[_Asked]) -> Sequence[Any]:
    """Return which characters of each span show ink, where MuPDF's `lists` draw a page and what is over it.

    They are looked for in grey; those that do not show, in colours: red on green may be as dark.
    """
    counts = [len(one.places) for one in asked]
    boxes, spans = np.concatenate([one.boxes for one in asked]), np.repeat(np.arange(len(asked)), counts)
    shown = np.zeros(len(boxes), bool)
    for band in _bands(boxes):
        for space in (pymupdf.mupdf.fz_device_gray, pymupdf.mupdf.fz_device_rgb):
            hidden = band[~shown[band]]
            if len(hidden):
                of_spans = [asked[at] for at in spans[hidden]]
                shown[hidden] = _Ink(lists, boxes[hidden], space()).shows(of_spans)
    return np.split(shown, np.cumsum(counts)[:-1])


def _bands(boxes: Any) -> Sequence[Any]:
    """Return the numbers of boxes that stand at one height of the page, from its top to its foot.

    What is between the bands, as on a slide with a head and a foot, need not be drawn.
    """
    order = np.argsort(boxes[:, 1], kind="stable")
    feet = np.maximum.accumulate(boxes[order, 3])
    return np.split(order, np.flatnonzero(boxes[order[1:], 1] - feet[:-1] > _BETWEEN_BANDS) + 1)


class _Ink:
    """A part of a page, the rectangle around `boxes`, drawn with its text and without it.

    By MuPDF's `lists`, in the colours of one of its `space`s.
    """

    def __init__(self, lists: Sequence[Any], boxes: Any, space: Any) -> None:
        self._boxes = boxes
        corners = *boxes[:, :2].min(axis=0), *boxes[:, 2:].max(axis=0)
        self._part = pymupdf.Rect(corners) * pymupdf.Matrix(_ZOOM, _ZOOM)
        drawn, bare = (_picture(self._part, lists, without, space) for without in ((), TEXT))
        self._shows = _edges(drawn) & _differ(drawn, bare)
        self._varies = _edges(bare)
        ink = _picture(self._part, lists, ALL_BUT_TEXT, space, clear=True)[:, :, -1:]
        self._outlines = _edges((ink >= _INKED) * np.uint8(255))

    def shows(self, of: Sequence[_Asked]) -> Any:
        """Return in which boxes of characters ink shows, each `of` a span, but for later text there.

        The page varies there as the text does, if that has ink; the bare page varies there, if it has none.
        """
        edges = self._pixels(self._boxes)
        shown, varied, outlines = (_counts(one, edges) for one in (self._shows, self._varies, self._outlines))
        found = (shown > 0) & (shown >= _OF_OUTLINES * outlines)
        found = np.where([one.is_clear for one in of], varied > 0, found)
        for at in [at for at, one in enumerate(of) if one.later and found[at]]:
            left, top, right, foot = edges[at]
            part = (self._varies if of[at].is_clear else self._shows)[top:foot, left:right].copy()
            later = self._pixels(np.array(of[at].later)) - [left, top, left, top]
            for x0, y0, x1, y1 in np.maximum(0, later):
                part[y0:y1, x0:x1] = False
            found[at] = part.any()
        return found

    def _pixels(self, boxes: Any) -> Any:
        """Return the edges of boxes in pixels of the part."""
        left, top = int(self._part.x0), int(self._part.y0)
        height, width = self._shows.shape
        edges = np.rint(_ZOOM * boxes).astype(int) - [left, top, left, top]
        edges[:, 2:] = np.maximum(edges[:, 2:], edges[:, :2] + 1)
        return np.clip(edges, 0, [width, height, width, height])


def _differ(one: Any, other: Any) -> Any:
    """Return which pixels of two pictures differ."""
    differs = np.maximum(one, other) - np.minimum(one, other) >= _SHOWS
    return reduce(np.logical_or, np.moveaxis(differs, 2, 0))  # `any` is slow over so few


def _edges(picture: Any) -> Any:
    """Return which pixels of a picture are not as those beside them, below them or above them."""
    found = np.zeros(picture.shape[:2], bool)
    across, down = _differ(picture[:, 1:], picture[:, :-1]), _differ(picture[1:], picture[:-1])
    found[:, 1:] |= across
    found[:, :-1] |= across
    found[1:] |= down
    found[:-1] |= down
    return found


def _counts(pixels: Any, boxes: Any) -> Any:
    """Return how many of the pixels in each box are true."""
    found = np.zeros(len(boxes), int)
    heights = boxes[:, 1] * (len(pixels) + 1) + boxes[:, 3]  # those of a line of text are the same
    order = np.argsort(heights, kind="stable")
    for at in np.split(order, np.flatnonzero(np.diff(heights[order])) + 1):
        _, top, _, foot = boxes[at[0]]
        sums = np.zeros(pixels.shape[1] + 1, np.int32)
        np.cumsum(pixels[top:foot].sum(axis=0, dtype=np.int32), out=sums[1:])
        found[at] = sums[boxes[at, 2]] - sums[boxes[at, 0]]
    return found


def _picture(
    part: Any,
    lists: Iterable[Any],
    without: Iterable[str],
    space: Any,
    *,
    zoom: float = _ZOOM,
    clear: bool = False,
) -> Any:
    """Return the pixels of a part of a page, not rotated, on which `lists` of MuPDF's are drawn.

    `without` names what is not drawn, as MuPDF's devices do; their colours are of a `space`. Where the paper
    is `clear`, one value more says how much ink a pixel has.
    """
    mupdf = pymupdf.mupdf
    pixmap = mupdf.fz_new_pixmap_with_bbox(
        space, mupdf.FzIrect(*part.irect), mupdf.FzSeparations(), int(clear)
    )
    if clear:
        mupdf.fz_clear_pixmap(pixmap)
    else:
        mupdf.fz_clear_pixmap_with_value(pixmap, 255)
    device = mupdf.fz_new_draw_device(mupdf.FzMatrix(), pixmap)
    leave_out(device, without)
    run_lists(device, lists, zoom)
    shape = mupdf.fz_pixmap_height(pixmap), mupdf.fz_pixmap_width(pixmap), mupdf.fz_pixmap_components(pixmap)
    return np.array(mupdf.fz_pixmap_samples_memoryview(pixmap)).reshape(shape)


def _boxes(span: dict[str, Any], direction: tuple[float, float], inner: float = _INNER) -> Any:
    """Return the boxes of a span's characters, less this share of each on either side of it.

    Level ones are as high as their type: fonts are wrong about it.
    """
    boxes = np.array([char["bbox"] for char in span["chars"]])
    begin, end = (0, 2) if abs(direction[0]) > abs(direction[1]) else (1, 3)
    for at in np.flatnonzero(boxes[:, end] - boxes[:, begin] < NO_WIDTH * span["size"]):
        boxes[at] = boxes[max(0, int(at) - 1)]  # of the letter that it is drawn at, or of its ligature
    off = inner * (boxes[:, end] - boxes[:, begin])
    boxes[:, begin] += off
    boxes[:, end] -= off
    if direction == _LEVEL and (height := height_of(span)):
        down = _INNER_DOWN * span["size"]
        boxes[:, 1], boxes[:, 3] = height[0] + down, height[1] - down
    return boxes


def _inked(span: dict[str, Any]) -> Any:
    """Return the box of a span, of a level one without the spaces at its ends."""
    text: str = span["text"]
    x0, y0, x1, y1 = span["bbox"]
    if (inked := text.strip()) == text or x1 - x0 <= y1 - y0:
        return x0, y0, x1, y1
    begin = text.index(inked)
    space = _SPACE * span["size"]
    return x0 + space * begin, y0, x1 - space * (len(text) - begin - len(inked)), y1


def _wider(box: Box, by: float) -> Box:
    return box[0] - by, box[1] - by, box[2] + by, box[3] + by


def _is_flat(span: dict[str, Any], direction: tuple[float, float]) -> bool:
    """Whether letters are pressed into a line, which shows their ink and says nothing."""
    x0, y0, x1, y1 = span["bbox"]
    along, across = (x1 - x0, y1 - y0) if abs(direction[0]) > abs(direction[1]) else (y1 - y0, x1 - x0)
    text: str = span["text"].strip()
    return across < _LEAST_SIZE or (text.isalnum() and along < _LEAST_ADVANCE * len(text))


def _shades(colours: Any) -> Any:
    """Return the red, green and blue, of 255, of colours as PyMuPDF gives them, row by row."""
    return np.array(colours, int).reshape(-1, 1) >> (16, 8, 0) & 0xFF


def _covered(covers: Sequence[_Cover], texts: Any, colours: Any) -> tuple[Any, Any]:
    """Return which boxes of text one of the covers may hide, or strips together; and after what it is drawn.

    It overlaps `_COVERED` of the lesser side of the text; thinner strips `_STRIPS` of it together.
    """
    left, top, right, foot = texts.T
    least = _COVERED * np.minimum(right - left, foot - top)
    last = np.zeros(len(texts), int)
    found = np.zeros(len(texts), bool)
    in_strips = np.zeros(len(texts))
    boxes = np.array([one.box for one in covers]).reshape(-1, 4)
    order, shades = (np.array([one[at] for one in covers], int) for at in (2, 3))
    for cover, text in met(boxes, texts):
        across, down = (
            np.minimum(boxes[cover, 2:], texts[text, 2:]) - np.maximum(boxes[cover, :2], texts[text, :2])
        ).T
        is_alike = np.abs(_shades(shades[cover]) - colours[text]).max(axis=1, initial=0) <= _SHADE * 255
        hides = (across > 0) & (down > 0) & ((text < order[cover]) | (is_alike & (shades[cover] >= 0)))
        covering = hides & (across >= least[text]) & (down >= least[text])
        found[text[covering]] = True
        np.maximum.at(last, text[covering], order[cover[covering]])
        in_strips += np.bincount(text, hides * across * down, len(texts))
    return found | (in_strips > _STRIPS * (right - left) * (foot - top)), last


def met(boxes: Any, texts: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the numbers of boxes and of texts that meet one another, arrays of one length, part by part."""
    left, top, right, foot = texts.T
    for begin in range(0, len(boxes), _BOXES_PER_BATCH):
        x0, y0, x1, y1 = boxes[begin : begin + _BOXES_PER_BATCH].T[:, :, None]
        # what is drawn together stands together
        near = np.flatnonzero((left < x1.max()) & (right > x0.min()) & (top < y1.max()) & (foot > y0.min()))
        over = (left[near] < x1) & (right[near] > x0) & (top[near] < y1) & (foot[near] > y0)
        box, text = np.nonzero(over)
        yield box + begin, near[text]


def _is_within(box: Box, other: Box) -> bool:
    """Whether the middle of a box is in another."""
    return 2 * other[0] <= box[0] + box[2] <= 2 * other[2] and 2 * other[1] <= box[1] + box[3] <= 2 * other[3]
