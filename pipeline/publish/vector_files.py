"""The vectors of a release as one matrix on the disk, which a search reads without a copy."""

import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import duckdb
import numpy as np

from lookup.release.current import DATABASE, SCALES_FILE, SIGNS_FILE, VECTORS_FILE
from lookup.release.schema import VECTORS
from pipeline.files.atomic import changed_in_place
from retrieval.embedding.signs import BLOCK, blocks, in_blocks, width

_ROWS_PER_BATCH = 65536  # Rows that are read at a time: 25 MB of vectors with 384 dimensions.


def write_vector_files(folder: Path, rows: int, dimensions: int, kept: int = 0) -> None:
    """Write the vectors of a release, in the order of the rows of the table `vectors`, into `folder`.

    vectors.npy (`rows` x `dimensions`, int8), scales.npy (`rows`, float32), and signs.npy, which
    retrieval.embedding.signs describes. The first `kept` rows of these files are there already.
    """
    # Plain writes fail on a full disk; writing to a memory map would kill the process.
    with (
        _opened(folder / VECTORS_FILE, np.int8, (rows, dimensions), kept) as matrix,
        _opened(folder / SCALES_FILE, np.float32, (rows,), kept) as scales,
        duckdb.connect(str(folder / DATABASE), read_only=True) as connection,
    ):
        # DuckDB gives rows in their order, which check_release compares. To sort them took twice the
        # memory (583 instead of 312 MB for 276,172 vectors) and half as much time again.
        stored = connection.sql(f"SELECT vector, scale FROM {VECTORS.name} WHERE rowid >= {kept}")
        batches: Any = stored.to_arrow_reader(_ROWS_PER_BATCH)
        for batch in batches:
            matrix.write(batch.column("vector").flatten().to_numpy().astype(np.int8).tobytes())
            scales.write(batch.column("scale").to_numpy().astype(np.float32).tobytes())
    write_signs(folder, kept)


def write_signs(folder: Path, kept: int = 0) -> None:
    """Write signs.npy beside vectors.npy, of which the first `kept` rows have theirs there already."""
    vectors = np.load(folder / VECTORS_FILE, mmap_mode="r")
    shape = blocks(len(vectors)), width(vectors.shape[1]), BLOCK
    whole = kept // BLOCK  # all but the last block; and the mean is that of the first
    with _opened(folder / SIGNS_FILE, np.uint64, shape, whole) as file:
        for block in in_blocks(vectors, whole):
            file.write(block.tobytes())


@contextmanager
def _opened(path: Path, kind: type[np.generic], shape: tuple[int, ...], kept: int) -> Iterator[BinaryIO]:
    """Open a .npy file for an array of this shape, of which it has the first `kept` rows; write the others.

    Its header is as long for any number of rows: numpy leaves room there.
    """
    header = {"descr": np.lib.format.dtype_to_descr(np.dtype(kind)), "fortran_order": False, "shape": shape}
    with changed_in_place(path, make=not kept) as file:
        np.lib.format.write_array_header_1_0(file, header)
        file.seek(kept * np.dtype(kind).itemsize * math.prod(shape[1:]), os.SEEK_CUR)
        file.truncate()
        yield file
