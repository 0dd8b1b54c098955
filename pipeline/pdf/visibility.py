"""Text that no reader sees: without ink, white on nothing, too small, or covered by what is drawn later."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from itertools import chain, compress
from typing import Any

import numpy as np
import pymupdf

from pipeline.pdf.contents import OUTLINES, Box, Overlay, listed, rotation_of, run, without_text
from pipeline.pdf.drawn_letters import NO_INK, place
from pipeline.pdf.lines import ASCENT, DESCENT
from pipeline.pdf.text_layer import TextLayer

_LEAST_SIZE = 1.0  # flat
"""Points: text below this size is not read. The smallest type of the shared papers is 2.3 points."""

_LEAST_ALPHA = 13  # flat
"""Opacity, of 255, below which ink is not seen."""

_WHITE = 0xF8F8F8  # Red, green and blue from which on a colour is as white as paper.
_SHADES = 0xF0F0F0  # What of red, green and blue is compared: smaller differences are not seen.
_CLIPS = 64
"""Bit of a span's `char_flags` in PyMuPDF: its text is a clip, and what is drawn within is its ink."""

_OUTLINE = 1  # The type of a span of `get_texttrace` that is outlines.
_DRAWING = 3  # The type of a block of PyMuPDF's that is a drawn path, not text.
_ANYWHERE = frozenset({"Blend", "Pattern", "SMask"})
"""What a page has by which any text of it may be in ink that does not show."""

_THICK = 2.0  # Points: what is stroked thinner covers no text; frames and curves are.

_TYPE_3 = "Type3 ("  # How MuPDF names fonts whose glyphs are drawings.
_LEVEL = (1.0, 0.0)  # Direction of a line that is read from left to right.
_FAR = 1e6  # Points: no page is so large.
_UNORDERED = 10**9  # In place of the number of an operation that is not known.
_SCAN = 0.5  # flat
"""Share of a page's area from which on its pictures are a scan, and text below them is what OCR read."""

_COVERED = 0.25  # 1.25x: other words are hidden in 1 of 19 papers
"""Share of a line's height: what overlaps less of it, a rule for example, does not cover its characters."""

_STRIPS = 0.5  # Share of a line's area that is covered by strips together.
_BOXES_PER_BATCH = 1000  # Boxes that are compared with those of the text at once, to save memory.
_FEW = 20  # flat
"""Drawings that are compared one by one with the lines of text, at most."""

_SPACE = 0.2  # flat
"""Em that a space is wide at least: what overlaps only the spaces at a line's end covers nothing."""

_ZOOM = 2.0  # flat
"""Pixels to a point at which it is looked whether text shows."""

_SCAN_ZOOM, _AROUND = 0.75, 6.0
"""The same for text of scans, which has no ink of its own; and points around it where the scan may show it.
"""

_SHOWS = 16  # flat
"""Difference of a pixel, of 255, with and without text, from which on text shows in it."""

_INNER = 0.15  # flat
"""Share of a character's width, on either side, into which its neighbours may reach."""

_INNER_DOWN = 0.1
"""Share of its height, above and below, into which other lines may reach; "_" reaches less far."""

_MORE = "+"
"""Before a further character of a ligature: the trace gives it at the place of the first, without a glyph."""

_Printed = tuple[tuple[float, float], str]
"""A character and its place."""

_Cover = tuple[int, str, Box]
"""What may hide text: its number among the operations, its kind (`lookup.release.schema`), its box."""


