"""The boxes of lines and words as the `lines` column of the table of paragraphs."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from lookup.release.schema import PARAGRAPHS
from pipeline.cleaning.clean import CleanLine
from pipeline.records import arrow_type


def lines_array(paragraphs: Iterable[Sequence[CleanLine]]) -> pa.Array:
    """Return the `lines` column of these paragraphs, by column: a paper has thousands of words."""
    offsets, word_offsets = [0], [0]
    rows: list[tuple[Any, ...]] = []
    spans: list[tuple[int, int]] = []
    boxes: list[tuple[float, ...]] = []
    for lines in paragraphs:
        for clean in lines:
            line = clean.line
            box = (round(line.x0, 2), round(line.y0, 2), round(line.x1, 2), round(line.y1, 2))
            rows.append((line.page, *box, clean.start, clean.end))
            spans += clean.words
            boxes += [word[1:5] for word in line.words]
            word_offsets.append(_OF_WORD * len(spans))
        offsets.append(len(rows))
    line_type = arrow_type(next(c for c in PARAGRAPHS.columns if c.name == "lines")).value_type
    names = [field for field in line_type if field.name != "words"]
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, names, strict=True)]
    tenths = np.rint(10 * np.clip(np.array(boxes).reshape(-1, 4), -_FAR, _FAR))
    words = np.hstack([np.array(spans, np.int32).reshape(-1, 2), tenths.astype(np.int32)])
    word_lists = pa.ListArray.from_arrays(pa.array(word_offsets, pa.int32()), pa.array(words.ravel()))
    structs = pa.StructArray.from_arrays([*arrays, word_lists], fields=list(line_type))
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), structs)


_FAR = 1e7
"""Points: far beyond any page (a PDF may place text anywhere), where the place does not matter."""

_OF_WORD = 6
"""Numbers for each word: start and end in the text, and the edges of its box in tenths of points."""
