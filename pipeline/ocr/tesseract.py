"""The settings of OCR, and the readers that are installed here: Tesseract, and a second one."""

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from lookup.errors import BuildError
from retrieval.embedding.model import default_models

OcrMode = Literal["auto", "off", "force"]

PAGE_SECONDS = 30
"""The limit for OCR of one page in seconds of processor time, ten times the usual, however busy the machine
is. A page that takes longer is tried again by the next build."""

PAGE_CLOCK_SECONDS = 6.0 * PAGE_SECONDS
"""The same by the clock, for a Tesseract that waits: in the worst build, six wanted each processor."""

TIMED_OUT = "ocr timeout"
"""Where a page's text is from that OCR had no time to read, and the reason of this failure."""

LATE = "-late"
"""The end of the stamp of an extraction that lacks such pages."""

GET_SECOND_READER = "`pagequote model get pp-ocrv6`"
HOW_TO_INSTALL = f"Install Tesseract (apt-get install tesseract-ocr) or {GET_SECOND_READER}; build again."

SECOND_READER, FINDER, READER = "pp-ocrv6", "PP-OCRv6_det_small.onnx", "PP-OCRv6_rec_small.onnx"
"""The second reader's name among the models, and its files: what finds lines of text, and what reads one."""

DEFAULT_LANGUAGE = "eng"

_LANGUAGE = re.compile(
    rf"tesseract-[^+]*-(?!all|late)(\w+(?:\+\w+)*?)(?:\+{SECOND_READER})?(?:-all)?(?:{LATE})?$"
)


@dataclass(frozen=True)
class Tesseract:
    """An installed Tesseract: the program, its version, and the language to read ('eng', 'eng+deu')."""

    program: str
    version: str
    language: str

    @cached_property
    def stamp(self) -> str:
        """Version and language, which decide what it reads, as part of a file's name."""
        return re.sub(r"[^\w.+-]", "_", f"tesseract-{self.version}-{self.language}")


@dataclass(frozen=True)
class Ocr:
    """Which pages are read by OCR: those without text ("auto"), none ("off"), or all ("force"), and by what.

    By `tesseract`, and by the `second` reader, in its folder, where that is unsure or missing; without both,
    none. `granted` is the number of pages for which there is time, None for any number.
    """

    mode: OcrMode = "off"
    tesseract: Tesseract | None = None
    granted: int | None = None
    second: Path | None = None

    @property
    def stamp(self) -> str:
        """What tells text read by this OCR from other texts of the same PDF; '' without a reader."""
        readers = (self.tesseract and self.tesseract.stamp, self.second and SECOND_READER)
        stamp = "+".join(reader for reader in readers if reader)
        return f"{stamp}-all" if stamp and self.mode == "force" else stamp

    @property
    def remedy(self) -> str:
        """What to do so that OCR reads pages, if it reads none."""
        return "Build again without --ocr off." if self.mode == "off" else HOW_TO_INSTALL


NO_OCR = Ocr()


def language_of(stamps: Iterable[str]) -> str:
    """Return the language in which most texts with these stamps were read; without one, the default."""
    found = Counter(match[1] for one in stamps if (match := _LANGUAGE.search(one)))
    return max(found, key=found.__getitem__, default=DEFAULT_LANGUAGE).replace("script_", "script/")


def find_ocr(mode: OcrMode, language: str) -> Ocr:
    """Return the OCR that is possible here; without a reader, "auto" reads no page.

    Raise BuildError if "force" has no reader, or Tesseract has no data for the language.
    """
    program = None if mode == "off" else shutil.which("tesseract")
    reader = default_models() / SECOND_READER
    second = reader if mode != "off" and (reader / READER).is_file() else None
    if program is None:
        if mode == "force" and second is None:
            raise BuildError(f"--ocr force needs Tesseract, which is not installed. {HOW_TO_INSTALL}")
        return Ocr(mode, second=second)
    first = _output([program, "--version"]).split("\n", 1)[0]
    known = _output([program, "--list-langs"]).split("\n")[1:]
    for name in language.split("+"):
        if name not in known:
            package = "tesseract-ocr-" + name.lower().replace("_", "-").replace("/", "-")
            raise BuildError(
                f"Tesseract has no data for the language {name!r}. Install it (apt-get install {package}), "
                f"or choose another with --ocr-language. Installed: {', '.join(filter(None, known))}."
            )
    return Ocr(mode, Tesseract(program, first.removeprefix("tesseract").strip(), language), second=second)


def _output(command: Sequence[str]) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=PAGE_CLOCK_SECONDS)  # noqa: S603  # what shutil.which found
    except (OSError, subprocess.SubprocessError) as error:
        raise BuildError(
            f"Tesseract does not run ({error}). Repair its installation, or build with --ocr off."
        ) from error
    return done.stdout or done.stderr
