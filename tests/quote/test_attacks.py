"""PDFs that say what they do not print: sixty ways, in one table. None of what they say is a quote."""

import struct

import pymupdf
import pytest

from tests.support.builds import corpus_of
from tests.support.hidden_text import (
    AFTER,
    AREA,
    HIDDEN,
    OVER,
    PATTERN,
    SECRET,
    SHADING,
    SMOOTH,
    box,
    drawn,
    page_around,
    pdf_in_one_operation,
    pdf_with_secret,
    picture,
)
from tests.support.pdfs import added

PRINTED = "The treatment was not effective and cured 10 of all 38 children within five weeks of summer."
LIES = {
    "a number": PRINTED.replace("10", "75"),
    "a digit": PRINTED.replace("38", "33"),
    "a denial": PRINTED.replace("not", "now"),
    "a letter": PRINTED.replace("cured", "cubed"),
}
GREEK = "The α and γ cells of all 38 children were larger within five weeks of summer."
OTHER_GREEK = GREEK.replace("α", "β")
YEAR = "Pasado el año fueron 38 en total los que fueron vistos."
OTHER_YEAR = YEAR.replace("ñ", "õ")


def _shown(words, before="", after="", font="helv"):
    return f"{before} BT /{font} 11 Tf 72 {842 - 88} Td ({words}) Tj ET {after}"


def _said(lie):
    return f"/Span <</ActualText ({lie})>> BDC", "EMC"


def in_contents(lie):
    return pdf_with_secret(drawn(_shown(PRINTED, *_said(lie))))


def in_a_form(lie):
    document, page = page_around()
    fonts = document.xref_get_key(page.xref, "Resources/Font")[1]
    made = f"<</Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources <</Font {fonts}>>>>"
    drawn("/Said Do", Said=("XObject", made, _shown(PRINTED, *_said(lie)).encode()))(page)
    return document.tobytes()


def in_the_structure(lie):
    document, page = page_around()
    drawn(_shown(PRINTED, "/P <</MCID 0>> BDC", "EMC"))(page)
    root = added(document)
    element = added(
        document, f"<</Type /StructElem /S /P /P {root} 0 R /Pg {page.xref} 0 R /K 0 /ActualText ({lie})>>"
    )
    document.update_object(
        root, f"<</Type /StructTreeRoot /K [{element} 0 R] /ParentTree <</Nums [0 [{element} 0 R]]>>>>"
    )
    document.xref_set_key(document.pdf_catalog(), "StructTreeRoot", f"{root} 0 R")
    document.xref_set_key(document.pdf_catalog(), "MarkInfo", "<</MarkupText true>>")
    document.xref_set_key(page.xref, "StructParents", "0")
    return document.tobytes()


def _with_table(document, font, lie, codes, printed=PRINTED):
    """Have the font's table say the lie, by the code of each character printed."""
    pairs = {codes[c]: ord(other) for c, other in zip(printed, lie, strict=True) if c != other}
    pairs = {code: ord(c) for c, code in codes.items()} | pairs
    wide = 4 if max(pairs) > 0xFF or document.xref_get_key(font, "Subtype")[1] == "/Type0" else 2
    listed = "".join(f"<{code:0{wide}x}> <{target:04x}>\n" for code, target in pairs.items())
    table = added(
        document,
        stream=b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Lie def\n"
        + f"1 begincodespacerange <{'00' * (wide // 2)}> <{'ff' * (wide // 2)}> endcodespacerange\n"
        f"{len(pairs)} beginbfchar\n{listed}endbfchar\nendcmap end end".encode(),
    )
    document.xref_set_key(font, "ToUnicode", f"{table} 0 R")


def _lying_font(buffer, printed=PRINTED):
    """A way to lie by the table of a font of its own: MuPDF's, embedded or not."""

    def made(lie):
        document, page = page_around()
        name = "F9" if buffer else "tiro"
        if buffer:
            page.insert_font(name, fontbuffer=pymupdf.Font(buffer).buffer)
        page.insert_text((72, 88), printed, fontsize=11, fontname=name)
        font = next(one[0] for one in document.get_page_fonts(0) if one[4] == name)
        known = pymupdf.Font(buffer or "tiro")
        codes = {c: known.has_glyph(ord(c)) if buffer else ord(c) for c in printed}
        _with_table(document, font, lie, codes, printed)
        return document.tobytes()

    return made


def by_named_letters(printed, lie, **named):
    """A table of a font, not embedded, whose names of letters beyond ASCII are others."""
    codes = {c: ord(c) for c in printed if c.isascii()} | {c: at for at, c in enumerate(named.values(), 1)}
    document, page = page_around()
    text = "".join([chr(codes[c]) for c in printed])
    names = " ".join(f"/{name}" for name in named)
    font = f"<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding <</Differences [1 {names}]>>>>"
    drawn(_shown(text, font="Named"), Named=("Font", font, None))(page)
    xref = next(one[0] for one in document.get_page_fonts(0) if one[4] == "Named")
    _with_table(document, xref, lie, codes, printed)
    return document.tobytes()


