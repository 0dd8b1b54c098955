"""The command that checks manuscripts."""

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import click

from lookup.errors import CorpusNotFoundError
from lookup.results.answer import counted
from lookup.text.printable import on_one_line
from pagequote.check.annotated import COMMENTED, write_annotated
from pagequote.check.configuration import Configuration, read_configuration
from pagequote.check.fixes import fixes, page_edits, write
from pagequote.check.formats import all_is_well, formatted, left_out, sources_of, summary
from pagequote.check.judge import cited_alone, judge
from pagequote.check.kept import from_lock, read_lock, unknown_to, with_lock, write_baseline
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscripts
from pagequote.check.report import as_html, as_pdf, report
from pagequote.cli import options, printing
from pagequote.cli.next_steps import with_command
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo
from pipeline.files.atomic import write_atomically
from pipeline.pictures.page_drawers import PageDrawers

_LEAST = click.Choice(["verbatim", "abridged", "near", "related"])


@click.command
@taking
def check(
    files: tuple[Path, ...] = argument(),
    min_verdict: Any = option("The lowest verdict that is right.  [default: abridged]", type=_LEAST),
    form: str = formats("text", "json", "sarif", "github", "junit"),
    show_all: bool = option("Show correct quotations, too; abridged ones always are.", "--all"),
    fix: bool = option("Correct wrong pages in the files."),
    fix_quotes: bool = option("Ask for each wrong quotation: take the printed words, cite who prints it?"),
    annotate: Path | None = option(
        "Write a copy of the one .docx or PDF with comments; --fix is tracked there.", type=options.FILE
    ),
    report: Path | None = option("Write a report to send: one page (.html), or a PDF.", type=options.FILE),
    pdfs: Path | None = option("Build of these PDFs first; kept where --corpus names a place."),
    baseline: Path | None = option("A file of known findings, which do not count."),
    update_baseline: bool = option("Write the current errors to the baseline."),
    locked: bool = option("Compare with what `pagequote pin` wrote; without a corpus, from that alone."),
    config: Path | None = option(
        "Your own macros, and other settings.  [default: the nearest pagequote.toml]"
    ),
    fields: tuple[str, ...] = option(
        "A field of records, as in quote=snippet, key=source.id or page=page; again for each.", "--field"
    ),
    sty: bool = option("Print pagequote.sty, and check nothing."),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Check every quotation in FILES (LaTeX, Markdown, Typst, Org, .rst, Word, .odt, PDF) and those included.

    FILES may also be structured records (.yaml, .json, .jsonl, .tsv, .csv): --field names their fields.

    What looks quoted, and has no citation that can be read, is looked up in all papers, and counted as not
    judged.

    Exit status: 0 nothing is wrong, 1 something is wrong, or a file quotes and nothing of it could be judged,
    2 an error.

    \b
    Examples:
      pagequote check thesis.tex
      pagequote check paper.md --fix
      pagequote check thesis.docx --annotate checked.docx
      pagequote check thesis.docx --report report.html
      pagequote check thesis.tex --locked
      pagequote check *.tex --format sarif > quotes.sarif
      pagequote check --sty > pagequote.sty
    """
    if sty:
        echo(Path(__file__).parents[1].joinpath("check/pagequote.sty").read_text(encoding="utf-8"), nl=False)
        return
    if not files:
        raise click.UsageError("Missing argument 'FILES...'.")
    _refuse_documents(files, corrects=fix or fix_quotes, annotate=annotate)
    configuration = read_configuration(config, files[0])
    if report is not None and report.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise click.UsageError(f"--report writes a page (.html) or a PDF, and {report.name!r} is neither.")
    baseline = baseline or configuration.baseline
    if update_baseline and baseline is None:
        raise click.UsageError("--update-baseline needs --baseline FILE, or a baseline in pagequote.toml.")
    configuration = replace(
        configuration,
        vocabulary=_with_fields(configuration.vocabulary, fields),
        min_verdict=min_verdict or configuration.min_verdict,
        lock=configuration.lock_of(files[0]) if locked else None,
    )
    with _corpus_of(pdfs, corpus) as named:
        fixed = (False, False) if annotate is not None else (fix, fix_quotes)
        findings, sources = _findings(files, configuration, named, fixed=fixed, report=report)
    well, known = all_is_well(findings), 0
    if baseline is not None and update_baseline:
        echo(f"{write_baseline(baseline, findings)} known to {baseline.name} from now on", err=True)
        return
    if baseline is not None:
        new = unknown_to(baseline, findings)
        known = len(findings) - len(new)
        findings, well = new, well or all_is_well(new)
    shown = [
        one for one in findings if show_all or one.level != "ok" or left_out(one) or (locked and one.hint)
    ]
    cut = [one for one in findings if one.around] if form in ("text", "json") else []
    told = {id(one) for one in [*shown, *cut]}
    listed = [one for one in findings if id(one) in told or form == "junit"]  # JUnit counts what passed
    if form == "text":
        listed = [replace(one, hint=with_command(one.hint, one.next_step)) for one in listed]
    printed = formatted(listed, form)
    echo(printing.findings(printed) if form == "text" else printed, nl=False)
    if annotate is not None:
        comments, changes = write_annotated(files[0], annotate, shown, sources, pages=fix, words=fix_quotes)
        tracked = f", {counted(changes, 'tracked change')}" if changes else ""
        echo(on_one_line(f"{annotate}: {counted(comments, 'comment')}{tracked}"), err=True)
    echo(summary(findings, known), err=True)
    sys.exit(int(not well))


@contextmanager
def _corpus_of(pdfs: Path | None, corpus: Path | None) -> Iterator[Path | None]:
    """Yield the corpus that is named; with `pdfs` one that is built of them, which is kept if it is named."""
    if pdfs is None:
        yield corpus
        return
    from pagequote.cli.build import build

    with TemporaryDirectory(prefix="pagequote-") as folder:
        made = corpus or Path(folder) / "corpus"
        build.main([str(pdfs), "--corpus", str(made), "--model", "none"], standalone_mode=False)
        yield made


def _findings(
    files: tuple[Path, ...],
    settings: Configuration,
    corpus: Path | None,
    *,
    fixed: tuple[bool, bool],
    report: Path | None,
) -> tuple[list[Any], Mapping[str, str]]:
    """Return the findings, after the corrections of pages and quotations, and the sources that they name.

    The report is written, too. Where the settings name a lock file, it is compared with, or alone asked.
    """
    vocabulary, (pages, quotes) = settings.vocabulary, fixed
    manuscripts = list(read_manuscripts(files, vocabulary, apart=True))
    settings.refuse_unused(manuscripts)
    for one in manuscripts:
        for name in one.missing:
            echo(on_one_line(f"{one.path}: the included file {name!r} is missing"), err=True)
    pins = read_lock(settings.lock) if settings.lock else None
    try:
        with options.open_corpus(corpus or settings.corpus) as opened:
            findings = judge(opened, manuscripts, settings.min_verdict)
            if (pages or quotes) and _correct(opened, findings, vocabulary, pages=pages, quotes=quotes):
                manuscripts = list(read_manuscripts(files, vocabulary, apart=True))
                findings = judge(opened, manuscripts, settings.min_verdict)
            findings = findings if pins is None else with_lock(findings, pins, opened)
            findings += cited_alone(opened, manuscripts, findings)
            if report is not None:
                more = f" and {counted(len(files) - 1, 'other')}" if len(files) > 1 else ""
                _write_report(opened, findings, f"{files[0].name}{more}", report)
            return findings, sources_of(opened, findings)
    except CorpusNotFoundError:
        if pins is None or corpus is not None or report is not None:
            raise
        echo("There is no corpus here: the lock file alone is asked.", err=True)
        return [*from_lock(manuscripts, pins)], {}


def _with_fields(vocabulary: Vocabulary, given: tuple[str, ...]) -> Vocabulary:
    """Return a vocabulary with these fields of records; those that are set stand for the others."""
    named = dict(one.partition("=")[::2] for one in given)
    if unknown := sorted(
        one for one, path in named.items() if one not in ("quote", "key", "page") or not path
    ):
        raise click.UsageError(
            f"--field takes quote=NAME, key=NAME or page=NAME; NAME may be a path: a.b. Got {unknown[0]!r}."
        )
    return replace(vocabulary, fields={**vocabulary.fields, **named})


def _refuse_documents(files: tuple[Path, ...], *, corrects: bool, annotate: Path | None) -> None:
    """Raise UsageError for what cannot be done with a document of a word processor, or with another file."""
    documents = [file for file in files if file.suffix.lower() in (".docx", ".docm", ".odt", ".pdf")]
    if corrects and documents and (annotate is None or documents[0].suffix.lower() == ".pdf"):
        raise click.UsageError(f"{documents[0].name!r} cannot be corrected in its place. Use --annotate.")
    if annotate is not None and (len(files) != 1 or files[0].suffix.lower() not in COMMENTED):
        raise click.UsageError("--annotate needs one .docx or .pdf file.")
    if annotate is not None and annotate.exists() and annotate.samefile(files[0]):
        raise click.UsageError("--annotate writes a copy. Give it another name than the manuscript's.")


def _write_report(corpus: Any, findings: list[Any], title: str, file: Path) -> None:
    with closing(PageDrawers(processes=1)) as drawers:
        made = report(corpus, findings, title, datetime.now(UTC).date().isoformat(), drawers)
    content = as_pdf(made) if file.suffix.lower() == ".pdf" else as_html(made).encode()
    write_atomically(file, content, file.parent)
    echo(on_one_line(f"{file}: the report"), err=True)


def _correct(opened: Any, findings: list[Any], vocabulary: Any, *, pages: bool, quotes: bool) -> bool:
    """Correct the files. Return whether any was written."""
    edits = page_edits(findings) if pages else {}
    corrected = Counter({path: len(each) for path, each in edits.items()})
    for finding in (one for one in findings if quotes and (one.verdict == "near" or one.elsewhere)):
        place = f"{finding.manuscript.path}:{finding.line}:{finding.column}"
        offered = [one for one in fixes(finding, findings, opened, vocabulary) if one.kind != "page"]
        if not offered and finding.verdict == "near":
            echo(on_one_line(f"{place}: correct this by hand: {finding.diff}"), err=True)
        for fix in offered:
            words = fix.kind == "words"
            echo(on_one_line(f"{place}: {finding.diff if words else finding.quoted}"), err=True)
            agreed = False
            with suppress(click.Abort):  # no answer: standard input is closed
                question = "Use the printed words" if words else on_one_line(fix.title)
                agreed = click.confirm(f"{question}?", err=True)
            if agreed:
                edits.setdefault(finding.manuscript.path, []).extend(fix.edits)
                corrected[finding.manuscript.path] += 1
                break
    for manuscript in {one.manuscript.path: one.manuscript for one in findings}.values():
        if edits.get(manuscript.path):
            write(manuscript, edits[manuscript.path])
            echo(on_one_line(f"{manuscript.path}: {corrected[manuscript.path]} corrected"), err=True)
    return bool(edits)
