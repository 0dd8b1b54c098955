"""The first stage, pure for any engine: a PDF's bytes to its pages, paragraphs and sentences."""

import gc
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from lookup.release.schema import PAGES, PARAGRAPH_SEPARATOR, PARAGRAPHS, SENTENCES
from lookup.text.folding import fold
from lookup.text.hyphenation import vocabulary
from lookup.text.sentences import sentence_spans
from pipeline.cleaning.clean import CleanText, clean, clean_code
from pipeline.cleaning.lexicon import lexicon
from pipeline.cleaning.lines_column import lines_array
from pipeline.extractor import EXTRACTOR
from pipeline.layout import LaidOut, PrintedParagraph, lay_out
from pipeline.layout.sections import SectionHeading, sections
from pipeline.metadata import ParagraphText, metadata
from pipeline.ocr.pages import pages_to_read, with_ocr
from pipeline.ocr.tesseract import LATE, NO_OCR, TIMED_OUT, Ocr
from pipeline.pdf.page_numbers import page_labels
from pipeline.pdf.reading import Pdf, PdfPage, read_pdf
from pipeline.records import arrow_schema, record


@dataclass(frozen=True)
class _CleanParagraph:
    """A paragraph as printed and as text, and the heading of its section."""

    printed: PrintedParagraph
    clean: CleanText
    section: SectionHeading


def extract(data: bytes, ocr: Ocr = NO_OCR) -> pa.RecordBatch:
    """Return the PDF `data` as one row of RECORD. Raise UnreadableError and NotGrantedError."""
    with _collector_paused():
        return _extracted(data, ocr)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Pause Python's cycle collector.

    All words of a PDF live until its record is made. Looking through them again and again takes a fifth of
    the time.
    """
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _extracted(data: bytes, ocr: Ocr) -> pa.RecordBatch:
    pdf = read_pdf(data)
    stamp = f"+{ocr.stamp}" if ocr.tesseract and pages_to_read(pdf.pages, ocr.mode) else ""
    pdf = replace(pdf, pages=with_ocr(data, pdf.pages, ocr))
    late = [page.number for page in pdf.pages if page.source == TIMED_OUT]
    labels = page_labels(pdf.pages)
    laid_out = lay_out(pdf.pages)
    paragraphs = _cleaned(laid_out)
    return record(
        EXTRACTOR + stamp + (LATE if late else ""),
        _metadata(pdf, paragraphs),
        {
            PAGES.name: _pages(pdf.pages, labels, laid_out.in_lines),
            PARAGRAPHS.name: _paragraphs(paragraphs, labels),
            SENTENCES.name: _sentences(paragraphs),
        },
        sum(page.scanned for page in pdf.pages),
        late,
    )


def _cleaned(laid_out: LaidOut) -> list[_CleanParagraph]:
    found = laid_out.paragraphs
    words = vocabulary(line.text for printed in found if not printed.hidden for line in printed.lines)
    listed = lexicon(words)
    texts = [
        clean_code(printed.lines) if printed.kind == "code" else clean(printed.lines, words, listed)
        for printed in found
    ]
    headings = sections([(printed, text.text) for printed, text in zip(found, texts, strict=True)])
    return [_CleanParagraph(*one) for one in zip(found, texts, headings, strict=True)]


def _pages(
    pages: Sequence[PdfPage], labels: dict[int, str | None], in_lines: Container[int]
) -> list[pa.Array]:
    rows = [(p.number, labels[p.number], p.width, p.height, p.rotation, _source(p, in_lines)) for p in pages]
    return _arrays(rows, arrow_schema(PAGES, extracted=True))


def _source(page: PdfPage, in_lines: Container[int]) -> str:
    if page.number in in_lines:
        return "lines"
    if not page.lines or page.scanned:
        return "empty"
    return "text" if page.source == TIMED_OUT else page.source


def _paragraphs(paragraphs: Sequence[_CleanParagraph], labels: dict[int, str | None]) -> list[pa.Array]:
    rows: list[tuple[Any, ...]] = []
    in_section: Counter[SectionHeading] = Counter()
    cursor = 0
    for number, one in enumerate(paragraphs):
        text = one.clean.text
        rows.append(
            (
                number,
                one.printed.page,
                max(line.page for line in one.printed.lines),
                labels[one.printed.page],
                one.printed.kind,
                one.printed.hidden,
                one.section.number,
                one.section.title,
                in_section[one.section],
                one.clean.text_raw,
                text,
                fold(text),
                one.clean.superscripts,
                cursor,
            )
        )
        in_section[one.section] += 1
        cursor += len(text) + len(PARAGRAPH_SEPARATOR)
    flat = [field for field in arrow_schema(PARAGRAPHS, extracted=True) if field.name != "lines"]
    return [*_arrays(rows, pa.schema(flat)), lines_array(one.clean.lines for one in paragraphs)]


def _sentences(paragraphs: Sequence[_CleanParagraph]) -> list[pa.Array]:
    rows: list[tuple[int, int, int, int, int]] = []
    in_section: Counter[SectionHeading] = Counter()
    for number, one in enumerate(paragraphs):
        spans = () if one.printed.hidden else sentence_spans(one.clean.text)
        for sentence, (start, end) in enumerate(spans):
            rows.append((number, sentence, in_section[one.section], start, end))
            in_section[one.section] += 1
    return _arrays(rows, arrow_schema(SENTENCES, extracted=True))


def _arrays(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> list[pa.Array]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]


def _metadata(pdf: Pdf, paragraphs: Sequence[_CleanParagraph]) -> dict[str, Any]:
    return asdict(
        metadata(
            pdf,
            [
                ParagraphText(one.printed.kind, one.printed.page, one.clean.text, one.section.title or "")
                for one in paragraphs
                if not one.printed.hidden
            ],
        )
    )
