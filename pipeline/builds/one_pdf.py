"""A corpus of one PDF, with what its quotes and pages are read from, kept in the user's cache."""

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.object_cache import cache_folder, private_folder
from lookup.storage.untrusted_files import open_file
from pipeline.extractor import EXTRACTOR
from pipeline.formats import LARGEST
from pipeline.sources.source import article_texts

_KEPT = 100  # PDFs whose corpora are kept, some 3 MB each; the one used longest ago is removed first.
_PIECE = 1 << 20  # Bytes that are hashed at a time.
_WAIT = 120.0  # Seconds to wait for another process that reads the same PDF: its deadline.


def corpus_of_pdf(file: Path, within: Sequence[Path] = ()) -> Path:
    """Return the corpus of a PDF alone, read now or kept from earlier. Raise PageQuoteError.

    It is kept for the file's content, with the XML beside it, and this version of the extraction: a copy of
    the file, under any name, has the key of the one that was read. With `within`, both must be in such a
    folder, or below, links followed.
    """
    digest = hashlib.sha256(EXTRACTOR.encode())
    try:
        for one in (file, *article_texts({"": file}, {}).values()):
            _check_within(one, within)
            _hash(one, digest)
    except OSError as error:
        raise SourceError(
            f"{str(error.filename)!r} cannot be read: {error.strerror}. Name a PDF on this machine."
        ) from error
    folder = _folder() / digest.hexdigest()
    corpus = folder / "corpus"
    if (corpus / "current").exists():
        os.utime(folder)
        return corpus
    # A PDF that is kept is answered without these.
    from pipeline.engines.local import Local  # noqa: PLC0415

    with Local(1).begun() as engine:
        from pipeline.builds.extract_sources import extract_sources  # noqa: PLC0415
        from pipeline.builds.survey import BuildSettings  # noqa: PLC0415
        from pipeline.files.atomic import locked, set_mode  # noqa: PLC0415
        from pipeline.ocr.tesseract import find_ocr  # noqa: PLC0415
        from pipeline.publish.publish import publish_for_quotes  # noqa: PLC0415
        from pipeline.work.machine_errors import machine_troubles  # noqa: PLC0415

        work = folder / "work"
        settings = BuildSettings([file.absolute()], (), work, ocr=find_ocr("auto", "eng"))
        with machine_troubles(), locked(folder, _WAIT):
            if not (corpus / "current").exists():  # another process may have made it meanwhile
                extract_sources(settings, engine)
                publish_for_quotes(work, corpus, EXTRACTOR)
                for made in (folder, *folder.rglob("*")):
                    if not made.is_symlink():
                        set_mode(made, 0o700 if made.is_dir() else 0o600)
    _remove_oldest()
    return corpus


def _check_within(file: Path, folders: Sequence[Path]) -> None:
    """Raise SourceError unless the file is in one of the folders (if any are named), or below; OSError."""
    try:
        real = file.resolve()
    except (ValueError, RuntimeError):  # a null character; in Python 3.12 and before, a link to itself
        real = file
    if folders and not any(real.is_relative_to(one.resolve()) for one in folders):
        named = ", ".join(str(one) for one in folders)
        raise SourceError(f"{str(file)!r} may not be read here. PDFs in these folders may: {named}.")


def _hash(file: Path, digest: "hashlib._Hash") -> None:
    digest.update(b"\0")
    with open_file(file, LARGEST) as opened:
        while piece := opened.read(_PIECE):
            digest.update(piece)


def _remove_oldest() -> None:
    from pipeline.files.atomic import remove  # noqa: PLC0415

    folders = sorted(_folder().iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
    for folder in folders[_KEPT:]:
        remove(folder, folder.parent)  # another process may remove it, too


def _folder() -> Path:
    return private_folder(cache_folder() / "pdfs")
