"""Markup becomes paragraphs in reading order, each of its kind and in its section."""

import zipfile
from typing import Any

import pytest

from pipeline.markup.reading import read_markup
from pipeline.pdf.opening import UnreadableError
from tests.support.cases import cases
from tests.support.documents import DAMAGED, zipped
from tests.support.markup import archive, book, document, jats_of, open_document
from tests.support.samples import sample_papers

BODY = "<article><body>{}</body></article>"

_WORD = {"word/document.xml": "<a/>"}

CASES = cases("markup_to_paragraphs/formats.toml")
MADE: dict[str, Any] = {"word": document, "opendocument": open_document}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_markup_becomes_paragraphs_of_their_kind_and_section(case):
    form, source = case["form"], case["source"]
    made = book(**source) if form == "epub" else MADE[form](*source) if form in MADE else source.encode()
    found = read_markup(made, form).paragraphs
    for one, (kind, text, *place) in zip(found, case["found"], strict=True):
        section, anchor = (*place, "", "")[:2]
        assert (one.kind, one.text, one.section.title or "") == (kind, text, section)
        assert anchor in ("", one.anchor)


def test_superscripts_keep_their_places():
    (found,) = read_markup(BODY.format("<p>10<sup>-3</sup> m  of<sup>a</sup></p>").encode(), "xml").paragraphs
    assert [
        found.text[slice(*span)]
        for span in zip(found.superscripts[::2], found.superscripts[1::2], strict=True)
    ] == ["-3", "a"]


MARKS = {
    "close to a word": ("was 5%,<xref ref-type='bibr'>18</xref> or", ["18"]),
    "several": ("ice<xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref> or", ["1,2"]),
    "in brackets": ("ice [<xref ref-type='bibr'>1</xref>,<xref ref-type='bibr'>2</xref>] or", []),
    "after a space": ("see <xref ref-type='bibr'>18</xref> or", []),
    "a figure": ("ice<xref ref-type='fig'>1</xref> or", []),
    "a year": ("Ode,<xref ref-type='bibr'>1990</xref> or", []),
}


@pytest.mark.parametrize(("text", "raised"), MARKS.values(), ids=MARKS)
def test_numbers_of_cited_works_are_raised_where_the_style_raises_them(text, raised):
    (found,) = read_markup(BODY.format(f"<p>{text}</p>").encode(), "xml").paragraphs
    flat = found.superscripts
    assert [found.text[slice(*span)] for span in zip(flat[::2], flat[1::2], strict=True)] == raised


@pytest.mark.parametrize(
    ("form", "source"),
    [
        ("html", "<p>It was <del>not</del> never sold.</p>"),
        ("html", "<p>It was <s>not</s> never sold.</p>"),
        ("html", "<p>It was <strike>not</strike> never sold.</p>"),
        ("html", '<p>It was <span style="text-decoration: line-through">not</span> never sold.</p>'),
        ("xml", BODY.format("<p>It was <strike>not</strike> never sold.</p>")),
    ],
)
def test_struck_text_is_no_part_of_its_paragraph_and_is_kept_as_such(form, source):
    found = [(one.kind, one.text) for one in read_markup(source.encode(), form).paragraphs]
    assert found[-2:] == [("body", "It was never sold."), ("struck", "not")]


def test_an_article_says_who_wrote_it():
    for paper in sample_papers():
        found = read_markup(jats_of(paper), "xml").metadata
        expected = (paper.title, paper.authors, paper.year, paper.doi, paper.venue)
        assert (found.title, found.authors, found.year, found.doi, found.venue) == expected
    said = read_markup(book(one="<p>a</p>"), "epub").metadata
    assert (said.title, said.authors, said.year) == ("The lamps of Ona", ("Marrow, Ida",), 1931)
    about = (
        "<dc:title>The lamps of Ona</dc:title><meta:initial-creator>Ida van Marrow</meta:initial-creator>"
        "<dc:creator>Kari Ode</dc:creator><dc:date>1990-06-01</dc:date>"
    )
    said = read_markup(open_document("", about=about), "opendocument").metadata
    assert (said.title, said.authors, said.year) == ("The lamps of Ona", ("van Marrow, Ida",), None)


BOMB = (
    '<!DOCTYPE article [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><article><body><p>&b;</p></body></article>'
)
FILE = (
    '<!DOCTYPE article [<!ENTITY x SYSTEM "file:///etc/hostname">]><article><body><p>&x;</p></body></article>'
)
PARAMETER = '<!DOCTYPE article [<!ENTITY % x SYSTEM "http://127.0.0.1:9/x"> %x;]><article/>'


def spine_of(href: str, times: int, page: str = "<p>a word</p>") -> bytes:
    """A book that names the same page so many times."""
    return archive(
        **{
            "META-INF/container.xml": '<container><rootfile full-path="a.opf"/></container>',
            "a.opf": (
                f'<package><manifest><item id="a" href="{href}" media-type="text/html"/></manifest><spine>'
                + '<itemref idref="a"/>' * times
                + "</spine></package>"
            ),
            "a.html": page,
        }
    )


ATTRIBUTES = b" ".join(b'a%d=""' % number for number in range(300_000))
"""libxml2 compares each with all others of its element: they took a minute."""


LARGE = archive(**{"META-INF/container.xml": b" " * ((64 << 20) + 1)})

