"""The signs of vectors, a bit a number: the nearest of millions are found without reading the vectors.

A sign says whether a number of a vector is greater than that of a mean, which is not 0 where all texts are
a little alike. Vectors that are near each other have most signs in common; those with most in common are then
compared themselves (docs/decisions/0053).

A file of signs has blocks of BLOCK rows: the first 64 signs of each row, then the next 64, and so on, since
numbers that stand side by side are compared in half the time.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from objectstore.array import ObjectArray


Signs = npt.NDArray[np.uint64]
Rows = npt.NDArray[np.intp]

BLOCK = 4096  # Rows of a block; and those of a file whose mean stands for that of all.
_BLOCKS_PER_BATCH = 4  # Blocks that are compared at once: what they take stays in the processor's cache.
_BITS = 64  # Signs in a number of the file.


class JoinedArray:
    """The part of `numpy.ndarray` that vectors need: the length, ranges of rows, rows by their numbers.

    `borders` are where the rows of each array end, and `opened` returns an array by its number. An array is
    opened when its rows are first asked for.
    """

    def __init__(
        self, borders: Sequence[int], opened: "Callable[[int], npt.NDArray[Any] | ObjectArray]"
    ) -> None:
        self._borders, self._opened = borders, opened

    def __len__(self) -> int:
        return self._borders[-1]

    def __getitem__(self, rows: "slice | npt.NDArray[np.intp]") -> "npt.NDArray[Any]":
        """Return the rows; a range within one array is no copy."""
        if isinstance(rows, slice):
            first, last, _ = rows.indices(len(self))
            at = min(bisect_right(self._borders, first), len(self._borders) - 1)
            if last <= self._borders[at]:
                start = self._borders[at - 1] if at else 0
                return self._opened(at)[first - start : last - start]
            rows = np.arange(first, last)
        numbers = np.asarray(rows, np.intp)
        held = np.searchsorted(self._borders, numbers, side="right")
        like = self._opened(int(held[0]) if len(held) else 0)
        found = np.empty((len(numbers), *like.shape[1:]), like.dtype)
        for at in np.unique(held).tolist():
            here = held == at
            found[here] = self._opened(at)[numbers[here] - (self._borders[at - 1] if at else 0)]
        return found


if TYPE_CHECKING:
    Stored = npt.NDArray[np.uint64] | JoinedArray | ObjectArray


class Asked(NamedTuple):
    """The rows from `first` to before `last` of the file that begins with row `start` and block `block`.

    `query` are the signs (width,) of the query, by the mean of that file.
    """

    first: int
    last: int
    start: int
    block: int
    query: "Signs"


def width(dimensions: int) -> int:
    """Return how many numbers of 64 bits hold the signs of a vector."""
    return -(-dimensions // _BITS)


def blocks(rows: int) -> int:
    """Return how many blocks hold the signs of so many vectors."""
    return -(-rows // BLOCK)


def mean_direction(vectors: "npt.NDArray[np.int8]") -> "npt.NDArray[np.float32]":
    """Return the mean (dimensions,) of vectors (n, dimensions), each scaled to length 1; 0 where n is 0."""
    directions = unit_length(vectors)
    mean: npt.NDArray[np.float32] = directions.sum(axis=0) / np.float32(max(1, len(directions)))
    return mean


def signs(vectors: "npt.NDArray[np.int8 | np.float32]", mean: "npt.NDArray[np.float32]") -> "Signs":
    """Return the signs (n, width) of vectors (n, dimensions), of any length, less `mean`."""
    count, dimensions = vectors.shape
    bits = np.zeros((count, width(dimensions) * _BITS), np.bool_)
    bits[:, :dimensions] = unit_length(vectors) > mean
    packed: Signs = np.packbits(bits, axis=1).view("<u8")
    return packed


def in_blocks(vectors: "npt.NDArray[np.int8]", begin: int = 0) -> "Iterator[Signs]":
    """Yield the signs of vectors (n, dimensions) as blocks (width, BLOCK), the last one filled with zeros.

    They begin with the block of the number `begin`.
    """
    mean = mean_direction(vectors[:BLOCK])
    for first in range(begin * BLOCK, len(vectors), BLOCK):
        here = signs(vectors[first : first + BLOCK], mean)
        block = np.zeros((here.shape[1], BLOCK), np.uint64)
        block[:, : len(here)] = here.T
        yield block


def nearest_by_signs(stored: "Stored", asked: "Sequence[Asked]", wanted: int) -> "Rows":
    """Return the `wanted` rows with most signs in common with a query, ascending.

    `stored` are the signs in blocks (blocks, width, BLOCK).
    """
    found = [_nearest(stored, one, wanted) for one in asked]
    rows, distances = (np.concatenate(each) for each in zip(*found, strict=True))
    kept: Rows = np.sort(rows[_least(distances, wanted)])
    return kept


def _nearest(stored: "Stored", asked: Asked, wanted: int) -> "tuple[Rows, npt.NDArray[np.uint16]]":
    """Return at least the `wanted` rows with most signs in common, with how many differ."""
    found, distances = np.empty(0, np.intp), np.empty(0, np.uint16)
    bound = len(asked.query) * _BITS + 1
    end = blocks(asked.last - asked.start)
    for at in range((asked.first - asked.start) // BLOCK, end, _BLOCKS_PER_BATCH):
        here = stored[asked.block + at : asked.block + min(at + _BLOCKS_PER_BATCH, end)]
        differing = np.bitwise_count(here ^ asked.query[:, None]).sum(axis=1, dtype=np.uint16).ravel()
        row = asked.start + at * BLOCK  # the first one here
        least = max(0, asked.first - row)
        near = least + np.flatnonzero(differing[least : asked.last - row] < bound)
        found, distances = np.append(found, near + row), np.append(distances, differing[near])
        if len(found) >= 2 * wanted:  # else nothing is out of the question yet
            kept = _least(distances, wanted)
            found, distances = found[kept], distances[kept]
            bound = int(distances.max())
    return found, distances


def _least(distances: "npt.NDArray[np.uint16]", wanted: int) -> "Rows":
    """Return where the `wanted` least distances are; all where there are no more."""
    if len(distances) <= wanted:
        return np.arange(len(distances))
    found: Rows = np.argpartition(distances, wanted - 1)[:wanted]
    return found


def products(vectors: "npt.NDArray[Any]", query: "npt.NDArray[np.float32]") -> "npt.NDArray[np.float32]":
    """Return the product of each of vectors (n, dimensions) with `query` (dimensions,), in this thread.

    `@` goes to BLAS, which starts a thread for each core from some 24 vectors on; these wait busily.
    """
    found: npt.NDArray[np.float32] = np.vecdot(vectors.astype(np.float32, copy=False), query)
    return found


def unit_length(vectors: "npt.NDArray[np.int8 | np.float32]") -> "npt.NDArray[np.float32]":
    """Return vectors (..., dimensions) scaled to length 1; one of zeros stays as it is."""
    numbers = vectors.astype(np.float32, copy=False)
    lengths = np.linalg.norm(numbers, axis=-1, keepdims=True)
    divisors: npt.NDArray[np.float32] = np.maximum(lengths, np.finfo(np.float32).tiny)
    return numbers / divisors
