"""Manuscripts as people write them: with typed notes, single marks, in notes' programs, as PDFs and records.

Each holds quotations of `invented_works`, a third of them wrong in a known way, and passages that look like
quotations and are none. They were written before what reads them.
"""

import csv
import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

import typst

from tests.support.documents import docx, heading, odt, paragraph, run
from tests.support.invented_works import BY_KEY, NEGATION, TEXTS, WORKS, Sentence, Work

FAULTS = ("word", "negation", "number", "page", "work", "invented")


@dataclass(frozen=True)
class Quotation:
    """A passage that a manuscript quotes, with the work and page that it gives; `fault` is empty if right."""

    words: str
    work: Work
    page: int
    fault: str = ""


@dataclass(frozen=True)
class Essay:
    """A manuscript: its file, what it quotes, and options that `check` needs."""

    name: str
    data: bytes
    quotations: tuple[Quotation, ...]
    options: tuple[str, ...] = field(default=())


def drawn(chance: random.Random, works: tuple[Work, ...], number: int) -> list[Quotation]:
    """Return `number` quotations of these works, each third one wrong; some follow one of the same work."""
    faults = [FAULTS[(chance.randrange(6) + at) % 6] for at in range(number // 3)]
    kinds = faults + [""] * (number - len(faults))
    chance.shuffle(kinds)
    made: list[Quotation] = []
    used: set[str] = set()
    work = chance.choice(works)
    for kind in kinds:
        if made and chance.random() > 0.4:
            work = chance.choice(works)
        sentence = chance.choice([one for one in work.sentences if one.words() not in used])
        used.add(sentence.words())
        made.append(_quoted(chance, work, sentence, kind))
    return made


def _quoted(chance: random.Random, work: Work, sentence: Sentence, fault: str) -> Quotation:
    words, right = sentence.words(), Quotation(sentence.words(), work, sentence.page)
    if fault == "number":
        for number, other in TEXTS["numbers"].items():
            if number in words.lower().split():
                return (
                    replace(right, words=words.replace(number, other), fault=fault)
                    if number in words
                    else right
                )
        fault = "word"
    if fault == "word":
        thing = chance.choice([one.object for one in work.sentences if one.object != sentence.object])
        return replace(right, words=replace(sentence, object=thing).words(), fault=fault)
    if fault == "negation":
        return replace(right, words=sentence.words(NEGATION[work.language]), fault=fault)
    if fault == "page":
        return replace(
            right,
            page=chance.choice(
                [n for n in range(work.first_page, work.first_page + 4) if n != sentence.page]
            ),
            fault=fault,
        )
    if fault == "work":
        other_work = chance.choice(
            [one for one in WORKS if one.language == work.language and one != work] or [BY_KEY["oakes2004"]]
        )
        return replace(right, work=other_work, page=other_work.first_page + 1, fault=fault)
    if fault == "invented":
        return replace(right, words=chance.choice(TEXTS["invented"][work.language]), fault=fault)
    return right


# Notes as they are typed


class Notes:
    """Notes in a style: in full, then in short; "Ibid." for the work of the note before."""

    def __init__(self, style: str) -> None:
        self._forms: dict[str, str] = TEXTS["styles"][style]
        self.marks = self._forms["marks"]
        self._cited: list[str] = []

    def note(self, one: Quotation) -> str:
        """Return the note of a quotation, without its full stop's successor."""
        work, kind = one.work, "article" if one.work.journal else "book"
        before, seen = self._cited[-1:], work.key in self._cited
        self._cited.append(work.key)
        form = "again" if before == [work.key] else f"short {kind}" if seen else kind
        return self._forms[form].format(**work.__dict__, page=one.page, last_page=work.first_page + 3)


_EN = tuple(one for one in WORKS if one.language == "en")
_DE = tuple(one for one in WORKS if one.language == "de")
_FR = tuple(one for one in WORKS if one.language == "fr")
STYLES: dict[str, tuple[Work, ...]] = {
    "chicago": _EN,
    "mhra": _EN,
    "german": (*_DE, BY_KEY["merle1931"]),
    "french": (*_FR, BY_KEY["oakes2004"], BY_KEY["merle1931"]),
}


def _marked(words: str, marks: str) -> str:
    space = " " if marks == "«»" else ""
    return f"{marks[0]}{space}{words}{space}{marks[1]}"


def _paragraphs(
    chance: random.Random, quotations: list[Quotation], language: str, marks: str
) -> Iterator[tuple[str, Quotation | None]]:
    """Yield each paragraph with `{n}` where the note of its quotation stands, its quotation, or None."""
    decoys = list(TEXTS["decoys"][language])
    for number, one in enumerate(quotations):
        lead = chance.choice(TEXTS["leads"][language])
        yield lead.format(family=one.work.family, q=_marked(one.words, marks), n="{n}"), one
        if number % 3 == 1 and decoys:
            yield decoys.pop(0).format(*_split(marks)), None
        if number % 4 == 2:
            yield TEXTS["fill"][language], None


def _split(marks: str) -> tuple[str, str]:
    left, right = _marked("\0", marks).split("\0")
    return left, right


def _language(works: tuple[Work, ...]) -> str:
    return works[0].language


def _reference(kind: str, number: int) -> str:
    return f'<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:{kind}Reference w:id="{number}"/></w:r>'


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_BLOCK = '<w:pStyle w:val="Zitat"/>'


def word_essay(style: str, number: int, marks: str = "", name: str = "") -> Essay:
    """Return a .docx with typed notes; every other one has end notes, every third a block quotation."""
    chance = random.Random(f"{style}{number}{marks}")
    works = STYLES[style]
    writer, language = Notes(style), _language(works)
    marks = marks or writer.marks
    quotations = drawn(chance, works, 12)
    kind = "endnote" if number % 2 else "footnote"
    notes: dict[str, str] = {}
    body = [heading("A harbour and its books")]
    for text, one in _paragraphs(chance, quotations, language, marks):
        if one is None:
            body.append(paragraph(text))
            continue
        at = len(notes) + 2
        notes[str(at)] = paragraph(run(" "), run(writer.note(one)))
        if number % 3 == 0 and at in (4, 9):
            body += [
                paragraph("It says so at length:"),
                paragraph(run(one.words + "."), _reference(kind, at), properties=_BLOCK),
            ]
            continue
        before, after = text.split("{n}")
        body.append(paragraph(run(before), _reference(kind, at), run(after)))
    inner = "".join(f'<w:{kind} w:id="{i}">{text}</w:{kind}>' for i, text in notes.items())
    members = {f"word__{kind}s": f"<w:{kind}s {_W}>{inner}</w:{kind}s>"}
    data = docx(*body, footnotes=None, **members)
    return Essay(name or f"{style}-{number}.docx", data, tuple(quotations))


def _author_date(one: Quotation, *, colon: bool = False) -> str:
    return f" ({one.work.family} {one.work.year}{': ' if colon else ', '}{one.page})"


def plain_essay(number: int, marks: str, suffix: str) -> Essay:
    """Return an essay with author and year in brackets, or typed notes, as .docx, .odt or Markdown."""
    chance = random.Random(f"plain{number}{marks}{suffix}")
    quotations = drawn(chance, _EN, 12)
    writer = Notes("mhra")
    pieces, notes = [], []
    by_note = number % 2 == 1
    for text, one in _paragraphs(chance, quotations, "en", marks):
        if one is None:
            pieces.append((text, "", ""))
            continue
        before, after = text.split("{n}")
        if by_note:
            notes.append(writer.note(one))
            pieces.append((before, str(len(notes)), after))
        else:
            pieces.append(
                (
                    before + _author_date(one, colon=number % 3 == 0),
                    "",
                    after.removeprefix(".") if not after else f"{after}",
                )
            )
    return Essay(f"single-{number}{suffix}", _WRITERS[suffix](pieces, notes), tuple(quotations))


def _as_docx(pieces: list[tuple[str, str, str]], notes: list[str]) -> bytes:
    body = [
        paragraph(run(before), *([_reference("footnote", int(mark) + 1)] if mark else []), run(after))
        for before, mark, after in pieces
    ]
    return docx(*body, footnotes={str(at): paragraph(run(f" {note}")) for at, note in enumerate(notes, 2)})


def _as_odt(pieces: list[tuple[str, str, str]], notes: list[str]) -> bytes:
    def noted(mark: str) -> str:
        return (
            f'<text:note text:note-class="footnote"><text:note-citation>{mark}</text:note-citation>'
            f"<text:note-body><text:p>{notes[int(mark) - 1]}</text:p></text:note-body></text:note>"
            if mark
            else ""
        )

    return odt("".join(f"<text:p>{before}{noted(mark)}{after}</text:p>" for before, mark, after in pieces))


def _as_markdown(pieces: list[tuple[str, str, str]], notes: list[str]) -> bytes:
    body = "\n\n".join(f"{before}{f'[^{mark}]' if mark else ''}{after}" for before, mark, after in pieces)
    listed = "".join(f"[^{at}]: {note}\n" for at, note in enumerate(notes, 1))
    return f"# A harbour\n\n{body}\n\n{listed}".encode()


def _as_latex(pieces: list[tuple[str, str, str]], notes: list[str]) -> bytes:
    body = "\n\n".join(
        before + (f"\\footnote{{{notes[int(mark) - 1]}}}" if mark else "") + after
        for before, mark, after in pieces
    )
    return f"\\documentclass{{article}}\n\\begin{{document}}\n{body}\n\\end{{document}}\n".encode()


_WRITERS: dict[str, Callable[[list[tuple[str, str, str]], list[str]], bytes]] = {
    ".docx": _as_docx,
    ".odt": _as_odt,
    ".md": _as_markdown,
    ".tex": _as_latex,
}


def text_essay(number: int, suffix: str) -> Essay:
    """Return Markdown or LaTeX with typed notes in one of the four styles, and code that prints words."""
    style = list(STYLES)[number % 4]
    chance = random.Random(f"text{number}{suffix}")
    works = STYLES[style]
    writer, language = Notes(style), _language(works)
    quotations = drawn(chance, works, 12)
    pieces, notes = [], []
    for text, one in _paragraphs(chance, quotations, language, writer.marks):
        before, after = text.split("{n}") if one else (text, "")
        if one:
            notes.append(writer.note(one))
        pieces.append((before, str(len(notes)) if one else "", after))
    code = 'print("the ledger holds seventeen entries and a total")'
    pieces.append(
        (
            f"```python\n{code}\n```"
            if suffix == ".md"
            else f"\\begin{{verbatim}}\n{code}\n\\end{{verbatim}}",
            "",
            "",
        )
    )
    return Essay(f"text-{number}{suffix}", _WRITERS[suffix](pieces, notes), tuple(quotations))


# Notes of programs


def _pdf_page(one: Quotation) -> int:
    return one.page - one.work.first_page + 1


def _callout(one: Quotation) -> str:
    link = f"[[{one.work.key}.pdf#page={_pdf_page(one)}|{one.work.key}, p. {one.page}]]"
    return f"> [!quote] {one.work.family}, p. {one.page}\n> {one.words}.\n> {link}\n"


def _pdf_plus(one: Quotation) -> str:
    place = f"{one.work.key}.pdf#page={_pdf_page(one)}&selection=4,0,6,21&color=yellow"
    title = f"> [!PDF|yellow] [[{place}|{one.work.title}, p.{one.page}]]"
    return f"{title}\n> > {one.words}.\n>\n> our own remark on it\n"


def _own_template(one: Quotation) -> str:
    return f"> {one.words}. ([[{one.work.key}.pdf#page={_pdf_page(one)}|{one.work.key}, p. {one.page}]])\n"


def _wiki_key(one: Quotation) -> str:
    return f"- “{one.words}” ([[@{one.work.key}]], p. {one.page})\n"


def _zotero_note(one: Quotation) -> str:
    return (
        f"“{one.words}.” ([{one.work.family}, {one.work.year}, p. {one.page}]"
        "(zotero://select/library/items/GNS5UBQB)) "
        f"([pdf](zotero://open-pdf/library/items/GRF5DKFD?page={_pdf_page(one)}&annotation=DT2KRNGI))\n"
    )


def _inline_link(one: Quotation) -> str:
    address = f"papers/{one.work.key}.pdf#page={_pdf_page(one)}"
    return f"He writes “{one.words}” ([p. {one.page}]({address})) and goes on.\n"


def _readwise(one: Quotation) -> str:
    address = f"https://readwise.example/to_kindle?action=open&location={one.page}"
    return f"- {one.words}. ([Page {one.page}]({address}))\n"


def _logseq(one: Quotation) -> str:
    return f"- {one.words}.\n  ls-type:: annotation\n  hl-page:: {_pdf_page(one)}\n  hl-color:: yellow\n"


_NOTES: dict[str, tuple[Callable[[Quotation], str], str, bool]] = {
    "callouts": (_callout, "# Harbour\n\n", False),
    "pdf-plus": (_pdf_plus, "---\ntags: [harbour]\n---\n\n", False),
    "own": (_own_template, "# Quotes\n\n", False),
    "wiki-keys": (_wiki_key, "# Quotes\n\n", False),
    "zotero": (_zotero_note, "# Annotations\n\n", False),
    "links": (_inline_link, "# Reading\n\n", False),
    "readwise": (
        _readwise,
        (
            "# {title}\n\n## Metadata\n- Author: [[{given} {family}]]\n- Full Title: {title}\n"
            "- Category: #books\n\n## Highlights\n"
        ),
        True,
    ),
    "logseq": (_logseq, "file:: [{key}.pdf](../assets/{key}.pdf)\nfile-path:: ../assets/{key}.pdf\n\n", True),
}


def notes_of_program(kind: str, number: int = 0) -> Essay:
    """Return notes as Obsidian, Logseq, Zotero, Readwise or a template of ours writes them."""
    chance = random.Random(f"{kind}{number}")
    written, head, of_one = _NOTES[kind]
    work = chance.choice(_EN)
    quotations = drawn(chance, (work,) if of_one else _EN, 9)
    if of_one:  # a file of one work can name no other
        quotations = [
            replace(one, work=work, page=one.page if one.fault != "work" else work.first_page)
            for one in quotations
        ]
        quotations = [
            _quoted(chance, work, work.sentences[-1 - at], "page") if one.fault == "work" else one
            for at, one in enumerate(quotations)
        ]
    text = head.format(**work.__dict__) if of_one else head
    name = f"hls__{work.key}.md" if kind == "logseq" else f"{kind}-{number}.md"
    return Essay(name, (text + "\n".join(map(written, quotations))).encode(), tuple(quotations))


def hypothesis_export(number: int = 0) -> Essay:
    """Return annotations as Hypothesis exports them: no page, so a wrong page cannot stand there."""
    chance = random.Random(f"hypothesis{number}")
    quotations = [replace(one, fault="") if one.fault == "page" else one for one in drawn(chance, _EN, 9)]
    rows = [
        {
            "target": [
                {
                    "source": f"urn:x-pdf:{one.work.key}",
                    "selector": [{"type": "TextQuoteSelector", "exact": f"{one.words}.", "prefix": ""}],
                }
            ],
            "document": {"title": [one.work.title]},
            "uri": f"file:///papers/{one.work.key}.pdf",
            "text": "to be used",
        }
        for one in quotations
    ]
    return Essay(
        f"hypothesis-{number}.json", json.dumps({"rows": rows}, indent=1).encode(), tuple(quotations)
    )


# Records


def records(suffix: str, number: int = 0) -> Essay:
    """Return claims with their snippets as .yaml, .json, .jsonl, .tsv or .csv."""
    chance = random.Random(f"records{suffix}{number}")
    quotations = drawn(chance, _EN, 9)
    rows = [
        {"claim": f"claim {at}", "reference": one.work.key, "page": one.page, "snippet": f"{one.words}."}
        for at, one in enumerate(quotations)
    ]
    if suffix == ".yaml":
        data = "name: harbour\nevidence:\n" + "".join(
            f"- reference: {row['reference']}\n  page: {row['page']}\n  snippet: >-\n"
            f"    {row['snippet']}\n  supports: SUPPORT\n"
            for row in rows
        )
        fields = {"quote": "evidence.snippet", "key": "evidence.reference", "page": "evidence.page"}
    elif suffix == ".json":
        data = json.dumps({"claims": [{"says": row["claim"], "source": row} for row in rows]}, indent=2)
        fields = {
            "quote": "claims.source.snippet",
            "key": "claims.source.reference",
            "page": "claims.source.page",
        }
    elif suffix == ".jsonl":
        data = "".join(json.dumps(row) + "\n" for row in rows)
        fields = {"quote": "snippet", "key": "reference", "page": "page"}
    else:
        made = io.StringIO()
        writer = csv.DictWriter(
            made, ["claim", "reference", "page", "snippet"], delimiter="\t" if suffix == ".tsv" else ","
        )
        writer.writeheader()
        writer.writerows(rows)
        data, fields = made.getvalue(), {"quote": "snippet", "key": "reference", "page": "page"}
    options = tuple(part for name, path in fields.items() for part in ("--field", f"{name}={path}"))
    return Essay(f"records-{number}{suffix}", data.encode(), tuple(quotations), options=options)


# Submissions in PDF


def pdf_essay(number: int) -> Essay:
    """Return a submission typeset as a PDF: author and year with a list of references, numbers, or notes."""
    chance = random.Random(f"pdf{number}")
    quotations = drawn(chance, _EN, 12)
    writer, cited, parts = Notes("chicago"), [], []
    for text, one in _paragraphs(chance, quotations, "en", "“”"):
        if one is None:
            parts.append(text)
            continue
        if one.work not in cited:
            cited.append(one.work)
        note = {
            0: f"#footnote[{writer.note(one)}]",
            1: _author_date(one),
            2: f" [{cited.index(one.work) + 1}, p. {one.page}]",
        }[number % 3]
        before, after = text.split("{n}")
        parts.append(
            before + note.replace("[", "\\[", 1).replace("]", "\\]", 1) + after
            if number % 3 == 2
            else before + note + after
        )
    by_number = number % 3 == 2
    entries = []
    for at, work in enumerate(cited if by_number else sorted(cited, key=lambda one: one.family), 1):
        mark = f"\\[{at}\\] " if by_number else ""
        source = work.journal or work.publisher
        entries.append(f"{mark}{work.family}, {work.given[0]}. ({work.year}). {work.title}. {source}.")
    listed = "= References\n\n" + "\n\n".join(entries) if number % 3 else ""
    source = (
        '#set page(width: 170mm, height: 240mm, numbering: "1", columns: '
        + ("2" if number == 4 else "1")
        + ")\n"
        '#set text(size: 10pt, lang: "en")\n#set par(justify: true)\n#set smartquote(enabled: false)\n'
        "= A harbour and its books\n\nJ. Writer\n\n== Introduction\n\n" + "\n\n".join(parts) + "\n\n" + listed
    )
    return Essay(f"submission-{number}.pdf", typst.compile(source.encode()), tuple(quotations))


def essays() -> Iterator[Essay]:
    """Yield the 60 manuscripts."""
    for style in STYLES:
        for number in range(5):
            yield word_essay(style, number)
    singles = ((".docx", "‘’"), (".docx", "''"), (".md", "‘’"), (".odt", "‘’"), (".md", "''"))
    for number in range(10):
        suffix, marks = singles[number // 2]
        yield plain_essay(number, marks, suffix)
    for number in range(10):
        yield text_essay(number, (".md", ".tex")[number % 2 if number < 4 else (number // 2) % 2])
    for kind in _NOTES:
        yield notes_of_program(kind)
    yield notes_of_program("callouts", 1)
    yield hypothesis_export()
    for number in range(5):
        yield pdf_essay(number)
    for suffix in (".yaml", ".json", ".jsonl", ".tsv", ".csv"):
        yield records(suffix)