class Visibility:
    """What can be seen of the text `layer` of a page with `kinds` of resources, below what was `added`.

    `paths` gives the page's drawings as `get_cdrawings` does.
    """

    def __init__(
        self,
        page: Any,
        layer: TextLayer,
        kinds: frozenset[str],
        added: Overlay,
        paths: Callable[[], Sequence[Mapping[str, Any]]],
    ) -> None:
        self._page = page
        self._added = added
        self._kinds = kinds
        self._layer = layer
        self._blocks = layer.blocks
        self._paths = paths

    def unseen(self) -> Iterator[Sequence[str]]:
        """Yield for each line of text why no reader sees its characters; () where all are seen.

        Why is a word of `lookup.release.schema.PUT_ON` or OF_PAGE, '' for a character that is seen.
        """
        covered = self._below_added() | self._without_ink()
        for number, line in enumerate(self._layer.lines):
            of_spans = list(map(self._hides, line["spans"]))
            if not (covered or any(of_spans)):
                yield ()
                continue
            reasons: list[str] = []
            glyph = (0.0, 0.0)  # the place of the last one that was drawn
            for span, gone in zip(self._layer.characters_of(number)["spans"], of_spans, strict=True):
                for char in span["chars"]:
                    with_first = covered.get((glyph, _MORE + char["c"]), "")
                    glyph = glyph if with_first else place(char["origin"])
                    reasons.append(gone or with_first or covered.get((glyph, char["c"]), ""))
            yield reasons if any(reasons) else ()

    def _hides(self, span: dict[str, Any]) -> str:
        """Why no reader sees the characters of a span, whatever covers them; '' if one may.

        Without ink, they are the text of a scan, or of a drawing, where that shows something.
        """
        clear, tiny = span["alpha"] < _LEAST_ALPHA, span["size"] < _LEAST_SIZE
        if not (clear or tiny) or not span["text"].strip():
            return ""
        if tiny:
            return "tiny"
        return "no ink" if self._is_blank(span["bbox"]) else ""

    def _is_blank(self, box: Box) -> bool:
        """Whether a page shows nothing around a box of text without ink, or nothing but level rules."""
        edges = np.array(box) + _AROUND * np.array((-1, -1, 1, 1))
        left, top, right, foot = np.rint(_SCAN_ZOOM * (edges - np.tile(self._paper[:2], 2))).astype(int)
        part = self._shown[max(0, top) : max(0, foot), max(0, left) : max(0, right)]
        return part.size > 0 and int(np.ptp(part, axis=1).max()) < _SHOWS

    @cached_property
    def _paper(self) -> Box:
        return tuple(self._page.rect * ~rotation_of(self._page))

    @cached_property
    def _shown(self) -> Any:
        """The darkest colours of the pixels of the page without its text, `_SCAN_ZOOM` to a point."""
        part = pymupdf.Rect(self._paper) * pymupdf.Matrix(_SCAN_ZOOM, _SCAN_ZOOM)
        return _picture(self._page, part, [listed(self._page)], text=False, zoom=_SCAN_ZOOM).min(axis=2)

    @cached_property
    def _inked(self) -> list[list[tuple[Box, int]]]:
        return list(map(_inked, self._blocks))

    @cached_property
    def _texts(self) -> Any:
        return np.array([box for inked in self._inked for box, _ in inked]).reshape(-1, 4)

    def _covers(self) -> Iterator[_Cover]:
        """Yield the drawings over text that may be opaque: what is filled, and thick strokes."""
        filled: list[tuple[int, Box]] = []
        stroked: list[tuple[int, Box]] = []
        before = 0  # of the boxes of text
        for block, inked in zip(self._blocks, self._inked, strict=True):
            before += len(inked)
            drawn = before and block["type"] == _DRAWING and block["alpha"]
            if drawn and not (block["stroked"] and _is_thin(block["bbox"])):
                (stroked if block["stroked"] else filled).append((before, block["bbox"]))
        if not any(
            _covering([box for _, box in some], self._texts, [at for at, _ in some]).any()
            for some in (filled, stroked)
        ):
            return
        found: list[_Cover] = []
        for path in self._paths():
            thick = path.get("width") or 0.0
            if "f" in path["type"] or thick >= _THICK:
                x0, y0, x1, y1 = path["rect"]
                box = (x0 - thick / 2, y0 - thick / 2, x1 + thick / 2, y1 + thick / 2)
                found.append((path["seqno"], "drawing", box))
        yield from compress(found, _covering([box for _, _, box in found], self._texts))

    def _alike(self) -> Iterator[Box]:
        """Yield the boxes of fillings that may be below text of their own colour."""
        fillings, texts = defaultdict(list), defaultdict(list)
        for block in self._blocks:
            if block["type"] == _DRAWING and block["alpha"] and not block["stroked"]:
                fillings[block["color"] & _SHADES].append(block["bbox"])
        for box, colour in chain.from_iterable(self._inked if fillings else ()):
            texts[colour & _SHADES].append(box)
        for colour in fillings.keys() & texts.keys():
            yield from compress(fillings[colour], _covering(fillings[colour], texts[colour]))

    def _without_ink(self) -> dict[_Printed, str]:
        """Why nothing shows of characters: they are below drawings of the page, or in ink that is none."""
        hidden = self._hidden([*self._doubts(), *self._covers()])
        clips = [1 for line in self._layer.lines for span in line["spans"] if span["char_flags"] & _CLIPS]
        chars = [char for char, flags in self._chars() if flags & _CLIPS] if clips else []
        if not chars:
            return hidden
        inked = np.array([char["bbox"] for char in chars])
        blank = ~_Ink(self._page, inked).varies(inked)
        return hidden | {(place(char["origin"]), char["c"]): "no ink" for char in compress(chars, blank)}

    def _below_added(self) -> dict[_Printed, str]:
        """The characters that do not show below annotations and fields, and those to be redacted, and why."""
        boxes = [box for _, box in self._added.boxes]
        near = list(compress(self._added.boxes, _covering(boxes, self._texts))) if boxes else []
        if not near:
            return {}
        covers = [(_UNORDERED, kind, box) for kind, box in near]
        hidden = self._hidden(covers, self._added.drawn.values())
        kinds = dict.fromkeys([kind for kind, _ in near])
        for only in kinds if hidden and len(kinds) > 1 else ():  # what overlaps them need not hide them
            alone = self._hidden([one for one in covers if one[1] == only], [self._added.drawn[only]])
            hidden |= {one: only for one in alone if one in hidden}
        redacted = [box for kind, box in near if kind == "redaction"]
        marked = (
            (place(char["origin"]), char["c"])
            for char, _ in (self._chars() if redacted else ())
            if any(_is_within(char["bbox"], box) for box in redacted)
        )
        return hidden | dict.fromkeys(marked, "redaction")

    def _chars(self) -> Iterator[tuple[dict[str, Any], int]]:
        """Yield the inked characters of the page, each with the flags of its span."""
        for span in (
            span
            for block in self._layer.characters
            for line in block.get("lines", ())
            for span in line["spans"]
        ):
            yield from ((char, span["char_flags"]) for char in span["chars"] if not char["c"].isspace())

    def _doubts(self) -> Iterator[_Cover]:
        """Yield where text may be in ink that does not show, whatever is drawn later.

        White, over or below pictures and shadings, over fillings of its colour, below outlines or text
        of another colour, in a clear group, blended, or by patterns or masks.
        """
        if {"Clear", "Form"} <= self._kinds or not self._kinds.isdisjoint(_ANYWHERE):
            yield _UNORDERED, "no ink", (-_FAR, -_FAR, _FAR, _FAR)
        noted = _Noted()
        if not self._kinds.isdisjoint(("Image", "Shading")):
            run(self._page, noted)
            noted.images = [] if _is_scan(noted.images, self._page) else noted.images
        for kind, boxes in (
            ("drawing", [*self._alike()]),
            ("shading", noted.shades),
            ("picture", noted.images),
        ):
            yield from ((_UNORDERED, kind, box) for box in compress(boxes, _covering(boxes, self._texts)))
        spans = [span for line in self._layer.lines for span in line["spans"] if span["text"].strip()]
        yield from ((_UNORDERED, "white", span["bbox"]) for span in spans if _is_white(span["color"]))
        for box in (*_below_others([*chain.from_iterable(self._inked)]), *self._outlined()):
            yield _UNORDERED, "no ink", box

    def _outlined(self) -> Iterator[Box]:
        """Yield the boxes of text that is outlined in another colour than it is filled with."""
        filled: dict[Any, Any] = {}
        for span in self._layer.trace() if OUTLINES in self._kinds else ():
            begin = span["chars"][0][2]
            if span["type"] == _OUTLINE and filled.get(begin, span["color"]) != span["color"]:
                yield span["bbox"]
            elif span["type"] != NO_INK:
                filled[begin] = span["color"]

    def _hidden(self, covers: Sequence[_Cover], added: Collection[Any] = ()) -> dict[_Printed, str]:
        """The characters of which nothing shows where something may cover them, and what does.

        `added` are MuPDF's lists of what is drawn over the page; below it, characters without ink may be
        hidden too: those of scans.
        """
        if not covers and "Type3" not in self._kinds:
            return {}
        areas = np.array([box for _, _, box in covers]).reshape(-1, 4)
        drawn = [
            ((origin, char), box, span["seqno"], number if glyphs else -1, span["type"] == NO_INK)
            for number, span in enumerate(self._layer.trace())
            if (added or span["type"] != NO_INK)
            and ((glyphs := span["font"].startswith(_TYPE_3)) or _overlap(areas, span["bbox"]).any())
            for char, origin, box in _characters(span)
        ]
        if not drawn:
            return {}
        orders, spans, read = np.array([numbers for _, _, *numbers in drawn]).T
        boxes = np.array([box for _, box, *_ in drawn])
        last = np.where(spans < 0, -1, _UNORDERED)  # of the operations that may hide each character
        kinds = np.full(len(drawn), "no ink", object)
        for order, kind, box in covers:
            hides = _overlap(boxes, box) & (orders < order)
            last[hides], kinds[hides] = order, kind
        (below,) = np.nonzero(last >= 0)
        if not len(below):
            return {}
        ink = _Ink(self._page, boxes[below], added)
        hidden = set()
        for order in np.unique(last[below]):
            alike = below[last[below] == order]
            shown = ink.shows(boxes[alike], boxes[orders > order])
            of_scan = np.flatnonzero(read[alike])
            shown[of_scan] = ink.varies(boxes[alike[of_scan]])
            hidden |= set(alike[~shown])
        for number in set(spans[spans >= 0].tolist()):  # of glyphs, whose boxes say little, all or none
            of_span = set(np.flatnonzero(spans == number))
            hidden = hidden | of_span if 2 * len(hidden & of_span) > len(of_span) else hidden - of_span
        if not hidden:
            return {}
        printed = [(place(origin), char) for (origin, char), *_ in drawn]
        seen = {one for at, one in enumerate(printed) if at not in hidden}
        for order in set(last[[at for at in hidden if kinds[at] == "drawing"]]):
            by_it = [at for at in hidden if last[at] == order and kinds[at] == "drawing"]
            kinds[by_it] = "white paint" if ink.is_white(boxes[by_it]) else "drawing"
        return {printed[at]: kinds[at] for at in hidden if printed[at] not in seen}


