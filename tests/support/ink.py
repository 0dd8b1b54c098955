"""Small PDFs in which a table, a glyph, a gap or a cover says something else than the ink does.

They are made by Typst, Chromium, PyMuPDF and by hand. Each has quotes that are printed, and forged ones that
its table or its hidden text would bear out.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from io import BytesIO
from itertools import product
from typing import Any

import pikepdf
import pymupdf
import typst

from tests.support.cases import cases as cases_of_file
from tests.support.needs import lacking
from tests.support.programs import chromium_print, groff_print, latex_print, libreoffice_print

pdfs: Any = pymupdf  # it has no types

BEFORE = "The wardens of the north coast counted every flock twice, from the dunes and across the creeks."
AFTER = "Nobody has published these figures until today, because the agency was dissolved by parliament."
"""Paragraphs around the one in question."""

EMBEDDED: Mapping[str, str] = {"Nimbus Roman": "tiro", "Nimbus Sans": "helv", "Nimbus Mono": "cour"}
"""Fonts whose files come with PyMuPDF, by its names for them."""

Changed = Mapping[str, str]
Produce = Callable[[Sequence[str]], bytes]


@dataclass(frozen=True)
class Case:
    """A PDF, quotes of what it prints, and forged ones."""

    kind: str
    name: str
    pdf: bytes
    printed: tuple[str, ...] = ()
    forged: tuple[str, ...] = ()


STYLED = {
    "wardens": ("strong", "<b>{}</b>", "bo", r"\textbf{%s}"),
    "dunes": ("emph", "<i>{}</i>", "it", r"\textit{%s}"),
    "creeks": ("it => strong(emph(it))", "<b><i>{}</i></b>", "bi", r"\textbf{\textit{%s}}"),
}
"""Words of BEFORE in other fonts of its family; how Typst, web pages, PyMuPDF and LaTeX call these."""


def by_typst(font: str, before: str = "", fonts: int = 1) -> Produce:
    """Return what sets paragraphs of Typst's markup in so many fonts of a family."""
    shown = "".join(f'#show "{word}": {how}\n' for word, (how, *_) in _styled(fonts))

    def made(paragraphs: Sequence[str]) -> bytes:
        text = "\n\n".join(paragraphs)
        setting = f'#set text(font: "{font}", size: 11pt)\n#set par(spacing: 1.2em)\n{before}\n{shown}'
        return bytes(typst.compile(f"{setting}#block(width: 340pt)[{text}]\n".encode()))

    return made


def _styled(fonts: int) -> list[tuple[str, tuple[str, str, str, str]]]:
    return list(STYLED.items())[: fonts - 1]


def by_chromium(font: str, fonts: int = 1) -> Produce:
    """Return what prints paragraphs as a web page in so many fonts of a family."""

    def made(paragraphs: Sequence[str]) -> bytes:
        setting = f"p {{ width: 340pt; font: 11pt '{font}' }}"
        text = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
        for word, (_, style, *_) in _styled(fonts):
            text = text.replace(word, style.format(word))
        return browser_print(f'<html lang="en"><meta charset="utf-8"><style>{setting}</style>{text}')

    return made


def browser_print(page: str) -> bytes:
    """Return a web page as Chromium prints it."""
    return chromium_print(f"<!doctype html>{page}", head=False)


def by_latex(fonts: int = 1) -> Produce:
    """Return what sets paragraphs in XeLaTeX's own fonts, in so many of them."""

    def made(paragraphs: Sequence[str]) -> bytes:
        text = re.sub(r"[%&#_$]", r"\\\g<0>", "\n\n".join(paragraphs))
        for word, (*_, style) in _styled(fonts):
            text = text.replace(word, style % word)
        setting = r"\documentclass[11pt]{article}\usepackage{fontspec}\setlength{\textwidth}{340pt}"
        return latex_print(rf"{setting}\begin{{document}}{text}\end{{document}}")

    return made


def by_pymupdf(font: str, fonts: int = 1, *, embedded: bool) -> Produce:
    """Return what sets paragraphs in a font, as a composite one from its file or as a standard one.

    Words in other fonts stand below.
    """

    def made(paragraphs: Sequence[str]) -> bytes:
        document = pdfs.open()
        page = document.new_page()
        name = embed(page, font) if embedded else font
        for number, (word, (*_, style, _)) in enumerate(_styled(fonts), 1):
            other = f"{font[:2]}{style}"
            set_in = embed(page, other, f"F{number}") if embedded else other
            page.insert_text((72, 600 + 20 * number), f"The {word} of the coast", fontname=set_in)
        for number, one in enumerate(paragraphs):
            page.insert_textbox(
                (72, 72 + 60 * number, 412, 131 + 60 * number), one, fontsize=11, fontname=name
            )
        return bytes(document.tobytes(garbage=3))

    return made


def embed(page: Any, font: str, name: str = "F0") -> str:
    """Put the file of a font into a page, with this `name` there. Return the name."""
    page.insert_font(fontname=name, fontbuffer=pdfs.Font(font).buffer)
    return name


def by_libreoffice(font: str) -> Produce:
    """Return what LibreOffice's writer exports of paragraphs in a font."""

    def made(paragraphs: Sequence[str]) -> bytes:
        text = "".join(f"<p>{escape(one)}</p>" for one in paragraphs)
        style = f"p {{ font: 11pt '{font}'; margin: 0 80pt 10pt 0 }}"
        head = f'<meta charset="utf-8"><style>{style}</style>'
        return libreoffice_print(f"<!doctype html><html><head>{head}</head><body>{text}</body></html>")

    return made


def by_groff(font: str) -> Produce:
    """Return what groff sets in one of its fonts (T, H, P), as Ghostscript embeds it."""

    def made(paragraphs: Sequence[str]) -> bytes:
        text = "".join(f".LP\n\\&{one.replace('-', chr(92) + '[hy]')}\n" for one in paragraphs)
        return groff_print(f".fam {font}\n.ds FAM {font}\n.nr LL 340p\n.nh\n{text}")

    return made


HELD_BACK: Mapping[str, Produce] = {
    "LibreOffice, Liberation Serif": by_libreoffice("Liberation Serif"),
    "LibreOffice, DejaVu Sans": by_libreoffice("DejaVu Sans"),
    "groff and Ghostscript, Times": by_groff("T"),
    "groff and Ghostscript, Palatino": by_groff("P"),
    "Chromium, Liberation Sans Narrow": by_chromium("Liberation Sans Narrow"),
    "Typst, DejaVu Sans Mono": by_typst("DejaVu Sans Mono"),
}
"""Producers that were tried when the work was done."""

