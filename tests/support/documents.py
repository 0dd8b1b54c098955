"""Documents as word processors write them: made of the parts that matter here, without any of their
programs.
"""

import base64
import io
import json
import zipfile
from typing import Any
from xml.sax.saxutils import escape, quoteattr

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_STYLES = (
    '<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>'
    '<w:style w:styleId="Zitat"><w:name w:val="Quote"/></w:style>'
    '<w:style w:styleId="Mein"><w:name w:val="My own"/><w:basedOn w:val="Zitat"/></w:style>'
)
_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="xml" ContentType="application/xml"/></Types>'
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>'
)


def run(text: str, properties: str = "") -> str:
    """Return a run of a .docx."""
    inner = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{inner}<w:t xml:space="preserve">{escape(text)}</w:t></w:r>'


def paragraph(*runs: str, properties: str = "") -> str:
    """Return a paragraph of a .docx; what is no XML becomes a run."""
    inner = "".join(one if one.startswith("<") else run(one) for one in runs)
    return f"<w:p><w:pPr>{properties}</w:pPr>{inner}</w:p>"


def heading(text: str) -> str:
    """Return a heading of a .docx."""
    return paragraph(text, properties='<w:pStyle w:val="berschrift1"/>')


def field(instruction: str, shown: str, data: str = "") -> str:
    """Return a field of a .docx; `data` is kept in a field within its instruction, as EndNote does."""
    inner = ""
    if data:
        kept = f'<w:fldChar w:fldCharType="begin"><w:fldData>{data}</w:fldData></w:fldChar>'
        inner = f"<w:r>{kept}</w:r>{_instruction('ADDIN EN.CITE.DATA')}{_char('end')}"
    return f"{_char('begin')}{_instruction(instruction)}{inner}{_char('separate')}{run(shown)}{_char('end')}"


def _char(kind: str) -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'


def _instruction(text: str) -> str:
    return f'<w:r><w:instrText xml:space="preserve">{escape(text)}</w:instrText></w:r>'


def control(tag: str, shown: str) -> str:
    """Return a content control of a .docx."""
    return (
        f"<w:sdt><w:sdtPr><w:tag "
        f"w:val={quoteattr(tag)}/></w:sdtPr><w:sdtContent>{run(shown)}</w:sdtContent></w:sdt>"
    )


def csl(*items: dict[str, Any]) -> str:
    """Return a citation in CSL JSON; each item may have `locator` and `label` beside what it is."""
    placed = [
        {"id": 1, "itemData": {k: v for k, v in item.items() if k not in ("locator", "label")}}
        | {k: item[k] for k in ("locator", "label") if k in item}
        for item in items
    ]
    return json.dumps({"citationID": "a", "citationItems": placed, "properties": {"plainCitation": "(...)"}})


def in_base64(text: str) -> str:
    """Return a text in Base64."""
    return base64.b64encode(text.encode()).decode()


def docx(*paragraphs: str, footnotes: dict[str, str] | None = None, **members: str) -> bytes:
    """Return a .docx: paragraphs, footnotes by id, and other members, their names with "__" for "/"."""
    notes = "".join(f'<w:footnote w:id="{i}">{text}</w:footnote>' for i, text in (footnotes or {}).items())
    files = {
        "[Content_Types].xml": _TYPES,
        "word/document.xml": f"<w:document {W}><w:body>{''.join(paragraphs)}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {W}>{_STYLES}</w:styles>",
        "word/_rels/document.xml.rels": _RELATIONS,
        **({"word/footnotes.xml": f"<w:footnotes {W}>{notes}</w:footnotes>"} if notes else {}),
        **{f"{name.replace('__', '/')}.xml": text for name, text in members.items()},
    }
    return zipped(files)


_ODF = "urn:oasis:names:tc:opendocument:xmlns"


def odt(body: str, styles: str = "") -> bytes:
    """Return an .odt with this content of its text and these automatic styles."""
    spaces = " ".join(
        f'xmlns:{prefix}="{_ODF}:{name}:1.0"'
        for prefix, name in (
            ("text", "text"),
            ("office", "office"),
            ("style", "style"),
            ("fo", "xsl-fo-compatible"),
        )
    )
    content = (
        f"<office:document-content {spaces}><office:automatic-styles>{styles}</office:automatic-styles>"
        f"<office:body><office:text>{body}</office:text></office:body></office:document-content>"
    )
    return zipped({"mimetype": "application/vnd.oasis.opendocument.text", "content.xml": content})


def zotero_mark(citation: str, shown: str) -> str:
    """Return a citation as Zotero writes it into an .odt."""
    name = quoteattr(f"ZOTERO_ITEM CSL_CITATION {citation} RNDq8NmVbWn")
    return (
        f"<text:reference-mark-start text:name={name}/>{escape(shown)}<text:reference-mark-end "
        f"text:name={name}/>"
    )


def zipped(files: dict[str, str], packed: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of texts, packed by this method."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", packed) as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return made.getvalue()


def damaged(packed: int) -> bytes:
    """Return a .docx, packed by this method, whose text has other bytes in its middle."""
    whole = zipped({"word/document.xml": "".join(f"{number} words of it " for number in range(180))}, packed)
    middle = len(whole) // 2
    return whole[: middle - 50] + b"\xff" * 100 + whole[middle + 50 :]


DAMAGED = {
    f"damaged {name}": damaged(packed)
    for name, packed in {
        "deflate": zipfile.ZIP_DEFLATED,
        "bzip2": zipfile.ZIP_BZIP2,
        "LZMA": zipfile.ZIP_LZMA,
        "stored": zipfile.ZIP_STORED,
    }.items()
}
_WHOLE = zipped({"word/document.xml": "<a/>"})
DAMAGED["damaged directory"] = (
    _WHOLE[: _WHOLE.rindex(b"PK") + 16] + b"\xff\xff\xff\x7f" + _WHOLE[_WHOLE.rindex(b"PK") + 20 :]
)
"""Archives of which the directory is whole and the text is not, and one that says it begins elsewhere."""
