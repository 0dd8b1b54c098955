"""The first stage, pure for any engine: a source's bytes to its pages, paragraphs and sentences."""

import gc
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import pyarrow as pa

from lookup.release import schema
from lookup.release.current import CUT_SHORT, LAYOUT_FAILED, PARAGRAPH_SEPARATOR, WRONG_LANGUAGE
from lookup.text.folding import fold
from lookup.text.sentences import sentence_spans
from pipeline.cleaning.clean import clean, clean_code, lexicon, lines_array
from pipeline.extractor import EXTRACTOR
from pipeline.formats import Format
from pipeline.layout import LaidOut, lay_out
from pipeline.layout.measures import FRONT_PAGES
from pipeline.layout.sections import FinishedParagraph, sections
from pipeline.markup.markup_text import MarkupText
from pipeline.markup.printed_places import align_to_pdf, without_pages
from pipeline.markup.reading import read_markup
from pipeline.markup.web_page import cut_page
from pipeline.metadata.assemble import metadata
from pipeline.metadata.title import ParagraphText
from pipeline.ocr.pages import pages_to_read, with_ocr
from pipeline.ocr.recognised_lines import turned_box
from pipeline.ocr.tesseract import LATE, NO_OCR, TIMED_OUT, Ocr
from pipeline.pdf.opening import UnreadableError
from pipeline.pdf.page_numbers import page_labels
from pipeline.pdf.reading import Pdf, PdfPage, Word, bounds, read_pdf, without_unreadable
from pipeline.pdf.sheets import find_sheets
from pipeline.records import arrays, arrow_schema, record
from retrieval.raw_text.cleaning import vocabulary

_Label = Callable[..., str | None]
"""What gives the label of a page, by its number and, of a sheet, the lines that ask for it."""


def extract(
    data: bytes, ocr: Ocr = NO_OCR, form: Format = "pdf", text: bytes | None = None, text_stamp: str = ""
) -> pa.RecordBatch:
    """Return the source `data` as one row of RECORD. Raise UnreadableError and NotGrantedError.

    `text` is the article's XML beside a PDF, whose paragraphs are then those of the XML, at the places where
    the PDF prints them; `text_stamp` names it in the record.
    """
    with _collector_paused():
        if form != "pdf":
            return _of_markup(read_markup(data, form), cut_page(data) if form == "html" else "")
        return _of_pdf(data, ocr, None if text is None else read_markup(text, "xml"), text_stamp)


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


def _of_markup(from_markup: MarkupText, cut_short: str) -> pa.RecordBatch:
    paragraphs = without_pages(from_markup.paragraphs)
    if not paragraphs:
        raise UnreadableError("no text", "It has no text to quote. Fetch the whole text, or leave it out.")
    label = partial(find_sheets(()).label, {})
    parts = _parts(_pages((), label, ()), paragraphs, label)
    return record(EXTRACTOR, asdict(from_markup.metadata), parts, told=_told({}, "", cut_short))


def _of_pdf(data: bytes, ocr: Ocr, from_markup: MarkupText | None, text_stamp: str) -> pa.RecordBatch:
    pdf = read_pdf(data)
    stamp = f"+{ocr.stamp}" if ocr.stamp and pages_to_read(pdf.pages, ocr) else ""
    pages, wrong_language = with_ocr(data, pdf.pages, ocr)
    pdf = replace(pdf, pages=tuple(map(without_unreadable, pages)))
    late = [page.number for page in pdf.pages if page.source == TIMED_OUT]
    sheets = find_sheets(pdf.pages)
    label = partial(sheets.label, page_labels(sheets.pages))
    laid_out = lay_out(pdf.pages)
    paragraphs = _cleaned(laid_out)
    about = _metadata(pdf, paragraphs)
    if from_markup is not None:
        paragraphs = _with_text(paragraphs, from_markup)
        about |= {name: value for name, value in asdict(from_markup.metadata).items() if value}
    tilts = {page.number: page.tilt for page in pdf.pages if page.tilt}
    paragraphs = [_tilted(one, tilts) for one in paragraphs] if tilts else paragraphs
    return record(
        EXTRACTOR + text_stamp + stamp + (LATE if late else ""),
        about,
        _parts(_pages(pdf.pages, label, laid_out.errors), paragraphs, label),
        0 if pdf.cut_short else sum(page.scanned for page in pdf.pages),  # OCR cannot help
        late,
        _told(laid_out.errors, wrong_language, pdf.cut_short),
    )


def _told(in_lines: Mapping[int, str], wrong_language: str, cut_short: str) -> list[dict[str, str]]:
    """Return what `failures` says of a paper that is in the release: reasons and details."""
    reserved = {WRONG_LANGUAGE: wrong_language, CUT_SHORT: cut_short}
    told = [{"reason": reason, "detail": detail} for reason, detail in reserved.items() if detail]
    if in_lines:
        named = "; page ".join(f"{page}: {error}" for page, error in in_lines.items())
        text = f"Kept as lines, not as paragraphs: page {named}. Please report it, with the PDF if you may."
        told.append({"reason": LAYOUT_FAILED, "detail": text})
    return told