_FAMILIES: Mapping[str, Callable[[int], Produce]] = {
    "Typst, Libertinus": lambda fonts: by_typst("Libertinus Serif", fonts=fonts),
    "Typst, New Computer Modern": lambda fonts: by_typst("New Computer Modern", fonts=fonts),
    "Chromium, Liberation Serif": lambda fonts: by_chromium("Liberation Serif", fonts),
    "Chromium, DejaVu Sans": lambda fonts: by_chromium("DejaVu Sans", fonts),
    "XeLaTeX, Latin Modern": by_latex,
    "PyMuPDF, Nimbus Roman": lambda fonts: by_pymupdf("tiro", fonts, embedded=True),
    "PyMuPDF, Nimbus Sans": lambda fonts: by_pymupdf("helv", fonts, embedded=True),
    "Helvetica, not embedded": lambda fonts: by_pymupdf("helv", fonts, embedded=False),
    "Times, not embedded": lambda fonts: by_pymupdf("tiro", fonts, embedded=False),
}
FONTS = {1: "", 2: ", 2 fonts", 4: ", 4 fonts"}
"""How many fonts a page has, and what says so in the names of cases."""

PRODUCERS: Mapping[str, Produce] = {
    f"{name}{counted}": made(fonts) for name, made in _FAMILIES.items() for fonts, counted in FONTS.items()
}


def here() -> Mapping[str, Produce]:
    """Return the producers whose programs this machine has."""
    without = [name for name in ("Chromium", "XeLaTeX") if lacking(name)]
    return {name: made for name, made in PRODUCERS.items() if name.partition(",")[0] not in without}


def told(pdf: bytes, changes: Changed) -> bytes:
    """Return the PDF with tables of Unicode that say other characters than they did."""
    with pikepdf.open(BytesIO(pdf)) as document:
        for one in document.objects:
            if isinstance(one, pikepdf.Dictionary) and one.get("/Type") == "/Font":
                _retell(document, one, changes)
        out = BytesIO()
        document.save(out)
    return out.getvalue()


def _retell(document: Any, font: Any, changes: Changed) -> None:
    if "/ToUnicode" in font:
        width = 4 if font.get("/Subtype") == "/Type0" else 2
        pairs = dict(_pairs(font["/ToUnicode"]))
    elif font.get("/Subtype") == "/Type1":
        width = 2
        pairs = {code: bytes([code]).decode("cp1252", "replace") for code in range(32, 256)}
    else:
        return
    rows = [(code, changes.get(text, text)) for code, text in sorted(pairs.items())]
    font["/ToUnicode"] = document.make_stream(table(rows, width))


def typst_font(font: str, before: str, characters: str) -> tuple[Any, Mapping[str, int]]:
    """Return one of Typst's own fonts, and the numbers of its glyphs of these characters."""
    with pikepdf.open(BytesIO(by_typst(font, before)([characters]))) as document:
        fonts = [one for one in document.objects if isinstance(one, pikepdf.Dictionary)]
        (set_in,) = (one for one in fonts if one.get("/Subtype") == "/Type0")
        described = set_in["/DescendantFonts"][0]["/FontDescriptor"]
        (program,) = (described[name] for name in ("/FontFile2", "/FontFile3") if name in described)
        glyphs = {text: glyph for glyph, text in _pairs(set_in["/ToUnicode"])}
        return pdfs.Font(fontbuffer=program.read_bytes()), glyphs


def table(rows: Sequence[tuple[int, str]], width: int) -> bytes:
    """Return a table of Unicode for codes of `width` hexadecimal digits."""
    lines = [f"<{code:0{width}x}> <{text.encode('utf-16-be').hex()}>" for code, text in rows]
    blocks = [lines[at : at + 100] for at in range(0, len(lines), 100)]
    body = "\n".join(f"{len(one)} beginbfchar\n" + "\n".join(one) + "\nendbfchar" for one in blocks)
    ends = "<" + "0" * width + "> <" + "f" * width + ">"
    return (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /T def /CMapType 2 def\n"
        f"1 begincodespacerange {ends} endcodespacerange\n{body}\n"
        "endcmap CMapName currentdict /CMap defineresource pop end end"
    ).encode()


def _pairs(stream: Any) -> Iterator[tuple[int, str]]:
    for instruction in pikepdf.parse_content_stream(stream):
        values: list[Any] = list(instruction.operands)
        operator = instruction.operator
        if str(operator) == "endbfchar":
            for code, text in zip(values[::2], values[1::2], strict=True):
                yield int.from_bytes(bytes(code)), _utf16(text)
        elif str(operator) == "endbfrange":
            for first, last, target in zip(values[::3], values[1::3], values[2::3], strict=True):
                begin = int.from_bytes(bytes(first))
                for at in range(int.from_bytes(bytes(last)) + 1 - begin):
                    if isinstance(target, pikepdf.Array):
                        yield begin + at, _utf16(target[at])
                    else:
                        text = _utf16(target)
                        yield begin + at, text[:-1] + chr(ord(text[-1]) + at)


def _utf16(text: Any) -> str:
    return bytes(text).decode("utf-16-be", "replace")


SOFT = "\xad"

DOSE = "The patients were given 5-10 mg of the well-known drug for two weeks in the north."
CORRELATION = "The correlation was −0.42 in the treated group and 0.18 in the other one of the two."


def soft_hyphens(producers: Mapping[str, Produce]) -> Iterator[Case]:
    """Yield PDFs whose tables call a printed hyphen a soft one, and such as have soft ones."""
    for name, produce in producers.items():
        standard = "not embedded" in name
        made = told(produce([BEFORE, DOSE, AFTER]), {"-": SOFT})
        printed = (DOSE, "given 5-10 mg of the well-known drug")
        yield Case("soft hyphen painted", f"hyphen, {name}", made, printed, ("were given 510 mg of the",))
        if not standard:
            made = told(produce([BEFORE, CORRELATION, AFTER]), {"−": SOFT})
            printed = (CORRELATION, CORRELATION.replace("−", "-"))
            forged = ("The correlation was 0.42 in the treated group",)
            yield Case("soft hyphen painted", f"minus, {name}", made, printed, forged)
    unprinted = ("The archive holds letters of the merchants who wrote about the harvest of 1927.",)
    for name, size in {"between words": 0, "one pixel wide": 40}.items():
        pdf = _with_soft_hyphens(unprinted[0], size)
        yield Case("soft hyphen not painted", name, pdf, unprinted, ("letters of the mer-chants who",))
    broken = [
        BEFORE,
        "The philosophy of the mer\xadchants in the towns was, by their let\xadters, one of pru\xaddence.",
        AFTER,
    ]
    text = broken[1].replace(SOFT, "")
    for name in producers:
        if name.startswith("Chromium"):
            yield Case("soft hyphen not painted", f"of the text, {name}", producers[name](broken), (text,))


