"""The first stage: a PDF's bytes to its pages, paragraphs and sentences. Pure, so that any engine can run it."""

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any

import pyarrow as pa

from lookup.release.schema import PAGES, PARAGRAPH_SEPARATOR, PARAGRAPHS, SENTENCES
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from pipeline.cleaning.clean import CleanText, clean
from pipeline.cleaning.hyphenation import vocabulary
from pipeline.cleaning.lexicon import lexicon
from pipeline.cleaning.lines_column import lines_array
from pipeline.layout import Passage, find_paragraphs
from pipeline.layout.sections import Section, sections
from pipeline.metadata import Printed, metadata
from pipeline.ocr.pages import pages_to_read, with_ocr
from pipeline.ocr.tesseract import NO_OCR, Ocr
from pipeline.pdf.page_numbers import page_labels
from pipeline.pdf.reading import Page, Pdf, read_pdf
from pipeline.records import EXTRACTOR, arrow_schema, record


@dataclass(frozen=True)
class _Paragraph:
    """A paragraph: as it is laid out, as text, and the section it stands in."""

    passage: Passage
    clean: CleanText
    section: Section


def extract(data: bytes, ocr: Ocr = NO_OCR) -> pa.RecordBatch:
    """The PDF `data` as one row of RECORD; raises reading.UnreadableError and ocr.NotGrantedError."""
    with _collector_paused():
        return _extracted(data, ocr)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Without Python's search for cycles.

    A PDF's words all live until its record is made, and looking through them again and again takes a fifth of
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
    labels = page_labels(pdf.pages)
    paragraphs = _laid_out(pdf.pages)
    return record(
        EXTRACTOR + stamp,
        _metadata(pdf, paragraphs),
        {
            PAGES.name: _pages(pdf.pages, labels),
            PARAGRAPHS.name: _paragraphs(paragraphs, labels),
            SENTENCES.name: _sentences(paragraphs),
        },
        sum(page.scanned for page in pdf.pages),
    )


def _laid_out(pages: Sequence[Page]) -> list[_Paragraph]:
    found = find_paragraphs(pages)
    words = vocabulary(line.text for passage in found for line in passage.lines)
    listed = lexicon(words)
    texts = [clean(passage.lines, words, listed) for passage in found]
    standing = sections([(passage, text.text) for passage, text in zip(found, texts, strict=True)])
    return [_Paragraph(*one) for one in zip(found, texts, standing, strict=True)]


def _pages(pages: Sequence[Page], labels: dict[int, str | None]) -> list[pa.Array]:
    rows = [(p.number, labels[p.number], p.width, p.height, p.rotation, _source(p)) for p in pages]
    return _arrays(rows, arrow_schema(PAGES, without_key=True))


def _source(page: Page) -> str:
    return page.source if page.lines and not page.scanned else "empty"


def _paragraphs(paragraphs: Sequence[_Paragraph], labels: dict[int, str | None]) -> list[pa.Array]:
    rows: list[tuple[Any, ...]] = []
    in_section: Counter[Section] = Counter()
    cursor = 0
    for number, one in enumerate(paragraphs):
        text = one.clean.text
        rows.append(
            (
                number,
                one.passage.page,
                max(line.page for line in one.passage.lines),
                labels[one.passage.page],
                one.passage.kind,
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
    flat = [field for field in arrow_schema(PARAGRAPHS, without_key=True) if field.name != "lines"]
    return [*_arrays(rows, pa.schema(flat)), lines_array(one.clean.lines for one in paragraphs)]


def _sentences(paragraphs: Sequence[_Paragraph]) -> list[pa.Array]:
    rows: list[tuple[int, int, int, int, int]] = []
    in_section: Counter[Section] = Counter()
    for number, one in enumerate(paragraphs):
        for sentence, (start, end) in enumerate(sentence_spans(one.clean.text)):
            rows.append((number, sentence, in_section[one.section], start, end))
            in_section[one.section] += 1
    return _arrays(rows, arrow_schema(SENTENCES, without_key=True))


def _arrays(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> list[pa.Array]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]


def _metadata(pdf: Pdf, paragraphs: Sequence[_Paragraph]) -> dict[str, Any]:
    return asdict(
        metadata(
            pdf,
            [
                Printed(one.passage.kind, one.passage.page, one.clean.text, one.section.title or "")
                for one in paragraphs
            ],
        )
    )
