"""OCR of pages that are pictures.

PyMuPDF draws the page; the program `tesseract` reads the picture and gives the place of each word. Both use
pipes: no file is left behind, however the process ends. docs/decisions/0008-tesseract-as-a-program.md says
why.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pipeline.cleaning.clean import lexicon
from pipeline.ocr.language import wrong_language
from pipeline.ocr.pictures import Picture, picture_of
from pipeline.ocr.recognised_lines import Seen, ocr_lines, seen
from pipeline.ocr.second_reader import read_picture
from pipeline.ocr.tesseract import PAGE_CLOCK_SECONDS, PAGE_SECONDS, TIMED_OUT, Ocr, Tesseract
from pipeline.ocr.two_readings import better_lines, known_share, texts, wants_second
from pipeline.pdf.lines import Line
from pipeline.pdf.opening import UnreadableError, open_pdf
from pipeline.pdf.reading import PdfPage, usable_lines
from pipeline.processes.operating_system import can_bound, die_with_parent, ended_by, limit_processor
from retrieval.raw_text.cleaning import vocabulary

_POOR = 0.95
"""Share of the words that the word list has, less than which the text of an earlier OCR is read again. The
four pages of one poor layer (130 dpi) have .89 to .97; that of good layers was not measured."""

_NAMED = 10  # Pages that are named, at most, where few are scans.


class NotGrantedError(Exception):
    """The PDF has more `pages` to be read by OCR than were granted."""

    def __init__(self, pages: int) -> None:
        super().__init__(pages)
        self.pages = pages


def pages_to_read(pages: Sequence[PdfPage], ocr: Ocr) -> tuple[int, ...]:
    """Return the numbers of the pages that OCR is to read.

    Those are scans without text; and, if the second reader is there, those with the text of an earlier OCR
    where too few of its words are of its language.
    """
    layer = [line.text for page in pages if page.recognised for line in page.lines]
    known = lexicon(vocabulary(layer)) if layer and ocr.second else ()
    poor = known and known_share(layer, known) < _POOR
    return tuple(
        page.number
        for page in pages
        if ocr.mode != "off" and (page.scanned or ocr.mode == "force" or (poor and page.recognised))
    )


def with_ocr(data: bytes, pages: Sequence[PdfPage], ocr: Ocr) -> tuple[tuple[PdfPage, ...], str]:
    """Return the pages of the PDF `data`, with lines that OCR reads on pages that need it, set level.

    And what is to be said of the language that it was asked to read.

    Usable lines of a scanned page's text layer are kept, if not forced. A page of which OCR reads no more
    stays as it is; one for which there was no time has the source TIMED_OUT. Raise NotGrantedError
    before anything is read, and UnreadableError.
    """
    numbers = pages_to_read(pages, ocr)
    if not ocr.stamp or not numbers:
        return tuple(pages), ""
    if ocr.granted is not None and len(numbers) > ocr.granted:
        raise NotGrantedError(len(numbers))
    words: list[Seen] = []
    with open_pdf(data) as document:
        read = tuple(_read(document, one, ocr, words) if one.number in numbers else one for one in pages)
    asked = ocr.tesseract.language if ocr.tesseract else ""
    said = wrong_language(words, asked, twice=ocr.second is not None) if asked else ""
    if not said or 2 * len(numbers) > len(pages):
        return read, said
    named = ", ".join(map(str, numbers[:_NAMED])) + (" ..." if len(numbers) > _NAMED else "")
    return read, f"Of {len(pages)} pages these alone are scans: {named}. {said}"


def _read(document: Any, page: PdfPage, ocr: Ocr, first: list[Seen]) -> PdfPage:
    """Return a page as OCR reads it, and add the words of the `first` reader, if it is taken."""
    kept = usable_lines(page.lines) if page.scanned and ocr.mode == "auto" else ()
    picture = picture_of(document, page, tilted=not kept)
    table = _recognised(ocr.tesseract, picture, page.number) if ocr.tesseract else ""
    words = list(seen(table or "", picture))
    second = list(read_picture(ocr.second, picture)) if ocr.second and wants_second(words) else []
    if table is None and not second:
        return replace(page, source=TIMED_OUT)
    known = lexicon(vocabulary([*texts(words), *texts(second)]))
    lines = ocr_lines(better_lines(words, second, known) if second else words, page.number, picture)
    new = [line for line in lines if not any(_same_place(line, other) for other in kept)]
    layer, own = (known_share((line.text for line in read), known) for read in (page.lines, new))
    if not new or (layer > own and page.recognised and ocr.mode == "auto"):
        return page
    first += words
    return replace(page, lines=(*kept, *new), source="ocr", scanned=False, tilt=picture.tilt)


def _same_place(a: Line, b: Line) -> bool:
    """Whether the middle of one line is within the other."""
    return any(
        one.x0 < (other.x0 + other.x1) / 2 < one.x1 and one.y0 < other.middle < one.y1
        for one, other in ((a, b), (b, a))
    )


def _recognised(tesseract: Tesseract, picture: Picture, page: int) -> str | None:
    """Return Tesseract's table of the words in the picture; None if it takes too long."""
    options = ["-l", tesseract.language, "--dpi", "300", "--psm", "3"]
    command = [tesseract.program, "stdin", "stdout", *options, "tsv"]
    try:
        done = subprocess.run(  # noqa: S603  # the program that find_ocr found
            command,
            input=b"P5\n%d %d\n255\n" % picture.grey.shape[::-1] + picture.grey.tobytes(),  # PGM
            capture_output=True,
            check=False,
            timeout=PAGE_CLOCK_SECONDS,
            env={**os.environ, "OMP_THREAD_LIMIT": "1"},  # each worker uses one processor
            preexec_fn=_limit if can_bound() else None,
        )
    except subprocess.TimeoutExpired:
        return None
    except OSError as error:
        raise UnreadableError(
            "ocr", f"Tesseract does not start ({error}). Repair its installation, or build with --ocr off."
        ) from error
    if ended_by(done.returncode, "SIGXCPU"):
        return None
    if done.returncode:
        said = done.stderr.decode(errors="replace").strip()[-200:]
        raise UnreadableError(
            "ocr",
            f"Tesseract failed on page {page} ({said or done.returncode}). "
            "Build with --ocr off to leave it out.",
        )
    return done.stdout.decode(errors="replace")


def _limit() -> None:
    """In the child: end after so much processor time, and when the worker is stopped at its deadline."""
    limit_processor(PAGE_SECONDS, PAGE_SECONDS + 1)
    die_with_parent()