def _with_soft_hyphens(text: str, width: int) -> bytes:
    """Return a page with soft hyphens in words, past which the pen moves `width` / 1000 em."""
    font = pdfs.Font("tiro")
    hyphen, wide = font.has_glyph(0xAD), round(1000 * font.glyph_advance(0xAD))
    parts = []
    for at, char in enumerate(text):
        parts.append(f"<{font.has_glyph(ord(char)):04x}>")
        if char == "r" and text[at + 1 : at + 2].isalpha():
            parts.append(f"] TJ 3 Tr [<{hyphen:04x}> {wide - width}] TJ 0 Tr [")
    return shown("tiro", ["[" + "".join(parts) + "] TJ"], size=8)


def shown(font: str, lines: Sequence[str], size: float = 11, pitch: float = 14) -> bytes:
    """Return a page with operators that show lines of text in an embedded font, by its glyphs' numbers."""
    document = pdfs.open()
    page = document.new_page()
    name = embed(page, font)
    page.insert_textbox((72, 60, 412, 96), BEFORE, fontsize=11, fontname=name)
    page.insert_textbox((72, 300, 412, 336), AFTER, fontsize=11, fontname=name)
    drawn = "\n".join(
        f"q BT /F0 {size} Tf 1 0 0 1 72 {700 - pitch * number} Tm {line} ET Q"
        for number, line in enumerate(lines)
    )
    add(page, drawn)
    return bytes(document.tobytes(garbage=3))


def add(page: Any, operators: str) -> None:
    """Put operators after a page's contents."""
    document = page.parent
    page.clean_contents()
    xref = document.get_new_xref()
    document.update_object(xref, "<<>>")
    document.update_stream(xref, operators.encode("latin-1"))
    before = " ".join(f"{one} 0 R" for one in page.get_contents())
    document.xref_set_key(page.xref, "Contents", f"[{before} {xref} 0 R]")


def raised() -> Iterator[Case]:
    """Yield PDFs with figures that are raised by glyphs of their own, and with other second figures."""
    sacks = "The granary held about 10#super[5] sacks of wheat in the year of the flood, says the ledger."
    noted = (
        "The ledger was lost in the fire.#super[3] The clerks wrote one from memory#super[12] in two years."
    )
    note = (
        "The ledger was kept by clerks#footnote[They were paid in salt and in beer.] of the town for years."
    )
    letters = "It was the 19#super[th] century and the m#super[2] was not yet known; they#super[a] used feet."
    area = "An area of 25 m#super[2] was sown in the 3#super[rd] week, and 10#super[−3] of it was lost."
    faces = {
        f"{face}{counted}": (font, fonts)
        for face, font in {
            "Libertinus": "Libertinus Serif",
            "New Computer Modern": "New Computer Modern",
        }.items()
        for fonts, counted in FONTS.items()
    }
    styles = {"": "", "bold": '#set text(weight: "bold")', "italic": '#set text(style: "italic")'}
    for face, (font, fonts) in faces.items():
        for style, before in styles.items():
            name = f"{face} {style}".strip()
            setting = by_typst(font, before, fonts)
            yield Case(
                "raised by its glyph",
                f"exponent, {name}",
                setting([BEFORE, sacks, AFTER]),
                (
                    "The granary held about 10^5 sacks of wheat in the year of the flood",
                    "about 10⁵ sacks of wheat",
                ),
                ("The granary held about 105 sacks of wheat",),
            )
            yield Case(
                "raised by its glyph",
                f"marks, {name}",
                setting([BEFORE, noted, AFTER]),
                ("The ledger was lost in the fire. The clerks wrote one from memory in two years.",),
            )
        setting = by_typst(font, fonts=fonts)
        yield Case(
            "raised by its glyph",
            f"footnote, {face}",
            setting([BEFORE, note, AFTER]),
            ("The ledger was kept by clerks of the town for years.",),
        )
        yield Case(
            "raised by its glyph",
            f"letters, {face}",
            setting([BEFORE, letters, AFTER]),
            ("the 19th century and the m² was not yet known",),
        )
        yield Case(
            "raised by its glyph",
            f"units, {face}",
            setting([BEFORE, area, AFTER]),
            ("An area of 25 m² was sown in the 3rd week", "and 10^−3 of it was lost"),
            ("and 103 of it was lost",),
        )
    years = (
        "In 1850 the town had 12,345 people, 67 mills and 89 ships, which is 10 more than in the year 1849."
    )
    for face, settings in {
        "old-style": '#set text(number-type: "old-style")',
        "lining": '#set text(number-type: "lining")',
        "tabular": '#set text(number-width: "tabular")',
        "old-style and lining": '#show regex("1850|67"): set text(number-type: "old-style")',
        "proportional and tabular": '#show regex("1850|67"): set text(number-width: "tabular")',
        "small capitals": '#show regex("1850|town|mills"): smallcaps',
        "slashed": "#set text(slashed-zero: true)",
    }.items():
        for font in ("Libertinus Serif", "New Computer Modern"):
            yield Case(
                "figures that are not raised",
                f"{face}, {font}",
                by_typst(font, settings)([BEFORE, years, AFTER]),
                (years,),
            )
    water = "The water (H#sub[2]O) and the acid (H#sub[2]SO#sub[4]) were mixed at 20 degrees in the old mill."
    for font in ("Libertinus Serif", "New Computer Modern"):
        yield Case(
            "figures that are not raised",
            f"lowered, {font}",
            by_typst(font)([BEFORE, water, AFTER]),
            ("The water (H2O) and the acid (H2SO4) were mixed at 20 degrees",),
        )
    yield from _named_superiors()


def _named_superiors() -> Iterator[Case]:
    """Yield PDFs in fonts with names: figures that are called superior, and that a table calls plain."""
    for font, figure, embedded in product(("helv", "tiro"), "23", (True, False)):
        name = {"2": "twosuperior", "3": "threesuperior"}[figure]
        text = "The granary held about 10\1 sacks of wheat in the year of the flood, says the ledger."
        yield Case(
            "raised by its glyph",
            f"{name}, {font}, {'embedded' if embedded else 'not embedded'}",
            _named(font, text, name, figure, embedded=embedded),
            (f"The granary held about 10^{figure} sacks of wheat",),
            (f"The granary held about 10{figure} sacks of wheat",),
        )


