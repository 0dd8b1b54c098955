"""Find the paragraph of a text that is nearest to a query in meaning."""

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from lookup.snippet.extractor import extract_snippet
from lookup.snippet.plain_paragraphs import split_paragraphs

if TYPE_CHECKING:
    import numpy.typing as npt

_log = logging.getLogger(__name__)


class TextEncoder(Protocol):
    """Makes vectors of texts, such as lookup.embedding.encoder.Encoder."""

    def encode(self, texts: Sequence[str], /) -> "npt.NDArray[Any]":
        """Return a vector of length 1 for each of `texts`, as (n, dimensions)."""


def extract_relevant_excerpt(
    query_embedding: "npt.ArrayLike",
    content: str,
    encoder: TextEncoder | None,
    max_chars: int = 500,
    *,
    query: str = "",
) -> str:
    """Return the paragraph of `content` nearest to the vector `query_embedding`, cut at a sentence.

    It has at most `max_chars` characters. Where `encoder` is None or fails, it is the snippet for the words
    of `query` (without words, the beginning of `content`); where that fails, the first `max_chars`
    characters. Each time a warning is logged. Never raises.
    """
    room = max(0, max_chars)
    try:
        return extract_snippet(_nearest(query_embedding, content, encoder), max_length=room)
    except Exception as error:  # noqa: BLE001  # an excerpt comes whatever a model does; the log says why
        _log.warning("No excerpt by meaning, taking one by words: %s", error)
    try:
        return extract_snippet(content, query, room)
    except Exception as error:  # noqa: BLE001
        _log.warning("No excerpt by words, taking the beginning: %s", error)
    return content[:room]


def _nearest(query_embedding: "npt.ArrayLike", content: str, encoder: TextEncoder | None) -> str:
    """Return the paragraph nearest in meaning; the content itself if it has at most one."""
    if encoder is None:
        raise ValueError("there is no encoder")
    paragraphs = split_paragraphs(content)
    if len(paragraphs) < 2:
        return content
    import numpy as np  # noqa: PLC0415  # loaded with the first vectors

    similar = np.asarray(encoder.encode(paragraphs)) @ np.asarray(query_embedding)
    if similar.shape != (len(paragraphs),) or not np.isfinite(similar).all():
        raise ValueError(f"the encoder gave no vector for each of {len(paragraphs)} paragraphs")
    return paragraphs[int(similar.argmax())]