def _empty_truetype():
    """MuPDF's TrueType font without its outlines."""
    font = bytearray(pymupdf.Font("cjk").buffer)
    (tables,) = struct.unpack(">H", font[4:6])
    for at in range(12, 12 + 16 * tables, 16):
        name, _, begin, length = struct.unpack(">4sIII", font[at : at + 16])
        if name in {b"loca", b"glyf"}:
            font[begin : begin + length] = bytes(length)
    return bytes(font)


def _encrypted(plain, key):
    """Part of a Type 1 font (Adobe Type 1 Font Format, chapter 7), with four bytes before it."""
    out = bytearray()
    for byte in bytes(4) + plain:
        out.append(byte ^ key >> 8)
        key = (out[-1] + key) * 52845 + 22719 & 0xFFFF
    return bytes(out)


def _empty_type1(lie):
    """A Type 1 font all of whose glyphs are 500 wide and draw nothing: its plain part, and the other."""
    digits = dict(zip("01358 ", ("zero", "one", "three", "five", "eight", "space"), strict=True))
    names = [*(digits.get(c, c) for c in sorted({*lie} - {"."})), ".notdef"]
    encoded = "".join(f"dup {ord(c)} /{c} put\n" for c in names if len(c) == 1)
    glyph = _encrypted(bytes([139, 248, 136, 13, 14]), 4330)  # 0 500 hsbw endchar
    glyphs = b"".join(b"/%s %d RD %s ND\n" % (name.encode(), len(glyph), glyph) for name in names)
    plain = (
        "%!PS-AdobeFont-1.0: Empty\n11 dict begin\n/FontName /Empty def\n/FontType 1 def\n/PaintType 0 def\n"
        "/FontMatrix [0.001 0 0 0.001 0 0] readonly def\n/FontBBox {0 0 500 700} readonly def\n"
        f"/Encoding 256 array 0 1 255 {{1 index exch /.notdef put}} for\n{encoded}readonly def\n"
        "currentdict end\ncurrentfile eexec\n"
    ).encode()
    private = (
        b"dup /Private 8 dict dup begin\n/RD {string currentfile exch readstring pop} executeonly def\n"
        b"/ND {noaccess def} executeonly def\n/BlueValues [] def\n/password 5839 def\n"
        b"2 index /CharStrings %d dict dup begin\n%send\nend\nreadonly put\nnoaccess put\n"
        b"dup /FontName get exch definefont pop\nmark currentfile closefile\n" % (len(names), glyphs)
    )
    return plain, _encrypted(private, 55665)


def _list(*items):
    """Return an INDEX of these items (The Compact Font Format Specification, chapter 5)."""
    ends = [1]
    for one in items:
        ends.append(ends[-1] + len(one))
    offsets = struct.pack(f">{len(ends)}H", *ends)
    return struct.pack(">HB", len(items), 2) + offsets + b"".join(items)


def _empty_cff(glyphs):
    """A font of Compact Font Format with glyphs by number (CID), all of which draw nothing."""

    def top(charset=0, selection=0, outlines=0, fonts=0):
        numbers = {b"\x0f": charset, b"\x0c\x25": selection, b"\x11": outlines, b"\x0c\x24": fonts}
        ordering = b"\xf8\x1b\xf8\x1c\x8b\x0c\x1e"  # 391 392 0 ROS
        return ordering + b"".join(struct.pack(">Bi", 29, at) + name for name, at in numbers.items())

    def begin(**places):
        return b"\1\0\4\2" + _list(b"Empty") + _list(top(**places)) + _list(b"Adobe", b"Identity") + b"\0\0"

    charset = struct.pack(">BHH", 2, 1, glyphs - 2)
    selection = struct.pack(">BHHBH", 3, 1, 0, 0, glyphs)
    outlines = _list(*[b"\x0e"] * glyphs)
    at = [len(begin())]
    for part in (charset, selection, outlines):
        at.append(at[-1] + len(part))
    fonts = _list(struct.pack(">BiBiB", 29, 0, 29, at[0], 18))  # the Private dictionary is empty
    places = dict(zip(("charset", "selection", "outlines", "fonts"), at, strict=True))
    return begin(**places) + charset + selection + outlines + fonts


def in_empty_cff(lie):
    document, page = page_around()
    page.insert_font("F9", fontbuffer=pymupdf.Font("cjk").buffer)
    page.insert_text((72, 88), lie, fontsize=11, fontname="F9")
    font = next(one[0] for one in document.get_page_fonts(0) if one[4] == "F9")
    file = added(document, "<</Subtype /CIDFontType0C>>", _empty_cff(60_000))
    descriptor = added(
        document,
        "<</Type /FontDescriptor /FontName /Empty /Flags 4 /FontBBox [0 0 500 700] /ItalicAngle 0 /Ascent 700"
        f" /Descent 0 /CapHeight 700 /StemV 80 /FontFile3 {file} 0 R>>",
    )
    below = added(
        document,
        "<</Type /Font /Subtype /CIDFontType0 /BaseFont /Empty /CIDSystemInfo <</Registry (Adobe) "
        f"/Ordering (Identity) /Supplement 0>> /DW 500 /FontDescriptor {descriptor} 0 R>>",
    )
    document.xref_set_key(font, "DescendantFonts", f"[{below} 0 R]")
    known = pymupdf.Font("cjk")
    _with_table(document, font, lie, {c: known.has_glyph(ord(c)) for c in lie}, lie)
    return document.tobytes(deflate=True)