def _named(font: str, text: str, name: str, said: str, *, embedded: bool) -> bytes:
    """Return a line in a standard font whose code 1 is a glyph by its `name`, and `said` by its table."""
    document, drawn = pdfs.open(), pdfs.Font(font)
    document.new_page().insert_text((72, 72), BEFORE, fontname=font, fontsize=9)
    with pikepdf.open(BytesIO(document.tobytes())) as made:
        page = made.pages[0]
        described = page.Resources.Font[f"/{font}"]
        codes = [(code, chr(code)) for code in range(32, 127)]
        described["/ToUnicode"] = made.make_stream(table([(1, said), *codes], 2))
        described["/Encoding"] = pikepdf.Dictionary(
            BaseEncoding=pikepdf.Name.WinAnsiEncoding, Differences=[1, pikepdf.Name(f"/{name}")]
        )
        if embedded:
            program = made.make_stream(drawn.buffer, Subtype=pikepdf.Name.Type1C)
            sizes: dict[str, Any] = {
                "Flags": 32,
                "FontBBox": [-200, -300, 1200, 1000],
                "StemV": 80,
                "ItalicAngle": 0,
            }
            heights = {"Ascent": 800, "Descent": -200, "CapHeight": 700}
            called = {"FontName": described.BaseFont, "FontFile3": program}
            described["/FontDescriptor"] = made.make_indirect(
                pikepdf.Dictionary({f"/{name}": value for name, value in (sizes | heights | called).items()})
            )
            described["/FirstChar"], described["/LastChar"] = 1, 126
            widths = [drawn.glyph_advance(ord({"2": "²", "3": "³"}[said])), *[0.0] * 30]
            widths += [drawn.glyph_advance(code) for code, _ in codes]
            described["/Widths"] = [round(1000 * width) for width in widths]
        page.contents_add(f"BT /{font} 9 Tf 1 0 0 1 72 700 Tm ({text}) Tj ET".encode())
        out = BytesIO()
        made.save(out)
    return out.getvalue()


TOWER = (
    "The Tower of the Company was sold to the Restated Trust, whose",
    "activities were not known to anybody in the town before the war",
)


def kerned(font: str, line: str, gap: float, tracking: float = 0.0) -> str:
    """Return what shows a line whose words are parted by `gap` em, and its letters by `tracking`."""
    one = pdfs.Font(font)
    parts = []
    for at, char in enumerate(line):
        if char == " ":
            continue
        glyph = f"<{one.has_glyph(ord(char)):04x}>"
        after = line[at + 1 : at + 2]
        moved = tracking + (gap if after == " " else 0)
        parts.append(f"{glyph}{-round(1000 * moved)}" if moved else glyph)
    return f"[{''.join(parts)}] TJ"


def gaps() -> Iterator[Case]:
    """Yield PDFs in which words are parted by kerning alone, and letters by tracking."""
    for name, font in EMBEDDED.items():
        for gap in (0.09, 0.11, 0.12, 0.14, 0.18, 0.25):
            pdf = shown(font, [kerned(font, line, gap) for line in TOWER])
            printed = (
                " ".join(TOWER),
                "The Tower of the Company was sold to the Restated Trust, whose activities",
            )
            yield Case("words parted by kerning", f"{gap} em, {name}", pdf, printed)
        for tracking in (0.04, 0.08, 0.12, 0.2):
            line = TOWER[0]
            pdf = shown(font, [kerned(font, line, 0.33 + tracking, tracking)])
            yield Case("letters parted by tracking", f"{tracking} em, {name}", pdf, (line,))
        one = shown(font, [kerned(font, "Incomprehensibilities", 0)])
        yield Case("letters parted by tracking", f"none, {name}", one, ("Incomprehensibilities",))
        spaced = _with_spaces(font, "The line is set with kerned AVATAR letters of To and Ye in 1911", 0.1)
        yield Case(
            "letters parted by tracking",
            f"kerned within words, {name}",
            spaced,
            ("The line is set with kerned AVATAR letters of To and Ye in 1911",),
        )
        yield Case(
            "raised drawn later",
            name,
            _late(font),
            (
                "the density was 3.2 A/cm² at first",
                "10⁵ cells per mL were seeded",
                "NH4HCO3 was added to the water",
            ),
            ("105 cells per mL were seeded",),
        )
        for order in ("reversed", "odd first"):
            yield Case(
                "letters painted one by one", f"{order}, {name}", _one_by_one(font, order), (TOWER[0],)
            )


def _with_spaces(font: str, line: str, kern: float) -> bytes:
    """Return a line with spaces, and gaps of `kern` em within some words."""
    one = pdfs.Font(font)
    parts = [
        f"<{one.has_glyph(ord(char)):04x}>{-round(1000 * kern) if char in 'AVT1' else 0}" for char in line
    ]
    return shown(font, [f"[{''.join(parts)}] TJ"])


def _late(font: str) -> bytes:
    """Return lines whose raised and lowered figures are drawn after all of them."""
    one = pdfs.Font(font)
    after: list[str] = []
    lines = []
    pitch, size = 16, 11
    marked = (
        "the density was 3.2 A/cm^2 at first, and it fell at night.",
        "10^5 cells per mL were seeded, and NH_4HCO_3 was added to the water",
    )
    for number, line in enumerate(marked):
        x, parts = 0.0, []
        small = 0.65
        signs = iter(line)
        for char in signs:
            if char in "^_":
                figure = next(signs)
                glyph = one.has_glyph(ord(figure))
                rise = 4 if char == "^" else -2
                after.append(
                    f"q BT /F0 {size * small} Tf 1 0 0 1 {72 + x * size} {700 - pitch * number + rise} Tm "
                    f"<{glyph:04x}> Tj ET Q"
                )
                wide = one.glyph_advance(ord(figure)) * small
                parts.append(str(-round(1000 * wide)))
                x += wide
            else:
                parts.append(f"<{one.has_glyph(ord(char)):04x}>")
                x += one.glyph_advance(ord(char))
        lines.append(f"[{''.join(parts)}] TJ")
    document = pdfs.open(stream=shown(font, lines, size, pitch))
    add(document[0], "\n".join(after))
    return bytes(document.tobytes(garbage=3))


