"""What the stages ask of whatever runs them. The same work gives the same files in the work folder, whichever engine did it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from lookup.embedding.model import Model
    from pipeline.embedding.pending import SentenceCounts
    from pipeline.ocr.tesseract import Ocr
    from pipeline.sources.find_sources import Source
    from pipeline.work.outcomes import Extracted, Failed, Limits


@dataclass(frozen=True)
class Embedded:
    """How many sentences have vectors now, how many texts among them were new, and the tokens of those."""

    counts: "SentenceCounts"
    new: int = 0
    tokens: int = 0


class Engine(Protocol):
    """Runs extraction and embedding, whose results it leaves in `work` by content; the caller holds the lock of that."""

    def extract(
        self, sources: Sequence["Source"], work: Path, ocr: "Ocr", limits: "Limits"
    ) -> Iterator["Extracted | Failed"]:
        """Extract each source into the cache; each has one outcome, which comes as it is ready."""
        ...

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: "Model") -> Embedded:
        """Make the vectors that the sentences of `sources` (rows of the state) lack."""
        ...