def in_empty_truetype(lie):
    document, page = page_around()
    page.insert_font("F9", fontbuffer=_empty_truetype())
    page.insert_text((72, 88), lie, fontsize=11, fontname="F9")
    return document.tobytes(deflate=True)


def in_empty_type1(lie):
    document, page = page_around()
    plain, private = _empty_type1(lie)
    lengths = f"<</Length1 {len(plain)} /Length2 {len(private)} /Length3 0>>"
    file = added(document, lengths, plain + private)
    descriptor = added(
        document,
        "<</Type /FontDescriptor /FontName /Empty /Flags 32 /FontBBox [0 0 500 700] /ItalicAngle 0 "
        f"/Ascent 700 /Descent 0 /CapHeight 700 /StemV 80 /FontFile {file} 0 R>>",
    )
    made = (
        "<</Type /Font /Subtype /Type1 /BaseFont /Empty /FirstChar 0 /LastChar 255 "
        f"/Encoding /WinAnsiEncoding /Widths [{'500 ' * 256}] /FontDescriptor {descriptor} 0 R>>"
    )
    drawn(_shown(lie, font="Empty"), Empty=("Font", made, None))(page)
    return document.tobytes()


SAID = (in_contents, in_a_form, in_the_structure)
COVERS = {
    "black": box,
    "white": lambda page: box(page, fill=(1, 1, 1)),
    "a picture": picture,
    "a clear and a dark one": lambda page: (picture(page, clear=True), picture(page)),
    "a shading": drawn(f"q {AREA} re W n /Blue sh Q", Blue=SHADING),
    "a pattern": drawn(f"/Pattern cs /Tiles scn {AREA} re f", Tiles=PATTERN),
    "a smooth pattern": drawn(f"/Pattern cs /Smooth scn {AREA} re f", Smooth=SMOOTH),
    "a thick line": lambda page: page.draw_line((60, 85), (560, 85), width=13),
    "two boxes": lambda page: (box(page), page.draw_rect((60, 78.5, 300, 91), fill=(0, 0, 0))),
    "other words": lambda page: (box(page), page.insert_text((72, 88), OVER, fontsize=11)),
    "a frame filled": lambda page: box(page, color=(0, 0, 0), fill=(1, 1, 1)),
    "a curve": lambda page: page.draw_bezier((60, 85), (200, 85), (400, 85), (560, 85), width=13),
    "half black, half white": lambda page: (
        page.draw_rect((60, 78.5, 300, 91), fill=(0, 0, 0), color=None),
        page.draw_rect((300, 78.5, 560, 91), fill=(1, 1, 1), color=None),
    ),
}
FONTS = {"Times, not embedded": "", "Helvetica": "helv", "Times, bold": "tibo", "Courier": "cour"}
ATTACKS = (
    {f"{way.__name__}: {what}": (way(lie), lie) for way in SAID for what, lie in LIES.items()}
    | {
        f"a table of {font}: {what}": (_lying_font(name)(lie), lie)
        for font, name in FONTS.items()
        for what, lie in LIES.items()
    }
    | {
        f"{way.__name__}": (way(PRINTED), PRINTED)
        for way in (in_empty_truetype, in_empty_type1, in_empty_cff)
    }
    | {
        "a table of Greek by outlines": (_lying_font("helv", GREEK)(OTHER_GREEK), OTHER_GREEK),
        "a table of Greek by names": (
            by_named_letters(GREEK, OTHER_GREEK, alpha="α", gamma="γ"),
            OTHER_GREEK,
        ),
        "a table of accents": (by_named_letters(YEAR, OTHER_YEAR, ntilde="ñ"), OTHER_YEAR),
    }
    | {
        f"hidden, in one operation: {how}": (pdf_in_one_operation(cover), SECRET)
        for how, cover in COVERS.items()
    }
    | {f"hidden: {how}": (pdf_with_secret(hide), SECRET) for how, hide in HIDDEN.items()}
)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory):
    files = {f"attack{number:02}.pdf": made for number, (made, _) in enumerate(ATTACKS.values())}
    with corpus_of(tmp_path_factory.mktemp("attacks"), files) as opened:
        yield opened


@pytest.mark.parametrize("attack", ATTACKS)
def test_what_is_said_without_ink_is_no_quote(attacked, attack):
    _, lie = ATTACKS[attack]
    key = f"attack{list(ATTACKS).index(attack):02}"
    judged = attacked.verify(lie, key)
    assert judged.verdict not in ("verbatim", "abridged")
    assert attacked.verify(AFTER, key)
