"""Books, manuals, manuscripts, office files, vertical Japanese: each block of the typeset documents comes out
whole.
"""

from dataclasses import replace
from itertools import groupby

import pytest

from pipeline.cleaning.clean import clean, clean_code, lexicon
from pipeline.layout import lay_out
from pipeline.pdf.reading import read_pdf
from retrieval.raw_text.cleaning import vocabulary
from tests.support.needs import needs
from tests.support.programs import chromium_print
from tests.support.samples import typesetter
from tests.support.web_prints import web_page


def rows(pdf):
    """The kinds and texts of a PDF's paragraphs but furniture, each paragraph once, and each table."""
    found = [one for one in lay_out(read_pdf(pdf).pages).paragraphs if one.kind != "furniture"]
    words = vocabulary(line.text for one in found for line in one.lines)
    listed = lexicon(words)
    return whole_tables(
        (one.kind, (clean_code(one.lines) if one.kind == "code" else clean(one.lines, words, listed)).text)
        for one in found
    )


def whole_tables(said):
    """The rows of paragraphs with the parts of each table as one."""
    out = []
    for kind, group in groupby(said, key=lambda row: row[0]):
        texts = [text for _, text in group]
        out += [(kind, text) for text in ([" ".join(texts)] if kind == "table" else texts)]
    return out


WHOLE = ("title", "body", "caption", "reference", "footnote")
"""Kinds of blocks that come out whole whatever stands around them."""


@pytest.mark.parametrize("document", typesetter().documents(), ids=lambda one: one.key)
def test_the_blocks_of_a_document_come_out_as_they_are(document):
    texts = {text for _, text in rows(typesetter().typeset_document(document))}
    blocks = [block.text.removeprefix("Abstract—") for block in document.blocks if block.kind in WHOLE]
    assert [text for text in blocks if text not in texts] == []


@pytest.mark.xfail(reason="In a layer of OCR nothing is bold, and what ends with a stop may be a sentence.")
def test_headings_of_a_scan_may_end_with_a_stop():
    (scan,) = (one for one in typesetter().documents() if one.key == "scan")
    blocks = tuple(
        replace(one, text=f"{one.text}.", source=f"{one.source}.") if one.kind == "heading" else one
        for one in scan.blocks
    )
    found = rows(typesetter().typeset_document(replace(scan, blocks=blocks)))
    assert found == [(one.kind, one.text) for one in blocks]


@pytest.mark.system
@needs("Chromium")
def test_the_blocks_of_a_page_that_chromium_prints_come_out_as_they_are():
    (page,) = (one for one in typesetter().documents() if one.key == "web")
    found = rows(chromium_print(web_page(page)))
    texts = {text for _, text in found}
    assert [one.text for one in page.blocks if one.kind in WHOLE and one.text not in texts] == []
