"""The arrays of several shards as one: vectors have their numbers through all shards."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from lookup.storage.object_array import ObjectArray


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