def _parts(
    pages: list[pa.Array], paragraphs: Sequence[FinishedParagraph], label: _Label
) -> dict[str, list[pa.Array]]:
    return {
        schema.PAGES.name: pages,
        schema.PARAGRAPHS.name: _paragraphs(paragraphs, label),
        schema.SENTENCES.name: _sentences(paragraphs),
    }


_SAME_WORK = 0.2
"""Share of the letters of the XML beside a PDF that this prints, at least, where both are the same work: of
19 pairs .56 and more, of 57 wrong pairs .004 and less."""


def _with_text(paragraphs: Sequence[FinishedParagraph], from_markup: MarkupText) -> list[FinishedParagraph]:
    found, share = align_to_pdf(paragraphs, from_markup.paragraphs)
    if paragraphs and share < _SAME_WORK:
        raise UnreadableError(
            "other text",
            f"The XML beside the PDF is not its text: the PDF prints {share:.0%} of it. "
            "Rename or remove the XML, or put the right one there.",
        )
    return found


def _tilted(paragraph: FinishedParagraph, tilts: Mapping[int, float]) -> FinishedParagraph:
    """Return the paragraph with its lines where the tilted pages print them."""
    lines = []
    for one in paragraph.clean.lines:
        tilt = tilts.get(one.line.page, 0.0)
        words = tuple(Word(*(word.text, *turned_box(word[1:5], tilt), *word[5:])) for word in one.line.words)
        x0, y0, x1, y1 = bounds(words)
        lines.append(replace(one, line=replace(one.line, x0=x0, y0=y0, x1=x1, y1=y1, words=words)))
    return replace(paragraph, clean=replace(paragraph.clean, lines=tuple(lines)))


def _cleaned(laid_out: LaidOut) -> list[FinishedParagraph]:
    found = laid_out.paragraphs
    words = vocabulary(line.text for printed in found if not printed.hidden for line in printed.lines)
    listed = lexicon(words)
    texts = [
        clean_code(printed.lines) if printed.kind == "code" else clean(printed.lines, words, listed)
        for printed in found
    ]
    headings = sections([(printed, text.text) for printed, text in zip(found, texts, strict=True)])
    return [
        FinishedParagraph(printed.kind, printed.hidden, text, section, hidden_by=printed.hidden_by)
        for printed, text, section in zip(found, texts, headings, strict=True)
    ]


def _pages(pages: Sequence[PdfPage], label: _Label, in_lines: Container[int]) -> list[pa.Array]:
    rows = [(p.number, label(p.number), p.width, p.height, p.rotation, _source(p, in_lines)) for p in pages]
    return arrays(rows, list(arrow_schema(schema.PAGES, extracted=True)))


def _source(page: PdfPage, in_lines: Container[int]) -> str:
    if page.number in in_lines:
        return "lines"
    if page.source != "unreadable" and (not page.lines or page.scanned):
        return "empty"
    return "text" if page.source == TIMED_OUT else page.source


def _paragraphs(paragraphs: Sequence[FinishedParagraph], label: _Label) -> list[pa.Array]:
    rows: list[tuple[Any, ...]] = []
    in_section: Counter[int] = Counter()
    cursor = 0
    for number, one in enumerate(paragraphs):
        text = one.clean.text
        rows.append(
            (
                number,
                one.page,
                one.page_end,
                label(one.page, (each.line for each in one.clean.lines if each.line.page == one.page)),
                one.kind,
                one.hidden,
                one.hidden_by,
                one.section.number,
                one.section.title,
                in_section[one.section.place],
                one.clean.text_raw,
                text,
                fold(text),
                one.clean.superscripts,
                cursor,
                one.anchor,
            )
        )
        in_section[one.section.place] += 1
        cursor += len(text) + len(PARAGRAPH_SEPARATOR)
    flat = [field for field in arrow_schema(schema.PARAGRAPHS, extracted=True) if field.name != "lines"]
    return [*arrays(rows, flat), lines_array(one.clean.lines for one in paragraphs)]


def _sentences(paragraphs: Sequence[FinishedParagraph]) -> list[pa.Array]:
    rows: list[tuple[int, int, int, int, int]] = []
    in_section: Counter[int] = Counter()
    for number, one in enumerate(paragraphs):
        spans = () if one.hidden else sentence_spans(one.clean.text)
        for sentence, (start, end) in enumerate(spans):
            rows.append((number, sentence, in_section[one.section.place], start, end))
            in_section[one.section.place] += 1
    return arrays(rows, list(arrow_schema(schema.SENTENCES, extracted=True)))


def _metadata(pdf: Pdf, paragraphs: Sequence[FinishedParagraph]) -> dict[str, Any]:
    return asdict(
        metadata(
            pdf,
            [
                ParagraphText(
                    one.kind,
                    one.page,
                    one.clean.text,
                    one.section.title or "",
                    tuple(one.clean.text[line.start : line.end] for line in one.clean.lines),
                )
                for one in paragraphs
                if not one.hidden and one.page <= FRONT_PAGES
            ],
        )
    )