def _one_by_one(font: str, order: str) -> bytes:
    """Return a line whose letters are each painted by themselves."""
    one = pdfs.Font(font)
    x, placed = 0.0, []
    for char in TOWER[0]:
        if char != " ":
            placed.append(f"1 0 0 1 {72 + x:.2f} 700 Tm <{one.has_glyph(ord(char)):04x}> Tj")
        x += 11 * one.glyph_advance(ord(char))
    painted = placed[::-1] if order == "reversed" else [*placed[1::2], *placed[::2]]
    return shown(font, [" ".join(painted)])


def line_ends() -> Iterator[Case]:
    """Yield PDFs whose lines end with the hyphens of old text layers, and with full-width letters."""
    lines = (
        "The transport of the stores was fin{0}",
        "ished before the rains began, and the non{0}",
        "commissioned officers were men of long ser{0}",
        "vice who knew the well{0}",
        "ordered column.",
    )
    for sign, name in {"¬": "not sign", "⸗": "double hyphen"}.items():
        font = pdfs.Font("helv")
        glyphs = [[font.has_glyph(ord(char)) for char in line.format("¬")] for line in lines]
        made = shown("helv", ["<" + "".join(f"{one:04x}" for one in row) + "> Tj" for row in glyphs])
        yield Case(
            "hyphens of old text layers",
            name,
            told(made, {"¬": sign}),
            (
                "The transport of the stores was finished before the rains began",
                "the non-commissioned officers were men of long service who knew the",
            ),
        )
    logic = "The formula p ∧ ¬q is true where p is, and the sentence ¬p is no sentence of the theory."
    yield Case(
        "hyphens of old text layers",
        "the sign of logic",
        PRODUCERS["PyMuPDF, Nimbus Roman"]([BEFORE, logic, AFTER]),
        (logic,),
    )
    words = "Optimization of water extraction and alcohol precipitation of the polysaccharide by the method"
    full = "".join([chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in words])
    wide_text = told(
        PRODUCERS["PyMuPDF, Nimbus Roman"]([BEFORE, f"{words} of the town", AFTER]),
        {c: chr(ord(c) + 0xFEE0) for c in "abcdefghijklmnopqrstuvwxyzO"},
    )
    yield Case("full-width letters", "by the table", wide_text, (words, full))


def radicals() -> Iterator[Case]:
    """Yield PDFs whose radicals are drawn by lines, and such as have lines about words that are none."""
    text = "The length of the side is ± {}2(i + j) where the square has an area of 50 units."
    printed, forged = (text.format(sign) for sign in ("√", ""))
    shapes = {
        "radical": (((0, 7), (1, 6.4), (3.2, 11), (5.6, 0), (17, 0)), (printed,), (forged,)),
        "angle": (((5.6, 11), (5.6, 0), (17, 0)), (forged,), (printed,)),
        "arrow": (((0, -2), (12, -2), (9, -5), (12, -2), (9, 1)), (forged,), (printed,)),
        "wave": (((0, 4), (4, 0), (8, 4), (12, 0), (16, 4)), (forged,), (printed,)),
    }
    for rotation, filled, (name, (corners, *quotes)) in product((0, 90), (False, True), shapes.items()):
        document = pdfs.open()
        page = document.new_page()
        page.insert_text((72, 72), BEFORE, fontname="tiro")
        page.insert_text((72, 172), AFTER, fontname="tiro")
        start = text.partition(" {}")[0]
        x = 74 + pdfs.get_text_length(start, "tiro", 11)
        page.insert_text((72, 120), start, fontname="tiro")
        page.insert_text((x + 5.6, 120), text.partition("{}")[2], fontname="tiro")
        outline = [(x + right, 110.5 + down) for right, down in corners]
        if filled:
            outline += [(right + 0.3, down + 0.4) for right, down in reversed(outline)]
        page.draw_polyline(outline, width=0.4, fill=(0, 0, 0) if filled else None, closePath=filled)
        if rotation:
            turned = pdfs.open()
            of_turned = turned.new_page(width=page.rect.height, height=page.rect.width)
            of_turned.show_pdf_page(of_turned.rect, document, 0, rotate=rotation)
            of_turned.set_rotation(rotation)
            document = turned
        how = ("filled" if filled else "stroked") + (", rotated" if rotation else "")
        yield Case("radicals drawn by lines", f"{name}, {how}", bytes(document.tobytes()), *quotes)


SECRET = "The witness was called Margaret Thornfield and lived in the harbour town of Husum until 1927."
AROUND = (BEFORE, SECRET, AFTER)


def covers(producers: Mapping[str, Produce]) -> Iterator[Case]:
    """Yield PDFs in which an annotation is drawn over a line, or whose ink is odd."""
    for name, produce in producers.items():
        pdf = produce(AROUND)
        for how, cover in ANNOTATIONS.items():
            document = pdfs.open(stream=pdf)
            page = document[0]
            boxes = _boxes_of(page, "witness", "1927")
            cover(page, boxes)
            yield Case(
                "covered by an annotation",
                f"{how}, {name}",
                bytes(document.tobytes()),
                (BEFORE, AFTER),
                (SECRET, "called Margaret Thornfield"),
            )
        for how, cover in HARMLESS.items():
            document = pdfs.open(stream=pdf)
            page = document[0]
            cover(page, _boxes_of(page, "witness", "1927"))
            yield Case("not covered", f"{how}, {name}", bytes(document.tobytes()), AROUND)
    for how, operators, resources in INKLESS:
        yield Case(
            "ink that is none",
            how,
            odd_ink(operators, resources),
            (BEFORE, AFTER),
            (SECRET, "called Margaret Thornfield"),
        )
    for how, operators, resources in INKED:
        yield Case("odd ink that shows", how, odd_ink(operators, resources), (BEFORE, AFTER, SECRET))


def _boxes_of(page: Any, first: str, last: str) -> list[Any]:
    """Return a box for each line of the paragraph from one word to another, a point larger all round."""
    words = page.get_text("words", flags=pdfs.TEXT_PRESERVE_WHITESPACE)
    begin = next(at for at, word in enumerate(words) if word[4] == first) - 1
    end = next(at for at, word in enumerate(words) if word[4].startswith(last))
    lines: dict[int, Any] = {}
    for word in words[begin : end + 1]:
        key = round(word[3])
        lines[key] = lines.get(key, pdfs.Rect()) | pdfs.Rect(word[:4])
    return [pdfs.Rect(box.x0 - 1, box.y0, box.x1 + 1, box.y1) for box in lines.values()]


