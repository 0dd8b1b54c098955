"""Are quotations in .docx and .odt judged as they should be, by whatever wrote the file? And what do comments
change?

    python data/samples/typeset.py --out PDFS && pagequote build PDFS --corpus CORPUS
    python benchmarks/documents.py CORPUS          (pip install python-docx; soffice of LibreOffice)

Sixty quotations of the sample papers, cited by Zotero's fields and in plain words, five kinds of each in
turn. One file is made by python-docx, one by LibreOffice from a flat text with Zotero's reference marks;
LibreOffice then turns each into the other format. For each quotation it is known beforehand whether it is
found, by which key and verdict, on which page, and under which heading it stands. Comments are written into
both .docx; LibreOffice opens them, and each comment must be there, at the quotation's own words.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr, unescape

import docx
import pymupdf
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from lxml import etree
from tables import markdown_table, measured_on

import lookup
from pagequote.check import Finding, Vocabulary, judge, read_manuscripts

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.support.documents import csl
from tests.support.samples import sample_papers

_COUNT = 60
_KINDS = ("printed", "wrong page", "near", "abridged", "not printed")
_VERDICTS = {"printed": "verbatim", "wrong page": "verbatim", "near": "near", "abridged": "abridged"}
_WORDS = (9, 22)
"""Fewest and most words of a sentence that is quoted."""

_LEFT_OUT = re.compile(
    r"\b(?:not|no|nor|only|may|might|could|without|never|few|less|more)\b|\d", re.IGNORECASE
)
_PARTS = {"word/document.xml", "word/comments.xml", "[Content_Types].xml", "word/_rels/document.xml.rels"}
"""The parts of a .docx that comments may change."""


@dataclass(frozen=True)
class Case:
    """A quotation, and what is true of it; `citation` is what stands in brackets after it."""

    kind: str
    heading: str
    words: str
    key: str
    page: int
    label: str
    item: dict[str, Any]
    citation: str
    in_field: bool


def make_cases(corpus: lookup.Corpus) -> list[Case]:
    """Return the quotations: sentences of the samples' own text that one page prints, and what was made of
    them.
    """
    rng = random.Random(1)
    cases: list[Case] = []
    drawn = [(paper, *one) for paper in sample_papers() for one in _sentences(corpus, paper)]
    rng.shuffle(drawn)
    for paper, sentence, page in drawn:
        kind = _KINDS[len(cases) % len(_KINDS)]
        words = _made(kind, sentence.split(), rng)
        if words is None:
            continue
        right = paper.page_label(page)
        given = paper.page_label(page % corpus.paper(paper.key).pages + 1) if kind == "wrong page" else right
        family = paper.authors[0].partition(",")[0]
        item = {
            "author": [{"family": family, "given": "A."}], "issued": {"date-parts": [[paper.year]]},
            "title": paper.title, "locator": given, "label": "page",
        }  # fmt: skip
        citation = f"({family} et al., {paper.year}, p. {given})"
        heading = f"Part {len(cases) // 10 + 1}"
        number = len(cases)
        cases.append(Case(kind, heading, words, paper.key, page, right, item, citation, number // 5 % 2 == 0))
        if len(cases) == _COUNT:
            return cases
    raise SystemExit(f"The samples have too few sentences: {len(cases)} quotations of {_COUNT}.")


def _sentences(corpus: lookup.Corpus, paper: Any) -> list[tuple[str, int]]:
    """Return sentences of a sample's text, each with the one page of its PDF that prints it whole."""
    opened: Any = pymupdf.open
    pages = [_letters(page.get_text()) for page in opened(stream=corpus.original(paper.key).read())]
    found = []
    for block in paper.blocks:
        for sentence in re.split(r"(?<=[.!?])\s+(?=[A-Z])", block.text) if block.kind == "body" else ():
            on = [number for number, text in enumerate(pages, 1) if _letters(sentence) in text]
            plain = re.fullmatch(r"[A-Z][\w ,.;:'’–-]*\.", sentence)
            if len(on) == 1 and plain and _WORDS[0] <= len(sentence.split()) <= _WORDS[1]:
                found.append((sentence, on[0]))
    return found


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text.casefold()))


