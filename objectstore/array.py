"""A matrix in object storage, read by rows: the vectors of a paper are one range of bytes."""

import io
import threading
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from lookup.errors import StorageError
from lookup.storage.object_path import ObjectPath
from objectstore.objects import read_range, read_ranges
from objectstore.releases import cached_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    import numpy.typing as npt

_HEADER = 128  # Bytes before the first row: a multiple of 64 in NumPy's format (NEP 1), 128 in our files.

_HELD = 32 << 20
"""Bytes of rows that are kept in memory: a query compares rows roughly, and the best of them again
exactly."""

_WHOLE = 0.25  # Share of the rows from which the whole matrix is fetched, and kept on the disk.


class ObjectArray:
    """The part of `numpy.ndarray` that vectors need: shape and type, ranges of rows, rows by their numbers.

    Rows that cannot be fetched raise StorageError. Safe to share between threads.
    """

    def __init__(self, stored: ObjectPath, size: int) -> None:
        """Open the .npy file `stored` of `size` bytes. Raise OSError or ValueError."""
        import numpy as np  # noqa: PLC0415

        self._stored, self._size = stored, size
        header = io.BytesIO(read_range(stored, 0, min(_HEADER, size)))
        np.lib.format.read_magic(header)
        self.shape, fortran, self.dtype = np.lib.format.read_array_header_1_0(header)
        if fortran or header.tell() != _HEADER:
            raise ValueError(f"{stored} is not written row by row")
        self._row = self.dtype.itemsize * int(np.prod(self.shape[1:], dtype=np.int64))
        self._lock = threading.Lock()
        # Rows of more than _HELD bytes are kept alone, until the next ones.
        self._held = LRUCache[tuple[int, int], "npt.NDArray[Any]"](
            _HELD, lambda rows: min(rows.nbytes, _HELD)
        )
        self._whole: npt.NDArray[Any] | None = None  # mapped, once it is on the disk

    def __len__(self) -> int:
        return int(self.shape[0])

    def __getitem__(self, rows: "slice | Sequence[int] | npt.NDArray[np.intp]") -> "npt.NDArray[Any]":
        import numpy as np  # noqa: PLC0415

        if isinstance(rows, slice):
            first, last, _ = rows.indices(len(self))
            return self._range(first, max(first, last))
        return self._numbered(np.asarray(rows, np.intp))

    def _range(self, first: int, last: int) -> "npt.NDArray[Any]":
        import numpy as np  # noqa: PLC0415

        with self._lock:
            if self._whole is not None:
                return self._whole[first:last]
            for held_first, held_last in self._held:
                if held_first <= first and last <= held_last:
                    return self._held[held_first, held_last][first - held_first : last - held_first]
        if first == last:
            return np.empty((0, *self.shape[1:]), self.dtype)
        try:
            if last - first > _WHOLE * len(self) and (last - first) * self._row > _HELD:
                whole: npt.NDArray[Any] = np.load(cached_object(self._stored, self._size), mmap_mode="r")
                with self._lock:
                    self._whole = whole
                return whole[first:last]
            data = read_range(self._stored, _HEADER + first * self._row, (last - first) * self._row)
        except OSError as error:
            raise _gone(error) from error
        rows: npt.NDArray[Any] = np.frombuffer(data, self.dtype).reshape(-1, *self.shape[1:])
        with self._lock:
            self._held[first, last] = rows
        return rows

    def _numbered(self, numbers: "npt.NDArray[np.intp]") -> "npt.NDArray[Any]":
        import numpy as np  # noqa: PLC0415

        found = np.empty((len(numbers), *self.shape[1:]), self.dtype)
        left = np.ones(len(numbers), bool)
        with self._lock:
            held, whole = list(self._held.items()), self._whole
        for (first, last), rows in held:
            here = left & (numbers >= first) & (numbers < last)
            found[here] = rows[numbers[here] - first]
            left &= ~here
        if whole is not None:
            found[left] = whole[numbers[left]]
        elif left.any():
            starts = [_HEADER + int(number) * self._row for number in numbers[left]]
            try:
                pieces = read_ranges(self._stored, starts, self._row)
            except OSError as error:
                raise _gone(error) from error
            found[left] = np.frombuffer(b"".join(pieces), self.dtype).reshape(-1, *self.shape[1:])
        return found


def _gone(error: OSError) -> StorageError:
    return StorageError(
        f"The vectors cannot be read ({error}). Refresh the corpus, or open it again: "
        "its release may have been removed."
    )
