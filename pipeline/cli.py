"""The commands that write a corpus, and those that need its PDFs."""

import json
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.cli.options import corpus_option
from lookup.errors import PageQuoteError
from lookup.release import default_corpus

if TYPE_CHECKING:
    from pipeline.ocr import Mode

_SOURCES = click.argument("sources", nargs=-1, required=True)
_BIB = click.option(
    "--bib",
    "bibliographies",
    multiple=True,
    type=click.Path(path_type=Path),
    help="A .bib that gives keys and titles to the files.",
)
_WORK = click.option(
    "--work",
    type=click.Path(path_type=Path),
    help="Where extractions are kept between builds.  [default: work, beside the corpus]",
)
_WORKERS = click.option(
    "--workers", type=click.IntRange(1), help="Processes that read PDFs.  [default: one a processor]"
)
_DEADLINE = click.option(
    "--deadline",
    type=click.FloatRange(min=0.1),
    default=120.0,
    show_default=True,
    help="Seconds that one PDF may take.",
)
_MEMORY = click.option(
    "--memory",
    type=click.IntRange(64),
    default=4096,
    show_default=True,
    help="MiB that reading one PDF may take.",
)
_OCR = click.option(
    "--ocr",
    "ocr_mode",
    type=click.Choice(["auto", "off", "force"]),
    default="auto",
    show_default=True,
    help="Pages to read by Tesseract: those without usable text, none, or all.",
)
_OCR_LANGUAGE = click.option(
    "--ocr-language",
    default="eng",
    show_default=True,
    help="What Tesseract reads; several as eng+deu.",
)
_METRICS = click.option(
    "--metrics", type=click.Path(path_type=Path), help="Write what was done to this file, as JSON."
)
_MODEL = click.option(
    "--model",
    help="The model that makes vectors, a name among the models (`pagequote model get`) or a folder; without one there are none.",
)


def _extraction_options(command: Callable[..., Any]) -> Callable[..., Any]:
    for option in (_OCR_LANGUAGE, _OCR, _MEMORY, _DEADLINE, _WORKERS, _WORK, _BIB, _SOURCES):
        command = option(command)
    return command


@click.command
@_extraction_options
@corpus_option
@_MODEL
@_METRICS
def build(
    sources: tuple[str, ...],
    bibliographies: tuple[Path, ...],
    work: Path | None,
    workers: int | None,
    deadline: float,
    memory: int,
    ocr_mode: "Mode",
    ocr_language: str,
    corpus: Path | None,
    model: str | None,
    metrics: Path | None,
) -> None:
    """Turn PDFs into a corpus and make it current: extract, embed, publish.

    SOURCES are PDF files, folders, globs, or .bib files whose entries name their PDFs. A paper's key is its .bib key, else the file's name
    (or its folder's, when the file is called paper.pdf, main.pdf or fulltext.pdf).

    \b
    Examples:
      pagequote build papers/
      pagequote build library.bib
      pagequote build "papers/**/*.pdf" --bib library.bib --corpus data/corpus
    """
    from lookup.model import find_model
    from pipeline import report
    from pipeline.build import available_workers
    from pipeline.build import build as build_all
    from pipeline.ocr import find_ocr
    from pipeline.workers import Limits

    began = time.monotonic()
    corpus = corpus or default_corpus()
    work = work or corpus.parent / "work"
    limits, ocr = Limits(deadline, memory << 20), find_ocr(ocr_mode, ocr_language)
    encoder = find_model(model) if model else None
    extraction, published = build_all(
        sources, bibliographies, work, corpus, workers or available_workers(), limits, encoder, ocr
    )
    seconds = time.monotonic() - began
    click.echo(report.summary(extraction, published, seconds), err=True)
    _write_metrics(metrics, report.metrics(extraction, published, seconds))


@click.command
@_extraction_options
def extract(
    sources: tuple[str, ...],
    bibliographies: tuple[Path, ...],
    work: Path | None,
    workers: int | None,
    deadline: float,
    memory: int,
    ocr_mode: "Mode",
    ocr_language: str,
) -> None:
    """Read PDFs into the work folder; the first stage of a build."""
    from pipeline.build import available_workers, extract_stage
    from pipeline.ocr import find_ocr
    from pipeline.workers import Limits

    limits, ocr = Limits(deadline, memory << 20), find_ocr(ocr_mode, ocr_language)
    done = extract_stage(
        sources, bibliographies, work or _default_work(), workers or available_workers(), limits, ocr
    )
    failed = sum(done.failures.values())
    click.echo(f"{done.sources} sources, {done.read} read ({done.pages} pages), {failed} failed", err=True)


