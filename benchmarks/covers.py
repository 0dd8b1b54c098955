"""Is what a page covers, strikes out or carries as a note kept apart from its text, whoever wrote the PDF?

`python benchmarks/covers.py [--show] [--keep FOLDER]`. The same text is set by each producer that is here.
Those that the project's environment has not are the Debian packages texlive-latex-base, groff, ghostscript,
libreoffice-writer-nogui, librsvg2-bin, chromium and wkhtmltopdf, and reportlab, fpdf2, weasyprint and
matplotlib from PyPI. Then a word, a line or a paragraph is covered or struck out, or a reader's note is put
there. A case is right if each covered or struck word is kept apart as such, each other word text, and whole.
"""

import argparse
import io
import shutil
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pymupdf
import typst
from tables import markdown_table, measured_on

from pipeline.pdf.reading import read_pdf

sys.path.insert(0, str(Path(__file__).parent.parent))

pdfs: Any = pymupdf  # it has no types

PARAGRAPHS = (
    (
        "Whoever walks along northern beaches before sunrise meets herons, gulls, plovers, curlews, terns, "
        "dunlins, knots, turnstones, oystercatchers, avocets, godwits, ruffs, and, rarely, one spoonbill."
    ),
    (
        "Our wardens count every flock twice: first from dunes, then across shallow creeks, by telescopes, "
        "notebooks, tide tables, pencils, patience, thick coats, rubber boots, hot tea, luck, 1927 birds."
    ),
    (
        "Nobody has published these figures until today, because funding ended when parliament dissolved our "
        "agency; volunteers continued anyway, keeping logs inside biscuit tins under floorboards near Husum."
    ),
)
"""Each word stands in one place only; the lines are broken by each producer."""

WIDTH, SIZE = 340, 11
"""Points: the width of the lines and the size of the print that producers are asked for."""

TARGETS = {"a word": ("telescopes,",), "a line": (), "a paragraph": tuple(PARAGRAPHS[1].split())}
"""What is covered; the line is the one of the paragraph's first word."""

_STRUCK = 0.25  # Em from the baseline to the line by which word processors strike out.

Write = Callable[[Path], bytes]
Change = Callable[[Any, list[Any]], Any]


def _run(folder: Path, *command: str, stdin: bytes = b"") -> bytes:
    done = subprocess.run(command, cwd=folder, input=stdin, capture_output=True, check=True, timeout=240)
    return done.stdout


def _html() -> str:
    style = f"p {{ width: {WIDTH}pt; font: {SIZE}pt serif; text-align: left }}"
    text = "".join(f"<p>{escape(one)}</p>" for one in PARAGRAPHS)
    return f'<!doctype html><html lang="en"><meta charset="utf-8"><style>{style}</style>{text}'


def _latex(folder: Path, *, program: str) -> bytes:
    text = "\n\n".join(PARAGRAPHS)
    (folder / "page.tex").write_text(
        rf"\documentclass[11pt]{{article}}\textwidth={WIDTH}pt\hyphenpenalty=10000\sloppy"
        rf"\begin{{document}}\thispagestyle{{empty}}{text}\end{{document}}"
    )
    _run(folder, program, "-interaction=batchmode", "page.tex")
    if program == "latex":
        _run(folder, "dvipdfmx", "-q", "page.dvi")
    return (folder / "page.pdf").read_bytes()


