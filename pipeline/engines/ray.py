"""The engine of a cluster, with Ray Data: tasks read PDFs, actors that keep a loaded model make vectors.

Only names and counts pass through Ray. PDFs, extractions and vectors are in files that all nodes see under
the same paths, named by their content: what is made twice because a node died is the same file.
"""

import logging
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import ray
import ray.data
import ray.exceptions

from lookup.errors import BuildError
from pipeline.embedding.pending import Embedded, to_look_through
from pipeline.embedding.vector_cache import vectors_folder, whole_files
from pipeline.engines import ray_tasks
from pipeline.engines.ray_cluster import check_alike, connected, has, nodes
from pipeline.files.atomic import TEMPORARY
from pipeline.ocr.tesseract import NO_OCR, Ocr
from pipeline.sources.source import Source
from pipeline.work.extraction_cache import record_digest, records_folder
from pipeline.work.outcomes import Extracted, Failed, Limits
from pipeline.work.progress import Progress
from pipeline.work.tasks import Done, Each, Task
from retrieval.embedding.model import Model

_PDFS_A_TASK = 64
"""PDFs for one task, at most: its process takes a second to start, the time of two to four PDFs."""

_TASKS_A_PROCESSOR = 4
"""Tasks for each processor, at least, where there are enough PDFs: the last task keeps the others waiting for
its share at most."""

_RECORDS_A_BATCH = 256
"""Papers whose vectors make one file, at most: ten minutes of a processor's work, the cost of a lost node."""

_THREADS = 4
"""Processors of an actor that makes vectors, at most: they share one loaded model, of 90 MB and more."""

_LOST = (
    "The Ray workers that read it were lost (SIGKILL), perhaps for lack of memory: see Ray's log. "
    "The next build tries it again; fewer --workers leave more memory to each."
)


