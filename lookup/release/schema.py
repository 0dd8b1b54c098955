"""The contract between `pipeline` and `lookup`: what the tables of a release hold.

`pipeline` writes these tables as Parquet and into `corpus.duckdb`; `make reference` writes
docs/reference/schema.md from this module.
"""

import re
from dataclasses import dataclass

KINDS = {
    "title": "the paper's title",
    "front": "authors, affiliations, dates, licence lines, keywords",
    "heading": "a section heading",
    "body": "running text, the abstract included",
    "quote": "a block quotation, set in from both edges of its column",
    "list": "an entry of a list: numbered, with bullets, or of terms, whose lines hang below the first",
    "caption": "the caption of a figure, table or scheme",
    "table": "cells of a table",
    "code": "a listing of a program or of what is typed at a prompt; `text_raw` has its indents",
    "footnote": "a footnote, or a note under a table",
    "reference": "an entry of the reference list",
    "formula": "a displayed formula, chemical or structural-formula text",
    "furniture": "running heads and feet, page and line numbers, margin stamps, labels inside figures, "
    "lines of a table of contents",
    "struck": "text struck through, apart from the text around it",
    "field": "what is filled into the fields of a form",
    "note": "what a reader wrote on the page, in a note or stamp: always `hidden`",
    "covered": "text below a box, stamp, redaction or field that was put on the page: always `hidden`",
}
"""Every kind a paragraph may have, and what it means."""

PUT_ON = {
    "box": "a box",
    "line": "a line",
    "ink": "ink",
    "stamp": "a stamp",
    "text box": "a text box",
    "highlight": "a highlight as dark as they are",
    "redaction": "a redaction that is not applied",
    "form field": "a field of a form",
    "annotation": "an annotation",
}
"""What may cover text that was put on the page later, in `hidden_by`, and how a hint names it."""

OF_PAGE = {
    "drawing": "covered by a drawing of the page",
    "picture": "covered by a picture or a shading of the page",
    "white": "set in white",
    "tiny": "set smaller than a point",
    "no ink": "drawn without ink that shows, or in the colour of what it is on",
    "unreadable": "what a font says that prints other letters",
}
"""Why else no reader sees text, in `hidden_by`, and how a hint says it."""

EMBEDDED = ("title", "heading", "body", "quote", "list", "caption", "footnote")
"""The kinds of paragraph whose sentences have vectors, if the release has any."""


@dataclass(frozen=True)
class Column:
    """A column: its DuckDB type and what it means; `fields` are those of a STRUCT or of a list of STRUCTs."""

    name: str
    type: str
    meaning: str
    fields: tuple["Column", ...] = ()

    @property
    def sql_type(self) -> str:
        """The type as DuckDB writes it."""
        if not self.fields:
            return self.type
        inner = ", ".join(f'"{field.name}" {field.sql_type}' for field in self.fields)
        return self.type.replace("STRUCT", f"STRUCT({inner})")


@dataclass(frozen=True)
class Table:
    """A table of a release, its rows in the order of the columns named by `order`."""

    name: str
    meaning: str
    columns: tuple[Column, ...]
    order: tuple[str, ...]


def _columns(text: str, **fields: tuple[Column, ...]) -> tuple[Column, ...]:
    """Return the columns of a text that says "name TYPE: meaning" of each; lines that go on are set in.

    `fields` has those of a column by its name.
    """
    found = []
    for entry in re.split(r"\n(?=\S)", text.strip()):
        head, _, meaning = " ".join(entry.split()).partition(": ")
        name, _, of_type = head.partition(" ")
        found.append(Column(name, of_type, meaning, fields.get(name, ())))
    return tuple(found)


_LINE = _columns("""
page INTEGER: 1-based page that prints the line
x0 FLOAT: left edge, PDF points from the left of the page as it is shown
y0 FLOAT: upper edge, PDF points from the top of the page as it is shown
x1 FLOAT: right edge, PDF points
y1 FLOAT: lower edge, PDF points
start INTEGER: offset in `text` of the line's first character
end INTEGER: offset in `text` after the line's last character
words INTEGER[]: six numbers for each of its words, in printed order: start and end (offsets in `text`),
    x0, y0, x1, y1 (tenths of a point)
""")

