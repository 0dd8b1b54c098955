"""The outcome of reading one PDF, and the limits that it is read within."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.sources.source import Source


@dataclass(frozen=True)
class Limits:
    """The limits for one PDF: seconds of processor time, and bytes of address space of its process.

    By the clock it may take ten times as long: a busy machine must not cost a paper. Each page read by
    OCR may take ocr.tesseract.PAGE_CLOCK_SECONDS more.
    """

    seconds: float = 120.0
    memory: int = 4 << 30


@dataclass(frozen=True)
class Extracted:
    """A PDF whose extraction is now in the cache: `record` is its name, a path below `records_folder`.

    `by_ocr` counts its pages that OCR has read, `unread` those that only OCR could have read, and
    `in_lines` those of which no paragraphs were made. `summary` is what `papers` needs of it (see
    `summaries`), `told` what `failures` says of it, each with a reason and a detail.
    """

    source: "Source"
    record: str
    summary: str
    pages: int
    by_ocr: int
    unread: int
    seconds: float
    in_lines: int = 0
    told: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True)
class Failed:
    """A PDF that could not be extracted: a short word for the cause, and what happened and what to do."""

    source: "Source"
    reason: str
    detail: str
    seconds: float
