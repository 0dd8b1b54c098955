"""The commands that mark quotes in copies of PDFs, and read back what readers have marked."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lookup.corpus import Corpus
from lookup.errors import CorpusNotFoundError, QueryError, SourceError
from lookup.results.difference import Verdict
from lookup.results.quote_answer import Match
from lookup.storage.untrusted_files import read_file
from lookup.text.printable import on_one_line
from pagequote.check.configuration import read_configuration
from pagequote.check.formats import comment_lines
from pagequote.check.judge import judge
from pagequote.check.manuscript import SUFFIXES, read_manuscripts
from pagequote.cli import options
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo
from pagequote.quoted_form import QuotedForm
from pipeline.files.original_file import read_original
from pipeline.formats import LARGEST
from pipeline.processes.operating_system import file_name

if TYPE_CHECKING:
    from pagequote.highlights.pdf import Highlight

_COLOURS: dict[Verdict, tuple[float, float, float]] = {
    "verbatim": (0.66, 0.9, 0.6),
    "abridged": (0.66, 0.9, 0.6),
    "near": (1.0, 0.85, 0.35),
    "related": (1.0, 0.66, 0.6),
}
"""Green is printed so, yellow with differences, red something like it."""


@click.command
@taking
def highlight(
    what: tuple[str, ...] = argument(required=True),
    out: Path | None = option("A folder for copies.", type=options.FOLDER),
    zotero: str | None = option(
        "Mark the PDFs of a Zotero library instead: users/ID or groups/ID, with a key in "
        "$ZOTERO_API_KEY, or local, the Zotero that runs here.",
        metavar="LIBRARY",
    ),
    dry_run: bool = option("With --zotero: only list what would be marked."),
    read: bool = option("List what readers have highlighted in a PDF instead."),
    key: str | None = option(
        "With --read: the paper.  [default: the one with the PDF's name, else it is read]"
    ),
    form: str = formats("text", "json", "latex", "markdown"),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Mark quotes in the PDFs that print them: all of manuscripts, or WORDS of the paper KEY.

    WHAT is files as `pagequote check` reads them, or KEY WORDS. With --out, copies are marked: OUT/KEY.pdf;
    one that is there is written anew. With --zotero, Zotero's reader shows the marks; those that it has
    already are not made again. Words that differ are marked too, in another colour, and the note says how.
    With --read, WHAT is a PDF: what was highlighted in it, in Zotero, Preview, Acrobat or here, is listed as
    quotes with pages.

    Exit status: 0 all that was quoted is marked, 1 not all, or nothing is highlighted, 2 an error.

    \b
    Examples:
      pagequote highlight thesis.tex --out marked
      pagequote highlight feng2022 "electrochemically switchable states" --out marked
      pagequote highlight thesis.docx --zotero users/12345 --dry-run
      pagequote highlight --read ~/Zotero/storage/ABCD/Feng.pdf --key feng2022 --format latex
    """
    if read:
        if len(what) != 1 or out or zotero:
            raise click.UsageError("--read takes one PDF, and neither --out nor --zotero.")
        _list(Path(what[0]), key, form, corpus)
        return
    options.refuse(
        (key or form != "text", "--key and --format go with --read."),
        ((out is None) == (zotero is None), "Give --out FOLDER or --zotero LIBRARY."),
        (dry_run and zotero is None, "--dry-run goes with --zotero."),
    )
    files = [Path(one) for one in what]
    are_manuscripts = all(one.suffix.lower() in SUFFIXES for one in files)
    with options.open_corpus(corpus, None if are_manuscripts else what[0]) as opened:
        if are_manuscripts:
            marks, missed = _of_manuscripts(opened, files)
        else:
            key, words = options.key_of(opened, what[0]), " ".join(what[1:])
            match, marks, missed = _match(opened, key, words), {}, [f"{key}: not printed: {words}"]
            if match and match.boxes:
                marks, missed = {key: _highlights(match, match.verdict)}, []
        if out is not None:
            _into_copies(opened, marks, out)
        else:
            missed += _into_zotero(opened, marks, zotero or "", dry_run=dry_run)
    for line in missed:
        echo(on_one_line(line), err=True)
    sys.exit(int(bool(missed)))


Marks = dict[str, list[tuple["Highlight", "Verdict"]]]
"""Highlights with their verdicts, by the key of their paper."""


def _into_copies(corpus: Corpus, marks: Marks, out: Path) -> None:
    from pagequote.highlights.pdf import with_highlights

    out.mkdir(parents=True, exist_ok=True)
    names: Counter[str] = Counter()
    for key, marked in sorted(marks.items()):
        name = file_name(key)
        names[name.casefold()] += 1  # "Ant" and "ant" are one file where case does not count
        same = names[name.casefold()]
        copy = out / f"{name}{f'-{same}' if same > 1 else ''}.pdf"
        copy.write_bytes(with_highlights(read_original(corpus.original(key)), [one for one, _ in marked]))
        echo(on_one_line(f"{copy}: {len(marked)} marked"), err=True)