def _browser(folder: Path, *, program: str) -> bytes:
    (folder / "page.html").write_text(_html(), encoding="utf-8")
    if program == "wkhtmltopdf":
        _run(folder, program, "-q", "page.html", "page.pdf")
    elif program == "soffice":
        home = f"-env:UserInstallation=file://{folder}/home"
        _run(
            folder,
            program,
            home,
            "--headless",
            "--convert-to",
            "pdf:writer_pdf_Export",
            "--infilter=HTML (StarWriter)",
            "page.html",
        )
    else:
        head = (program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/home")
        _run(folder, *head, "--no-pdf-header-footer", "--print-to-pdf=page.pdf", "page.html")
    return (folder / "page.pdf").read_bytes()


def _groff(folder: Path, *, device: str) -> bytes:
    text = "\n".join(f".LP\n{one}" for one in PARAGRAPHS)
    source = f".nr LL {WIDTH}p\n.nr PS {SIZE}\n.nr HY 0\n{text}\n"
    made = _run(folder, "groff", "-ms", f"-T{device}", stdin=source.encode())
    return made if device == "pdf" else _run(folder, "gs", "-q", "-sDEVICE=pdfwrite", "-o-", "-", stdin=made)


def _typst(folder: Path) -> bytes:
    text = "\n\n".join(PARAGRAPHS)
    (folder / "page.typ").write_text(f"#set text({SIZE}pt)\n#block(width: {WIDTH}pt)[{text}]\n")
    return typst.compile(folder / "page.typ")


def _pymupdf(_folder: Path) -> bytes:
    document = pdfs.open()
    page = document.new_page()
    for number, one in enumerate(PARAGRAPHS):
        top = 72 + 80 * number
        page.insert_textbox((72, top, 72 + WIDTH, top + 79), one, fontsize=SIZE)
    return bytes(document.tobytes())


def _reportlab(_folder: Path) -> bytes:
    styles, platypus = import_module("reportlab.lib.styles"), import_module("reportlab.platypus")
    out = io.BytesIO()
    style = styles.ParagraphStyle("text", fontSize=SIZE, leading=1.2 * SIZE, spaceAfter=SIZE)
    made = platypus.SimpleDocTemplate(out, rightMargin=595 - 72 - WIDTH)
    made.build([platypus.Paragraph(escape(one), style) for one in PARAGRAPHS])
    return out.getvalue()


def _fpdf2(_folder: Path) -> bytes:
    made = import_module("fpdf").FPDF(unit="pt", format="A4")
    made.add_page()
    made.set_font("Times", size=SIZE)
    for one in PARAGRAPHS:
        made.multi_cell(WIDTH, 1.2 * SIZE, one)
        made.ln(2 * SIZE)
    return bytes(made.output())


def _weasyprint(_folder: Path) -> bytes:
    return bytes(import_module("weasyprint").HTML(string=_html()).write_pdf())


def _set_lines() -> list[str]:
    """Return the text in lines, for what cannot break them."""
    out: list[str] = []
    for one in PARAGRAPHS:
        lines = [""]
        for word in one.split():
            if len(lines[-1]) + len(word) > WIDTH / SIZE * 2:
                lines.append("")
            lines[-1] = f"{lines[-1]} {word}".strip()
        out += [*lines, ""]
    return out


def _matplotlib(_folder: Path) -> bytes:
    figure = import_module("matplotlib.pyplot").figure(figsize=(8, 11))
    for number, line in enumerate(_set_lines()):
        figure.text(0.1, 0.95 - 0.02 * number, line, fontsize=SIZE)
    out = io.BytesIO()
    figure.savefig(out, format="pdf")
    return out.getvalue()


def _cairo(folder: Path) -> bytes:
    lines = "".join(
        f'<text x="72" y="{72 + 14 * number}">{escape(line)}</text>'
        for number, line in enumerate(_set_lines())
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="595" height="842" font-size="{SIZE}">{lines}</svg>'
    return _run(folder, "rsvg-convert", "-f", "pdf", stdin=svg.encode())


PRODUCERS: Mapping[str, tuple[str, Write]] = {
    "pdfTeX": ("pdflatex", partial(_latex, program="pdflatex")),
    "dvipdfmx": ("dvipdfmx", partial(_latex, program="latex")),
    "LibreOffice": ("soffice", partial(_browser, program="soffice")),
    "Chromium": ("chromium", partial(_browser, program="chromium")),
    "wkhtmltopdf (Qt)": ("wkhtmltopdf", partial(_browser, program="wkhtmltopdf")),
    "groff": ("groff", partial(_groff, device="pdf")),
    "Ghostscript": ("gs", partial(_groff, device="ps")),
    "cairo": ("rsvg-convert", _cairo),
    "Typst": ("", _typst),
    "PyMuPDF": ("", _pymupdf),
    "reportlab": ("reportlab", _reportlab),
    "fpdf2": ("fpdf", _fpdf2),
    "WeasyPrint": ("weasyprint", _weasyprint),
    "matplotlib": ("matplotlib", _matplotlib),
}
"""Each with the program or the package that it needs."""


def _filled(page: Any, boxes: list[Any], **style: Any) -> None:
    for box in boxes:
        page.draw_rect(box, **({"color": None} | style))


def _picture(page: Any, boxes: list[Any]) -> None:
    pixmap = pdfs.Pixmap(pdfs.csRGB, pdfs.IRect(0, 0, 10, 10))
    pixmap.clear_with(100)
    for box in boxes:
        page.insert_image(box, pixmap=pixmap, keep_proportion=False)


def _shaded(page: Any, boxes: list[Any]) -> None:
    document = page.parent
    shading = document.get_new_xref()
    document.update_object(
        shading,
        "<</ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 600 0] /Extend [true true]"
        "/Function <</FunctionType 2 /Domain [0 1] /C0 [0 0 .4] /C1 [0 0 .5] /N 1>>>>",
    )
    kind, used = _resources(page)
    owner, key = (int(used.split()[0]), "") if kind == "xref" else (page.xref, "Resources/")
    document.xref_set_key(owner, f"{key}Shading", f"<</Dusk {shading} 0 R>>")
    height = page.rect.height
    drawn = " ".join(f"q {b.x0} {height - b.y1} {b.width} {b.height} re W n /Dusk sh Q" for b in boxes)
    contents = document.get_new_xref()
    document.update_object(contents, "<<>>")
    document.update_stream(contents, drawn.encode())
    page.wrap_contents()
    before = " ".join(f"{xref} 0 R" for xref in page.get_contents())
    document.xref_set_key(page.xref, "Contents", f"[{before} {contents} 0 R]")


def _resources(page: Any) -> Any:
    """Return the page's resources, after making inherited ones its own: what is added would hide them."""
    document, at = page.parent, page.xref
    while (found := document.xref_get_key(at, "Resources"))[0] == "null":
        at = int(document.xref_get_key(at, "Parent")[1].split()[0])
    document.xref_set_key(page.xref, "Resources", found[1])
    return found


def _struck(page: Any, boxes: list[Any]) -> None:
    spans = [
        span for block in page.get_text("dict")["blocks"] for line in block["lines"] for span in line["spans"]
    ]
    for box in boxes:
        height = next(
            span["origin"][1] - _STRUCK * span["size"]
            for span in spans
            if box.y0 < span["origin"][1] <= box.y1 and box.x0 < span["bbox"][2]
        )
        page.draw_line((box.x0 + 1, height), (box.x1 - 1, height), width=0.7)


def _under(page: Any, boxes: list[Any]) -> None:
    for box in boxes:
        page.draw_line((box.x0, box.y1 - 1), (box.x1, box.y1 - 1), width=0.7)


def _typed(page: Any, boxes: list[Any]) -> None:
    for box in boxes:
        page.add_freetext_annot(box, "Zounds", fontsize=6, fill_color=(1, 1, 1))


def _squares(page: Any, boxes: list[Any]) -> None:
    for box in boxes:
        square = page.add_rect_annot(box)
        square.set_colors(stroke=(0, 0, 0), fill=(0, 0, 0))
        square.update()


def _redacted(page: Any, boxes: list[Any]) -> None:
    for box in boxes:
        page.add_redact_annot(box)


COVERS: Mapping[str, tuple[str, Change]] = {
    "black bar": ("drawing", partial(_filled, fill=(0, 0, 0))),
    "white bar": ("drawing", partial(_filled, fill=(1, 1, 1))),
    "picture": ("picture", _picture),
    "shading": ("picture", _shaded),
    "black below": ("drawing", partial(_filled, fill=(0, 0, 0), overlay=False)),
    "struck": ("struck", _struck),
    "underlined": ("", _under),
    "yellow below": ("", partial(_filled, fill=(1, 1, 0), overlay=False)),
    "marked with a pen": ("", partial(_filled, fill=(1, 1, 0), fill_opacity=0.4)),
    "framed": ("", partial(_filled, color=(0, 0, 0), width=1)),
    "sticky note": ("", lambda page, boxes: page.add_text_annot(boxes[0].tl, "Zounds")),
    "typed over": ("text box", _typed),
    "black square": ("box", _squares),
    "redaction not applied": ("redaction", _redacted),
    "stamp": ("", lambda page, boxes: page.add_stamp_annot(boxes[0] + (0, 0, 150, 30), stamp=0)),
    "highlight": ("", lambda page, boxes: page.add_highlight_annot(boxes)),
}
"""How each is drawn, and why its words are then no text: `hidden_by`, or "struck"; "" if they still are."""


def _boxes(page: Any, target: str) -> tuple[list[Any], set[str]]:
    """Return a box for each line of what is covered, a point larger all round, and its words."""
    words = page.get_text("words", flags=pdfs.TEXT_PRESERVE_WHITESPACE)  # no ligatures
    chosen = TARGETS[target]
    if not chosen:
        first = next(word for word in words if word[4] == PARAGRAPHS[1].split()[0])
        chosen = tuple(word[4] for word in words if abs(word[3] - first[3]) < 2)
    lines: dict[int, Any] = defaultdict(pdfs.Rect)
    for word in words:
        if word[4] in chosen:
            lines[round(word[3])] |= pdfs.Rect(word[:4])
    return [pdfs.Rect(box.x0 - 1, box.y0, box.x1 + 1, box.y1) for box in lines.values()], set(chosen)


def judge(pdf: bytes, cover: str, target: str) -> str:
    """Return what is wrong with the words of a page after a change; "" if nothing is."""
    document = pdfs.open(stream=pdf)
    page = document[0]
    boxes, chosen = _boxes(page, target)
    why, change = COVERS[cover]
    _resources(page)
    change(page, boxes)
    if cover == "black below" and page.get_pixmap(clip=boxes[0]).pixel(1, 1) != (0, 0, 0):
        why = ""  # the producer paints the paper white
    (read,) = read_pdf(document.tobytes()).pages[:1]
    text = Counter(word for line in read.lines for word in normalize("NFKC", line.text).split())
    expected = Counter(word for one in PARAGRAPHS for word in one.split() if not (why and word in chosen))
    aside = (line.text for line in read.aside if line.aside == why)
    apart = {word for line in aside for word in normalize("NFKC", line).split()}
    lost, more = expected - text, text - expected
    faults = {"lost": lost, "read": more, f"not {why}": (chosen - apart) if why else ()}
    return "; ".join(f"{name}: {' '.join(sorted(words))}" for name, words in faults.items() if words)


def main() -> None:
    """Print how many cases are right, by producer and cover."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="say what is wrong in each case")
    parser.add_argument("--keep", type=Path, help="write the unchanged PDFs there")
    options = parser.parse_args()
    rows, total, right = [], 0, 0
    for name, (needs, write) in PRODUCERS.items():
        if needs and not shutil.which(needs) and not find_spec(needs):
            rows.append([name, *["-"] * len(COVERS)])
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                pdf = write(Path(folder))
            except subprocess.CalledProcessError as error:  # Debian's groff-base has no device for PDF
                print(f"{name} writes no PDF here: {error.stderr.decode()[-300:]}", file=sys.stderr)
                rows.append([name, *["-"] * len(COVERS)])
                continue
        if options.keep:
            (options.keep / f"{name}.pdf").write_bytes(pdf)
        row = [name]
        for cover in COVERS:
            faults = {target: judge(pdf, cover, target) for target in TARGETS}
            good = sum(not fault for fault in faults.values())
            total, right = total + len(faults), right + good
            row.append(f"{good} of {len(faults)}")
            for target, fault in faults.items():
                if fault and options.show:
                    print(f"{name}, {cover} on {target}: {fault}")
        rows.append(row)
    print(f"{right} of {total} cases are right; {measured_on()}\n")
    print(markdown_table(["producer", *COVERS], rows))


if __name__ == "__main__":
    main()
