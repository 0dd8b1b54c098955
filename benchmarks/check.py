"""How long does a manuscript with 500 quotations take to check? `python benchmarks/check.py CORPUS`.

The quotations are drawn from the corpus: nine of ten as they are printed, one of ten with a word that is not.
One of ten has the wrong page. Each run is a new process of the command, as users call it; reading and judging
are timed within this one as well.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

from cases import draw_cases
from manuscripts import MANUSCRIPTS, text_of
from tables import markdown_table, measured_on

import lookup
from pagequote.check import Finding, Vocabulary, judge, read_manuscripts

T = TypeVar("T")

_COUNT = 500
_RUNS = 5
_TARGET = "at most 3 s"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    corpus = parser.parse_args().corpus
    cases = draw_cases(corpus, _COUNT)
    rows = []
    with tempfile.TemporaryDirectory() as folder, lookup.open(corpus) as opened:
        pages = [opened.quote(case.key, case.words).matches[0].page for case in cases]
        for name, write in MANUSCRIPTS:
            path = Path(folder) / name
            text = text_of(cases, pages, write)
            path.write_text(text, encoding="utf-8")
            runs = [_run(path, corpus) for _ in range(_RUNS)]
            findings, reading, judging = _within(path, corpus)
            if len(findings) != _COUNT:
                raise SystemExit(f"{len(findings)} of {_COUNT} quotations were found in {name}")
            near = sum(one.verdict == "near" for one in findings)
            right = sum(one.verdict == "verbatim" for one in findings)
            rows.append(
                [name, f"{len(text) / 1000:.0f} kB", f"{right} verbatim, {near} near", f"{median(runs):.2f}",
                 f"{min(runs):.2f}", f"{reading:.2f}", f"{judging:.2f}", _TARGET]
            )  # fmt: skip
    papers = len({case.key for case in cases})
    columns = [
        "manuscript",
        "size",
        "verdicts",
        "median, s",
        "fastest, s",
        "reading, s of processor",
        "judging, s of processor",
        "target",
    ]
    print(markdown_table(columns, rows))
    print(f"\n{_COUNT} quotations of {papers} papers; {_RUNS} runs of the command each; {measured_on()}")


def _run(path: Path, corpus: Path) -> float:
    command = [
        str(Path(sys.executable).with_name("pagequote")),
        "check",
        str(path),
        "--corpus",
        str(corpus),
        "--format",
        "json",
    ]
    began = time.perf_counter()
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode != 1:
        raise SystemExit(done.stderr.decode())
    return time.perf_counter() - began


def _within(path: Path, corpus: Path) -> tuple[list[Finding], float, float]:
    """The findings, and the seconds of processor for reading and for judging."""
    manuscripts, reading = _processor(lambda: list(read_manuscripts([path], Vocabulary())))
    with lookup.open(corpus) as opened:
        findings, judging = _processor(lambda: judge(opened, manuscripts))
    return findings, reading, judging


def _processor(call: Callable[[], T]) -> tuple[T, float]:
    """What `call` gives, and the seconds of processor that it took."""
    began = time.process_time()
    return call(), time.process_time() - began


if __name__ == "__main__":
    main()