def _into_zotero(corpus: Corpus, marks: Marks, name: str, *, dry_run: bool) -> list[str]:
    """Mark the PDFs of a library, or list what would be marked. Return a line for each that is not there."""
    from pagequote.highlights.pdf import words_under
    from pagequote.highlights.zotero import AnnotatedQuote, Zotero

    library, missing, annotations = Zotero(name), [], []
    for key, marked in sorted(marks.items()):
        original = corpus.original(key)
        attachment = library.attachment(original)
        if attachment is None:
            missing.append(f"{key}: no attachment of {name} is its PDF, {original.path}")
            continue
        labels = {one.page: one.page_label or str(one.page) for one in corpus.pages(key)}
        wanted = [
            AnnotatedQuote(one, words_under(corpus, key, one.boxes), labels[one.page], verdict)
            for one, verdict in marked
        ]
        new = library.new(attachment, read_original(original), wanted)
        annotations += new
        echo(on_one_line(f"{key}, attachment {attachment}: {len(new)} new of {len(wanted)}"), err=True)
        for one in new if dry_run else ():
            colour, page, words = (one[f"annotation{field}"] for field in ("Color", "PageLabel", "Text"))
            echo(on_one_line(f"{key}, page {page}, {colour}: {words}"))
    if not dry_run:
        library.write(annotations)
    return missing


def _of_manuscripts(corpus: Corpus, files: list[Path]) -> tuple[Marks, list[str]]:
    vocabulary = read_configuration(None, files[0]).vocabulary
    marks: Marks = {}
    missed = []
    for finding in judge(corpus, read_manuscripts(files, vocabulary, apart=True)):
        place = f"{finding.manuscript.path}:{finding.line}"
        match = finding.match
        if match is None or not match.boxes:
            missed.append(f"{place}: {finding.verdict}, {finding.key}: {finding.quoted}")
            continue
        note = "\n".join([f"{finding.manuscript.path.name}:{finding.line}", *comment_lines(finding)])
        marks.setdefault(finding.key, []).extend(_highlights(match, finding.verdict, note))
    return marks, missed


def _match(corpus: Corpus, key: str, words: str, page: int = 0) -> Match | None:
    """Return where a paper prints the words; None also for words that cannot be looked for."""
    try:
        return next(iter(corpus.quote(key, words, page).matches), None) if words else None
    except QueryError:
        return None


def _highlights(match: Any, verdict: Any, note: str = "") -> "list[tuple[Highlight, Verdict]]":
    """Return a highlight for each page that prints some of the words, with the verdict."""
    from pagequote.highlights.pdf import on_each_page

    return [(one, verdict) for one in on_each_page(match.boxes, note or verdict, _COLOURS[verdict])]


def _list(pdf: Path, key: str | None, form: str, corpus: Path | None) -> None:
    from pagequote.highlights.pdf import read_highlights, words_under

    try:
        content = read_file(pdf, LARGEST)
    except OSError as error:
        raise SourceError(f"The PDF {str(pdf)!r} cannot be read: {error.strerror}.") from error
    found = read_highlights(content)
    with _paper_of(pdf, key, corpus) as opened:
        paper = options.key_of(opened, key or pdf.name)
        rows = []
        for one in found:
            words = words_under(opened, paper, one.boxes)
            rows.append((one, words, _match(opened, paper, words, one.page)))
    lines = (line for row in rows for line in _lines(*row, form, paper))
    options.say([_row(*row) for row in rows], lines, as_json=form == "json")
    sys.exit(int(not rows))


def _lines(one: "Highlight", words: str, match: Match | None, form: str, paper: str) -> Iterator[str]:
    """Yield what is listed of a highlight of the paper; in a form to quote, if its words are printed."""
    if form == "text":
        page = match.page_label or one.page if match else one.page
        yield on_one_line(f"{paper}, page {page}: {words or '(no words)'}")
        if one.note:
            yield on_one_line(f"    {one.author}: {one.note}" if one.author else f"    {one.note}")
    elif match is not None:
        yield QuotedForm(match).latex() if form == "latex" else QuotedForm(match).markdown()


def _paper_of(pdf: Path, key: str | None, corpus: Path | None) -> Any:
    """Return the corpus with the paper of a PDF: one that is named, or has its name, else its own."""
    if key is not None or corpus is not None:
        return options.open_corpus(corpus)
    with suppress(CorpusNotFoundError):
        opened = options.open_corpus(None)
        if opened.resolve(pdf.name):
            return opened
        opened.close()
    return options.open_corpus(None, str(pdf))


def _row(one: "Highlight", words: str, match: Any) -> dict[str, Any]:
    return {
        "page": one.page,
        "page_label": match.page_label if match else None,
        "text": words,
        "verdict": match.verdict if match else None,
        "note": one.note,
        "author": one.author,
        "colour": [round(value, 3) for value in one.colour],
        "boxes": [asdict(box) for box in one.boxes],
    }