def _rectangles(page: Any, boxes: Sequence[Any], colour: tuple[float, ...], opacity: float = 1) -> None:
    for box in boxes:
        made = page.add_rect_annot(box)
        made.set_colors(stroke=colour, fill=colour)
        made.update(opacity=opacity)


def _polygons(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        made = page.add_polygon_annot([box.tl, box.tr, box.br, box.bl])
        made.set_colors(stroke=(0, 0, 0), fill=(0, 0, 0))
        made.update()


def _redactions(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        page.add_redact_annot(box, fill=(0, 0, 0))


def _typed_over(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        page.add_freetext_annot(box + pdfs.Rect(-2, -2, 4, 2), "xx", fontsize=8, fill_color=(1, 1, 1))


def _inked(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        made = page.add_ink_annot([[(box.x0, (box.y0 + box.y1) / 2), (box.x1, (box.y0 + box.y1) / 2)]])
        made.set_colors(stroke=(0, 0, 0))
        made.set_border(width=box.height)
        made.update()


def _lines(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        middle = (box.y0 + box.y1) / 2
        made = page.add_line_annot((box.x0, middle), (box.x1, middle))
        made.set_border(width=box.height)
        made.update()


def _stamped(page: Any, boxes: Sequence[Any]) -> None:
    pixmap = pdfs.Pixmap(pdfs.csRGB, pdfs.IRect(0, 0, 10, 10))
    pixmap.clear_with(90)
    for box in boxes:
        page.add_stamp_annot(box, stamp=pixmap.tobytes("png"))


def _field(page: Any, boxes: Sequence[Any]) -> None:
    for number, box in enumerate(boxes):
        made = pdfs.Widget()
        made.field_name, made.field_type, made.rect = f"f{number}", pdfs.PDF_WIDGET_TYPE_TEXT, box
        made.fill_color, made.field_value = (0, 0, 0), ""
        page.add_widget(made)


def _hidden_box(page: Any, boxes: Sequence[Any]) -> None:
    for box in boxes:
        made = page.add_rect_annot(box)
        made.set_colors(stroke=(0, 0, 0), fill=(0, 0, 0))
        made.update()
        made.set_flags(pdfs.PDF_ANNOT_IS_HIDDEN)


ANNOTATIONS: Mapping[str, Callable[[Any, list[Any]], Any]] = {
    "black square": lambda page, boxes: _rectangles(page, boxes, (0, 0, 0)),
    "white square": lambda page, boxes: _rectangles(page, boxes, (1, 1, 1)),
    "polygon": _polygons,
    "redaction not applied": _redactions,
    "typed over": _typed_over,
    "thick ink": _inked,
    "thick line": _lines,
    "picture as stamp": _stamped,
    "field": _field,
}
HARMLESS: Mapping[str, Callable[[Any, list[Any]], Any]] = {
    "highlight": lambda page, boxes: page.add_highlight_annot(boxes),
    "underline": lambda page, boxes: page.add_underline_annot(boxes),
    "half clear square": lambda page, boxes: _rectangles(page, boxes, (1, 1, 0), 0.4),
    "hidden square": _hidden_box,
    "sticky note": lambda page, boxes: page.add_text_annot(boxes[0].tl - (20, 0), "Is this so?"),
}

_WHITE_SHADING = (
    "<</Type /Pattern /PatternType 2 /Shading <</ShadingType 2 /ColorSpace /DeviceRGB /Coords [60 0 560 0] "
    "/Function <</FunctionType 2 /Domain [0 1] /C0 [1 1 1] /C1 [1 1 1] /N 1>> /Extend [true true]>>>>"
)
_BLUE_SHADING = _WHITE_SHADING.replace("/C0 [1 1 1] /C1 [1 1 1]", "/C0 [0 0 .4] /C1 [0 0 .5]")
_TILE = "<</PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 4 4] /XStep 4 /YStep 4 /Resources <<>>>>"

Odd = tuple[str, str, Mapping[str, tuple[str, str, bytes | None]]]
_SHOW = f"BT /F0 9 Tf 1 0 0 1 72 700 Tm ({SECRET}) Tj ET"
_FORM = (
    "<</Type /XObject /Subtype /Form /BBox [0 0 600 900] /Resources "
    "<</Font <</F0 <</Type /Font /Subtype /Type1 /BaseFont /Times-Roman>>>>>>>>"
)


_NAMED = {
    "{show}": _SHOW,
    "{form}": _FORM,
    "{white}": _WHITE_SHADING,
    "{white inner}": _WHITE_SHADING[_WHITE_SHADING.index("/Shading ") + 9 : -2],
    "{blue}": _BLUE_SHADING,
    "{tile}": _TILE,
    "{secret}": SECRET,
}
"""What stands for something in `ink.toml`."""


def _filled(text: str) -> str:
    for name, value in _NAMED.items():
        text = text.replace(name, value)
    return text


def _resource(kind: str, described: str, stream: str | None = None) -> tuple[str, str, bytes | None]:
    if kind != "picture":
        return kind, _filled(described), None if stream is None else _filled(stream).encode("latin-1")
    # A picture a pixel high, of these hexadecimal shades of grey from left to right, so many times.
    shade, _, times = described.partition(" * ")
    shades = bytes.fromhex(shade) * int(times or 1)
    image = (
        f"<</Type /XObject /Subtype /Image /Width {len(shades)} /Height 1 /ColorSpace /DeviceGray "
        "/BitsPerComponent 8>>"
    )
    return "XObject", image, shades


def _odd(table: str) -> list[Odd]:
    """Return the pages of a table of `ink.toml`: their names, operators and resources."""
    return [
        (name, _filled(operators), {key: _resource(*one) for key, one in resources.items()})
        for name, (operators, resources) in cases_of_file("support/ink.toml")[table].items()
    ]


INKLESS, INKED = _odd("inkless"), _odd("inked")


def odd_ink(operators: str, resources: Mapping[str, tuple[str, str, bytes | None]]) -> bytes:
    """Return a page with BEFORE, AFTER and operators between them; the layers "on" and "off" are."""
    document = pdfs.open()
    page = document.new_page()
    page.insert_text((72, 120), BEFORE, fontname="tiro", fontsize=9)
    page.insert_text((72, 170), AFTER, fontname="tiro", fontsize=9)
    document.add_ocg("on", on=True)
    document.add_ocg("off", on=False)
    with pikepdf.open(BytesIO(document.tobytes())) as made:
        shown = made.pages[0]
        layers = {str(one.Name): one for one in made.Root.OCProperties.OCGs}
        for name, (kind, described, stream) in resources.items():
            one = layers.get(described.lower())
            if one is None:
                one = made.make_indirect(pikepdf.Object.parse(described.encode()))
            for member in (one, one.get("/OC", one)):
                if "/VE" in member:
                    member["/VE"], member["/OCGs"] = _expression(member["/VE"], layers), layers["on"]
                elif "/OCGs" in member:
                    member["/OCGs"] = _expression(member["/OCGs"], layers)
            if stream is not None:
                one = made.make_stream(stream, dict(one.items()))
            if f"/{kind}" not in shown.Resources:
                shown.Resources[f"/{kind}"] = pikepdf.Dictionary()
            shown.Resources[f"/{kind}"][f"/{name}"] = one
        shown.Resources.Font["/F0"] = pikepdf.Object.parse(
            b"<</Type /Font /Subtype /Type1 /BaseFont /Times-Roman>>"
        )
        shown.contents_add(operators.encode("latin-1"))
        out = BytesIO()
        made.save(out)
    return out.getvalue()


def _expression(part: Any, layers: Mapping[str, Any]) -> Any:
    """Return an expression of layers with these in place of their names."""
    if isinstance(part, pikepdf.Array):
        return pikepdf.Array([_expression(one, layers) for one in part])
    return layers.get(str(part)[1:].lower(), part)


_SAID = b"(The fog lasted nine days in the spring of that year.)"
_DRAWN = b"(The fog lasted ) Tj %b ( days in the spring of that year.) Tj"
_TRUE = b"/Span <</ActualText (six)>> BDC (six) Tj EMC"
SAYINGS: Mapping[str, bytes] = {
    "by itself": b"/Span <</ActualText %b>> BDC %b EMC" % (_SAID, _DRAWN % b"(six) Tj"),
    "its name by numbers": b"/Span <</Actual#54ext %b>> BDC %b EMC" % (_SAID, _DRAWN % b"(six) Tj"),
    "another within": b"/Span <</ActualText %b>> BDC %b EMC" % (_SAID, _DRAWN % _TRUE),
    "another within a paragraph": b"/P <</MCID 0 /ActualText %b>> BDC %b EMC" % (_SAID, _DRAWN % _TRUE),
    "within two": b"/Span <</ActualText %b>> BDC /Span <</ActualText (nine)>> BDC %b EMC EMC"
    % (_SAID, _DRAWN % _TRUE),
    "in resources": b"/Span /M0 BDC %b EMC" % (_DRAWN % b"/Span /M1 BDC (six) Tj EMC"),
}
"""How a page says that "nine" is printed where it prints "six"."""


def sayings() -> Iterator[Case]:
    """Yield PDFs that say that other words are printed than are."""
    said = {"M0": _SAID.decode(), "M1": "(six)"}
    resources = {name: ("Properties", f"<</ActualText {words}>>", None) for name, words in said.items()}
    printed, forged = (
        f"The fog lasted {number} days in the spring of that year." for number in ("six", "nine")
    )
    for name, operators in SAYINGS.items():
        shown_by = f"BT /F0 9 Tf 1 0 0 1 72 700 Tm {operators.decode()} ET"
        yield Case("said, not printed", name, odd_ink(shown_by, resources), (printed,), (forged,))
    printed, forged = (f"It was p {sign} 0.05 in all the groups of the trial." for sign in "<>")
    marked = f"/Span <</ActualText ({forged})>> BDC ({printed}) Tj EMC"
    made = odd_ink(f"BT /F0 9 Tf 1 0 0 1 72 700 Tm {marked} ET", {})
    yield Case("said, not printed", "a sign", made, (printed,), (forged,))


SIGNS = (
    "The dose was < 5 mg at 10 % of the cost, 3.7 ± 0.2 µg in 8 men, 1,200 in all; not one of them says so."
)
LIES: Mapping[str, Changed] = {
    "< as >": {"<": ">"},
    "% as ‰": {"%": "‰"},
    "± as +": {"±": "+"},
    "µ as m": {"µ": "m", "μ": "m"},
    "point as comma": {".": ","},
    "comma as point": {",": "."},
    "t as w": {"t": "w"},
    "o as a": {"o": "a"},
    "e as é": {"e": "é"},
    "8 as 3": {"8": "3"},
}


def lies(producers: Mapping[str, Produce]) -> Iterator[Case]:
    """Yield PDFs whose tables say other letters and signs than their fonts draw, and such as say the same."""
    for name, produce in producers.items():
        text = SIGNS.replace("<", "\\<").replace("#", "\\#") if name.startswith("Typst") else SIGNS
        pdf = produce([BEFORE, text, AFTER])
        yield Case("tables that are right", name, pdf, (SIGNS,))
        for how, changes in LIES.items():
            forged = "".join([changes.get(char, char) for char in SIGNS])
            yield Case("tables that lie", f"{how}, {name}", told(pdf, changes), (SIGNS,), (forged,))


def rules() -> Iterator[Case]:
    """Yield PDFs with bars over letters, which change what these say, and with rules that do not."""
    chance = "The chance $P(overline(A))$ of it was .42 in the first of the two groups of the trial."
    harmless = (
        "The #underline[men] of the town gave $1/2$ of the tax to the poor in the years of the war.",
        "#par(leading: .2em)[The #underline[I] stands above, #linebreak() nevertheless nothing is changed.]",
        "The side is $sqrt(x + 1)$ and the men saw it there in the first year of the long war.",
    )
    for fonts, counted in FONTS.items():
        setting = by_typst("Libertinus Serif", fonts=fonts)
        yield Case(
            "bars over letters",
            f"complement{counted}",
            setting([BEFORE, chance, AFTER]),
            ("of it was .42 in the first of the two groups of the trial.",),
            ("The chance P(A) of it was .42",),
        )
        yield Case(
            "bars over letters",
            f"harmless{counted}",
            setting([BEFORE, *harmless, AFTER]),
            (
                "of the tax to the poor in the years of the war.",
                "The men of the town gave",
                "stands above, nevertheless nothing is changed",
            ),
        )


MARKED = "The yield was x = y in 45 of the 90 years, and the men were not happy with it in the towns."


def _places(word: str, operators: str) -> str:
    """Return operators over a word of MARKED, with {x}, {m} and {z} for its left edge, middle and right."""
    left = 72 + pdfs.get_text_length(MARKED.partition(f" {word} ")[0] + " ", "tiro", 9)
    right = left + pdfs.get_text_length(word, "tiro", 9)
    over = operators.format(x=left, m=(left + right) / 2, z=right)
    return f"BT /F0 9 Tf 1 0 0 1 72 700 Tm ({MARKED}) Tj ET q .5 w {over} Q"


_CROSS = "{x} 699 m {z} 706 l S {x} 706 m {z} 699 l S"
_WAVE = "{x} 702 m {x} 705 {m} 705 {m} 702 c {m} 699 {z} 699 {z} 702 c S"
_TYPED = "BT /F{} 9 Tf 1 0 0 1 {{x}} 700 Tm ({}) Tj ET"
DRAWN_OVER: Mapping[str, tuple[str, str]] = {
    "slash": ("=", "{x} 699 m {z} 705 l S"),
    "cancellation": ("happy", "{x} 698 m {z} 707 l S"),
    "cross": ("not", _CROSS),
    "wave": ("not", _WAVE),
    "zigzag": ("happy", "{x} 700 m {m} 704 l {z} 700 l S"),
    "other words": ("not", _TYPED.format(0, "now")),
    "black squares": ("not", _TYPED.format(1, "nn")),
    "a thick rule": ("not", "3 w {x} 702 m {z} 702 l S"),
    "dashes": ("not", "[2 .5] 0 d {x} 702 m {z} 702 l S"),
    "small hyphens": ("not", "BT /F0 7 Tf 1 0 0 1 {x} 700.5 Tm (-----) Tj ET"),
    "a picture": ("not", "12 0 0 .8 {x} 701.8 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \0 EI"),
    "a shading": ("not", "1 0 0 1 {x} 701.8 cm 0 0 12 .8 re W n /S0 sh"),
    "a wave of one curve": ("not", "1 0 0 1 {x} 702 cm 0 0 m 4 1 8 -1 12 0 c S"),
    "a bar below": ("=", "1 0 0 1 {x} 699.6 cm .6 0 m 4.4 0 l S"),
    "a digit of one line": ("45", "1 0 0 1 {x} 700 cm 1 w -1 0 m -1 6 l S"),
    "a point": ("45", "1 0 0 1 {m} 700 cm -.4 0 .8 .8 re f"),
    "a minus": ("45", "1 0 0 1 {x} 702 cm -1.8 0 m -.3 0 l S"),
}
HARMLESSLY: Mapping[str, tuple[str, str]] = {
    "wave below": ("happy", _WAVE.replace("70", "69")),
    "ring": ("x", "{x} 702 m {x} 712 {z} 712 {z} 702 c {z} 692 {x} 692 {x} 702 c S"),
    "a border in parts": ("x", "60 708 m {x} 708 l S {x} 708 m {z} 708 l S {z} 708 m 300 708 l S"),
    "a rule below": ("45", "{x} 698.5 m {z} 698.5 l S"),
    "a rule of a table": ("45", "1 0 0 1 {x} 685 cm -1 0 m -1 30 l S"),
    "twice": ("happy", _TYPED.format(0, "happy").replace("700", "700.2")),
}


def drawn_over() -> Iterator[Case]:
    """Yield PDFs with lines and letters over a word, and with such as change nothing."""
    black = "/Function <</FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0] /N 1>>"
    shading = f"<</ShadingType 2 /ColorSpace /DeviceGray /Coords [0 0 1 0] /Extend [true true] {black}>>"
    drawn = {
        "F1": ("Font", "<</Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats>>", None),
        "S0": ("Shading", shading, None),
    }
    for name, marked in DRAWN_OVER.items():
        made = odd_ink(_places(*marked), drawn)
        yield Case("drawn over", name, made, (BEFORE, AFTER, "with it in the towns"), (MARKED,))
    for name, marked in HARMLESSLY.items():
        yield Case("drawn over", name, odd_ink(_places(*marked), drawn), (MARKED,))


DENIED = "The drug was not safe for 1 of the 7 children, and it was a benefit in the second group of men."
AS_OTHERS: Mapping[str, Changed] = {
    "a letter as two": {"a": "no"},
    "a figure as two": {"1": "10"},
    "a letter as words": {"s": "s not"},
    "a space as a word": {" ": " not "},
    "a stop as a word": {".": ". not"},
    "letters as spaces": dict.fromkeys("not", " "),
    "letters as nothing": dict.fromkeys("not", "\u200b"),
    "letters as variations": dict.fromkeys("not", "\ufe00"),
    "letters as marks": dict.fromkeys("not", "\u0307"),
    "letters as points of Hebrew": dict.fromkeys("not", "\u05b0"),
    "letters as owners' signs": dict.fromkeys("not", "®®"),
    "letters as bullets": dict.fromkeys("not", "•"),
    "letters as brackets": dict.fromkeys("not", "("),
    "m as two letters": {"m": "rn"},
    "a letter as a ligature": {"t": "ti"},
}
"""Characters that a table tells otherwise: as several, or as what draws nothing."""

FLED, FILED = (
    f"The men {verb} into the {how} hall of the harbour on the {walk} of stairs before the dawn."
    for verb, how, walk in (("fled", "fat", "fight"), ("filed", "flat", "flight"))
)


def counts(producers: Mapping[str, Produce]) -> Iterator[Case]:
    """Yield PDFs whose tables say of one glyph that it prints several characters, or none, or its first."""
    for name, produce in producers.items():
        pdf = produce([BEFORE, DENIED, AFTER])
        for how, changes in AS_OTHERS.items():
            forged = " ".join("".join([changes.get(char, char) for char in DENIED]).split())
            yield Case("several told, or nothing", f"{how}, {name}", told(pdf, changes), (), (forged,))
        if name.startswith(("Typst", "Chromium")):
            pdf = told(produce([BEFORE, FILED, AFTER]), {"fi": "f", "fl": "f"})
            yield Case("ligature told as its letter", name, pdf, (FILED,), (FLED,))


def cases_of(producers: Mapping[str, Produce]) -> Iterator[Case]:
    """Yield the PDFs that these producers make alone."""
    yield from (case for case in soft_hyphens(producers) if any(one in case.name for one in producers))
    yield from (case for case in covers(producers) if any(one in case.name for one in producers))
    yield from lies(producers)
    yield from counts(producers)


def cases(producers: Mapping[str, Produce] = PRODUCERS) -> Iterator[Case]:
    """Yield all PDFs, by these producers and by hand."""
    yield from soft_hyphens(producers)
    yield from raised()
    yield from gaps()
    yield from line_ends()
    yield from radicals()
    yield from covers({name: made for name, made in producers.items() if name in _FAMILIES})
    yield from lies(producers)
    yield from counts(producers)
    yield from sayings()
    yield from rules()
    yield from drawn_over()