class _Noted(pymupdf.mupdf.FzDevice2):  # type: ignore[misc]  # PyMuPDF has no types
    """A device of MuPDF's that notes the boxes of a page's `images` and `shades`."""

    def __init__(self) -> None:
        super().__init__()
        self.images: list[Box] = []
        self.shades: list[Box] = []
        for name in ("fill_image", "fill_image_mask", "fill_shade"):
            getattr(self, f"use_virtual_{name}")()

    def fill_image(self, _context: Any, _image: Any, matrix: Any, *_how: Any) -> None:
        placed = pymupdf.Matrix(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f)
        self.images.append(tuple(pymupdf.Rect(0, 0, 1, 1) * placed))

    fill_image_mask = fill_image

    def fill_shade(self, _context: Any, shade: Any, matrix: Any, *_how: Any) -> None:
        mupdf = pymupdf.mupdf
        box = mupdf.ll_fz_bound_shade(shade, matrix)
        shown = mupdf.ll_fz_intersect_rect(box, mupdf.ll_fz_device_current_scissor(self.m_internal))
        self.shades.append((shown.x0, shown.y0, shown.x1, shown.y1))


class _Ink:
    """A part of a page, the rectangle around `boxes`, drawn with its text and without it, below `added`."""

    def __init__(self, page: Any, boxes: Any, added: Iterable[Any] = ()) -> None:
        x0, y0, _, _ = np.min(boxes, axis=0)
        _, _, x1, y1 = np.max(boxes, axis=0)
        self._part = pymupdf.Rect(x0, y0, x1, y1) * pymupdf.Matrix(_ZOOM, _ZOOM)
        lists = [listed(page), *added]
        self._drawn, bare = (_picture(page, self._part, lists, text=text) for text in (True, False))
        differs = np.maximum(self._drawn, bare) - np.minimum(self._drawn, bare) >= _SHOWS
        self._shows = reduce(np.logical_or, np.moveaxis(differs, 2, 0))  # `any` is slow over so few
        height, width = self._shows.shape
        self._inked = np.zeros((height + 1, width + 1), np.int32)
        sums = self._inked[1:, 1:]
        np.cumsum(self._shows.cumsum(axis=1, dtype=np.int32), axis=0, out=sums)

    def shows(self, boxes: Any, others: Any) -> Any:
        """Return in which boxes of characters text shows, but for what is in the boxes of `others`."""
        x0, y0, x1, y1 = pixels = self._inner(boxes).T
        pixel = (x0 < x1) & (y0 < y1)
        inked = self._inked[y1, x1] - self._inked[y0, x1] - self._inked[y1, x0] + self._inked[y0, x0]
        found = (inked > 0) | ~pixel
        for at in np.flatnonzero(pixel & found) if len(others) else ():
            if len(over := others[_overlap(others, boxes[at])]):
                left, top, right, foot = pixels[:, at]
                part = self._shows[top:foot, left:right].copy()
                for x0, y0, x1, y1 in np.maximum(0, self._pixels(over) - [left, top, left, top]):
                    part[y0:y1, x0:x1] = False
                found[at] = part.any()
        return found

    def varies(self, boxes: Any) -> Any:
        """Return in which boxes of characters anything shows: their pixels have not all one colour."""
        parts = (self._drawn[top:foot, left:right] for left, top, right, foot in self._inner(boxes))
        varied = [not part.size or np.ptp(part, axis=(0, 1)).max() >= _SHOWS for part in parts]
        return np.array(varied, bool)

    def is_white(self, boxes: Any) -> bool:
        """Return whether most of what these boxes of characters show is white."""
        parts = [self._drawn[top:foot, left:right] for left, top, right, foot in self._inner(boxes)]
        white = sum(int((part >= _WHITE & 0xFF).all(axis=2).sum()) for part in parts)
        return 2 * white > int(sum(part.shape[0] * part.shape[1] for part in parts))

    def _inner(self, boxes: Any) -> Any:
        """Return the edges of boxes in pixels, without what their neighbours may reach into."""
        width, height = boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]
        inner = _INNER * width, _INNER_DOWN * height, -_INNER * width, -_INNER_DOWN * height
        return self._pixels(boxes + np.stack(inner, axis=1))

    def _pixels(self, boxes: Any) -> Any:
        """Return the edges of boxes in pixels of the part."""
        left, top = int(self._part.x0), int(self._part.y0)
        height, width = self._shows.shape
        edges = np.rint(_ZOOM * boxes).astype(int) - [left, top, left, top]
        return np.clip(edges, 0, [width, height, width, height])


