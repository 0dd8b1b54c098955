"""The command that judges the quotations of a document while Pandoc or Quarto renders it."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from lookup.errors import QueryError
from lookup.text.printable import on_one_line
from pagequote.cli import options
from pagequote.cli.printing import echo


@click.command("filter")
@click.argument("target", default="html")
@options.flag("--install", "Write the extension into this folder, and filter nothing.")
@options.corpus
def pandoc_filter(target: str, install: bool, corpus: Path | None) -> None:
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
    from lookup.storage.untrusted_files import read_json
    from pagequote.check.configuration import read_configuration
    from pagequote.check.formats import details
    from pagequote.check.judge import judge
    from pagequote.check.manuscript import Manuscript
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
    from lookup.storage.object_path import ObjectPath
    from pagequote.quoted_form import MOST_TEMPLATE, filled

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
