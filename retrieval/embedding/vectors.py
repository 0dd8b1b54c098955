"""The vectors of a release: a matrix on the disk, mapped, so that only what is compared is read."""

import mmap
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from lookup.index.release_index import damage_told
from lookup.release.checked_files import VECTOR_FILES, MappedFiles, check_content, map_files
from lookup.release.current import SHARDS, Release
from lookup.release.schema import VECTORS
from lookup.storage.object_path import ObjectPath
from retrieval.embedding.signs import (
    BLOCK,
    Asked,
    JoinedArray,
    blocks,
    mean_direction,
    nearest_by_signs,
    products,
    signs,
)

if TYPE_CHECKING:
    from objectstore.array import ObjectArray

_ROWS_PER_BATCH = 1024
"""Vectors that are multiplied at once: as floating point numbers they take 1.5 MB, of 384 numbers each."""

_GREATEST = 127  # The greatest component of a stored vector: int8.
_FIRST = 64  # Rows that are compared exactly at first, at least.
_SPARE = 4  # Rows that are compared exactly at first, for each that is wanted.

_BY_SIGNS = 20_000
"""Vectors from which on those to compare are chosen by their signs: all of 20,000 take some 2 ms."""

_EACH_RANGE = 2000
"""Vectors that ranges must have on average for that: each costs a block of signs. In 1,000,000 vectors 500
ranges of 1,000 take 143 ms by signs and 109 without, 125 of 4,000 take 55 and 239."""

_CHOSEN = 2000
"""Vectors that are chosen by their signs, at least: they hold .98 of the ten nearest of ten million."""

_CHOSEN_FOR_ONE = 500  # Vectors chosen by their signs where the greatest similarity is asked for.

_CHOSEN_EACH = 20  # Vectors that are chosen by their signs, at least, for each that is wanted.

_MORE = 8
"""Growth of the number of rows that are compared exactly, each time that those before did not suffice."""


