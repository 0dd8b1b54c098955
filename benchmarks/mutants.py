"""What becomes of damaged PDFs?
`python benchmarks/mutants.py FOLDER [--mutants 300] [--papers 10] [--seed 1]`.

PDFs of the folder are changed by chance, in bytes and in what their pages draw, and read as a build reads
them: each has to become a row with a reason that is not `error`, in time and in bounded memory.
`--as-they-are` reads the folder's PDFs unchanged.
"""

import argparse
import hashlib
import random
import re
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pymupdf
from tables import markdown_table, measured_on

from pipeline.engines.workers import extract_all
from pipeline.libraries.entries import Metadata
from pipeline.ocr.tesseract import NO_OCR
from pipeline.sources.source import Source
from pipeline.work.outcomes import Extracted, Limits

_EVERY = 0.1
"""Seconds between two looks at the memory of the workers."""

Damage = Callable[[bytes, random.Random], bytes]


def flipped(data: bytes, rng: random.Random) -> bytes:
    """Some bits are others."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 10, 100])):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(data: bytes, rng: random.Random) -> bytes:
    """The end is missing."""
    return data[: rng.randrange(len(data))]


def chunk_lost(data: bytes, rng: random.Random) -> bytes:
    """A piece is missing, twice there, or zeroes."""
    at, length = rng.randrange(len(data)), rng.choice([16, 512, 8192])
    piece = data[at : at + length]
    instead = rng.choice([b"", piece + piece, bytes(len(piece))])
    return data[:at] + instead + data[at + length :]


def numbers_changed(data: bytes, rng: random.Random) -> bytes:
    """Numbers between the streams are others: counts, lengths, offsets, references."""
    found = list(re.finditer(rb"(?<=[ /\[<(\n])-?\d{1,10}(?=[\s/\]>)])", data))
    for one in sorted(
        rng.sample(found, min(len(found), rng.choice([1, 5, 50]))), key=re.Match.start, reverse=True
    ):
        number = rng.choice([b"0", b"-1", b"2147483648", b"99999999999", b"1e9", rng.choice(found)[0]])
        data = data[: one.start()] + number + data[one.end() :]
    return data


def pages_redrawn(data: bytes, rng: random.Random) -> bytes:
    """What a page draws is changed: operators, numbers and strings of its content."""
    with pymupdf.open(stream=data, filetype="pdf") as document:
        for number in rng.sample(range(len(document)), min(len(document), 3)):
            for xref in document[number].get_contents():
                words = document.xref_stream(xref).split(b" ")
                for _ in range(rng.choice([1, 10, 100])):
                    at = rng.randrange(len(words))
                    words[at] = rng.choice(
                        [
                            b"",
                            b"q",
                            b"Q",
                            b"BT",
                            b"ET",
                            b"Tj",
                            b"1e38",
                            b"-99999",
                            b"0",
                            b"nan",
                            b"(\x00\xff\\",
                            rng.choice(words),
                        ]
                    )
                document.update_stream(xref, b" ".join(words))
        changed: bytes = document.tobytes()
    return changed


DAMAGES: tuple[Damage, ...] = (flipped, cut, chunk_lost, numbers_changed, pages_redrawn)


def mutants(pdfs: Sequence[Path], count: int, seed: int, folder: Path) -> Iterator[tuple[str, Path]]:
    """Write so many mutants into `folder`; yield the damage of each, and its path."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        damage = DAMAGES[number % len(DAMAGES)]
        path = folder / f"{number:04}.pdf"
        path.write_bytes(damage(rng.choice(pdfs).read_bytes(), rng))
        yield (damage.__doc__ or "").rstrip("."), path


class Watch:
    """Looks at the greatest memory of a child of this process until it is closed."""

    def __init__(self) -> None:
        self.peak = 0.0
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._ended.wait(_EVERY):
            for children in Path("/proc/self/task").glob("*/children"):
                for pid in children.read_text().split():
                    self.peak = max(self.peak, _mebibytes(pid))

    def close(self) -> None:
        """Look no more."""
        self._ended.set()
        self._thread.join()


def _mebibytes(pid: str) -> float:
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description="Read PDFs that are damaged by chance.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--papers", type=int, default=10, help="PDFs that they are made of")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--deadline", type=float, default=60.0, help="seconds for each")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--as-they-are", action="store_true", help="read all PDFs of the folder, unchanged")
    asked = parser.parse_args()
    pdfs = sorted(asked.folder.rglob("*.pdf"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if asked.as_they_are:
            read = [("As it is", path) for path in pdfs]
        else:
            chosen = random.Random(asked.seed).sample(pdfs, min(asked.papers, len(pdfs)))
            read = list(mutants(chosen, asked.mutants, asked.seed, folder))
        damages = {str(path): damage for damage, path in read}
        ended: defaultdict[str, Counter[str]] = defaultdict(Counter)
        slowest = errors = 0.0
        watch, began = Watch(), time.monotonic()
        limits = Limits(asked.deadline)
        try:
            for one in extract_all(
                map(_source, (path for _, path in read)), folder / "work", NO_OCR, asked.workers, limits
            ):
                reason = "read" if isinstance(one, Extracted) else one.reason
                ended[damages[str(one.source.path)]][reason] += 1
                slowest = max(slowest, one.seconds)
                if not isinstance(one, Extracted) and one.reason in ("error", "crash", "timeout", "memory"):
                    errors += one.reason == "error"
                    print(f"{one.source.path}: {one.reason}: {one.detail}", file=sys.stderr)
        finally:
            watch.close()
    rows = [
        [
            damage,
            str(sum(counts.values())),
            ", ".join(f"{reason} {count}" for reason, count in counts.most_common()),
        ]
        for damage, counts in ended.items()
    ]
    print(markdown_table(["damage", "PDFs", "what became of them"], rows))
    print(
        f"\n`error`: {errors:.0f}; the slowest took {slowest:.1f} s, all {time.monotonic() - began:.0f} s; "
        f"a process had {watch.peak:.0f} MiB at most; {measured_on()}"
    )
    sys.exit(bool(errors))


def _source(path: Path) -> Source:
    data = path.read_bytes()
    return Source(path.stem, path, hashlib.sha256(data).hexdigest(), len(data), Metadata())


if __name__ == "__main__":
    main()
