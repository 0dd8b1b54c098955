"""The publishers' XML of PDFs: it gives their text, and the PDFs show where that is printed."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lookup.storage.object_path import ObjectPath
from pipeline.formats import BESIDE, format_of, is_article


@dataclass(frozen=True)
class ArticleText:
    """The publisher's XML of a PDF: its absolute path and its SHA-256 (hexadecimal)."""

    path: Path
    sha256: str

    @property
    def stamp(self) -> str:
        """What names it in an extraction: one of the same PDF with another text is another reading."""
        return f"{TEXT}{self.sha256[:16]}"


TEXT = "text-"  # Begins the stamp of an ArticleText.


def article_texts(files: Mapping[str, Path], keys: Mapping[str, str]) -> dict[str, Path]:
    """Return the XML of each PDF that has one: with its name beside it, else with its entry's key.

    `files` are the paths of sources, and `keys` those of their entries, by real path.
    """
    of_key: dict[str, Path] = {}
    for file, key in sorted(keys.items()):
        if files[file].suffix.lower() in BESIDE and _holds_article(files[file]):
            of_key.setdefault(key, files[file])
    found = {}
    for file, path in files.items():
        if format_of(path) == "pdf" and not isinstance(path, ObjectPath):
            text = _beside(path) or of_key.get(keys.get(file, ""))
            if text is not None:
                found[file] = text
    return found


def _beside(path: Path) -> Path | None:
    """Return the XML that lies beside the PDF and has its name."""
    stem = str(path).removesuffix(path.suffix)
    there = (Path(stem + suffix) for suffix in BESIDE if os.access(stem + suffix, os.R_OK))
    return next(filter(_holds_article, there), None)


def _holds_article(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return is_article(file)
    except (OSError, ValueError):
        return False  # as a source of its own it is rejected where it is read