def _made(kind: str, words: list[str], rng: random.Random) -> str | None:
    """Return what is quoted instead of the words of a sentence, or None where this kind cannot be made."""
    at = rng.randrange(3, len(words) - 4)
    if kind == "near":
        words = [*words[:at], "turnips", *words[at + 1 :]]
    elif kind == "abridged":
        if _LEFT_OUT.search(" ".join(words[at : at + 2])) or re.search(
            r"[.;:,]", words[at - 1] + words[at + 1]
        ):
            return None
        words = [*words[:at], "[…]", *words[at + 2 :]]
    elif kind == "not printed":
        words = [
            "Turnips",
            "gather",
            "in",
            "the",
            "evening",
            "to",
            "sing",
            "of",
            *words[at : at + 3],
            "alone.",
        ]
    return " ".join(words)


def by_python_docx(path: Path, cases: Sequence[Case]) -> None:
    """Write a .docx."""
    document: Any = docx.Document()
    for i, case in enumerate(cases):
        if i % 10 == 0:
            document.add_heading(case.heading, 1)
        paragraph = document.add_paragraph("As is often said, “")
        half = len(case.words) // 2
        paragraph.add_run(case.words[:half])
        paragraph.add_run(case.words[half:]).italic = i % 3 == 0  # words are often in several runs
        paragraph.add_run("” ")
        if case.in_field:
            _field(paragraph, f"ADDIN ZOTERO_ITEM CSL_CITATION {csl(case.item)}", case.citation)
        else:
            paragraph.add_run(case.citation)
        paragraph.add_run(". And so it goes on.")
    document.save(str(path))


def _field(paragraph: Any, instruction: str, shown: str) -> None:
    for kind in ("begin", "", "separate", shown, "end"):
        run = paragraph.add_run(kind if kind == shown else "")
        if kind in ("begin", "separate", "end"):
            element = OxmlElement("w:fldChar")
            element.set(qn("w:fldCharType"), kind)
            run._r.append(element)  # noqa: SLF001  # python-docx writes no fields
        elif not kind:
            element = OxmlElement("w:instrText")
            element.set(qn("xml:space"), "preserve")
            element.text = instruction
            run._r.append(element)  # noqa: SLF001


_OFFICE = "urn:oasis:names:tc:opendocument:xmlns"


def flat_text(cases: Sequence[Case]) -> str:
    """Return a flat OpenDocument text, with citations in the reference marks that Zotero writes."""
    body = []
    for i, case in enumerate(cases):
        if i % 10 == 0:
            body.append(f'<text:h text:outline-level="1">{case.heading}</text:h>')
        shown = escape(case.citation)
        if case.in_field:
            name = quoteattr(f"ZOTERO_ITEM CSL_CITATION {csl(case.item)} RND{i:010d}")
            named = f"text:name={name}"
            shown = f"<text:reference-mark-start {named}/>{shown}<text:reference-mark-end {named}/>"
        body.append(f"<text:p>As is often said, “{escape(case.words)}” {shown}. And so it goes on.</text:p>")
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'  # without it LibreOffice takes it for plain text
        f'<office:document xmlns:office="{_OFFICE}:office:1.0" xmlns:text="{_OFFICE}:text:1.0" '
        f'office:version="1.2" '
        f'office:mimetype="application/vnd.oasis.opendocument.text"><office:body><office:text>{"".join(body)}'
        "</office:text></office:body></office:document>"
    )


def converted(path: Path, suffix: str, folder: Path) -> Path:
    """Return a document as LibreOffice writes it in another format."""
    profile = (folder / "profile").as_uri()
    command = ["soffice", f"-env:UserInstallation={profile}", "--headless", "--convert-to", suffix]
    subprocess.run([*command, "--outdir", folder, path], check=True, capture_output=True, timeout=300)
    return folder / f"{path.stem}.{suffix}"


def wrong(case: Case, finding: Finding) -> str:
    """Return what is wrong with a finding, '' for nothing."""
    expected = _VERDICTS.get(case.kind)
    told: dict[str, tuple[object, object]] = {
        "key": (finding.key, case.key),
        "page given": (finding.page_given, case.item["locator"]),
        "heading": (case.heading in finding.where, True),
    }
    if expected is None:
        told["verdict"] = (finding.verdict in ("not found", "related"), True)
    else:
        told |= {
            "verdict": (finding.verdict, expected),
            "page": ((finding.page, finding.page_label), (case.page, case.label)),
            "page is right": (finding.page_is_right, case.kind != "wrong page"),
        }
    said = {name: one for name, (one, other) in told.items() if one != other}
    return f"{case.kind}, {case.key}, {case.words}: {said}" if said else ""


