"""What could not be read, kept by content like what could, so that no night spends its deadlines on the same files again."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from pipeline.atomic_files import write_atomically
from pipeline.ocr.tesseract import Ocr
from pipeline.work.extraction_cache import records_folder
from pipeline.work.outcomes import Failed, Limits

PASSING = frozenset({"unreadable", "changed", "ocr"})
"""Reasons that lie in the machine or the moment, not in the bytes: such a file is tried again by every build."""

_KILLED = "SIGKILL"
"""A crash by this signal is not the PDF's: somebody sent it, mostly a kernel that ran out of memory."""

SUFFIX = ".failed.json"


@dataclass(frozen=True)
class KeptFailure:
    """Why these bytes could not be read, after how many seconds, and with what they were tried."""

    reason: str
    detail: str
    seconds: float
    ocr: str
    deadline: float
    memory: int

    def stands(self, ocr: Ocr, limits: Limits) -> bool:
        """Whether another try with this would end as it did."""
        if self.reason == "timeout" and limits.seconds > self.deadline:
            return False
        if self.reason == "memory" and limits.memory > self.memory:
            return False
        return self.ocr == _tried_with(ocr)


def keep_failure(work: Path, extractor: str, failed: Failed, ocr: Ocr, limits: Limits) -> None:
    """Keep it, unless its cause will pass."""
    if failed.reason in PASSING or (failed.reason == "crash" and _KILLED in failed.detail):
        return
    kept = KeptFailure(
        failed.reason, failed.detail, failed.seconds, _tried_with(ocr), limits.seconds, limits.memory
    )
    path = _path(work, extractor, failed.source.sha256)
    write_atomically(path, (json.dumps(asdict(kept)) + "\n").encode())


def kept_failure(work: Path, extractor: str, sha256: str) -> KeptFailure | None:
    """How the last try to read these bytes ended; None where none failed, or its file is damaged."""
    try:
        said = json.loads(_path(work, extractor, sha256).read_bytes())
        return KeptFailure(**said) if isinstance(said, Mapping) else None
    except (OSError, ValueError, TypeError):
        return None


def forget_failure(work: Path, extractor: str, sha256: str) -> None:
    """These bytes were read after all."""
    _path(work, extractor, sha256).unlink(missing_ok=True)


def _path(work: Path, extractor: str, sha256: str) -> Path:
    return records_folder(work, extractor) / sha256[:2] / f"{sha256}{SUFFIX}"


def _tried_with(ocr: Ocr) -> str:
    return f"{ocr.mode} {ocr.stamp}".strip()
