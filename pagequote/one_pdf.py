"""A quote checked or found in one PDF, with nothing built: `pipeline` reads and keeps it."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from lookup.corpus import Corpus
from lookup.errors import SourceError
from lookup.limits import PageName, with_limit
from lookup.quote.match import Context
from lookup.release.schema import PARAGRAPHS
from lookup.results.papers import Original, PaperSummary
from lookup.results.quote_answer import QuoteAnswer, Verification


def verify_pdf(path: str | PathLike[str], words: str, page: PageName = 0) -> Verification:
    """Return `Corpus.verify` of the PDF at `path`, which is read now, or was kept when it was read first.

    Raise SourceError if it cannot be read, or if the extra `pipeline` is not installed; QueryError.
    """
    with open_pdf(path) as corpus:
        return corpus.verify(corpus.key, words, page)


@with_limit
def quote_pdf(
    path: str | PathLike[str],
    words: str,
    page: PageName = 0,
    limit: int = 1,
    context: Context = "paragraph",
    context_chars: int = 400,
    paragraphs: int = 1,
) -> QuoteAnswer:
    """Return `Corpus.quote` of the PDF at `path`, which is read now, or was kept when it was read first.

    Raise SourceError if it cannot be read, or if the extra `pipeline` is not installed; QueryError or
    PageNotFoundError.
    """
    with open_pdf(path) as corpus:
        return corpus.quote(corpus.key, words, page, limit, context, context_chars, paragraphs)


def ground_pdf(
    path: str | PathLike[str], values: Mapping[str, str], limit: int = 20
) -> dict[str, QuoteAnswer]:
    """Return `Corpus.ground` of the PDF at `path`, as `quote_pdf` does."""
    with open_pdf(path) as corpus:
        return corpus.ground(corpus.key, values, limit)


def paragraphs_of(pdf: bytes) -> list[dict[str, Any]]:
    """Return the paragraphs of a PDF, which is read now and kept nowhere, as rows of the release's table.

    Raise SourceError if it cannot be read, or if the extra `pipeline` is not installed.
    """
    try:
        from pipeline.extract import extract  # noqa: PLC0415
        from pipeline.pdf.opening import UnreadableError  # noqa: PLC0415
        from pipeline.records import table_of  # noqa: PLC0415

        rows: list[dict[str, Any]] = table_of(extract(pdf), PARAGRAPHS).to_pylist()
    except ModuleNotFoundError as error:
        raise SourceError(_INSTALL.format("a PDF", error.name)) from error
    except UnreadableError as error:
        raise SourceError(f"{error}.") from error
    return rows


_INSTALL = "Reading {} needs {!r}, which is not installed: pip install 'pagequote[pipeline]'"


class PdfCorpus(Corpus):
    """The corpus of the PDF `file` alone, kept at `path`. Any name means its paper."""

    def __init__(self, path: Path, file: Path) -> None:
        super().__init__(path)
        self._file = file

    @property
    def key(self) -> str:
        """The key of its paper."""
        return self.papers()[0].key

    def resolve(self, name: str) -> tuple[PaperSummary, ...]:
        """Return its paper."""
        del name
        return self.papers()

    def original(self, key: str) -> Original:
        """Return the PDF where it is now; it may have been elsewhere when it was read."""
        return super().original(key)._replace(path=str(self._file.absolute()))


def open_pdf(path: str | PathLike[str], within: Sequence[Path] = ()) -> PdfCorpus:
    """Return the corpus of the PDF at `path` alone; with `within`, only of one in such a folder, or below.

    The PDF is read in a process that can be killed, and opened without waiting: whoever names it may have it
    from a text. Raise SourceError, or BuildError if nothing was made.
    """
    file = Path(path)
    try:
        from pipeline.builds.one_pdf import corpus_of_pdf  # the extra `pipeline`  # noqa: PLC0415

        return PdfCorpus(corpus_of_pdf(file, within), file)
    except ModuleNotFoundError as error:
        raise SourceError(_INSTALL.format(f"the PDF {str(file)!r}", error.name)) from error
