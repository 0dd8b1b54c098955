"""Markup becomes paragraphs in reading order, each of its kind and in its section."""

import zipfile

import pytest

from pipeline.markup.reading import read_markup
from pipeline.pdf.opening import UnreadableError
from tests.support.documents import DAMAGED, zipped
from tests.support.markup import archive, book, document, jats_of, open_document
from tests.support.samples import sample_papers

BODY = "<article><body>{}</body></article>"
TEI = '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text><body>{}</body></text></TEI>'

_WORD = {"word/document.xml": "<a/>"}

CASES = {
    "a section": (
        "xml",
        BODY.format('<sec id="s1"><label>2</label><title>Ice</title><p>It <italic>melts</italic>.</p></sec>'),
        [("heading", "2 Ice", "2 Ice", "s1/2"), ("body", "It melts.", "2 Ice", "s1/3")],
    ),
    "text after a section within is in the one around it": (
        "xml",
        BODY.format("<sec><title>A</title><sec><title>B</title><p>b</p></sec><p>a</p></sec>"),
        [
            ("heading", "A", "A", None),
            ("heading", "B", "B", None),
            ("body", "b", "B", None),
            ("body", "a", "A", None),
        ],
    ),
    "a figure within a paragraph is passed over, and stands after it": (
        "xml",
        BODY.format(
            "<p>It rose<fig><label>Fig. 1</label><caption><p>Tide.</p></caption></fig> and fell.</p>"
        ),
        [("body", "It rose and fell.", None, None), ("caption", "Fig. 1 Tide.", None, None)],
    ),
    "a list within a paragraph parts it": (
        "xml",
        BODY.format("<p>Two:<list><list-item><p>one</p></list-item></list>and so on.</p>"),
        [("body", "Two:", None, None), ("list", "one", None, None), ("body", "and so on.", None, None)],
    ),
    "a table has rows": (
        "xml",
        BODY.format("<table-wrap><table><tr><td>a</td><td><p>1</p></td></tr></table></table-wrap>"),
        [("table", "a 1", None, None)],
    ),
    "references are parted fields": (
        "xml",
        (
            "<article><back><ref-list><title>References</title><ref id='r1'><label>1</label>"
            "<element-citation><person-group><name><surname>Ode</surname><given-names>K</given-names></name></person-group>"
            "<year>1990</year></element-citation></ref></ref-list></back></article>"
        ),
        [("heading", "References", "References", None), ("reference", "1 Ode K 1990", "References", "r1")],
    ),
    "a reference of words alone, and one in two forms, of which one is read": (
        "xml",
        (
            "<article><back><ref-list><ref id='r1'><mixed-citation>Ode, 1990.</mixed-citation></ref>"
            "<ref id='r2'><mixed-citation>Ode, <year>1991</year>.</mixed-citation>"
            "<element-citation><name><surname>Ode</surname></name><year>1991</year></element-citation></ref>"
            "</ref-list></back></article>"
        ),
        [("reference", "Ode, 1990.", None, "r1"), ("reference", "Ode, 1991.", None, "r2")],
    ),
    "a note keeps its mark, and a box its heading": (
        "xml",
        BODY.format(
            "<table-wrap><table><tr><td>a</td></tr></table><table-wrap-foot><fn><label>*</label>"
            "<p>In June.</p></fn></table-wrap-foot></table-wrap><boxed-text><label>Box 1</label>"
            "<caption><title>Ice</title></caption><p>It melts.</p></boxed-text>"
        ),
        [
            ("table", "a", None, None),
            ("footnote", "* In June.", None, None),
            ("heading", "Box 1 Ice", "Box 1 Ice", None),
            ("body", "It melts.", "Box 1 Ice", None),
        ],
    ),
    "names of characters, formulas and hidden marks": (
        "xml",
        '<!DOCTYPE article SYSTEM "JATS.dtd">'
        + BODY.format(
            "<p>5 &micro;m, x<inline-formula><alternatives><tex-math>\\alpha</tex-math><math><mi>α</mi>"
            "</math>"
            "</alternatives></inline-formula><!-- no --><index-term><term>Tide</term></index-term> "
            "co\u00adop</p>"
        ),
        [("body", "5 µm, xα coop", None, None)],
    ),
    "TEI": (
        "xml",
        TEI.format(
            '<div><head n="1.">Ice</head><p xml:id="p1">It <sic>melts</sic>'
            "<note>In June.</note> <choice><orig>heere</orig><reg>here</reg></choice>.</p>"
            "<figure><figDesc>A floe.</figDesc></figure><biblStruct><author><forename>K</forename>"
            "<surname>Ode</surname></author><date>1990</date></biblStruct></div>"
        ),
        [
            ("heading", "1. Ice", "1. Ice", None),
            ("body", "It melts here.", "1. Ice", "p1"),
            ("footnote", "In June.", "1. Ice", None),
            ("caption", "A floe.", "1. Ice", None),
            ("reference", "K Ode 1990", "1. Ice", None),
        ],
    ),
    "a web page": (
        "html",
        (
            "<html><head><title>x</title></head><body><nav>Home</nav><main><form><h1>Ice</h1>"
            "<h2 id=a>Floes</h2><div>They <b>drift</b>.<p>Far<br>away.</p>"
            "<span style='display: none'>no</span></div><blockquote>Cold!"
            "</blockquote><pre>a\n  b</pre><ul><li>one</ul></form><script>x()</script></main></body></html>"
        ),
        [
            ("title", "Ice", None, None),
            ("heading", "Floes", "Floes", "a"),
            ("body", "They drift.", "Floes", None),
            ("body", "Far away.", "Floes", None),
            ("quote", "Cold!", "Floes", None),
            ("code", "a b", "Floes", None),
            ("list", "one", "Floes", None),
        ],
    ),
    "an empty page of a book has no text, and the others are read": (
        "epub",
        book(blank="", one="<p>Earlier.</p>"),
        [("body", "Earlier.", None, "text/one.xhtml#/1/1/1")],
    ),
    "a book in the order of its spine": (
        "epub",
        book(two="<h2>Second</h2><p id='x'>Later.</p>", one="<p>Earlier.</p>"),
        [
            ("heading", "Second", "Second", None),
            ("body", "Later.", "Second", "text/two.xhtml#x"),
            ("body", "Earlier.", None, "text/one.xhtml#/1/1/1"),
        ],
    ),
    "notes and boxes of a book": (
        "epub",
        book(
            one="<p>Ice<a epub:type='noteref'><sup>1</sup></a> drifts.</p>"
            "<aside epub:type='footnote' hidden=''><p>In June.</p></aside>"
            "<aside epub:type='sidebar'><h2>Floes</h2><p>Some sink.</p></aside>"
            "<aside>Buy it!</aside><section role='doc-endnotes'><ol><li>Ode 1990.</li></ol></section>"
        ),
        [
            ("body", "Ice1 drifts.", None, None),
            ("footnote", "In June.", None, None),
            ("heading", "Floes", "Floes", None),
            ("body", "Some sink.", "Floes", None),
            ("footnote", "Ode 1990.", None, None),
        ],
    ),
    "a text box is read after the paragraph that it hangs on, once": (
        "word",
        document(
            "<w:p><w:r><w:t>It melts</w:t></w:r><w:r><mc:AlternateContent "
            "xmlns:mc='http://schemas.openxmlformats.org/markup-compatibility/2006'><mc:Choice>"
            "<w:txbxContent><w:p><w:r><w:t>Cold!</w:t></w:r></w:p></w:txbxContent></mc:Choice>"
            "<mc:Fallback><w:txbxContent><w:p><w:r><w:t>Cold!</w:t></w:r></w:p></w:txbxContent></mc:Fallback>"
            "</mc:AlternateContent></w:r>"
            "<w:r><w:t> here.</w:t></w:r></w:p>",
            "",
        ),
        [("body", "It melts here.", None, None), ("body", "Cold!", None, None)],
    ),
    "paragraphs in a cell are parted": (
        "word",
        document(
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p></w:tc>"
            "</w:tr></w:tbl>"
        ),
        [("table", "a b", None, None)],
    ),
    "an .odt": (
        "opendocument",
        open_document(
            "<text:tracked-changes><text:changed-region><text:deletion><text:p>no</text:p></text:deletion>"
            "</text:changed-region></text:tracked-changes>"
            "<text:p text:style-name='Title'>The lamps of Ona</text:p>"
            "<text:table-of-content><text:table-of-content-source><text:index-title-template>no"
            "</text:index-title-template></text:table-of-content-source><text:index-body><text:p>Ice<text:tab/>1"
            "</text:p></text:index-body></text:table-of-content>"
            "<text:h text:outline-level='1'>Ice</text:h><text:h text:outline-level='2'>Floes</text:h>"
            "<text:p>It melts<text:s text:c='2'/>here<text:note><text:note-citation>1</text:note-citation>"
            "<text:note-body><text:p>In <text:span>June</text:span>.</text:p></text:note-body></text:note>, "
            "<text:span text:style-name='T2'>no</text:span>and<text:line-break/>there<office:annotation>"
            "<text:p>no</text:p></office:annotation>.</text:p>"
            "<text:p text:style-name='P1'>Cold!</text:p>"
            "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>two</text:p>"
            "</text:list-item></text:list></text:list-item></text:list>"
            "<text:h text:outline-level='1'>Tides</text:h>"
            "<text:p>A <draw:frame><draw:text-box><text:p text:style-name='Caption'>Fig. 1 A lamp.</text:p>"
            "</draw:text-box></draw:frame>lamp.</text:p>"
            "<table:table><table:table-row><table:table-cell><text:p>a</text:p><text:p>b</text:p>"
            "</table:table-cell><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row>"
            "</table:table>"
            "<text:bibliography><text:index-body><text:p>Ode 1990.</text:p></text:index-body>"
            "</text:bibliography>",
            "<style:style style:name='P1' style:parent-style-name='Rand'/><style:style style:name='T2'>"
            "<style:text-properties text:display='none'/></style:style>",
        ),
        [
            ("title", "The lamps of Ona", None, None),
            ("furniture", "Ice 1", None, None),
            ("heading", "Ice", "Ice", None),
            ("heading", "Floes", "Floes", "/1/2/1/5"),
            ("body", "It melts here, and there.", "Floes", "/1/2/1/6"),
            ("quote", "Cold!", "Floes", None),
            ("list", "one", "Floes", None),
            ("list", "two", "Floes", None),
            ("heading", "Tides", "Tides", None),
            ("body", "A lamp.", "Tides", None),
            ("caption", "Fig. 1 A lamp.", "Tides", None),
            ("table", "a b 1", "Tides", None),
            ("reference", "Ode 1990.", "Tides", None),
            ("footnote", "In June.", None, None),
        ],
    ),
    "a document": (
        "word",
        document(
            '<w:p><w:pPr><w:pStyle w:val="H1"/></w:pPr><w:r><w:t>Ice</w:t></w:r></w:p>'
            "<w:p><w:r><w:t>It melts</w:t></w:r><w:del><w:r><w:t>no</w:t></w:r></w:del><w:r><w:tab/>"
            "<w:t>here.</w:t></w:r></w:p>"
            '<w:p><w:pPr><w:pStyle w:val="Q"/></w:pPr><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r>'
            "<w:r><w:t>Cold!</w:t></w:r></w:p>"
            "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc>"
            "<w:tc><w:p><w:r><w:t>1</w:t></w:r></w:p></w:tc></w:tr></w:tbl>",
            '<w:footnote w:type="separator"><w:p/></w:footnote><w:footnote><w:p><w:r><w:t>Note.</w:t>'
            "</w:r></w:p></w:footnote>",
        ),
        [
            ("heading", "Ice", "Ice", "/1/1/1"),
            ("body", "It melts here.", "Ice", "/1/1/2"),
            ("quote", "Cold!", "Ice", None),
            ("table", "a 1", "Ice", None),
            ("footnote", "Note.", None, None),
        ],
    ),
}


@pytest.mark.parametrize(("form", "source", "expected"), CASES.values(), ids=CASES)
def test_markup_becomes_paragraphs_of_their_kind_and_section(form, source, expected):
    found = read_markup(source if isinstance(source, bytes) else source.encode(), form).paragraphs
    assert [(one.kind, one.text, one.section.title) for one in found] == [one[:3] for one in expected]
    anchors = [(one.anchor, anchor) for one, (*_, anchor) in zip(found, expected, strict=True) if anchor]
    assert all(anchor == wanted for anchor, wanted in anchors), anchors


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
        ("xml", TEI.format("<p>It was <del>not</del> never sold.</p>")),
        ("xml", TEI.format('<p>It was <hi rend="strikethrough">not</hi> never sold.</p>')),
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
