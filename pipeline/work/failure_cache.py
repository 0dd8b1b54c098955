"""The cache of failures, by the content of the PDF: no build waits for the same deadline again."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.files.atomic import read_json, write_json
from pipeline.ocr.tesseract import Ocr
from pipeline.sources.source import Source
from pipeline.work.extraction_cache import records_folder
from pipeline.work.outcomes import Failed, Limits

PASSING = frozenset({"unreadable", "changed", "ocr"})
"""Reasons that come from the machine or the moment, not from the bytes: every build tries such a file
again."""

_KILLED = "SIGKILL"
"""The PDF does not cause a crash by this signal: mostly the kernel sends it when memory runs out."""

SUFFIX = ".failed.json"


@dataclass(frozen=True)
class KeptFailure:
    """The reason why these bytes could not be read, the seconds it took, and the OCR and limits used.

    `text` is the stamp of the XML that was read with them, '' without one.
    """

    reason: str
    detail: str
    seconds: float
    ocr: str
    deadline: float
    memory: int
    text: str = ""

    def stands(self, source: Source, ocr: Ocr, limits: Limits) -> bool:
        """Return whether another attempt with this text, OCR and limits would fail in the same way."""
        if self.text != source.text_stamp:
            return False
        if self.reason == "timeout" and limits.seconds > self.deadline:
            return False
        if self.reason == "memory" and limits.memory > self.memory:
            return False
        return self.ocr == _tried_with(ocr)


def keep_failure(work: Path, extractor: str, failed: Failed, ocr: Ocr, limits: Limits) -> None:
    """Keep a failure, unless it may not repeat itself."""
    if failed.reason in PASSING or (failed.reason == "crash" and _KILLED in failed.detail):
        return
    kept = KeptFailure(
        failed.reason, failed.detail, failed.seconds, _tried_with(ocr), limits.seconds, limits.memory,
        failed.source.text_stamp,
    )  # fmt: skip
    write_json(_path(work, extractor, failed.source.sha256), asdict(kept))


def kept_failure(work: Path, extractor: str, sha256: str) -> KeptFailure | None:
    """Return the failure of the last attempt to read these bytes; None where it is missing or damaged."""
    kept = read_json(_path(work, extractor, sha256))
    try:
        return KeptFailure(**kept) if isinstance(kept, Mapping) else None
    except TypeError:
        return None


def forget_failure(work: Path, extractor: str, sha256: str) -> None:
    """Remove the failure of bytes that were read after all."""
    _path(work, extractor, sha256).unlink(missing_ok=True)


def _path(work: Path, extractor: str, sha256: str) -> Path:
    return records_folder(work, extractor) / sha256[:2] / f"{sha256}{SUFFIX}"


def _tried_with(ocr: Ocr) -> str:
    return f"{ocr.mode} {ocr.stamp}".strip()