class Ray:
    """The Ray cluster at `address`; without one, a cluster on this machine that ends with the engine.

    `workers` is the number of processors to use, None for all of the cluster. Nothing starts before there is
    work. Raises BuildError where the cluster cannot be reached, is lost on the way, or its nodes are not
    alike.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        self._address, self._workers = address, workers
        self._connected = False
        self._opened = ExitStack()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def extract(
        self, sources: Sequence[Source], work: Path, ocr: Ocr, limits: Limits
    ) -> Iterator[Extracted | Failed]:
        """See Engine. PDFs whose task died too often are read once more, each in its own task."""
        there = work.resolve()
        waiting = {source.sha256: source for source in sources}
        self._connect()
        with _as_build_errors():
            check_alike(there, ocr)
            for at_once in (_share(len(sources), _TASKS_A_PROCESSOR * self._processors(), _PDFS_A_TASK), 1):
                if not waiting:
                    break
                rows = [ray_tasks.pdf_row(one) for one in waiting.values()]
                with tempfile.TemporaryDirectory(
                    prefix=TEMPORARY, dir=there, ignore_cleanup_errors=True
                ) as starts:
                    read = _dataset(rows, ray_tasks.PDFS, at_once).map_batches(
                        partial(ray_tasks.read_pdfs, work=there, ocr=ocr, limits=limits, starts=Path(starts)),
                        batch_size=None,
                        batch_format="pyarrow",
                        num_cpus=1,
                        concurrency=self._workers,
                    )
                    for row in _rows(read):
                        if source := waiting.pop(row["sha256"], None):
                            yield ray_tasks.outcome(row, source)
        yield from (Failed(source, "crash", _LOST, 0.0) for source in waiting.values())

    def embed(self, sources: Iterable[Mapping[str, Any]], work: Path, model: Model) -> Embedded:
        """See Engine. A kill costs the vectors of the batches under way, each of 256 papers at most."""
        work, model = work.resolve(), replace(model, folder=model.folder.resolve())
        vectors = vectors_folder(work, model.id)
        papers, counts = to_look_through(sources, work, vectors, whole_files(vectors))
        if not papers:
            return counts
        self._connect()
        with _as_build_errors(), Progress("embed", len(papers), "papers") as progress:
            actors = self._actors(work)
            at_once = _share(len(papers), 4 * actors.most, _RECORDS_A_BATCH)
            texts = ray.remote(ray_tasks.kept_texts).remote(work, model)
            made = _dataset([{"record": name} for name in papers], ray_tasks.RECORDS, at_once).map_batches(
                ray_tasks.Embedder,
                fn_constructor_kwargs={
                    "model": model,
                    "work": work,
                    "known": partial(ray.get, texts),
                    "threads": actors.processors,
                    "graphics": actors.graphics,
                },
                batch_size=at_once,
                batch_format="pyarrow",
                num_cpus=actors.processors,
                num_gpus=1 if actors.graphics else None,
                concurrency=max(1, min(actors.most, -(-len(papers) // at_once))),
            )
            for row in _rows(made):
                counts.new += row["new"]
                counts.tokens += row["tokens"]
                progress.step(len(row["records"]), tokens=row["tokens"])
                for name, sentences in zip(row["records"], row["sentences"], strict=True):
                    if sentences is not None:
                        digest = record_digest(records_folder(work) / name)
                        counts.add(digest or "", sentences, papers[name])
        return counts

    def side_by_side(self) -> AbstractContextManager[Each]:
        """See Engine. A task whose node is lost is done anew on another one."""
        return nullcontext(self._each)

    def _each(self, function: Callable[[Task], Done], tasks: Sequence[Task], /) -> Sequence[Done]:
        if not tasks:
            return []
        self._connect()
        with _as_build_errors():
            remote = ray.remote(function).options(num_cpus=1, max_retries=ray_tasks.MOST_STARTS - 1)
            done: list[Done] = ray.get([remote.remote(task) for task in tasks])
        return done

    def _connect(self) -> None:
        if not self._connected:
            self._opened.enter_context(connected(self._address, self._workers))
            self._connected = True

    def _processors(self) -> int:
        """Return the number of processors to use."""
        there = int(ray.cluster_resources().get("CPU", 0))
        return max(1, min(there, self._workers or there))

    def _actors(self, work: Path) -> "_Actors":
        """Return the actors that make vectors: on GPUs, where all nodes with a GPU can use it."""
        machines = check_alike(work, NO_OCR)
        there = [node for node in nodes() if node["NodeID"] in machines]
        with_cards = [node for node in there if has(node, "GPU")]
        graphics = bool(with_cards) and all(machines[node["NodeID"]].graphics for node in with_cards)
        used = with_cards if graphics else there
        threads = min(_THREADS, self._workers or _THREADS, *(has(node, "CPU") for node in used))
        most = sum(has(node, "GPU") for node in used) if graphics else self._processors() // threads
        return _Actors(max(1, most), threads, graphics)


@dataclass(frozen=True)
class _Actors:
    """The largest number of actors, the processors of each, and whether each has a GPU as well."""

    most: int
    processors: int
    graphics: bool


def _share(rows: int, among: int, most: int) -> int:
    """Return the share of `rows` for each of `among`, `most` at most."""
    return max(1, min(most, -(-rows // among)))


def _dataset(rows: Sequence[Mapping[str, Any]], schema: pa.Schema, at_once: int) -> Any:
    """Return `rows` in blocks of `at_once`; each block goes to one task or actor."""
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    table = pa.Table.from_pylist(list(rows), schema)
    return ray.data.from_arrow([table.slice(at, at_once) for at in range(0, len(table), at_once)])


def _rows(dataset: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of `dataset` as they become ready, in any order."""
    for block in dataset.iter_batches(batch_size=None, batch_format="pyarrow"):
        yield from block.to_pylist()


@contextmanager
def _as_build_errors() -> Iterator[None]:
    """Raise BuildError for an error of Ray within."""
    try:
        yield
    except ray.exceptions.RayTaskError as error:
        cause: BaseException = error  # that of the node, within Ray's wrappers
        while (within := cause.__cause__ or getattr(cause, "cause", None)) and within is not cause:
            cause = within
        if isinstance(cause, BuildError):
            raise cause from error
        said = f"{type(cause).__name__}: {cause}"
        raise BuildError(f"A node of the Ray cluster could not do its work: {said}") from error
    except ray.exceptions.RayError as error:
        raise BuildError(
            f"The Ray cluster was lost ({error}). Build again: what was done is kept."
        ) from error