PAPERS = Table(
    "papers",
    "One row a paper.",
    _columns("""
key VARCHAR: bib key of the paper
path VARCHAR: the file that was read: a URL, or from the folder `library` of manifest.json, which is from
    the corpus
sha256 VARCHAR: SHA-256 of its bytes, hexadecimal
bytes BIGINT: size of the file
library VARCHAR: the .bib or other library with an entry for it, like `path`; NULL where none has one, so
    that key, title, authors and year are those of the file
title VARCHAR: from the .bib, else from the first page, where the PDF's own statement helps to find it;
    NULL where it is not sure
authors VARCHAR[]: family name and given names, 'Feng, Yijun': from the .bib, else as printed below the
    title, else from the PDF's own list where the page prints its names; empty where they are not sure
year INTEGER: year by which it is cited: from the .bib, else as the first pages print it: of the volume,
    of publication, of the copyright; NULL where they disagree
doi VARCHAR: from the .bib, else the PDF's own or the one that the first pages print; lower case, without
    a resolver's address; NULL where it may be another paper's
venue VARCHAR: journal, proceedings or publisher: from the .bib, else as the PDF states it where that is
    about this paper
abstract VARCHAR: from the .bib, else from the first pages, its parts separated by blank lines; NULL where
    it is not sure where it ends
pages INTEGER: number of pages; 0 where it was read from markup alone
empty_pages INTEGER: pages whose source is 'empty' or 'unreadable'
paragraphs INTEGER: number of paragraphs
status VARCHAR: 'covered', or 'not covered' where it has no text to judge a quote by
extractor VARCHAR: version of the extraction that read it; after a '+' the XML beside the PDF ('text-' and
    its SHA-256's beginning), and the OCR
versions VARCHAR[]: keys of the other papers that are versions of the same work, sorted: the same DOI or
    arXiv identifier whatever its version, the same title and authors, or the same bytes
"""),
    ("key",),
)

PAGES = Table(
    "pages",
    "One row a page.",
    _columns("""
key VARCHAR: bib key of the paper
page INTEGER: 1-based index of the physical page
page_label VARCHAR: page number as printed or as the PDF labels it; NULL where unknown
width FLOAT: PDF points, as shown (after rotation)
height FLOAT: PDF points, as shown (after rotation)
rotation INTEGER: degrees clockwise that the page is turned for display: 0, 90, 180, 270
source VARCHAR: where its text is from: 'text' (the PDF's text layer), 'ocr', 'empty', 'unreadable' (its
    fonts give wrong letters, and no OCR read it), or 'lines' (the text layer or OCR, its lines in their
    order: the layout of the page failed)
"""),
    ("key", "page"),
)

