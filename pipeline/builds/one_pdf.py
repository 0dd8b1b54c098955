"""A corpus of one PDF, with what its quotes and pages are read from, kept in the user's cache."""

import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lookup.errors import SourceError
from lookup.storage.untrusted_files import open_file
from objectstore.releases import cache_folder, private_folder
from pipeline.extractor import EXTRACTOR
from pipeline.formats import LARGEST
from pipeline.sources.files import article_texts
from pipeline.sources.source import TEXT, ArticleText

_KEPT = 100  # PDFs whose corpora are kept, some 3 MB each; the one used longest ago is removed first.
_WAIT = 120.0  # Seconds to wait for another process that reads the same PDF: its deadline.


def corpus_of_pdf(file: Path, within: Sequence[Path] = ()) -> Path:
    """Return the corpus of a PDF alone, read now or kept from earlier. Raise PageQuoteError.

    It is kept for the file's content, with the XML beside it, and this version of the extraction: a copy of
    the file, under any name, has the key of the one that was read. With `within`, both must be in such a
    folder, or below, links followed. A file that changes between the hash and the reading is not kept.
    """
    try:
        hashes = [
            _hash(file, within),
            *(_hash(one, within) for one in article_texts({"": file}, {}).values()),
        ]
    except OSError as error:
        raise SourceError(
            f"{str(error.filename)!r} cannot be read: {error.strerror}. Name a PDF on this machine."
        ) from error
    folder = (
        private_folder(cache_folder() / "pdfs")
        / hashlib.sha256("\0".join([EXTRACTOR, *hashes]).encode()).hexdigest()
    )
    corpus = folder / "corpus"
    if (corpus / "current").exists():
        os.utime(folder)
        return corpus
    # A PDF that is kept is answered without these.
    from pipeline.engines.local import Local  # noqa: PLC0415

    with Local(1).begun() as engine:
        from pipeline.builds.extract_sources import extract_sources  # noqa: PLC0415
        from pipeline.builds.survey import BuildSettings  # noqa: PLC0415
        from pipeline.files.atomic import locked, remove, set_mode  # noqa: PLC0415
        from pipeline.ocr.tesseract import find_ocr  # noqa: PLC0415
        from pipeline.publish.publish import publish_for_quotes  # noqa: PLC0415
        from pipeline.work.machine_errors import machine_troubles  # noqa: PLC0415
        from pipeline.work.state import source_rows  # noqa: PLC0415

        work = folder / "work"
        settings = BuildSettings([file.absolute()], (), work, ocr=find_ocr("auto", "eng"))
        with machine_troubles(), locked(folder, _WAIT):
            if not (corpus / "current").exists():  # another process may have made it meanwhile
                extract_sources(settings, engine)
                texts = [ArticleText(file, one).stamp for one in hashes[1:]]
                for row in source_rows(work):
                    stamps = re.findall(rf"{TEXT}[0-9a-f]+", row["record"] or "".join(texts))
                    if row["sha256"] != hashes[0] or stamps != texts:
                        raise SourceError(
                            f"{str(file)!r} changed while it was read, and is not kept. Try again."
                        )
                publish_for_quotes(work, corpus)
                for made in (folder, *folder.rglob("*")):
                    if not made.is_symlink():
                        set_mode(made, 0o700 if made.is_dir() else 0o600)
        folders = sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime, reverse=True)
        for oldest in folders[_KEPT:]:
            remove(oldest, folder.parent)  # another process may remove it, too
    return corpus


def _hash(file: Path, within: Sequence[Path]) -> str:
    """Return the SHA-256 of a file in one of the folders, if any are named; raise SourceError, OSError."""
    real, folder = file, None
    if within:
        with suppress(ValueError, RuntimeError):  # a null; in Python 3.12 and before, a link to itself
            real = file.resolve()
        folder = next((top for one in within if real.is_relative_to(top := one.resolve())), None)
        if folder is None:
            named = ", ".join(str(one) for one in within)
            raise SourceError(f"{str(file)!r} may not be read here. PDFs in these folders may: {named}.")
    with open_file(real, LARGEST, folder) as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
