"""The second reader: PP-OCRv6, two ONNX files. One finds lines of text in a picture, the other reads them.

Its boxes follow DB (Liao et al., 2020), its letters CRNN (Shi et al., 2015). Decision 8 says more.
"""

import math
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pipeline.ocr.pictures import Picture
from pipeline.ocr.recognised_lines import Seen
from pipeline.ocr.tesseract import FINDER, READER

_Box = tuple[float, float, float, float]
_Letter = tuple[str, float, float]
"""A character, where it was seen as a share of its line's width, and its chance."""

_SIDE, _LONGEST = 960, 3200
"""Pixels of the shorter side of the picture in which lines are found; of the longer one, and of a line, at
most."""

_TEXT, _SURE = 0.3, 0.5
"""Chance of text in a pixel of a line; its mean over the line, and that of its letters, at least: as the
model's authors have them."""

_GROWTH = 1.6
"""By which a line is larger than its core, which the map shows: its area over its outline, times this."""

_HEIGHT = 48
"""Pixels of the height of a line that is read."""


def read_picture(reader: Path, picture: Picture) -> Iterator[Seen]:
    """Yield the words of the picture, line by line, by the models in this folder."""
    find, read = (_session(reader / name) for name in (FINDER, READER))
    # The first class is no character, the last a space.
    characters = ["", *read.get_modelmeta().custom_metadata_map["character"].split("\n"), " "]
    for number, box in enumerate(_lines(find, picture)):
        width = math.ceil(_HEIGHT * (box[2] - box[0]) / (box[3] - box[1]))
        piece = picture.level(box, _HEIGHT, min(_LONGEST, max(_HEIGHT, width)))
        letters = decoded(_run(read, piece)[0], characters)
        if letters and sum(chance for _, _, chance in letters) >= _SURE * len(letters):
            yield from _words(letters, piece, box, str(number))


def _lines(find: Any, picture: Picture) -> Iterator[_Box]:
    rows, columns = picture.grey.shape
    scale = min(_SIDE / min(rows, columns), _LONGEST / max(rows, columns))
    height, width = (32 * max(1, round(side * scale / 32)) for side in (rows, columns))
    page = (columns / picture.zoom, rows / picture.zoom)
    chances = _run(find, picture.level((0.0, 0.0, *page), height, width))[0, 0]
    across, down = page[0] / width, page[1] / height
    for x0, y0, x1, y1 in text_boxes(chances):
        yield x0 * across, y0 * down, x1 * across, y1 * down


def _run(session: Any, grey: npt.NDArray[Any]) -> npt.NDArray[Any]:
    pixels = np.broadcast_to((grey / 127.5 - 1).astype(np.float32), (1, 3, *grey.shape))
    found: npt.NDArray[Any] = session.run(None, {session.get_inputs()[0].name: pixels})[0]
    return found


@cache
def _session(path: Path) -> Any:
    import onnxruntime  # noqa: PLC0415  # only where a page needs it

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # each worker uses one processor
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])


def text_boxes(chances: npt.NDArray[Any]) -> Iterator[_Box]:
    """Yield the boxes of the lines in a map of the chances of text, in its pixels: its connected parts."""
    edges = np.diff(np.pad(chances >= _TEXT, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    y, x0 = np.nonzero(edges == 1)
    x1 = np.nonzero(edges == -1)[1]
    row = chances.shape[1] + 1
    begin = np.searchsorted(y * row + x1, (y + 1) * row + x0, "right")
    end = np.searchsorted(y * row + x0, (y + 1) * row + x1, "left")
    upper = np.repeat(np.arange(len(y)), np.maximum(end - begin, 0))  # pairs of runs, one below the other
    lower = np.array([run for ends in zip(begin, end, strict=True) for run in range(*ends)], np.int64)
    part, before = np.arange(len(y)), np.arange(0)
    while not np.array_equal(part, before):  # each run takes the least number of those that touch it
        before = part.copy()
        np.minimum.at(part, lower, part[upper])
        np.minimum.at(part, upper, part[lower])
    for number in np.unique(part):
        runs = np.nonzero(part == number)[0]
        left, right = float(x0[runs].min()), float(x1[runs].max())
        top, foot = float(y[runs].min()), float(y[runs].max() + 1)
        sure = np.concatenate([chances[y[run], x0[run] : x1[run]] for run in runs]).mean()
        if min(right - left, foot - top) >= 3 and sure >= _SURE:
            more = (right - left) * (foot - top) * _GROWTH / (2 * (right - left + foot - top))
            yield left - more, top - more, right + more, foot + more


def decoded(chances: npt.NDArray[Any], characters: Sequence[str]) -> list[_Letter]:
    """Return the letters of a line by the chances of each character, a row a step from left to right.

    Steps with the same character are one letter, unless a step with none (the first) is between them.
    """
    best = chances.argmax(1)
    fresh = np.nonzero((best > 0) & (np.diff(best, prepend=0) != 0))[0]
    return [(characters[best[at]], (at + 0.5) / len(best), float(chances[at, best[at]])) for at in fresh]


def _words(letters: Sequence[_Letter], piece: npt.NDArray[Any], box: _Box, line: str) -> Iterator[Seen]:
    """Yield the words of the line in the `piece`, each as wide as its ink."""
    ink = np.median(piece) - piece[_HEIGHT // 4 : -_HEIGHT // 4]
    columns = (ink > max(24.0, ink.max() / 3)).any(0)
    scale = (box[2] - box[0]) / len(columns)
    # A space is seen between the words beside it.
    spaces = [0.0, *(at for letter, at, _ in letters if letter.isspace()), 1.0]
    for begin, end in pairwise(spaces):
        word = [one for one in letters if begin <= one[1] < end and not one[0].isspace()]
        if not word:
            continue
        left, right = int(begin * len(columns)), math.ceil(end * len(columns))
        inked = np.nonzero(columns[left:right])[0]
        if len(inked):
            left, right = left + int(inked[0]), left + int(inked[-1]) + 1
        yield Seen(
            "".join(letter for letter, _, _ in word),
            box[0] + left * scale,
            box[1],
            box[0] + right * scale,
            box[3],
            100 * sum(chance for _, _, chance in word) / len(word),
            ("second", line),
        )
