"""What does the extraction cost, beside bare PyMuPDF, its Markdown and its layout model?
`python benchmarks/extraction.py [FOLDER] [--turns CHECKOUT ...]`.

FOLDER holds PDFs (to any depth); without one, the sample papers are typeset and read. All ways go over the
same pages in one process, in turn, in processor time: what else the machine does slows all of them alike.
With --turns each PDF is read by this code and by that of each CHECKOUT, which has a .venv of its own, in
turns; of the rounds the least counts.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow.parquet as pq
import pymupdf
from tables import markdown_table, measured_on, resident_mebibytes

from pipeline.engines.workers import extract_all
from pipeline.extract import extract
from pipeline.ocr.tesseract import NO_OCR
from pipeline.pdf.opening import UnreadableError
from pipeline.records import PARTS, table_of
from pipeline.sources.find_sources import find_sources
from pipeline.sources.source import Source
from pipeline.work.outcomes import Extracted, Limits

_OURS = "pipeline: read, laid out, cleaned, Parquet written"
_DICT, _TEXT = "page.get_text('dict')", "page.get_text('dict') without pictures"
_TARGETS = {
    _DICT: "ours at most 2.0 times as long",
    _TEXT: "ours at most 4.0 times as long on papers, 5.0 on others",
    "pymupdf4llm.to_markdown": "ours 10 times faster",
    "pymupdf4llm.to_markdown without the model": "",
    "page.get_layout()": "ours 10 times faster",
}
_TURN = """
import sys, time
from pathlib import Path
sys.path.insert(0, ".")
from pipeline.extract import extract
for line in sys.stdin:
    data = Path(line.rstrip("\\n")).read_bytes()
    began = time.process_time()
    extract(data)
    print(time.process_time() - began, flush=True)
"""
"""What each checkout runs: it answers the name of a PDF with the seconds that it took."""

_ENOUGH_PAGES = 600
"""Pages that each number of workers reads, the same files over and over."""

_EVERY = 25
"""PDFs between two looks at the memory of a worker."""

_WARM = 100
"""PDFs after which the memory of a worker is what it stays."""


def ours(data: bytes, folder: Path) -> None:
    """The whole extraction of a PDF, its tables written as Parquet into `folder`."""
    record = extract(data)
    for table in PARTS:
        pq.write_table(table_of(record, table), folder / f"{table.name}.parquet", compression="zstd")


def bare(data: bytes, *, pictures: bool = True) -> None:
    """PyMuPDF's own text of each page, flags as they are by default, or with no `pictures` unpacked."""
    flags = pymupdf.TEXTFLAGS_DICT if pictures else pymupdf.TEXTFLAGS_DICT & ~pymupdf.TEXT_PRESERVE_IMAGES
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_text("dict", flags=flags)


def markdown(data: bytes, *, model: bool) -> None:
    """PyMuPDF's Markdown, without OCR; by the layout model, or by the rules that it had before."""
    import pymupdf4llm

    pymupdf4llm.use_layout(model)
    with (
        pymupdf.open(stream=data, filetype="pdf") as document,
        contextlib.redirect_stdout(io.StringIO()),
    ):
        pymupdf4llm.to_markdown(document, use_ocr=False, show_progress=False)


def layout(data: bytes) -> None:
    """The layout model alone: boxes with a class each."""
    import pymupdf4llm

    pymupdf4llm.use_layout(yes=True)
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for page in document:
            page.get_layout()


def milliseconds(
    ways: Mapping[str, Callable[[bytes], None]], papers: Sequence[bytes], rounds: int
) -> dict[str, list[float]]:
    """Milliseconds of processor time of each way over all papers, round by round.

    Each paper is read in all ways before the next, after one paper that does not count.
    """
    for way in ways.values():
        way(papers[0])
    times: dict[str, list[float]] = {name: [0.0] * rounds for name in ways}
    for number in range(rounds):
        for data in papers:
            for name, way in ways.items():
                began = time.process_time()
                way(data)
                times[name][number] += 1000 * (time.process_time() - began)
    return times


