"""The vectors of a release as one matrix on the disk, which a search reads without a copy."""

from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pyarrow.parquet as pq

from lookup.release.current import SCALES_FILE, VECTORS_FILE


def write_vector_files(folder: Path, parts: Sequence[str], rows: int, dimensions: int) -> None:
    """Write vectors.npy (`rows` x `dimensions`, int8) and scales.npy (`rows`, float32) into `folder`.

    The order is that of the table `vectors`, which is that of its Parquet files, `parts`.
    """
    # Plain writes fail on a full disk; writing to a memory map would kill the process.
    with (folder / VECTORS_FILE).open("wb") as matrix, (folder / SCALES_FILE).open("wb") as scales:
        _begin(matrix, np.int8, (rows, dimensions))
        _begin(scales, np.float32, (rows,))
        for part in parts:
            with pq.ParquetFile(folder / part) as file:
                for batch in file.iter_batches(columns=["vector", "scale"]):
                    matrix.write(batch.column("vector").flatten().to_numpy().astype(np.int8).tobytes())
                    scales.write(batch.column("scale").to_numpy().astype(np.float32).tobytes())


def _begin(file: BinaryIO, kind: type[np.generic], shape: tuple[int, ...]) -> None:
    """Write the header of a .npy file, after which the array's bytes follow in C order."""
    header = {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
