"""Commands about manuscripts: pins of quotations, versions of a paper, and what Pandoc or Quarto renders."""

import json
import sys
from collections import Counter
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from lookup.errors import QueryError
from lookup.results.answer import whereabouts
from lookup.results.difference import PRINTED
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import read_json
from lookup.text.printable import on_one_line
from pagequote.check.configuration import read_configuration
from pagequote.check.formats import as_text, details
from pagequote.check.judge import judge
from pagequote.check.kept import kept, paragraphs, pinned, quotations, read_lock, write_lock
from pagequote.check.manuscript import Manuscript, read_manuscripts
from pagequote.cli import options, printing
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo
from pagequote.quoted_form import MOST_TEMPLATE, filled


@click.command
@taking
def pin(
    files: tuple[Path, ...] = argument(required=True),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Write each right quotation of FILES into the lock file, with the PDF that prints it.

    That is `lock` in the nearest pagequote.toml, else pagequote.lock beside the first of FILES. It has, for
    each quotation, the SHA-256 of the PDF, the page, boxes, printed words, verdict and date, and belongs
    under version control. What cannot be judged, such as a quotation from a book without a PDF, is pinned as
    not judged. `pagequote check --locked` compares with it.

    Exit status: 0 all are pinned, 1 some are wrong, 2 an error.

    \b
    Examples:
      pagequote pin thesis.tex
      pagequote check thesis.tex --locked
    """
    configuration = read_configuration(None, files[0])
    lock = configuration.lock_of(files[0])
    today = datetime.now(UTC).date().isoformat()
    with options.open_corpus(corpus or configuration.corpus) as opened:
        manuscripts = list(read_manuscripts(files, configuration.vocabulary, apart=True))
        findings = judge(opened, manuscripts, configuration.min_verdict)
        before = read_lock(lock) if lock.exists() else {}
        pins = pinned(manuscripts, findings, opened, today, before)
    write_lock(lock, pins)
    echo(printing.findings(as_text([one for one in findings if one.level != "ok"])), nl=False)
    quoted = Counter(one.verdict == "not judged" for one in pins if one.verdict != "no quotation")
    unjudged = f" ({quoted[True]} as not judged)" if quoted[True] else ""
    wrong = sum(one.level == "error" for one in findings)
    echo(on_one_line(f"{quoted.total()} pinned in {lock.name}{unjudged}, {wrong} not right"), err=True)
    sys.exit(int(bool(wrong)))


@click.command
@taking
def compare(
    key: str = options.KEY,
    other: str = argument(),
    files: tuple[Path, ...] = argument(),
    form: str = formats("text", "json"),
    show_all: bool = option("Show what both print alike, too.", "--all"),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Tell which paragraphs of the paper KEY its version OTHER prints, too, or which quotations of FILES.

    KEY and OTHER are papers of the corpus, or PDFs. With FILES, which are manuscripts, only the quotations
    that cite KEY are looked for in OTHER.

    Exit status: 0 all are printed there, 1 some are not, 2 an error.

    \b
    Examples:
      pagequote compare feng2021preprint feng2022
      pagequote compare feng2021preprint published.pdf thesis.tex
    """
    with ExitStack() as stack:
        here, there = (stack.enter_context(_opened(corpus, one)) for one in (key, other))
        words: list[Any]
        if files:
            vocabulary = read_configuration(None, files[0]).vocabulary
            words = [*quotations(read_manuscripts(files, vocabulary, apart=True), key)]
        else:
            words = [*paragraphs(here, options.key_of(here, key))]
        found = kept(words, there, there.paper(options.key_of(there, other)).key)
    shown = [one for one in found if show_all or one["verdict"] != "verbatim"]
    lines = (
        line
        for one in shown
        for line in (
            f"{one['place']}: {whereabouts(one['verdict'], one['page'], one['page_label'])}",
            f"    {one['diff'] or one['words']}",
        )
    )
    options.say(shown, map(on_one_line, lines), as_json=form == "json")
    counts = Counter(one["verdict"] for one in found)
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.most_common())
    echo(f"{len(found)} compared: {said or 'none'}", err=True)
    sys.exit(int(any(verdict not in PRINTED for verdict in counts)))