PARAGRAPHS = Table(
    "paragraphs",
    "One row a paragraph, the unit of retrieval. Every non-space character of a page's text layer "
    "is in exactly one; where an article's XML gave the text, in the boxes of exactly one.",
    _columns(
        f"""
key VARCHAR: bib key of the paper
paragraph INTEGER: 0-based index in reading order within the paper
page INTEGER: page on which it begins; 0 where no page prints it
page_end INTEGER: page on which it ends; 0 where no page prints it
page_label VARCHAR: printed label of `page`; NULL where unknown
kind VARCHAR: what it is: {", ".join(KINDS)}
hidden BOOLEAN: whether no reader sees it (without ink, white on nothing, covered, below one point), or it
    is a note: the last paragraphs of their paper, one a page and reason, of kind 'furniture', 'covered' or
    'note', without sentences, in no answer
hidden_by VARCHAR: what hides it. Put on the page later: {", ".join(PUT_ON)}; of the page itself:
    {", ".join(OF_PAGE)}. NULL where it is seen, and of a note
section_number VARCHAR: printed number of the section it stands in, '2.1'; NULL where none
section_title VARCHAR: heading of the section it stands in, as printed, its number included; NULL before
    the first
section_paragraph INTEGER: 0-based index within the section
text_raw VARCHAR: the characters as the PDF gives them, printed lines separated by a newline; `text` where
    no page prints it
text VARCHAR: ready to paste: hyphens of line breaks rejoined, ligatures expanded, spaces collapsed
text_norm VARCHAR: fold(text): for matching
superscripts INTEGER[]: flat: start and end of each run of `text` that is printed as a superscript, in
    characters, ascending
cursor INTEGER: offset of the paragraph in the paper's document text
anchor VARCHAR: where the markup has it that gave its text, by XPointer's element() scheme: 's2' is an id,
    's2/3' that element's third child; in an EPUB after the file's name and '#'. NULL where the page gave
    it
lines STRUCT[]: its printed lines; none where no page prints it
embedding TINYINT[]: the sum of its sentences' vectors, of length 1 when multiplied by `embedding_scale`;
    NULL where it has none
embedding_scale FLOAT: the embedding's greatest component, divided by 127
""",
        lines=_LINE,
    ),
    ("key", "paragraph"),
)

PUBLISHED = ("key", "embedding", "embedding_scale")
"""The columns that a release adds to what an extraction holds."""

SENTENCES = Table(
    "sentences",
    "One row a sentence; a paragraph's sentences cover its text but for the spaces between them.",
    _columns("""
key VARCHAR: bib key of the paper
paragraph INTEGER: 0-based index in reading order within the paper
sentence INTEGER: 0-based index within the paragraph
section_sentence INTEGER: 0-based index within the section
start INTEGER: offset in the paragraph's `text` of its first character
end INTEGER: offset in the paragraph's `text` after its last character
"""),
    ("key", "paragraph", "sentence"),
)

VECTORS = Table(
    "vectors",
    f"One row a sentence of the kinds {', '.join(EMBEDDED)}; none where the release was built "
    "without a model.",
    _columns("""
key VARCHAR: bib key of the paper
paragraph INTEGER: 0-based index in reading order within the paper
sentence INTEGER: 0-based index within the paragraph
model VARCHAR: id of the model that made the vector, the same for the whole release
vector TINYINT[]: the embedding, of length 1 when multiplied by `scale`
scale FLOAT: the vector's greatest component, divided by 127
"""),
    ("key", "paragraph", "sentence"),
)

FAILURES = Table(
    "failures",
    "One row a source that could not be turned into a paper, or a paper that was not read as it should be: "
    "by OCR in a wrong language or without time for a page, or with a page kept as its lines.",
    _columns("""
path VARCHAR: the source
key VARCHAR: the key that it would have had
sha256 VARCHAR: SHA-256 of its bytes, hexadecimal; NULL where it could not be read
stage VARCHAR: the stage that failed: 'sources', 'extract', 'embed'
reason VARCHAR: a short word for the cause, the same for the same cause
detail VARCHAR: what happened and what to do
seconds DOUBLE: time spent on it
"""),
    ("path", "key", "reason"),
)

ROW_NUMBER = Column("row_number", "BIGINT", "unique within the release, with an index")
"""A further column of `paragraphs` in corpus.duckdb: by its number DuckDB reads a row without others."""

SENTENCE_TEXT = Column("text", "VARCHAR", "the characters of the sentence, as in its paragraph's `text`")
"""A further column of `sentences` in the Parquet files: 6 % of their size (57 papers). The database has it in
the view `sentence_texts`."""

TABLES = (PAPERS, PAGES, PARAGRAPHS, SENTENCES, VECTORS, FAILURES)
"""All tables, in the order in which a release is written."""

SHARDED = (PAGES, PARAGRAPHS, SENTENCES, VECTORS)
"""Tables that a release keeps as several Parquet files of whole papers; the others are one file each."""
