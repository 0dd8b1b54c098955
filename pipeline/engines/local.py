"""The engine of one machine: killable processes read PDFs, the build's own process makes vectors.

What it needs is loaded with its first use: a process that reads a PDF starts before that.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Self

from pipeline.engines import Embedded

if TYPE_CHECKING:
    from pebble import ProcessPool

    from lookup.embedding.model import Model
    from pipeline.ocr.tesseract import Ocr
    from pipeline.sources.source import Source
    from pipeline.work.outcomes import Extracted, Failed, Limits
    from pipeline.work.tasks import Each


class Local:
    """The engine of one machine, with `workers` processes that read PDFs."""

    def __init__(self, workers: int) -> None:
        self._workers = workers
        self._pool: ProcessPool | None = None

    @contextmanager
    def begun(self) -> Iterator[Self]:
        """Start a process for `extract` now: it loads what reads PDFs while this one does something else."""
        from pipeline.engines.workers import started, stop  # noqa: PLC0415
        from pipeline.work.outcomes import Limits  # noqa: PLC0415

        pool = self._pool = started(1, Limits())
        try:
            with _without_program():
                pool.schedule(os.getpid)
            yield self
        finally:
            stop(pool)

    def extract(
        self, sources: Sequence["Source"], work: Path, ocr: "Ocr", limits: "Limits"
    ) -> Iterator["Extracted | Failed"]:
        """See Engine."""
        from pipeline.engines.workers import extract_all  # noqa: PLC0415

        pool, self._pool = self._pool, None
        return extract_all(sources, work, ocr, min(self._workers, len(sources)), limits, pool)

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: "Model") -> Embedded:
        """See Engine. A kill, whenever it comes, costs the vectors of the last 20 seconds."""
        from pipeline.engines.embedding import embed  # noqa: PLC0415

        return embed(sources, work, model)

    def side_by_side(self) -> AbstractContextManager["Each"]:
        """See Engine."""
        from pipeline.engines.workers import task_processes  # noqa: PLC0415

        return task_processes(self._workers)


@contextmanager
def _without_program() -> Iterator[None]:
    """Let processes start without running the program of this one again, as they do with a module `__main__`.

    A few lines that check a quote in a PDF need no `if __name__ == "__main__"` then.
    """
    program = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = program
