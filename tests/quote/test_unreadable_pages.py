"""Pages whose fonts give wrong letters: nothing is read from them, and nothing is said against them."""

import pymupdf
import pytest

from pipeline.ocr.tesseract import find_ocr
from tests.support.builds import corpus_of
from tests.support.needs import needs
from tests.support.pdfs import added

TITLE = "Binding of a fluorescent reporter to a protein of the antenna"
ABSTRACT = (
    "Structures of these proteins have shed new light on the mechanism of transport, which was",
    "thought to be driven by pressure alone. Here we describe how a ligand leaves its pocket when",
    "the acidity of the medium changes, and what becomes of the chain that closes the pocket then.",
    "Every measurement was repeated on three days by two people who did not know the samples.",
)
ELSEWHERE = (
    "This is what an earlier note from our own group had to say about it in passing:",
    "a ligand leaves its pocket when the acidity changes.",
)
ALIKE = "Structures of these proteins have shed new light"
TABLES = {
    "of other letters": lambda code: 0xC0 + code % 0x60,
    "of letters and signs": lambda code: 0xA1 + (code * 7) % 0x80,
    "moved by 29": lambda code: code - 29 if code > 61 else code,
    "turned by half the alphabet": lambda code: (
        97 + (code - 84) % 26 if 97 <= code <= 122 else 65 + (code - 52) % 26 if 65 <= code <= 90 else code
    ),
}


def ciphered(table):
    """A PDF whose first and third page have a font with this table; all of them can be read by people."""
    document = pymupdf.open()
    for font, lines in (
        ("tiro", (TITLE, *ABSTRACT)),
        ("helv", (*ELSEWHERE, *ABSTRACT[1:])),
        ("tiro", ABSTRACT),
    ):
        page = document.new_page()
        for at, line in enumerate(lines):
            size = 18 if line == TITLE else 11
            page.insert_text((60, 90 + 16 * at), line, fontsize=size, fontname=font)
    pairs = "".join(f"<{code:02x}> <{table(code):04x}>\n" for code in range(0x21, 0x7F))
    made = added(
        document,
        stream=b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Lying def\n"
        b"1 begincodespacerange <00> <ff> endcodespacerange\n"
        + f"{pairs.count('> <')} beginbfchar\n{pairs}endbfchar\nendcmap end end".encode(),
    )
    for xref, _, _, name, *_ in document.get_page_fonts(0):
        if "Times" in name:
            document.xref_set_key(xref, "ToUnicode", f"{made} 0 R")
    return document.tobytes()


@pytest.fixture(scope="module", params=TABLES)
def corpus(request, tmp_path_factory):
    root = tmp_path_factory.mktemp("ciphered")
    with corpus_of(root, {"leal.pdf": ciphered(TABLES[request.param])}) as opened:
        yield opened, root


def test_nothing_is_read_from_a_page_whose_letters_are_wrong(corpus):
    opened, _ = corpus
    assert opened.sql("SELECT source FROM pages ORDER BY page").fetchall() == [
        ("unreadable",),
        ("text",),
        ("unreadable",),
    ]
    ((title, pages, status),) = opened.sql("SELECT title, empty_pages, status FROM papers").fetchall()
    assert (pages, status) == (2, "covered")
    assert title is None or title in " ".join(ELSEWHERE)
    assert opened.sql("FROM pages_without_text").fetchall() == [("leal", 1, None), ("leal", 3, None)]
    assert opened.sql("SELECT count(*) FROM printed_paragraphs WHERE page <> 2").fetchall() == [(0,)]


def test_words_of_it_are_not_judged_and_the_hint_names_the_pages(corpus):
    opened, _ = corpus
    judged = opened.verify(ALIKE, "leal", 1)
    assert judged.verdict in ("related", "not found")
    assert "pages 1, 3 cannot be read" in judged.hint


@pytest.mark.system
@needs("Tesseract")
@pytest.mark.long
def test_ocr_reads_it_where_there_is_one(tmp_path):
    scan = {"leal.pdf": ciphered(TABLES["of other letters"])}
    with corpus_of(tmp_path, scan, ocr=find_ocr("auto", "eng")) as opened:
        assert opened.verify(ALIKE, "leal", 1)
        assert opened.sql("SELECT DISTINCT source FROM pages WHERE page <> 2").fetchall() == [("ocr",)]