def _picture(page: Any, part: Any, lists: Iterable[Any], *, text: bool, zoom: float = _ZOOM) -> Any:
    """Return the pixels of a part of a page, not rotated, on which `lists` of MuPDF's are drawn."""
    mupdf = pymupdf.mupdf
    pixmap = mupdf.fz_new_pixmap_with_bbox(
        mupdf.fz_device_rgb(), mupdf.FzIrect(*part.irect), mupdf.FzSeparations(), 0
    )
    mupdf.fz_clear_pixmap_with_value(pixmap, 255)
    device = mupdf.fz_new_draw_device(mupdf.FzMatrix(), pixmap)
    if not text:
        without_text(device)
    run(page, device, zoom, lists, draw=())
    shape = mupdf.fz_pixmap_height(pixmap), mupdf.fz_pixmap_width(pixmap), 3
    return np.array(mupdf.fz_pixmap_samples_memoryview(pixmap)).reshape(shape)


def _is_scan(pictures: Sequence[Box], page: Any) -> bool:
    paper = page.rect * ~rotation_of(page)
    shown = sum(abs(pymupdf.Rect(box) & paper) for box in pictures)
    return bool(shown >= _SCAN * abs(paper))


def _characters(span: dict[str, Any]) -> Iterator[tuple[str, Box, Box]]:
    """Yield the inked characters of a span of the trace, each with its origin and box.

    Level ones are as high as their type at least: fonts are wrong about it, and quotation marks stand above.
    Further ones of a ligature have no glyph: they follow `_MORE`, with the box of the first.
    """
    first: Box = ()
    up, down = (ASCENT * span["size"], DESCENT * span["size"]) if span["dir"] == _LEVEL else (0.0, 0.0)
    for code, glyph, origin, (x0, y0, x1, y1) in span["chars"]:
        char, (_, y) = chr(code), origin
        first = (x0, min(y0, y - up), x1, max(y1, y + down)) if glyph >= 0 or not first else first
        if not char.isspace():
            yield (char if glyph >= 0 else _MORE + char), origin, first


