"""Books, manuals, manuscripts, office files, vertical Japanese: each block of the typeset documents comes out
whole, with its kind.
"""

from dataclasses import replace
from itertools import groupby

import pytest

from lookup.text.hyphenation import vocabulary
from pipeline.cleaning.clean import clean, clean_code, lexicon
from pipeline.layout import lay_out
from pipeline.pdf.reading import read_pdf
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


def rows_of(block):
    """Return a block's kind and text, after the label of an abstract, which is a heading of its own."""
    label, dash, _ = block.text.partition("—")
    label = label + dash if label == "Abstract" else ""
    return [("heading", label)] * bool(label) + [(block.kind, block.text.removeprefix(label))]


@pytest.mark.parametrize("document", typesetter().documents(), ids=lambda one: one.key)
def test_the_blocks_of_a_document_come_out_as_they_are(document):
    found = rows(typesetter().typeset_document(document))
    blocks = [row for block in document.blocks for row in rows_of(block)]
    assert [one for one in found if one[0] != "footnote"] == [one for one in blocks if one[0] != "footnote"]
    assert sorted(one for one in found if one[0] == "footnote") == [
        one for one in blocks if one[0] == "footnote"
    ]


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
    assert found == [(one.kind, one.text) for one in page.blocks]