def page_count(data: bytes) -> int:
    """Pages of the PDF."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        return len(document)


def some(papers: Sequence[bytes], pages: int) -> list[bytes]:
    """Whole PDFs from all over the list that have about as many pages together."""
    chosen: list[bytes] = []
    left = pages
    for data in papers[:: max(1, len(papers) // max(1, pages // 5))]:
        if left <= 0:
            break
        chosen.append(data)
        left -= page_count(data)
    return chosen


def cost_table(times: Mapping[str, Sequence[float]], pages: int) -> str:
    """Median milliseconds a page of each way, and its ratio to ours: the median over the rounds."""
    rows = []
    for name, values in times.items():
        ratio = (
            "" if name == _OURS else f"{median(a / b for a, b in zip(values, times[_OURS], strict=True)):.2f}"
        )
        rows.append([name, f"{median(values) / pages:.1f}", ratio, _TARGETS.get(name, "")])
    return markdown_table([f"{pages} pages", "ms a page", "times ours", "target"], rows)


def pages_a_second(sources: Sequence[Source], workers: int) -> float:
    """Of `workers` processes, from the moment that each has read a PDF; the start of a process takes as long
    whatever there is to read.
    """
    pages = 0
    began = 0.0
    with tempfile.TemporaryDirectory() as folder:
        outcomes = extract_all(sources, Path(folder), NO_OCR, workers, Limits())
        for done, outcome in enumerate(outcomes, 1):
            if done > 2 * workers and isinstance(outcome, Extracted):
                pages += outcome.pages
            elif done == 2 * workers:
                began = time.perf_counter()
        return pages / (time.perf_counter() - began)


def memory(paths: Sequence[Path], count: int) -> list[float]:
    """MiB that this process holds after each _EVERY of `count` PDFs, the same ones over and over."""
    held = []
    for number, path in enumerate(islice(cycle(paths), count), 1):
        with contextlib.suppress(UnreadableError):
            extract(path.read_bytes())
        if number % _EVERY == 0:
            held.append(resident_mebibytes())
    return held


def memory_table(held: Sequence[float]) -> str:
    """What the worker held, in rows of _WARM PDFs."""
    across = _WARM // _EVERY
    rows = [
        [
            str(_EVERY * (start + len(held[start : start + across]))),
            *(f"{value:.0f}" for value in held[start : start + across]),
        ]
        for start in range(0, len(held), across)
    ]
    head = ["up to PDF", *(f"MiB at {_EVERY * place}" for place in range(1, across + 1))]
    grown = max(held[across:], default=held[-1]) / held[min(across, len(held)) - 1]
    return markdown_table(head, rows) + f"\n\nThe most after PDF {_WARM}, to what it was there: {grown:.2f}."


def turns(paths: Sequence[Path], checkouts: Sequence[Path], rounds: int) -> dict[Path, list[float]]:
    """Milliseconds of processor time that each checkout takes for each PDF: the least of the rounds."""
    found = {one: [float("inf")] * len(paths) for one in checkouts}
    with contextlib.ExitStack() as stack:
        readers = {
            one: stack.enter_context(
                subprocess.Popen(
                    [one / ".venv/bin/python", "-c", _TURN],
                    cwd=one,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    text=True,
                )
            )
            for one in checkouts
        }
        for place in [0, *list(range(len(paths))) * rounds]:  # what it takes at first does not count
            for one, reader in readers.items():
                print(paths[place].absolute(), file=reader.stdin, flush=True)
                took = 1000 * float(reader.stdout.readline() if reader.stdout else "nan")
                found[one][place] = min(found[one][place], took)
    return found


def turns_table(paths: Sequence[Path], folder: Path, found: Mapping[Path, Sequence[float]]) -> str:
    """Milliseconds a page by class, those of this code first, and their ratio to the others'."""
    ours_here, *others = found
    classes: dict[str, list[int]] = {"all": list(range(len(paths)))}
    for place, path in enumerate(paths):
        classes.setdefault(path.relative_to(folder.resolve()).parts[0], []).append(place)
    rows = []
    for name, places in classes.items():
        pages = sum(page_count(paths[place].read_bytes()) for place in places)
        taken = {one: sum(times[place] for place in places) / pages for one, times in found.items()}
        ratios = [f"{taken[ours_here] / taken[one]:.2f}" for one in others]
        rows.append([name, str(pages), *(f"{one:.1f}" for one in taken.values()), *ratios])
    names = [one.name for one in found]
    return markdown_table(["class", "pages", *names, *(f"to {name}" for name in names[1:])], rows)


def _sources(folder: Path) -> list[Source]:
    sources, _ = find_sources([folder])
    readable = []
    for source in sources:
        with contextlib.suppress(UnreadableError):
            extract(source.path.read_bytes())
            readable.append(source)
    return readable