@click.command
@_WORK
@_MODEL
def embed(work: Path | None, model: str | None) -> None:
    """Make vectors of the sentences in the work folder; the second stage of a build."""
    from lookup.model import find_model
    from pipeline import report
    from pipeline.embed import embed_stage

    embedding = embed_stage(work or _default_work(), find_model(model) if model else None)
    click.echo(report.embedded(embedding), err=True)


@click.command
@_WORK
@corpus_option
@_METRICS
def publish(work: Path | None, corpus: Path | None, metrics: Path | None) -> None:
    """Make a release of what the work folder holds, and make it current; the last stage of a build."""
    from pipeline import report
    from pipeline.build import publish_stage

    began = time.monotonic()
    corpus = corpus or default_corpus()
    published = publish_stage(work or corpus.parent / "work", corpus)
    click.echo(f"{'published' if published.new else 'unchanged:'} {published.release.name}", err=True)
    _write_metrics(metrics, report.metrics(None, published, time.monotonic() - began))


@click.command
@click.argument("key")
@click.option("--page", default=1, show_default=True, help="The page, counted from 1.")
@click.option(
    "--out", type=click.Path(path_type=Path), help="The picture, as PNG.  [default: KEY-pageN.png, here]"
)
@corpus_option
def inspect(key: str, page: int, out: Path | None, corpus: Path | None) -> None:
    """Draw a page of the paper KEY with its paragraphs over it.

    Each line is outlined in the colour of its paragraph's kind; number, kind and section stand in the margin, with
    "< p. 3" or "> p. 5" where the paragraph comes from or goes on to another page. Grey arrows show the reading order.
    It needs the PDF that the paper was read from.

    \b
    Examples:
      pagequote inspect feng2022 --page 6
      pagequote inspect feng2022 --page 6 --out page6.png
    """
    from lookup.corpus import open as open_corpus
    from pipeline.inspection import inspect_page

    with open_corpus(corpus) as opened:
        picture = inspect_page(opened, key, page)
    if out is None:
        name = re.sub(r"[^\w.-]", "_", key)  # a key may have slashes
        out = Path(f"{name}-page{page}.png")
    _write_picture(out, picture)
    click.echo(out)


def _write_picture(path: Path, picture: bytes) -> None:
    from pipeline.files import write_atomically

    try:
        write_atomically(path, picture)
    except OSError as error:
        raise PageQuoteError(
            f"{str(path)!r} cannot be written ({error.strerror}). Name another file with --out."
        ) from error


def _default_work() -> Path:
    return default_corpus().parent / "work"


def _write_metrics(path: Path | None, figures: dict[str, Any]) -> None:
    from pipeline.files import write_atomically

    if path is not None:
        write_atomically(path, (json.dumps(figures, indent=2) + "\n").encode())


@click.command
@click.argument("key")
@click.argument("words")
@click.option("--page", default=0, show_default=True, help="Search this page only; 0 searches all.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The picture, as PNG.  [default: KEY-pageN-quote.png, here]",
)
@corpus_option
def show(key: str, words: str, page: int, out: Path | None, corpus: Path | None) -> None:
    """Draw the page of the paper KEY that prints WORDS, with the words marked.

    It needs the PDF that the paper was read from. A quote that goes on on another page has a picture of each.
    Exit status: 0 found, 1 nothing found, 2 a call that cannot be answered.

    \b
    Examples:
      pagequote show feng2022 "electrochemically switchable states"
      pagequote show feng2022 "electrochemically switchable states" --page 6 --out proof.png
    """
    from lookup.corpus import open as open_corpus
    from pipeline.inspection import show_quote

    with open_corpus(corpus) as opened:
        answer = opened.quote(key, words, page)
        if not answer:
            click.echo(answer.hint, err=True)
            raise SystemExit(1)
        pictures = show_quote(opened, answer.matches[0])
    match = answer.matches[0]
    click.echo(f"{key}, page {match.page}: {match.verdict}")
    name = re.sub(r"[^\w.-]", "_", key)  # a key may have slashes
    for number, picture in pictures.items():
        path = out or Path(f"{name}-page{number}-quote.png")
        if out is not None and number != match.page:
            path = out.with_stem(f"{out.stem}-page{number}")
        _write_picture(path, picture)
        click.echo(path)