def _inked(block: dict[str, Any]) -> list[tuple[Box, int]]:
    """Return the boxes and colours of a block's spans, of level ones without the spaces at their ends."""
    out: list[tuple[Box, int]] = []
    for span in (span for line in block.get("lines", ()) for span in line["spans"]):
        text: str = span["text"]
        if not (inked := text.strip()):
            continue
        if inked == text:
            out.append((span["bbox"], span["color"]))
        else:
            x0, y0, x1, y1 = span["bbox"]
            space = _SPACE * span["size"] if x1 - x0 > y1 - y0 else 0.0
            begin = text.index(inked)
            end = x1 - space * (len(text) - begin - len(inked))
            out.append(((x0 + space * begin, y0, end, y1), span["color"]))
    return out


def _below_others(inked: Sequence[tuple[Box, int]]) -> list[Box]:
    """Return the boxes whose middle is below one of the few in a colour that the first has not."""
    odd = [one for one in inked if one[1] != inked[0][1]]
    if not 0 < len(odd) < _FEW:
        return []
    boxes, colours = (np.array(of_each) for of_each in zip(*inked, strict=True))
    middles = (boxes[:, :2] + boxes[:, 2:]) / 2
    found: list[Box] = []
    for (x0, y0, x1, y1), colour in odd:
        below = ((middles > (x0, y0)) & (middles < (x1, y1))).all(axis=1) & (colours != colour)
        found += boxes[below].tolist()
    return found