class Vectors:
    """The vectors in the order of the table `vectors`: integers, and a scale that makes the length 1.

    Similarities are cosines, -1 to 1, of a query's vector as it is with the stored ones.
    """

    def __init__(self, release: Release, mapped: MappedFiles | None = None) -> None:
        counts = [one["rows"][VECTORS.name] for one in release.manifest.get(SHARDS, ())]
        self._borders = tuple(accumulate(counts))
        self._blocks = tuple(accumulate(map(blocks, counts)))
        with damage_told(release, "vectors"):
            # Threads share them; none is ever written.
            self._matrix, self._scales, self._signs = _arrays(
                release, mapped, (self._borders, self._borders, self._blocks)
            )
        self._mean = lru_cache(None)(self._mean_from)

    def __len__(self) -> int:
        return len(self._matrix)

    @property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._matrix[0:0].shape[1])

    def similarities(self, query: "npt.NDArray[np.float32]", rows: Any) -> "npt.NDArray[np.float32]":
        """Return the similarity of `query` (dimensions,) with each of `rows`, a slice or array of numbers."""
        found: npt.NDArray[np.float32] = products(self._matrix[rows], query) * self._scales[rows]
        return found

    def at(self, rows: "npt.NDArray[np.intp]") -> "npt.NDArray[np.float32]":
        """Return the vectors with these numbers (n, dimensions), of length 1."""
        found: npt.NDArray[np.float32] = self._matrix[rows] * np.asarray(self._scales[rows])[:, None]
        return found

    def nearest(
        self,
        query: "npt.NDArray[np.float32]",
        ranges: Sequence[tuple[int, int]] | None = None,
        wanted: int = 10,
    ) -> "Iterator[tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]]":
        """Yield all rows, the most similar first, in ever larger lots: their numbers and similarities.

        Only rows of `ranges`, if given, which are ascending and apart. Lots are made by whole numbers, the
        query rounded as the stored vectors are, and each lot is sorted by similarity. The first lot has
        _SPARE times as many as are `wanted`. Of many rows it is chosen by signs; what they miss comes with
        the second lot.
        """
        ranges = self._within_shards([(0, len(self))] if ranges is None else ranges)
        chosen = np.empty(0, np.intp)
        if sum(last - first for first, last in ranges) > max(_BY_SIGNS, _EACH_RANGE * len(ranges)):
            chosen = self._by_signs(query, ranges, max(_CHOSEN, _CHOSEN_EACH * wanted))
            yield self._sorted(query, chosen)
        rows = np.concatenate([np.empty(0, np.intp), *(np.arange(first, last) for first, last in ranges)])
        rough = np.concatenate([np.empty(0), *(self._rough(query, first, last) for first, last in ranges)])
        if len(chosen):
            others = np.isin(rows, chosen, assume_unique=True, invert=True)
            rows, rough = rows[others], rough[others]
        size = max(_FIRST, _SPARE * wanted)
        while len(rows):
            size = min(size, len(rows))
            order = np.argpartition(-rough, size - 1)
            here, rest = order[:size], order[size:]
            yield self._sorted(query, rows[here])
            rows, rough = rows[rest], rough[rest]
            size *= _MORE

    def greatest(self, query: "npt.NDArray[np.float32]", ranges: Sequence[tuple[int, int]]) -> float:
        """Return the similarity of the row most similar to `query`, of those that signs choose."""
        chosen = self._by_signs(query, self._within_shards(ranges), _CHOSEN_FOR_ONE)
        return float(self.similarities(query, chosen).max())

    def _sorted(
        self, query: "npt.NDArray[np.float32]", rows: "npt.NDArray[np.intp]"
    ) -> "tuple[npt.NDArray[np.intp], npt.NDArray[np.float32]]":
        """Return rows and their similarities, the most similar first."""
        exact = self.similarities(query, rows)
        best = np.lexsort((rows, -exact))
        return rows[best], exact[best]

    def _by_signs(
        self, query: "npt.NDArray[np.float32]", ranges: Sequence[tuple[int, int]], wanted: int
    ) -> "npt.NDArray[np.intp]":
        """Return the `wanted` rows with most signs in common with the query."""
        asked = []
        for first, last in ranges:
            shard = bisect_right(self._borders, first)
            start, block = ((0, *each)[shard] for each in (self._borders, self._blocks))
            asked.append(Asked(first, last, start, block, signs(query[None], self._mean(start))[0]))
        return nearest_by_signs(self._signs, asked, wanted)

    def _mean_from(self, start: int) -> "npt.NDArray[np.float32]":
        """Return the mean that the signs were made with in the file whose rows start here."""
        end = min(one for one in (*self._borders, len(self)) if one > start)
        return mean_direction(self._matrix[start : min(start + BLOCK, end)])

    def _within_shards(self, ranges: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """Return ranges parted at the borders of shards: each is then read without a copy."""
        return [
            piece
            for first, last in ranges
            for piece in pairwise([first, *(one for one in self._borders if first < one < last), last])
        ]

    def _rough(self, query: "npt.NDArray[np.float32]", first: int, last: int) -> "npt.NDArray[np.float64]":
        """Return rough similarities: scaled products of whole numbers, exact for 1,040 numbers a vector."""
        whole = np.rint(query / max(np.abs(query).max(), np.finfo(np.float32).tiny) * _GREATEST)
        stored = self._matrix[first:last]
        found = np.empty(len(stored), np.float64)
        for at in range(0, len(stored), _ROWS_PER_BATCH):
            found[at : at + _ROWS_PER_BATCH] = products(stored[at : at + _ROWS_PER_BATCH], whole)
        return found * self._scales[first:last]


_Array: TypeAlias = "npt.NDArray[Any] | ObjectArray | JoinedArray"


def _arrays(
    release: Release, mapped: MappedFiles | None, borders: Sequence[Sequence[int]]
) -> tuple[_Array, ...]:
    """Return vectors, scales and signs, whose files on a disk are read once, to check them, then by rows.

    Those of shards, of which each kind ends at `borders` of its own, when they are first asked for. Raise
    OSError, ValueError or DamagedError.
    """
    if release.shards:

        @lru_cache(None)
        def opened(number: int) -> "tuple[npt.NDArray[Any] | ObjectArray, ...]":
            with damage_told(release, "vectors"):
                return _part_arrays(release, release.parts[number], None)

        def joined(file: int) -> JoinedArray:
            return JoinedArray(borders[file], lambda at: opened(at)[file])

        return tuple(map(joined, range(len(VECTOR_FILES))))
    return _part_arrays(release, release.folder, mapped)


def _part_arrays(
    release: Release, part: Path, mapped: MappedFiles | None
) -> "tuple[npt.NDArray[Any] | ObjectArray, ...]":
    """Return the arrays of the release in one piece, or of a shard. Raise as `_arrays`."""
    if isinstance(part, ObjectPath):
        from objectstore.array import ObjectArray  # noqa: PLC0415
        from objectstore.releases import stored_file  # noqa: PLC0415

        return tuple(ObjectArray(*stored_file(release, part / name)) for name in VECTOR_FILES)
    mapped = mapped or map_files(part)
    for name, content in zip(VECTOR_FILES, mapped.files, strict=True):
        check_content(release, mapped.checksums, name, content)
        content.madvise(mmap.MADV_DONTNEED)  # what was only checked need not stay in this process's memory
    return tuple(map(_array, mapped.files))


def _array(mapped: mmap.mmap) -> "npt.NDArray[Any]":
    """Return the array of a .npy file (format 1.0 or 2.0, in C order), without a copy."""
    mapped.seek(0)
    version = np.lib.format.read_magic(mapped)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, _, kind = read(mapped)
    return np.frombuffer(mapped, kind, offset=mapped.tell(), count=int(np.prod(shape))).reshape(shape)