REFUSED = {
    "entities of its own": ("xml", BOMB.encode(), "damaged", "defines entities"),
    "a file as an entity": ("xml", FILE.encode(), "damaged", "defines entities"),
    "no XML": ("xml", b"<article><p>", "damaged", "cannot be read"),
    "deep XML": ("xml", b"<article>" * 5000, "damaged", "cannot be read"),
    "deep HTML": ("html", b"<html><body>" + b"<div>" * 5000 + b"x", "damaged", "deep"),
    "another vocabulary": ("xml", b"<rss><channel/></rss>", "unknown format", "<rss>"),
    "no archive": ("epub", b"PK no", "damaged", "EPUB"),
    "an archive that is no book": ("epub", archive(a="b"), "damaged", "container.xml"),
    "a book that is a bomb": ("epub", LARGE, "damaged", "64 MiB"),
    "an archive that is no document": ("word", archive(a="b"), "damaged", "word/document.xml"),
    "a page outside the book": (
        "epub",
        spine_of("../../etc/passwd", 1),
        "damaged",
        "it has no '../../etc/passwd'",
    ),
    "a file as an entity in a document": (
        "word",
        archive(**{"word/document.xml": FILE}),
        "damaged",
        "document type",
    ),
    "an archive that is no .odt": ("opendocument", archive(a="b"), "damaged", "content.xml"),
    "a file as an entity in an .odt": (
        "opendocument",
        archive(**{"content.xml": FILE}),
        "damaged",
        "document type",
    ),
    "a foreign parameter entity": ("xml", PARAMETER.encode(), "damaged", "cannot be read"),
    "a wrong encoding": ("xml", b'<?xml version="1.0" encoding="utf-16"?><article/>', "damaged", "cannot be"),
    **{name: ("word", content, "damaged", "cannot be read") for name, content in DAMAGED.items()},
    **{
        f"a text in {name}": ("word", zipped(_WORD, packed), "damaged", "no word processor writes")
        for name, packed in (("bzip2", zipfile.ZIP_BZIP2), ("LZMA", zipfile.ZIP_LZMA))
    },
    "no bytes": ("html", b"", "empty file", "no bytes"),
    "attributes without end": ("html", b"<p " + ATTRIBUTES + b">a</p>", "damaged", "10,000 attributes"),
    "attributes without end in XML": (
        "xml",
        b"<article " + ATTRIBUTES + b"/>",
        "damaged",
        "10,000 attributes",
    ),
    "attributes without end in a page of a book": (
        "epub",
        spine_of("a.html", 1, f"<p {ATTRIBUTES.decode()}>a</p>"),
        "damaged",
        "10,000 attributes",
    ),
}


@pytest.mark.parametrize(("form", "data", "reason", "said"), REFUSED.values(), ids=REFUSED)
def test_what_is_hostile_or_no_article_is_refused_with_its_reason(form, data, reason, said):
    with pytest.raises(UnreadableError) as raised:
        read_markup(data, form)
    assert raised.value.reason == reason
    assert said in raised.value.detail


ENCODED = "<html><head><meta charset={}></head><body><p>氷 ice, {} and <b>tide</b></p></body></html>"


@pytest.mark.parametrize("encoding", ["iso-2022-jp", "shift_jis", "euc-jp", "gb18030", "utf-8"])
def test_a_page_is_read_in_the_encoding_that_it_names(encoding):
    (paragraph,) = read_markup(ENCODED.format(encoding, "流氷").encode(encoding), "html").paragraphs
    assert paragraph.text == "氷 ice, 流氷 and tide"


@pytest.mark.parametrize("form", ["html", "word", "epub"])
def test_a_source_with_more_paragraphs_than_any_book_is_refused(form, monkeypatch):
    page = "<p>a</p>" * 4
    data = {"html": page.encode(), "word": document(WORD * 4), "epub": spine_of("a.html", 1, page)}[form]
    assert len(read_markup(data, form).paragraphs) == 4
    monkeypatch.setattr("pipeline.markup.markup_text.MOST_PARAGRAPHS", 3)
    with pytest.raises(UnreadableError, match=r"over 3 paragraphs\. Part it"):
        read_markup(data, form)


def nested(begin: str, end: str, times: int, within: str) -> str:
    return begin * times + within + end * times


WORD = "<w:p><w:r><w:t>a word</w:t></w:r></w:p>"
REPEATED = {
    "tables in cells": (
        "word",
        document(nested("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", 60, WORD)),
    ),
    "tables in cells of an .odt": (
        "opendocument",
        open_document(
            nested(
                "<table:table><table:table-row><table:table-cell>",
                "</table:table-cell></table:table-row></table:table>",
                60,
                "<text:p>a word</text:p>",
            )
        ),
    ),
    "styles that are based on one another": (
        "opendocument",
        open_document(
            "<text:p text:style-name='A'>a word</text:p>",
            "<style:style style:name='A' style:parent-style-name='B'/>"
            "<style:style style:name='B' style:parent-style-name='A'/>",
        ),
    ),
    "a page of a spine again and again": ("epub", spine_of("a.html", 1000)),
    "entries within entries": (
        "xml",
        (
            "<article><back><ref-list><ref>"
            + nested("<mixed-citation>", "</mixed-citation>", 200, "a word")
            + "</ref></ref-list></back></article>"
        ).encode(),
    ),
}


@pytest.mark.parametrize(("form", "data"), REPEATED.values(), ids=REPEATED)
def test_a_text_is_read_once_however_often_its_markup_leads_to_it(form, data):
    assert [one.text for one in read_markup(data, form).paragraphs] == ["a word"]