def comments_kept(path: Path, words: Sequence[str], corpus: Path, folder: Path) -> str:
    """Write the findings into a copy of a .docx as comments. Return what LibreOffice then reads, and what has
    changed.
    """
    copy = folder / f"{path.stem}-checked.docx"
    pagequote = Path(sys.executable).with_name("pagequote")
    command: list[str | Path] = [pagequote, "check", path, "--all", "--annotate", copy, "--corpus", corpus]
    subprocess.run(command, check=False, capture_output=True)
    with zipfile.ZipFile(path) as before, zipfile.ZipFile(copy) as after:
        names = set(before.namelist()) | set(after.namelist())
        kept = set(before.namelist()) & set(after.namelist())
        changed = names - {name for name in kept if before.read(name) == after.read(name)}
        same_text = _text(before.read("word/document.xml")) == _text(after.read("word/document.xml"))
    with zipfile.ZipFile(converted(copy, "odt", folder)) as opened:
        commented = set(_commented(opened.read("content.xml").decode()))
    others = ", ".join(sorted(changed - _PARTS)) or "none"
    text = "the same" if same_text else "CHANGED"
    return f"{len(commented & set(words))} of {len(words)}; other parts changed: {others}; text {text}"


def _commented(xml: str) -> Iterator[str]:
    """Yield the words of an OpenDocument text that have comments, without their quotation marks."""
    for comment in re.finditer(r'<office:annotation [^>]*office:name="([^"]+)"', xml):
        begins = xml.index("</office:annotation>", comment.end())
        ends = xml.index(f'<office:annotation-end office:name="{comment[1]}"', begins)
        yield unescape(re.sub(r"<[^>]*>", "", xml[begins:ends])).strip("“”")


def _text(xml: bytes) -> str:
    parser = etree.XMLParser(resolve_entities=False)
    return "".join(etree.fromstring(xml, parser).itertext(f"{{{docx.oxml.ns.nsmap['w']}}}t"))


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path, help="built of the sample papers")
    folder = parser.parse_args().corpus
    rows = []
    with lookup.open(folder) as corpus, tempfile.TemporaryDirectory() as name:
        cases, made = make_cases(corpus), Path(name)
        by_python_docx(made / "python-docx.docx", cases)
        (made / "libreoffice.fodt").write_text(flat_text(cases), encoding="utf-8")
        files = [
            ("python-docx", made / "python-docx.docx"),
            ("python-docx, then LibreOffice", converted(made / "python-docx.docx", "odt", made)),
            ("LibreOffice", converted(made / "libreoffice.fodt", "odt", made)),
            ("LibreOffice", converted(made / "libreoffice.fodt", "docx", made)),
        ]
        for maker, file in files:
            findings = judge(corpus, read_manuscripts([file], Vocabulary()))
            by_words = {one.quoted: one for one in findings}
            missed = [one for one in cases if one.words not in by_words]
            bad = [wrong(one, by_words[one.words]) for one in cases if one.words in by_words]
            for line in [*filter(None, bad), *(f"missed: {json.dumps(one.words)}" for one in missed)]:
                print(f"{file.name}: {line}", file=sys.stderr)
            right = len(cases) - len(missed) - sum(map(bool, bad))
            comments = comments_kept(file, [*by_words], folder, made) if file.suffix == ".docx" else "-"
            rows.append(
                [file.suffix, maker, f"{right} of {len(cases)}", str(len(findings) - len(cases)), comments]
            )
    columns = ["file", "written by", "all right", "more found", "comments that LibreOffice reads"]
    print(markdown_table(columns, rows))
    version = subprocess.run(
        ["soffice", "--version"], check=True, capture_output=True, text=True
    ).stdout.split()[1]
    print(f"\nLibreOffice {version}; {measured_on()}")


if __name__ == "__main__":
    main()
