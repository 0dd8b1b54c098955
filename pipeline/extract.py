"""The first stage: a PDF's bytes to its pages, paragraphs and sentences. Pure, so that any engine can run it."""

import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lookup.context import SEPARATOR
from lookup.folding import fold
from lookup.schema import PAGES, PARAGRAPHS, SENTENCES
from lookup.sentences import sentence_spans
from pipeline.bibliography import normalised_doi
from pipeline.cleaning import CleanText, clean
from pipeline.hyphens import vocabulary
from pipeline.labels import printed_labels
from pipeline.layout import Passage, passages
from pipeline.layout.furniture import furniture, printed_number
from pipeline.reading import Page, Pdf, read_pdf
from pipeline.records import EXTRACTOR, arrow_schema, lines_array, record

_DOI = re.compile(r"\b10\.\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
_ABSTRACT = re.compile(r"(?:abstract|summary)\W*", re.IGNORECASE)


def extract(data: bytes) -> pa.RecordBatch:
    """The PDF `data` as one row of RECORD; raises reading.UnreadableError."""
    pdf = read_pdf(data)
    labels = _page_labels(pdf.pages)
    found = passages(pdf.pages)
    words = vocabulary(line.text for passage in found for line in passage.lines)
    texts = [clean(passage.lines, words) for passage in found]
    return record(
        EXTRACTOR,
        _metadata(pdf, found, texts),
        {
            PAGES.name: _pages(pdf.pages, labels),
            PARAGRAPHS.name: _paragraphs(found, texts, labels),
            SENTENCES.name: _sentences(found, texts),
        },
    )


def _pages(pages: Sequence[Page], labels: dict[int, str | None]) -> list[pa.Array]:
    rows = [
        (p.number, labels[p.number], p.width, p.height, p.rotation, "text" if p.lines else "empty")
        for p in pages
    ]
    return _arrays(rows, arrow_schema(PAGES, without_key=True))


def _paragraphs(
    found: Sequence[Passage], texts: Sequence[CleanText], labels: dict[int, str | None]
) -> list[pa.Array]:
    rows: list[tuple[Any, ...]] = []
    in_section: dict[tuple[str | None, str | None], int] = {}
    cursor = 0
    for number, (passage, clean_text) in enumerate(zip(found, texts, strict=True)):
        section = (passage.section_number, passage.section_title)
        rows.append(
            (
                number,
                passage.page,
                max(line.page for line in passage.lines),
                labels[passage.page],
                passage.kind,
                *section,
                in_section.setdefault(section, 0),
                clean_text.text_raw,
                clean_text.text,
                fold(clean_text.text),
                cursor,
            )
        )
        in_section[section] += 1
        cursor += len(clean_text.text) + len(SEPARATOR)
    schema = arrow_schema(PARAGRAPHS, without_key=True)
    return [
        *_arrays(rows, pa.schema([f for f in schema if f.name != "lines"])),
        lines_array(t.lines for t in texts),
    ]


def _sentences(found: Sequence[Passage], texts: Sequence[CleanText]) -> list[pa.Array]:
    rows: list[tuple[int, int, int, int, int]] = []
    in_section: dict[tuple[str | None, str | None], int] = {}
    for number, (passage, clean_text) in enumerate(zip(found, texts, strict=True)):
        section = (passage.section_number, passage.section_title)
        for sentence, (start, end) in enumerate(sentence_spans(clean_text.text)):
            rows.append((number, sentence, in_section.setdefault(section, 0), start, end))
            in_section[section] += 1
    return _arrays(rows, arrow_schema(SENTENCES, without_key=True))


def _arrays(rows: Sequence[tuple[Any, ...]], schema: pa.Schema) -> list[pa.Array]:
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(schema)
    return [pa.array(values, field.type) for values, field in zip(columns, schema, strict=True)]


def _page_labels(pages: Sequence[Page]) -> dict[int, str | None]:
    """Each page's label: the PDF's own, else the printed number where the pages count up by it."""
    if any(page.label for page in pages):
        return {page.number: page.label or None for page in pages}
    aside = furniture(pages)
    return printed_labels({page.number: printed_number(page, aside) for page in pages})


def _metadata(pdf: Pdf, found: Sequence[Passage], texts: Sequence[CleanText]) -> dict[str, Any]:
    """What the document says of itself; its own information is often wrong, so that the page is believed first."""
    titles = [t.text for p, t in zip(found, texts, strict=True) if p.kind == "title"]
    first = " ".join(line.text for page in pdf.pages[:2] for line in page.lines)
    doi = _DOI.search(first)
    abstract = [
        t.text
        for p, t in zip(found, texts, strict=True)
        if p.kind == "body" and p.section_title and _ABSTRACT.fullmatch(p.section_title)
    ]
    author = pdf.information.get("author")
    return {
        "title": " ".join(titles) or pdf.information.get("title"),
        "authors": [author] if author else [],
        "year": None,
        "doi": normalised_doi(doi.group()) if doi else None,
        "venue": None,
        "abstract": "\n\n".join(abstract) or None,
    }