def _typeset(folder: Path) -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "data/samples"))
    from typeset import write_all

    write_all(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description="Time the extraction beside PyMuPDF's own.")
    parser.add_argument("folder", type=Path, nargs="?", metavar="FOLDER", help="PDFs  [default: the samples]")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument(
        "--turns", type=Path, nargs="+", metavar="CHECKOUT", help="older code to compare with"
    )
    parser.add_argument("--model-pages", type=int, default=20, help="pages that the models are timed on")
    parser.add_argument(
        "--pdfs", type=int, default=500, help="that one worker reads while its memory is watched"
    )
    asked = parser.parse_args()
    if asked.turns:
        paths = [source.path.resolve() for source in find_sources([asked.folder])[0]]
        checkouts = [Path(__file__).resolve().parents[1], *(one.resolve() for one in asked.turns)]
        print(turns_table(paths, asked.folder, turns(paths, checkouts, asked.rounds)))
        print(f"\nLeast of {asked.rounds} rounds; load {os.getloadavg()[0]:.1f}; {measured_on()}")
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.folder or Path(temporary)
        if not asked.folder:
            _typeset(folder)
        sources = _sources(folder)
        papers = [source.path.read_bytes() for source in sources]
        with tempfile.TemporaryDirectory() as written:
            _costs(by_class(sources, folder), asked.rounds, asked.model_pages, Path(written))
        _workers(sources, sum(map(page_count, papers)))
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(max_workers=1, mp_context=context) as pool:
            held = pool.submit(memory, [source.path for source in sources], asked.pdfs).result()
        print(f"\n{memory_table(held)}")
    print(
        f"\n{len(papers)} PDFs, median of {asked.rounds} rounds (of 3 for the models); load "
        f"{os.getloadavg()[0]:.1f}; "
        f"{measured_on()}, PyMuPDF {pymupdf.__version__}"
    )


def by_class(sources: Sequence[Source], folder: Path) -> dict[str, list[bytes]]:
    """The bytes of PDFs by the folder below `folder` that holds them; all of them first."""
    found: dict[str, list[bytes]] = {"all": [source.path.read_bytes() for source in sources]}
    for source, data in zip(sources, found["all"], strict=True):
        first, *below = source.path.resolve().relative_to(folder.resolve()).parts
        found.setdefault(first if len(below) > 1 else "", []).append(data)
    several = len(found) > 2  # all, and the one class that they are
    return found if several else {"all": found["all"]}


def _costs(classes: Mapping[str, Sequence[bytes]], rounds: int, model_pages: int, written: Path) -> None:
    papers = classes["all"]
    way: dict[str, Callable[[bytes], Any]] = {
        _OURS: lambda data: ours(data, written),
        _DICT: bare,
        _TEXT: lambda data: bare(data, pictures=False),
    }
    rows = []
    for name, of_class in classes.items():
        times = milliseconds(way, of_class, rounds)
        pages = sum(map(page_count, of_class))
        ratios = (
            median(a / b for a, b in zip(times[_OURS], times[anchor], strict=True))
            for anchor in (_DICT, _TEXT)
        )
        ours_a_page = f"{median(times[_OURS]) / pages:.1f}"
        rows.append([name, str(len(of_class)), str(pages), ours_a_page, *(f"{one:.2f}" for one in ratios)])
    print(
        markdown_table(["class", "PDFs", "pages", "ms a page", f"ours to {_DICT}", f"ours to {_TEXT}"], rows)
    )
    print()
    few = some(papers, model_pages)
    models: dict[str, Callable[[bytes], Any]] = {
        _OURS: lambda data: ours(data, written),
        "pymupdf4llm.to_markdown": lambda data: markdown(data, model=True),
        "pymupdf4llm.to_markdown without the model": lambda data: markdown(data, model=False),
        "page.get_layout()": layout,
    }
    print(cost_table(milliseconds(models, few, 3), sum(map(page_count, few))))


def _workers(sources: Sequence[Source], pages: int) -> None:
    many = list(islice(cycle(sources), len(sources) * max(1, round(_ENOUGH_PAGES / pages))))
    speeds = [[pages_a_second(many, workers) for workers in (1, 2)] for _ in range(3)]
    one, two = (median(speed) for speed in zip(*speeds, strict=True))
    ratio = median(second / first for first, second in speeds)
    rows = [["1", f"{one:.0f}", ""], ["2", f"{two:.0f}", f"{ratio:.2f} (target: at least 1.7)"]]
    print("\n" + markdown_table(["workers", "pages a second", "times one worker's"], rows))


if __name__ == "__main__":
    main()
