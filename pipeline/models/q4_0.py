"""Weights in 4 bits, as ggml has them: Q4_0, blocks of 32 weights with one scale in half precision."""

from typing import Any

import numpy as np
import numpy.typing as npt

BLOCK = 32
"""Weights of a block."""

ZERO = 8
"""The four bits of the weight 0."""

Q4_0 = np.dtype([("scale", "<f2"), ("weights", "u1", (BLOCK // 2,))])
"""A block: a byte holds weight i in its lower bits, and weight i + 16 in its upper ones."""


def unpacked(blocks: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return the weights of `blocks` (n,) in single precision, (32 n,)."""
    packed = blocks["weights"]
    bits = np.concatenate([packed & 0x0F, packed >> 4], axis=1).astype(np.float32)
    return ((bits - ZERO) * blocks["scale"].astype(np.float32)[:, None]).ravel()
