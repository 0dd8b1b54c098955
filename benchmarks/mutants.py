"""What becomes of damaged PDFs?
`python benchmarks/mutants.py FOLDER [--mutants 300] [--papers 10] [--seed 1]`.

PDFs of the folder are changed by chance, in bytes and in what their pages draw, and read as a build reads
them: each has to become a row with a reason that is not `error`, in time and in bounded memory.
`--as-they-are` reads the folder's PDFs unchanged. With `--marked` mutants of them, and as many of a .docx,
are marked as `highlight` and `check --annotate` mark them, and each copy must hold the marks and what was
there.
"""

import argparse
import hashlib
import io
import random
import re
import sys
import tempfile
import threading
import time
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pymupdf
from tables import markdown_table, measured_on

from lookup.errors import PageQuoteError
from lookup.results.quote_answer import Box
from pagequote.check.documents.comments import Comment, annotate
from pagequote.check.documents.document_text import archive
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscripts
from pagequote.highlights.pdf import on_each_page, read_highlights, with_highlights
from pipeline.engines.workers import extract_all
from pipeline.libraries.entries import Metadata
from pipeline.ocr.tesseract import NO_OCR
from pipeline.processes.killable_process import EndedError, KillableProcess, Kind, SlowError
from pipeline.sources.source import Source
from pipeline.work.outcomes import Extracted, Limits
from tests.support.documents import docx, field, heading, paragraph, run

_EVERY = 0.1
"""Seconds between two looks at the memory of the workers."""

_DRAWN = (*b" q Q BT ET Tj 1e38 -99999 0 nan".split(b" "), b"(\x00\xff\\")
"""Operators, numbers and a string that a page may draw, and must not here."""

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
                    words[at] = rng.choice([*_DRAWN, rng.choice(words)])
                document.update_stream(xref, b" ".join(words))
        changed: bytes = document.tobytes()
    return changed


DAMAGES: tuple[Damage, ...] = (flipped, cut, chunk_lost, numbers_changed, pages_redrawn)


def member_changed(data: bytes, rng: random.Random) -> bytes:
    """Tags and texts of a file in the archive are others, twice there or missing."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        chosen = rng.choice(old.namelist())
        for name in old.namelist():
            pieces = re.findall(rb"<[^>]*>|[^<]+", old.read(name))
            for _ in range(rng.choice([1, 2, 10]) if name == chosen else 0):
                at = rng.randrange(len(pieces))
                pieces[at] = rng.choice([b"", pieces[at] * 2, rng.choice(pieces)])
            new.writestr(name, b"".join(pieces))
    return made.getvalue()


def mutants(
    originals: Sequence[bytes], suffix: str, damages: Sequence[Damage], count: int, seed: int, folder: Path
) -> Iterator[tuple[str, Path]]:
    """Write so many mutants into `folder`; yield the damage of each, and its path."""
    for number in range(count):
        rng = random.Random(f"{seed} {number}")
        damage = damages[number % len(damages)]
        path = folder / f"{number:04}{suffix}"
        path.write_bytes(damage(rng.choice(originals), rng))
        yield (damage.__doc__ or "").rstrip("."), path


def manuscript() -> bytes:
    """Return a .docx with headings, quotations, fields of citations, notes and comments of its own."""
    quotation = run("He wrote that “it is the day that makes the difference”, and ")
    cited = field("ADDIN ZOTERO_ITEM CSL_CITATION {}", "(Ilmarinen, 2023, p. 212)")
    body = [paragraph(quotation, cited, run(f", for the {number}th time.")) for number in range(30)]
    return docx(heading("One"), *body, heading("Two"), *body, footnotes={"1": paragraph(quotation)})


def mark(path: Path) -> str:
    """Mark the PDF or .docx, and read the copy. Return 'marked', 'refused', or what is lost."""
    content, copy = path.read_bytes(), io.BytesIO()
    try:
        if path.suffix == ".docx":
            before = _quoted(path, content)
            comments = [Comment(start, end, "a") for start, end in before]
            with archive(content, path.name) as opened:
                annotate(opened, comments, copy, "2026-11-26T03:00:00Z")
            kept = [*_quoted(path, copy.getvalue()).values()] == [*before.values()]
            return "marked" if kept else "other quotations are in the copy"
        there = read_highlights(content)
        with pymupdf.open(stream=content) as opened_pdf:
            pages = {1, len(opened_pdf)}
        new = [one for page in pages for one in on_each_page([Box(page, 72, 72, 300, 90)], "a", (1, 1, 0))]
        found = len(read_highlights(with_highlights(content, new)))
        return "marked" if found == len(there) + len(new) else f"{found} of {len(there) + len(new)} marks"
    except PageQuoteError:
        return "refused"


def _quoted(path: Path, content: bytes) -> dict[tuple[int, int], str]:
    (read,) = read_manuscripts([path], Vocabulary(), {path: content})
    return {(one.start, one.end): one.words.text for one in read.quotations}


def marked(read: Sequence[tuple[str, Path]], seconds: float) -> Iterator[tuple[str, Path, str]]:
    """Yield the damage of each file, its path, and what became of it when it was marked."""
    process = KillableProcess(Kind())
    for damage, path in read:
        try:
            ended = str(process.do(mark, path, seconds=seconds))
        except SlowError:
            ended = "timeout"
        except EndedError as error:
            ended = f"crash ({error})"
        except Exception as error:  # noqa: BLE001  # it is what is looked for
            ended = f"error ({type(error).__name__}: {error})"
        yield damage, path, ended
    process.close()


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
    parser.add_argument("--marked", action="store_true", help="mark them, and as many of a .docx")
    parser.add_argument("--as-they-are", action="store_true", help="read all PDFs of the folder, unchanged")
    asked = parser.parse_args()
    pdfs = sorted(asked.folder.rglob("*.pdf"))
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if asked.as_they_are:
            read = [("As it is", path) for path in pdfs]
        else:
            chosen = random.Random(asked.seed).sample(pdfs, min(asked.papers, len(pdfs)))
            originals = [path.read_bytes() for path in chosen]
            read = list(mutants(originals, ".pdf", DAMAGES, asked.mutants, asked.seed, folder))
        if asked.marked:
            ways = (*DAMAGES[:3], member_changed, member_changed)
            read += mutants([manuscript()], ".docx", ways, asked.mutants, asked.seed, folder)
            sys.exit(report_of_marks(read, asked.deadline))
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


def report_of_marks(read: Sequence[tuple[str, Path]], seconds: float) -> bool:
    """Print what became of the files when they were marked; return whether anything was wrong."""
    from mutants import marked as by_module  # what another process does is named by its module

    ended: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for damage, path, how in by_module(read, seconds):
        ended[path.suffix[1:], damage][how if how in ("marked", "refused") else "wrong"] += 1
        if how not in ("marked", "refused"):
            print(f"{path.name}: {damage}: {how}", file=sys.stderr)
    columns = ("marked", "refused", "wrong")
    rows = [
        [*kind, str(counts.total()), *(str(counts[one]) for one in columns)] for kind, counts in ended.items()
    ]
    print(markdown_table(["file", "damage", "files", *columns], rows))
    print(f"\n{measured_on()}")
    return any(counts["wrong"] for counts in ended.values())


def _source(path: Path) -> Source:
    data = path.read_bytes()
    return Source(path.stem, path, hashlib.sha256(data).hexdigest(), len(data), Metadata())


if __name__ == "__main__":
    main()