def _is_thin(box: Box) -> bool:
    """Whether nothing thick is stroked in a box."""
    x0, y0, x1, y1 = box
    return min(x1 - x0, y1 - y0) < _THICK


def _is_white(colour: int) -> bool:
    return colour >= _WHITE and all(colour & part >= _WHITE & part for part in (0xFF0000, 0xFF00, 0xFF))


def _covering(covers: Sequence[Box], texts: Any, before: Sequence[int] = ()) -> Any:
    """Return which boxes may cover one of the boxes of text; of the first `before` of them if that is given.

    They overlap `_COVERED` of its lesser side. Where thinner strips overlap `_STRIPS` of it together, all are
    returned.
    """
    if not covers:
        return np.zeros(0, bool)
    left, top, right, foot = np.asarray(texts).T
    least = _COVERED * np.minimum(right - left, foot - top)
    in_strips = np.zeros(len(left))
    found = np.zeros(len(covers), bool)
    for begin in range(0, len(covers), _BOXES_PER_BATCH):
        x0, y0, x1, y1 = np.array(covers[begin : begin + _BOXES_PER_BATCH]).T[:, :, None]
        across = np.minimum(x1, right) - np.maximum(x0, left)
        down = np.minimum(y1, foot) - np.maximum(y0, top)
        met = (across > 0) & (down > 0)
        if before:
            met &= np.arange(len(left)) < np.array(before[begin : begin + _BOXES_PER_BATCH])[:, None]
        found[begin : begin + _BOXES_PER_BATCH] = (met & (across >= least) & (down >= least)).any(axis=1)
        in_strips += (met * across * down).sum(axis=0)
    if (in_strips > _STRIPS * (right - left) * (foot - top)).any():
        found[:] = True
    return found


def _is_within(box: Box, other: Box) -> bool:
    """Whether the middle of a box is in another."""
    return 2 * other[0] <= box[0] + box[2] <= 2 * other[2] and 2 * other[1] <= box[1] + box[3] <= 2 * other[3]


def _overlap(boxes: Any, box: Box) -> Any:
    """Return which of the boxes, row by row, overlap `box`."""
    x0, y0, x1, y1 = boxes.T
    return (x0 < box[2]) & (x1 > box[0]) & (y0 < box[3]) & (y1 > box[1])
