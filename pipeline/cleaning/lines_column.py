"""The boxes of lines and words as the `lines` column of the table of paragraphs."""

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from lookup.release.schema import PARAGRAPHS
from pipeline.cleaning.clean import CleanLine
from pipeline.records import arrow_type


def lines_array(paragraphs: Iterable[Sequence[CleanLine]]) -> pa.Array:
    """Return the `lines` column of these paragraphs, by column: a paper has thousands of words."""
    offsets, word_offsets = [0], [0]
    rows: list[tuple[Any, ...]] = []
    words: list[int] = []
    for lines in paragraphs:
        for clean in lines:
            line = clean.line
            box = (round(line.x0, 2), round(line.y0, 2), round(line.x1, 2), round(line.y1, 2))
            rows.append((line.page, *box, clean.start, clean.end))
            tenths = round if max(map(abs, box)) < _FAR else _far_tenths
            for (_, x0, y0, x1, y1, *_), (start, end) in zip(line.words, clean.words, strict=True):
                words += (start, end, tenths(10 * x0), tenths(10 * y0), tenths(10 * x1), tenths(10 * y1))
            word_offsets.append(len(words))
        offsets.append(len(rows))
    line_type = arrow_type(next(c for c in PARAGRAPHS.columns if c.name == "lines")).value_type
    names = [field for field in line_type if field.name != "words"]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, names, strict=True)]
    word_lists = pa.ListArray.from_arrays(pa.array(word_offsets, pa.int32()), pa.array(words, pa.int32()))
    structs = pa.StructArray.from_arrays([*arrays, word_lists], fields=list(line_type))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), structs)


_FAR = 1e7
"""Points: far beyond any page (a PDF may place text anywhere), where the place does not matter."""


def _far_tenths(tenths: float) -> int:
    return round(min(max(tenths, -10 * _FAR), 10 * _FAR))