def _opened(corpus: Path | None, paper: str) -> Any:
    """Return the corpus of a paper: that of the PDF alone, if it is one, whatever corpus is named."""
    is_pdf = paper.casefold().endswith(".pdf") and Path(paper).is_file()
    return options.open_corpus(None if is_pdf else corpus, paper)


@click.command("filter")
@taking
def pandoc_filter(
    target: str = argument(default="html"),
    install: bool = option("Write the extension into this folder, and filter nothing."),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Judge the quotations of a document as Pandoc gives it: its tree as JSON, over stdin and stdout.

    TARGET is the format that is rendered; it changes nothing. Pandoc and Quarto call the command by the
    extension that `pagequote filter --install` writes into _extensions/pagequote. Each quotation gets a span
    with its verdict, or a link to its page. In the metadata of the document, `pagequote` may have `link`, a
    template with {key}, {page}, {printed_page} and {pdf}, and `fail: true`, so that a wrong quotation fails
    the rendering. Settings for checking are those of pagequote.toml.

    \b
    Examples:
      pagequote filter --install
      pandoc paper.md --lua-filter _extensions/pagequote/pagequote.lua --citeproc -o paper.html
    """
    del target
    if install:
        folder = Path("_extensions/pagequote")
        folder.mkdir(parents=True, exist_ok=True)
        for file in sorted((Path(__file__).parents[1] / "check" / "quarto").iterdir()):
            (folder / file.name).write_bytes(file.read_bytes())
            echo(str(folder / file.name))
    elif not _filtered(corpus):
        sys.exit(1)


def _filtered(corpus: Path | None) -> bool:
    """Judge and mark the document. Return whether its rendering goes on."""
    from pagequote.check.pandoc import Tree, VerdictMark, plain

    try:
        document: dict[str, Any] = read_json(options.standard_input())
        tree, given = Tree(document["blocks"]), document["meta"].get("pagequote", {}).get("c", {})
        quotations, link = tuple(tree.quotations()), plain(given.get("link"))
        fails = given.get("fail", {}).get("c") is True
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError) as error:
        raise QueryError(
            f"Standard input is no document of Pandoc ({error!r}): use `pandoc -t json`."
        ) from error
    path = Path("document")
    configuration = read_configuration(None, path)
    with options.open_corpus(corpus or configuration.corpus) as opened:
        manuscript = Manuscript(quotations, path=path, markup="pandoc")
        findings = judge(opened, [manuscript], configuration.min_verdict)
        addresses = [_address(opened, link, one) for one in findings]
    for one in findings:
        if one.level != "ok":
            told = "; ".join([*details(one), f"“{one.quoted}”"])
            echo(on_one_line(f"pagequote: {one.level}: {told}"), err=True)
    if fails and any(one.level == "error" for one in findings):
        return False
    tree.mark(
        [
            VerdictMark(one.quotation.start, one.quotation.end, one.verdict, details(one)[0], address)
            for one, address in zip(findings, addresses, strict=True)
        ]
    )
    sys.stdout.write(json.dumps(document))
    return True


def _address(corpus: Any, link: str, finding: Any) -> str:
    """Return the template `link` filled in for the page of a printed quotation, '' without either."""
    if not link or finding.page is None:
        return ""
    if len(link) > MOST_TEMPLATE:
        raise QueryError(f"The template for links has over {MOST_TEMPLATE:,} characters, the limit.")
    pdf = corpus.original(finding.key).place
    fields = {
        "key": finding.key,
        "page": str(finding.page),
        "printed_page": finding.page_label or str(finding.page),
        "pdf": str(pdf) if isinstance(pdf, ObjectPath) else pdf.as_uri(),
    }
    try:
        return filled(link, fields)
    except KeyError as error:
        raise QueryError(
            f"The template {link!r} may have {', '.join(fields)} in braces, not {error}."
        ) from error
