"""The vectors of a release as one matrix on the disk, which a search over all of them reads without a copy."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow.parquet as pq

from lookup.release import SCALES_FILE, VECTORS_FILE


def write_vector_files(folder: Path, parts: Sequence[str], rows: int, dimensions: int) -> None:
    """Write vectors.npy (`rows` x `dimensions`, int8) and scales.npy (`rows`, float32) into the release `folder`.

    In the order of the table `vectors`, which is that of its Parquet files, `parts`.
    """
    matrix = _created(folder / VECTORS_FILE, np.int8, (rows, dimensions))
    scales = _created(folder / SCALES_FILE, np.float32, (rows,))
    at = 0
    for part in parts:
        with pq.ParquetFile(folder / part) as file:
            for batch in file.iter_batches(columns=["vector", "scale"]):
                end = at + len(batch)
                matrix[at:end] = batch.column("vector").flatten().to_numpy().reshape(len(batch), dimensions)
                scales[at:end] = batch.column("scale").to_numpy()
                at = end


def _created(path: Path, kind: type[np.generic], shape: tuple[int, ...]) -> npt.NDArray[np.generic]:
    if 0 in shape:  # nothing can be mapped
        np.save(path, np.empty(shape, kind))
        return np.empty(shape, kind)
    return np.lib.format.open_memmap(path, mode="w+", dtype=kind, shape=shape)
