"""The engines that run the stages, this machine or a Ray cluster: the same files for the same work.

`local` reads PDFs in the processes of `workers`, and makes vectors by `embedding`. `ray` does both on the
nodes of a `ray_cluster`, which run `ray_tasks`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pipeline.embedding.pending import Embedded
    from pipeline.ocr.tesseract import Ocr
    from pipeline.sources.source import Source
    from pipeline.work.outcomes import Extracted, Failed, Limits
    from pipeline.work.tasks import Each
    from retrieval.embedding.model import Model


class Engine(Protocol):
    """Runs extraction and embedding, whose results go to the caches in `work`, and the writing of shards.

    The caller holds the lock of `work`.
    """

    def extract(
        self, sources: Sequence["Source"], work: Path, ocr: "Ocr", limits: "Limits"
    ) -> Iterator["Extracted | Failed"]:
        """Extract each source into the cache; yield one outcome for each, as they become ready."""

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: "Model") -> "Embedded":
        """Make the missing vectors of the sentences of `sources` (rows of the state)."""

    def side_by_side(self) -> AbstractContextManager["Each"]:
        """Have what does tasks, with what that needs kept from one call of it to the next."""
