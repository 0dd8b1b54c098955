"""Books, manuals, manuscripts, proceedings, Hebrew: each block of the typeset documents comes out whole, with
its kind.
"""

import pytest

from lookup.text.hyphenation import vocabulary
from pipeline.cleaning.clean import clean, clean_code
from pipeline.cleaning.lexicon import lexicon
from pipeline.layout import lay_out
from pipeline.pdf.reading import read_pdf
from tests.support.samples import typesetter


def rows(pdf):
    """The kinds and texts of a PDF's paragraphs but furniture, each paragraph once."""
    found = [one for one in lay_out(read_pdf(pdf).pages).paragraphs if one.kind != "furniture"]
    words = vocabulary(line.text for one in found for line in one.lines)
    listed = lexicon(words)
    return [
        (one.kind, (clean_code(one.lines) if one.kind == "code" else clean(one.lines, words, listed)).text)
        for one in found
    ]


@pytest.mark.parametrize("document", typesetter().documents(), ids=lambda one: one.key)
def test_the_blocks_of_a_document_come_out_as_they_are(document):
    found = rows(typesetter().typeset_document(document))
    blocks = [(block.kind, block.text) for block in document.blocks]
    assert [one for one in found if one[0] != "footnote"] == [one for one in blocks if one[0] != "footnote"]
    assert sorted(one for one in found if one[0] == "footnote") == [
        one for one in blocks if one[0] == "footnote"
    ]
