"""The engine of one machine: killable processes read PDFs, the build's own process makes vectors.

What it needs is loaded with its first use: a process that reads a PDF starts before that.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pipeline.embedding.pending import Embedded
    from pipeline.engines.workers import Readers
    from pipeline.ocr.tesseract import Ocr
    from pipeline.sources.source import Source
    from pipeline.work.outcomes import Extracted, Failed, Limits
    from pipeline.work.tasks import Each
    from retrieval.embedding.model import Model


class Local:
    """The engine of one machine, with `workers` processes that read PDFs."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._readers: Readers | None = None

    @contextmanager
    def begun(self) -> Iterator[Self]:
        """Start a process for `extract` now: it loads what reads PDFs while this one does something else."""
        from pipeline.engines.workers import Readers  # noqa: PLC0415
        from pipeline.work.outcomes import Limits  # noqa: PLC0415

        readers = self._readers = Readers(1, Limits())
        try:
            readers.start()
            yield self
        finally:
            readers.close()

    def extract(
        self, sources: Sequence["Source"], work: Path, ocr: "Ocr", limits: "Limits"
    ) -> Iterator["Extracted | Failed"]:
        """See Engine."""
        from pipeline.engines.workers import extract_all  # noqa: PLC0415

        readers, self._readers = self._readers, None
        return extract_all(sources, work, ocr, min(self._workers, len(sources)), limits, readers)

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: "Model") -> "Embedded":
        """See Engine. A kill, whenever it comes, costs the vectors of the last 20 seconds."""
        from pipeline.engines.embedding import embed  # noqa: PLC0415

        return embed(sources, work, model)

    def side_by_side(self) -> AbstractContextManager["Each"]:
        """See Engine."""
        from pipeline.engines.workers import task_processes  # noqa: PLC0415

        return task_processes(self._workers)
