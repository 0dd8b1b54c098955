"""Opening a PDF: its bytes to PyMuPDF's document, or the reason why it cannot be read."""

import logging
import re
from collections.abc import Callable
from typing import Any

import pymupdf

from lookup.release.current import CUT_SHORT

pymupdf.TOOLS.mupdf_display_errors(on=False)
pymupdf.TOOLS.mupdf_display_warnings(on=False)
# Else they go to standard output, with names out of the PDF.
pymupdf.set_messages(pylogging=True, pylogging_level=logging.DEBUG)

MUPDF_ERRORS = (pymupdf.mupdf.FzErrorBase, RuntimeError, ValueError, IndexError)
"""What PyMuPDF raises for a broken file: its classes are not one family."""


class UnreadableError(Exception):
    """A PDF cannot be read. `reason` is one short word for each cause, the message says what to do."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(reason, detail)  # both, so that it survives the way out of a worker process
        self.reason = reason
        self.detail = detail

    def __str__(self) -> str:
        return self.detail


def open_pdf(data: bytes) -> Any:
    """Return the PDF `data` as PyMuPDF's document, which the caller closes. Raise UnreadableError."""
    if not data:
        raise UnreadableError("empty file", "The file has no bytes. Fetch the PDF again.")
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
        pages = len(document)
    except MUPDF_ERRORS as error:
        if _OTHER_LOCK in str(error.__cause__):
            raise _LOCKED from error
        raise _ended(data) or refusal("MuPDF cannot open it", error) from error
    if not document.is_pdf:  # MuPDF looks inside, and opens a web page as one
        document.close()
        raise _no_pdf(data)
    if document.needs_pass:
        document.close()
        raise UnreadableError(
            "password", "The PDF asks for a password. Save it without one, with qpdf --decrypt for example."
        )
    if not pages:
        document.close()
        none = "The PDF has no page that MuPDF can find. Fetch it again, or repair it."
        raise _ended(data) or UnreadableError("no pages", none)
    return document


def _ended(data: bytes) -> UnreadableError | None:
    """Return why a PDF without pages is none, or none any more; None if its bytes do not tell."""
    if not _begins_as_pdf(data):
        return _no_pdf(data)
    return UnreadableError(CUT_SHORT, _cut(data)) if _ends_early(data) else None


def given(get: Callable[[], Any], instead: Any) -> Any:
    """Return what PyMuPDF gives, `instead` where it fails or gives nothing: pages can be read without."""
    try:
        return get() or instead
    except (*MUPDF_ERRORS, AssertionError):
        return instead


def _begins_as_pdf(data: bytes) -> bool:
    """Whether the first 1,024 bytes hold the header, as Acrobat accepts it (ISO 32000-1, H.3, note 13)."""
    return b"%PDF-" in data[:1024]


def cut_short(document: Any, data: bytes) -> str:
    """Return what is to be said of an open PDF that MuPDF had to repair, and that ends early; else ''."""
    return _cut(data) if document.is_repaired and _ends_early(data) else ""


def _ends_early(data: bytes) -> bool:
    """Whether a PDF has no mark of its end in its last 1,024 bytes, or fewer bytes than it says.

    Viewers look for the mark there (ISO 32000-1, H.3, note 18). A linearized PDF says its length at its
    beginning.
    """
    told = _LENGTH.search(data[:1024])
    return b"%%EOF" not in data[-1024:] or (told is not None and int(told[1]) > len(data))


def _cut(data: bytes) -> str:
    return f"The PDF is cut short: {len(data):,} bytes; fetch it again. Pages at its end may be missing."


_LENGTH = re.compile(rb"/Linearized.{0,200}?/L\s+(\d{1,15})\b", re.DOTALL)

_OTHER_LOCK = "encryption handler"
"""What MuPDF says of a PDF that is locked by other means than a password, a certificate for example."""

_LOCKED = UnreadableError(
    "password",
    "The PDF is locked for the owner of a certificate, or in another way than by a password. "
    "Open it with the program that may, and save it unlocked.",
)

_POINTER = b"version https://git-lfs.github.com/spec/"
_WEB_PAGE = re.compile(rb"<(?:!doctype\s+)?html\b", re.IGNORECASE)


def _no_pdf(data: bytes) -> UnreadableError:
    """Return the error for bytes that do not begin as a PDF does, with what they are where they tell."""
    if data.startswith(_POINTER):
        return UnreadableError(
            "not a PDF", "The file is a Git LFS pointer to the PDF. Run `git lfs pull` in its clone."
        )
    if _WEB_PAGE.search(data[:1024]):
        return UnreadableError(
            "not a PDF",
            "The file is a web page, as a sign-in leaves one. "
            "Fetch the PDF itself; name a paper that is a page .html.",
        )
    return UnreadableError(
        "not a PDF",
        "The file does not begin as a PDF does. Put the PDF itself here; other "
        "formats are known by their suffix: .xml, .html, .epub, .docx, .odt.",
    )


def refusal(what: str, error: Exception) -> Exception:
    """Return the error to raise where MuPDF failed with `error`: `what` says at what."""
    if "malloc" in str(error):  # MuPDF reached the memory limit
        return MemoryError(f"{what}: {error}")
    return UnreadableError("damaged", f"{what} ({error}). Fetch the PDF again, or repair it.")
