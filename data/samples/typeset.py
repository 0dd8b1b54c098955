r"""Typesets the sample papers: PDFs full of what makes PDFs hard, with what a perfect reader reads in them.

A paper is `papers/KEY.toml`: a header, a `[layout]`, and its `[[block]]`s in reading order. `paper.typ` is
its look.

    python data/samples/typeset.py [--out data/samples/pdfs] [KEY ...]

The `text` of a block is what should come out, but for a light markup that tells the typesetter how to print
it:

    ^{12} _{2}        superscript, subscript
    **bold** *slant*  as in Markdown
    ~                 a space at which no line ends
    {/}               the line ends here, within a word: after a hyphen of its own, or a zero-width space
    {渡|わた}          characters with their reading beside them, in vertical writing
    [^1]              the mark of a footnote; prints the footnote block whose text begins with ^{1}
    \u00AD \u200B     soft hyphen, zero-width space: in the PDF, not in the truth
    " | "             parts cells of a table, or labels of a drawing; each row of a table is a line
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib import import_module
from itertools import groupby
from pathlib import Path
from types import ModuleType
from typing import Any

from scan import scanned
from vertical import set_vertically

HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Block:
    """A paragraph of a paper as a reader should get it: its kind, its clean text, and its section.

    A heading stands in the section that it opens. For what floats (`place` is not empty) the section is that
    of the place in the source, which need not be where the page shows it. `source` is the text with its
    markup.
    """

    kind: str
    text: str
    section_number: str | None
    section_title: str | None
    source: str
    place: str
    look: Mapping[str, Any] = field(repr=False, compare=False)


@dataclass(frozen=True)
class Layout:
    """How a paper is printed; the keys of `[layout]`."""

    columns: int
    width_mm: float
    height_mm: float
    font: str
    size_pt: float
    paragraphs: str  # "indent": first lines indented, no gaps; "gap": gaps, no indents
    number_at: str  # "head" or "foot"; the first page has its number at the foot
    heads: tuple[str, str]  # running heads of even and odd pages
    first_head: str = ""
    first_page: int = 1
    numbering: str = "1"  # "i": roman
    pdf_labels: bool = True  # whether the PDF knows the printed numbers
    hyphen: str = "-"  # how the PDF encodes the hyphens of line breaks
    ligatures: bool = False  # whether it encodes ligatures as characters of their own
    leading_em: float = 0.6
    line_numbers: bool = False
    bookmarks: bool = False


@dataclass(frozen=True)
class Paper:
    """A sample paper: its bibliography entry, its layout and its blocks in reading order."""

    key: str
    title: str
    authors: tuple[str, ...]
    year: int
    doi: str
    venue: str
    abstract: str
    layout: Layout
    blocks: tuple[Block, ...]

    def page_label(self, page: int) -> str:
        """The number printed on the 1-based physical page."""
        number = self.layout.first_page + page - 1
        return _roman(number) if self.layout.numbering == "i" else str(number)


@dataclass(frozen=True)
class Document:
    """A sample of what is no paper: the name of its look in document.typ, and its blocks in reading order."""

    key: str
    look: str
    blocks: tuple[Block, ...]


def documents() -> tuple[Document, ...]:
    """All sample documents that are no papers, sorted by key."""
    read = [
        (path.stem, tomllib.loads(path.read_text(encoding="utf-8")))
        for path in (HERE / "documents").glob("*.toml")
    ]
    return tuple(Document(key, table["look"], tuple(_blocks(table["block"]))) for key, table in sorted(read))


def typeset_document(document: Document) -> bytes:
    """The document as a PDF; the same bytes each time. Raises ImportError where typst is missing."""
    if document.look == "vertical":
        return set_vertically([(block.kind, list(_cells(block.source))) for block in document.blocks])
    notes = {
        mark[1]: list(_runs(block.source))
        for block in document.blocks
        if (mark := re.match(r"\^\{(.+?)\}", block.source))
    }
    blocks = [
        {
            "kind": block.kind,
            "source": block.source,
            "parts": [list(_runs(part)) for part in block.source.split(" | ")],
            "runs": list(_runs(block.source)),
            "inside": block.look.get("inside", False),
            "small": block.look.get("small", False),
        }
        for block in document.blocks
        if block.kind != "footnote" or block.look.get("small")
    ]
    pdf = _compiled("document", {"look": document.look, "notes": notes, "blocks": blocks})
    finish = {"office": _with_symbols, "scan": scanned}.get(document.look)
    return finish(pdf) if finish else pdf


def _cells(source: str) -> Iterator[tuple[str, str]]:
    """The characters of a text, each by itself; those with one reading together, with it."""
    for style, content in _runs(source):
        yield from [content.split("|")] if style == "ruby" else [(char, "") for char in content]


def papers() -> tuple[Paper, ...]:
    """All sample papers, sorted by key."""
    return tuple(_paper(path) for path in sorted((HERE / "papers").glob("*.toml")))


def typeset(paper: Paper) -> bytes:
    """The paper as a PDF; the same bytes each time. Raises ImportError where typst or pymupdf is missing."""
    return _with_hyphens(_compiled("paper", _for_typst(paper)), paper.layout.hyphen)


def _compiled(name: str, value: Mapping[str, Any]) -> bytes:
    """The PDF that NAME.typ makes of what it reads under that name."""
    typst = _package("typst")
    pdf: bytes = typst.compile(
        str(HERE / f"{name}.typ"),
        root=str(HERE),
        font_paths=typst.Fonts(include_system_fonts=False),
        sys_inputs={name: json.dumps(value)},
        pdf_tags=False,
    )
    return pdf


def write_all(out: Path, keys: tuple[str, ...] = ()) -> list[Path]:
    """Writes the PDFs of `keys` into `out`, and `samples.bib` of all that are there; their paths.

    No key stands for all papers.
    """
    chosen = [paper for paper in papers() if not keys or paper.key in keys]
    unknown = set(keys) - {paper.key for paper in chosen}
    if unknown:
        known = ", ".join(paper.key for paper in papers())
        raise KeyError(f"No sample paper is called {', '.join(sorted(unknown))}; there are {known}.")
    out.mkdir(parents=True, exist_ok=True)
    written = [_write(out / f"{paper.key}.pdf", typeset(paper)) for paper in chosen]
    bib = "\n".join(_bib_entry(paper) for paper in papers() if (out / f"{paper.key}.pdf").exists())
    return [*written, _write(out / "samples.bib", bib.encode())]


Run = tuple[str, Any]
"""A style, and what is set in it: a string, or for bold and italic a list of runs."""

_MARKUP = re.compile(
    r"\^\{(?P<super>[^}]+)\}|_\{(?P<sub>[^}]+)\}|\[\^(?P<note>[^\]]+)\]"
    r"|\*\*(?P<bold>.+?)\*\*|\*(?P<italic>.+?)\*|(?P<break>\{/\})"
    r"|\{(?P<ruby>[^}|]+\|[^}]+)\}",
    re.DOTALL,
)


def _runs(source: str) -> Iterator[Run]:
    at = 0
    for match in _MARKUP.finditer(source):
        if match.start() > at:
            yield "", source[at : match.start()]
        style = str(match.lastgroup)
        content = match[style]
        yield style, list(_runs(content)) if style in {"bold", "italic"} else content
        at = match.end()
    if at < len(source):
        yield "", source[at:]


def _plain(runs: Iterator[Run] | list[Run]) -> str:
    """The clean text of runs."""
    parts = (
        _plain(content)
        if isinstance(content, list)
        else ""
        if style == "break"
        else content.partition("|")[0]
        if style == "ruby"
        else content
        for style, content in runs
    )
    return re.sub("[\u00ad\u200b]", "", "".join(parts)).replace("~", " ")


def _paper(path: Path) -> Paper:
    header = tomllib.loads(path.read_text(encoding="utf-8"))
    blocks = tuple(_blocks(header["block"]))
    return Paper(
        key=path.stem,
        title=next(block.text for block in blocks if block.kind == "title"),
        authors=tuple(header["authors"]),
        year=header["year"],
        doi=header["doi"],
        venue=header["venue"],
        abstract=re.sub(r"(?i)^abstract\W+", "", next(b.text for b in blocks if _is_abstract(b))),
        layout=Layout(**header["layout"] | {"heads": tuple(header["layout"]["heads"])}),
        blocks=blocks,
    )


def _is_abstract(block: Block) -> bool:
    return block.kind == "body" and block.section_title == "Abstract"


def _blocks(tables: list[dict[str, Any]]) -> Iterator[Block]:
    number: str | None = None
    title: str | None = None
    for table in tables:
        source = table["text"].strip()
        text = " ".join(_plain(_runs(source.replace(" | ", " "))).split())
        if table["kind"] == "heading":
            match = re.fullmatch(r"(?:(\d+(?:\.\d+)*)\.? )?(.+)", text)
            number, title = match.groups() if match else (None, text)
        elif "section" in table:
            number, title = None, table["section"]
        look: dict[str, Any] = {
            name: table[name] for name in ("level", "small", "drawing", "math", "inside") if name in table
        }
        yield Block(table["kind"], text, number, title, source, table.get("float", ""), look)


def _for_typst(paper: Paper) -> dict[str, Any]:
    """What paper.typ reads."""
    notes = {
        mark[1]: _printed(block.source, paper.layout)
        for block in paper.blocks
        if block.kind == "footnote" and (mark := re.match(r"\^\{(.+?)\}", block.source))
    }
    here = [block for block in paper.blocks if block.kind != "footnote" or block.place]
    groups = [
        (place, [_block_for_typst(block, paper.layout) for block in blocks])
        for place, blocks in groupby(here, key=lambda block: block.place)
    ]
    bibliography = {"title": paper.title, "authors": paper.authors, "year": paper.year}
    return bibliography | {"layout": asdict(paper.layout), "notes": notes, "groups": groups}


def _block_for_typst(block: Block, layout: Layout) -> dict[str, Any]:
    marker, source = "", " ".join(block.source.split())
    if block.kind in {"list", "reference"} and re.match(r"\W|\d", source):
        marker, source = source.split(" ", 1)
    level = 1 + (block.section_number or "").count(".")
    looks = {"kind": block.kind, "level": level, "small": False, "drawing": "", "math": ""} | dict(block.look)
    rows = [line.split(" | ") for line in block.source.splitlines()]
    cells = [[_printed(cell, layout) for cell in row] for row in rows]
    return looks | {"marker": marker, "runs": _printed(source, layout), "cells": cells}


def _printed(source: str, layout: Layout) -> list[Run]:
    source = " ".join(source.split()).replace("~", "\u00a0")
    if layout.ligatures:
        for letters, ligature in (("ffi", "ﬃ"), ("ffl", "ﬄ"), ("ff", "ﬀ"), ("fi", "ﬁ"), ("fl", "ﬂ")):
            source = source.replace(letters, ligature)
    return list(_runs(source))


def _with_hyphens(pdf: bytes, hyphen: str) -> bytes:
    """The PDF with the hyphens of its line breaks, which Typst encodes as U+00AD, encoded as `hyphen`.

    Soft hyphens of the source stay: Typst encodes an invisible one together with the letter before it.
    """
    code = f"{ord(hyphen):04X}".encode()
    with _package("pymupdf").open(stream=pdf) as document:
        for xref in range(1, document.xref_length()):
            if document.xref_is_stream(xref):
                stream = document.xref_stream(xref)
                encoded = re.sub(
                    rb"(/ActualText<FEFF|\n<[0-9A-F]{4}> <)00AD>", rb"\g<1>" + code + b">", stream
                )
                if encoded != stream:
                    document.update_stream(xref, encoded)
        return bytes(document.tobytes(no_new_id=True, deflate=True))


def _with_symbols(pdf: bytes) -> bytes:
    """The PDF with its bullets out of the font Symbol, in which word processors code them as U+F0B7."""
    with _package("pymupdf").open(stream=pdf) as document:
        for xref in range(1, document.xref_length()):
            if "NewCM" in document.xref_get_key(xref, "BaseFont")[1]:
                document.xref_set_key(xref, "BaseFont", "/SymbolMT")
            if document.xref_is_stream(xref):
                stream = document.xref_stream(xref)
                coded = re.sub(rb"(\n<[0-9A-F]{4}> <)2022>", rb"\g<1>F0B7>", stream)
                if coded != stream:
                    document.update_stream(xref, coded)
        return bytes(document.tobytes(no_new_id=True, deflate=True))


def _package(name: str) -> ModuleType:
    """A package that only the typesetting needs; the truth can be read without it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as missing:
        raise ImportError(
            f"The sample papers cannot be typeset without the package {name}: pip install 'pagequote[dev]'."
        ) from missing


def _bib_entry(paper: Paper) -> str:
    fields = {
        "author": " and ".join(paper.authors),
        "title": f"{{{paper.title}}}",
        "journal": paper.venue,
        "year": str(paper.year),
        "doi": paper.doi,
        "file": f"{paper.key}.pdf",
    }
    return f"@article{{{paper.key},\n" + "".join(f"  {k} = {{{v}}},\n" for k, v in fields.items()) + "}\n"


def _write(path: Path, content: bytes) -> Path:
    """Writes a file whole or not at all."""
    part = path.with_name(path.name + ".part")
    part.write_bytes(content)
    return part.replace(path)


def _roman(number: int) -> str:
    numerals = (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i")
    out = ""
    for value, letters in numerals:
        count, number = divmod(number, value)
        out += letters * count
    return out


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description="Typeset the sample papers.")
    parser.add_argument("--out", type=Path, default=HERE / "pdfs")
    parser.add_argument("keys", nargs="*", metavar="KEY")
    arguments = parser.parse_args()
    try:
        written = write_all(arguments.out, tuple(arguments.keys))
    except (ImportError, KeyError) as error:
        sys.exit(str(error.args[0]))
    print(*written, sep="\n")


if __name__ == "__main__":
    main()
