"""The formats of sources, by the suffixes of their files: what is no markup is read as a PDF."""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import BinaryIO, Literal

Format = Literal["pdf", "xml", "html", "epub", "word", "opendocument"]

FORMATS: Mapping[str, Format] = {
    ".pdf": "pdf",
    ".xml": "xml",
    ".nxml": "xml",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".epub": "epub",
    ".docx": "word",
    ".odt": "opendocument",
}
"""The formats of the files that papers are read from, by suffix in lower case."""

MARKED_COPY = b"\n%PageQuote: a copy with marks\n"  # How a PDF ends into which PageQuote wrote marks.

MARKUP = frozenset(suffix for suffix, form in FORMATS.items() if form != "pdf")
"""Suffixes of files with markup, in lower case."""

BESIDE = (".xml", ".nxml")
"""Suffixes of a publisher's text that may belong to a PDF: web pages and drafts are often something else."""

IN_LIBRARIES = (".pdf", *BESIDE, ".epub")
"""Suffixes of a library's files that may be papers: its web pages are mostly snapshots of abstracts."""

LARGEST = 2 << 30
"""Bytes of a source: volumes of scans have some hundred million."""

LARGEST_LIBRARY = 1 << 28
"""Bytes of a .bib or of CSL JSON: 100,000 entries with abstracts have some 200 million."""

_ARTICLE = re.compile(rb"<(?:[\w.-]{1,99}:)?article[\s>]")
_HEAD = 1 << 16
"""Bytes within which an article's markup begins, whatever declarations and comments stand before it."""


def format_of(path: PurePath) -> Format:
    """Return the format of a source by its name."""
    return FORMATS.get(path.suffix.lower(), "pdf")


def is_article(file: BinaryIO) -> bool:
    """Return whether XML seems to be an article (JATS), and nothing else that lies beside a PDF."""
    return _ARTICLE.search(file.read(_HEAD)) is not None
