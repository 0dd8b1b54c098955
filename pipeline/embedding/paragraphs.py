"""The embedding of a paragraph: the sum of its sentences' vectors, of length 1 (docs/decisions/0029)."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from pipeline.embedding.pending import Sentences
from pipeline.embedding.vector_cache import Rows, quantised


def paragraph_embeddings(count: int, embedded: tuple[Sentences, Rows] | None) -> dict[str, pa.Array]:
    """Return the columns `embedding` and `embedding_scale` of a paper's `count` paragraphs.

    `embedded` are its sentences with their vectors, if there are any; other paragraphs have NULL.
    """
    if embedded is None:
        return {
            "embedding": pa.nulls(count, pa.list_(pa.int8())),
            "embedding_scale": pa.nulls(count, pa.float32()),
        }
    sentences, rows = embedded
    sums = np.zeros((count, rows["vector"].shape[1]), np.float32)
    np.add.at(sums, sentences.paragraphs, rows["vector"] * rows["scale"][:, None])
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    whole, scales = quantised(sums / np.maximum(lengths, np.finfo(np.float32).tiny))
    missing = np.ones(count, np.bool_)
    missing[sentences.paragraphs] = False
    return {
        "embedding": lists_of(whole, pa.array(missing)),
        "embedding_scale": pa.array(scales, mask=missing),
    }


def lists_of(vectors: npt.NDArray[Any], missing: pa.BooleanArray | None = None) -> pa.FixedSizeListArray:
    """Return the rows of a matrix as lists of their length; NULL for those that are `missing`."""
    return pa.FixedSizeListArray.from_arrays(pa.array(vectors.ravel()), vectors.shape[1], mask=missing)
