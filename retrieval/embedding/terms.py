"""Texts as weighted words, as a sparse model writes them: numbers of words in its vocabulary, and weights."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

TERMS_POOLING = "terms"  # The pooling of a sparse model.
TERMS = 96  # Words that are kept of a text, the weightiest: of sentences nearly all that weigh anything.
PACKED = 3 * TERMS  # Bytes of a packed text: two for the number of each word, one for its weight.
_STEPS = 32.0  # Steps of a weight from 0 to 1; they go to 8.


def packed(weights: "npt.NDArray[np.float32]", numbers: "npt.NDArray[np.int64]") -> "npt.NDArray[np.int8]":
    """Return the words of texts, (texts, TERMS) each, as rows of PACKED bytes."""
    import numpy as np  # noqa: PLC0415

    steps = np.rint(weights * _STEPS).clip(0, 255).astype(np.uint8)
    return np.concatenate([numbers.astype("<u2").view(np.int8), steps.view(np.int8)], axis=1)


def unpacked(rows: "npt.NDArray[Any]") -> "tuple[npt.NDArray[np.uint16], npt.NDArray[np.float32]]":
    """Return the numbers and the weights of the words of packed texts, (texts, TERMS) each."""
    import numpy as np  # noqa: PLC0415

    rows = np.ascontiguousarray(rows)
    weights = rows[:, 2 * TERMS :].view(np.uint8).astype(np.float32) / _STEPS
    return np.ascontiguousarray(rows[:, : 2 * TERMS]).view("<u2"), weights
