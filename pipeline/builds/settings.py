"""The settings of a build, from the command line down to the survey."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from pipeline.ocr.tesseract import NO_OCR, Ocr
from pipeline.sources.keys import Keys
from pipeline.work.outcomes import Limits


@dataclass(frozen=True)
class BuildSettings:
    """The sources of a build, its work folder, and how the PDFs are read.

    With `since`, files that the last build knew and that were not touched since then stay as they were,
    unopened. `retry` reads again what failed. `force` reads everything again, and publishes a release even
    without a change. `keys` says which keys the papers have that no library names. `max_gone` is the
    share of the last build's papers that may be gone; None is survey.MAX_GONE, and any FEW of them. `shards`
    is the number of shards of the release; None is as many as the current one has.
    """

    sources: Sequence[str | Path]
    bibliographies: Sequence[Path]
    work: Path
    limits: Limits = field(default_factory=Limits)
    ocr: Ocr = NO_OCR
    since: datetime | None = None
    retry: bool = False
    force: bool = False
    keys: Keys = "auto"
    max_gone: float | None = None
    shards: int | None = None
