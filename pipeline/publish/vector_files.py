"""The vectors of a release as one matrix on the disk, which a search reads without a copy."""

from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np

from lookup.embedding.signs import BLOCK, blocks, in_blocks, width
from lookup.release.current import DATABASE, SCALES_FILE, SIGNS_FILE, VECTORS_FILE
from lookup.release.schema import VECTORS

_AT_ONCE = 65536
"""Rows that are read at a time: 25 MB of vectors with 384 dimensions."""


def write_vector_files(folder: Path, rows: int, dimensions: int) -> None:
    """Write the vectors of a release, in the order of the rows of the table `vectors`, into `folder`.

    vectors.npy (`rows` x `dimensions`, int8), scales.npy (`rows`, float32), and signs.npy, which
    lookup.embedding.signs describes.
    """
    # Plain writes fail on a full disk; writing to a memory map would kill the process.
    with (folder / VECTORS_FILE).open("wb") as matrix, (folder / SCALES_FILE).open("wb") as scales:
        _begin(matrix, np.int8, (rows, dimensions))
        _begin(scales, np.float32, (rows,))
        with duckdb.connect(str(folder / DATABASE), read_only=True) as connection:
            # DuckDB gives rows in their order, which check_release compares. To sort them took twice the
            # memory (583 instead of 312 MB for 276,172 vectors) and half as much time again.
            stored = connection.sql(f"SELECT vector, scale FROM {VECTORS.name}")
            batches: Any = stored.to_arrow_reader(_AT_ONCE)
            for batch in batches:
                matrix.write(batch.column("vector").flatten().to_numpy().astype(np.int8).tobytes())
                scales.write(batch.column("scale").to_numpy().astype(np.float32).tobytes())
    write_signs(folder)


def write_signs(folder: Path) -> None:
    """Write signs.npy beside vectors.npy."""
    vectors = np.load(folder / VECTORS_FILE, mmap_mode="r")
    with (folder / SIGNS_FILE).open("wb") as file:
        _begin(file, np.uint64, (blocks(len(vectors)), width(vectors.shape[1]), BLOCK))
        for block in in_blocks(vectors):
            file.write(block.tobytes())


def _begin(file: BinaryIO, kind: type[np.generic], shape: tuple[int, ...]) -> None:
    """Write the header of a .npy file, after which the array's bytes follow in C order."""
    header = {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": shape}
    np.lib.format.write_array_header_1_0(file, header)
