"""Sources with markup that tests make: articles in JATS out of the sample papers' truth, books, documents."""

import io
import re
import zipfile
from html import escape
from itertools import groupby

_RAISED = re.compile(r"\^\{([^}]*)\}")


def jats_of(paper) -> bytes:
    """A sample paper as its publisher would have it in JATS, without formulas, tables and what floats."""
    running = [
        block for block in paper.blocks if block.kind in {"body", "heading", "list"} and not block.place
    ]
    sections = [
        f'<sec id="s{number}">{"".join(map(_jats_block, blocks))}</sec>'
        for number, (_, blocks) in enumerate(groupby(running, key=lambda block: block.section_title), 1)
    ]
    names = "".join(
        f'<contrib contrib-type="author"><name><surname>{escape(family)}</surname>'
        f"<given-names>{escape(given)}</given-names></name></contrib>"
        for family, _, given in (author.partition(", ") for author in paper.authors)
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE article PUBLIC "-//NLM//DTD JATS (Z39.96) Journal Publishing DTD v1.2 20190208//EN" "JATS.dtd">
<article><front><journal-meta><journal-title>{escape(paper.venue)}</journal-title></journal-meta>
<article-meta><article-id pub-id-type="doi">{paper.doi}</article-id>
<title-group><article-title>{escape(paper.title)}</article-title></title-group>
<contrib-group>{names}</contrib-group><pub-date><year>{paper.year}</year></pub-date></article-meta></front>
<body>{"".join(sections)}</body></article>""".encode()


def _jats_block(block) -> str:
    tag = "title" if block.kind == "heading" else "p"
    return f"<{tag}>{escape(block.text)}</{tag}>"


def archive(**members: str | bytes) -> bytes:
    """An archive; the names of its members are written with "__" for a slash."""
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name.replace("__", "/"), content)
    return sink.getvalue()


def book(**chapters: str) -> bytes:
    """An EPUB of these chapters: name and body (empty: a file of no bytes) of each, as they are read."""
    items = "".join(
        f'<item id="{name}" href="{name}.xhtml" media-type="application/xhtml+xml"/>' for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata>'
        "<dc:title>The lamps of Ona</dc:title><dc:creator>Ida Marrow</dc:creator><dc:date>1931</dc:date>"
        "</metadata>"
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    container = '<container><rootfiles><rootfile full-path="text/book.opf"/></rootfiles></container>'
    pages = {
        f"text/{name}.xhtml": f"<html><body>{body}</body></html>" if body else ""
        for name, body in chapters.items()
    }
    return archive(**{"META-INF/container.xml": container, "text/book.opf": package, **pages})


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def document(body: str, notes: str = "") -> bytes:
    """A .docx with this body and these footnotes; the style `H1` is a heading, `Q` a quotation."""
    styles = (
        f'<w:styles {_W}><w:style w:styleId="H1"><w:name w:val="heading 1"/></w:style>'
        '<w:style w:styleId="Q"><w:name w:val="Quote"/></w:style></w:styles>'
    )
    return archive(
        word__document=b"",
        **{
            "word/document.xml": f"<w:document {_W}><w:body>{body}</w:body></w:document>",
            "word/styles.xml": styles,
            "word/footnotes.xml": f"<w:footnotes {_W}>{notes}</w:footnotes>",
        },
    )


def open_document(body: str, styles: str = "", about: str = "") -> bytes:
    """An .odt with this body, automatic styles and metadata."""
    odf = "urn:oasis:names:tc:opendocument:xmlns"
    spaces = " ".join(
        f'xmlns:{name}="{odf}:{name}:1.0"' for name in ("office", "text", "table", "style", "meta")
    )
    spaces += f' xmlns:draw="{odf}:drawing:1.0" xmlns:dc="http://purl.org/dc/elements/1.1/"'
    return archive(
        **{
            "mimetype": "application/vnd.oasis.opendocument.text",
            "content.xml": f"<office:document-content {spaces}><office:automatic-styles>{styles}"
            f"</office:automatic-styles><office:body><office:text>{body}</office:text></office:body>"
            "</office:document-content>",
            "styles.xml": f"<office:document-styles {spaces}><office:styles><style:style style:name='Rand' "
            "style:parent-style-name='Quotations'/></office:styles></office:document-styles>",
            "meta.xml": f"<office:document-meta {spaces}><office:meta>{about}</office:meta>"
            "</office:document-meta>",
        }
    )
