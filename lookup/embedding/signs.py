"""The signs of vectors, a bit a number: the nearest of millions are found without reading the vectors.

A sign says whether a number of a vector is greater than that of a mean, which is not 0 where all texts are
a little alike. Vectors that are near
each other have most signs in common; those with most in common are then compared themselves
(docs/decisions/0053).
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    import numpy.typing as npt

    Signs = npt.NDArray[np.uint64]
    Rows = npt.NDArray[np.intp]

FIRST_ROWS = 4096
"""Rows of a file of vectors whose mean stands for that of all."""

_AT_ONCE = 16384
"""Rows that are compared at once: what they take stays in the processor's cache."""

_PIECE = 1 << 19
"""Rows that one core compares, before it gets others."""

_BITS = 64
"""Signs in a number of the file."""


def width(dimensions: int) -> int:
    """Return how many numbers of 64 bits hold the signs of a vector."""
    return -(-dimensions // _BITS)


def mean_direction(vectors: "npt.NDArray[np.int8]") -> "npt.NDArray[np.float32]":
    """Return the mean (dimensions,) of vectors (n, dimensions), each scaled to length 1; 0 where n is 0."""
    directions = _directions(vectors)
    mean: npt.NDArray[np.float32] = directions.sum(axis=0) / max(1, len(directions))
    return mean


def signs(vectors: "npt.NDArray[np.int8 | np.float32]", mean: "npt.NDArray[np.float32]") -> "Signs":
    """Return the signs (n, width) of vectors (n, dimensions), of any length, less `mean`."""
    import numpy as np  # noqa: PLC0415

    count, dimensions = vectors.shape
    bits = np.zeros((count, width(dimensions) * _BITS), np.bool_)
    bits[:, :dimensions] = _directions(vectors) > mean
    packed: Signs = np.packbits(bits, axis=1).view("<u8")
    return packed


def nearest_by_signs(
    stored: "Callable[[int, int], Signs]", asked: "Sequence[tuple[tuple[int, int], Signs]]", wanted: int
) -> "Rows":
    """Return the `wanted` rows with most signs in common with a query, ascending.

    `asked` has ranges of rows, and the query's signs (width,) there; `stored` reads the signs of a range.
    """
    import numpy as np  # noqa: PLC0415

    pieces = [
        ((at, min(at + _PIECE, last)), query)
        for (first, last), query in asked
        for at in range(first, last, _PIECE)
    ]
    with ThreadPoolExecutor(os.cpu_count()) as threads:  # numpy leaves the interpreter to others meanwhile
        found = list(threads.map(lambda piece: _nearest(stored, piece[0], piece[1], wanted), pieces))
    rows, distances = (np.concatenate(each) for each in zip(*found, strict=True))
    kept: Rows = np.sort(rows[_least(distances, wanted)])
    return kept


def _nearest(
    stored: "Callable[[int, int], Signs]", rows: tuple[int, int], query: "Signs", wanted: int
) -> "tuple[Rows, npt.NDArray[np.uint16]]":
    """Return at least the `wanted` rows of a range with most signs in common, with how many differ."""
    import numpy as np  # noqa: PLC0415

    found, distances = np.empty(0, np.intp), np.empty(0, np.uint16)
    bound = len(query) * _BITS + 1
    for first in range(*rows, _AT_ONCE):
        here = _differing(stored(first, min(first + _AT_ONCE, rows[1])), query)
        near = np.flatnonzero(here < bound)
        found, distances = np.append(found, near + first), np.append(distances, here[near])
        if len(found) >= 2 * wanted:  # else nothing is out of the question yet
            kept = _least(distances, wanted)
            found, distances = found[kept], distances[kept]
            bound = int(distances.max())
    return found, distances


def _differing(stored: "Signs", query: "Signs") -> "npt.NDArray[np.uint16]":
    """Return how many signs of each row differ from the query's."""
    import numpy as np  # noqa: PLC0415

    differing = np.zeros(len(stored), np.uint16)
    for column, asked in enumerate(query):
        differing += np.bitwise_count(stored[:, column] ^ asked)
    return differing


def _least(distances: "npt.NDArray[np.uint16]", wanted: int) -> "Rows":
    """Return where the `wanted` least distances are; all where there are no more."""
    import numpy as np  # noqa: PLC0415

    if len(distances) <= wanted:
        return np.arange(len(distances))
    found: Rows = np.argpartition(distances, wanted - 1)[:wanted]
    return found


def _directions(vectors: "npt.NDArray[np.int8 | np.float32]") -> "npt.NDArray[np.float32]":
    """Return vectors (n, dimensions) scaled to length 1; one of zeros stays as it is."""
    import numpy as np  # noqa: PLC0415

    numbers = vectors.astype(np.float32)
    lengths = np.linalg.norm(numbers, axis=1, keepdims=True)
    found: npt.NDArray[np.float32] = numbers / np.maximum(lengths, np.finfo(np.float32).tiny)
    return found
