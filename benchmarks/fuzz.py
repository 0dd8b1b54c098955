"""What can a parser not take? `python benchmarks/fuzz.py CORPUS [--only tex] [--seconds 600] [--atheris]`.

Each parser of what others write gets texts made of its own marks, by Hypothesis, which also finds the
shortest text that goes wrong; or with `--atheris` (`pip install atheris`; one parser, named by --only) bytes
that lead to code that was not reached before. Wrong is any exception but an error of PageQuote, and a text
that takes more than a second. What was found becomes a fixture of the parser's tests.
"""

import argparse
import gc
import json
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from itertools import count
from pathlib import Path
from types import FunctionType
from zipfile import ZipFile

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from lxml import etree
from tables import markdown_table, measured_on

import lookup
from lookup.check.latex_macros import Vocabulary
from lookup.check.manuscript import decode, encode, read_manuscripts
from lookup.errors import PageQuoteError
from lookup.mcp.stdio import has_odd_id, mended
from lookup.mcp.tools import TOOLS, ToolServer
from lookup.papers.original_pdf import Format
from pipeline.libraries.bibtex import read_bibliography
from pipeline.libraries.csl_json import read_csl_json
from pipeline.markup import read_markup
from pipeline.pdf.opening import UnreadableError

_LONGEST = 1.0
"""Seconds that a text may take; texts have some thousand characters at most."""

_PIECES = 30
"""Pieces of a text, at most: marks of its parser, repeated marks, and any text."""

_MARKS = {
    "tex": r"\ { } $ $$ % & ~ ^ _ # [ ] `` '' \cite{a} \cite \footnote{ \begin{quote} \end{quote} \begin{ "
    r"\end{ \verb| \iffalse \fi "
    r"\textquote[ \mciteboxp{a}{1}{ \input{a} \input{ \( \) \[ \] \newcommand \def \" \'e \par p.~5 pp. — … "
    r"[...]",
    "md": "` `` ``` * ** _ [ ] ( ) ![ ]( ]: [@a] [@a, p. 5] @a > # - 1. ~~~ <!-- --> < > <a \\ & &amp; $ $$ "
    "--- : ::: { } | “ ” \" ' ^[ [^1] [^1]:",
    "typ": "# #quote[ #cite(<a>) #cite( @a @a[p. 5] [ ] ( ) { } < > $ * _ ` ``` // /* */ \\ \" ' “ ” = + - / "
    ': #let #include "a" attribution: block: true',
    "bib": '@ @misc{ @string{ @comment{ @preamble{ a, title author file doi year = { } " # , \\ \\" \\\'e '
    "and and~ ; : :application/pdf $ ~ % ( )",
    "csl": '[ ] { } , : " "id" "title" "author" "family" "issued" "date-parts" "file" "items" null true 1 -1 '
    "1e999 \\u \\ud83d NaN <i> </i>",
    "query": "the of 5 5.5 -5 % … ... [...] [ ] ( ) “ ” \" ' - — fi ﬁ \u00ad \u200b µ μ ² 10^5 α \u0301 \n "
    "\t \\ not , . ; : / ½ İ ß",
    "key": "a b : / \\ . .. % ' \" { } ü \u0301 \u202e \0 \n - _",
    "jats": "<sec> </sec> <title> </title> <p> </p> <xref> </xref> <fig> </fig> <caption> <table-wrap> <tr> "
    "<td> </td> <ref-list> <ref> </ref> <element-citation> <name> <list> <list-item> <sup> </sup> "
    "<disp-quote> <fn> <label> 1 </label> <alternatives> <tex-math> <math> <mi> &#945; &micro; "
    "<!-- --> <?pi?> id='a' a \u00ad",
    "tei": "<div> </div> <head> </head> <p> </p> <note> </note> <choice> <sic> <corr> </choice> <lg> <l> </l> "
    "<pb/> <lb/> <figure> <figDesc> <list> <item> <table> <row> <cell> <listBibl> <bibl> <hi "
    "rend='sup'> </hi> a 1 &amp;",
    "html": "<main> </main> <h1> <h2> </h2> <p> </p> <div> </div> <aside> <aside&#32;role='doc-footnote'> "
    "</aside> <table> <tr> <td> </table> <ul> <li> <blockquote> <pre> <br> <sup> </sup> <script> "
    "</script> <form> <svg> <style> <!-- --> &nbsp; &#0; &#x110000; &amp &lt <![CDATA[ <?x "
    "<meta> <p&#32;hidden> a \0",
    "word": "<w:p> </w:p> <w:r> </w:r> <w:t> </w:t> <w:tbl> <w:tr> <w:tc> </w:tbl> <w:pPr> <w:pStyle> </w:pPr> "
    "<w:del> </w:del> <w:txbxContent> </w:txbxContent> <w:tab/> <w:footnoteReference/> <w:numPr> "
    "<w:sdt> a 1",
    "mcp": '{ } [ ] , : " "jsonrpc":"2.0" "id": "method": "params": "key" "query" "name" null true 1 -1 '
    '1e999 \\ud83d \\u0000 "tools/call"',
}
"""The marks of each parser, parted by spaces."""


Parser = Callable[[bytes], None]


def parsers(corpus: lookup.Corpus, folder: Path) -> dict[str, Parser]:
    """A call of each parser, with bytes."""
    key = corpus.papers()[0].key

    def query(content: bytes) -> None:
        words = content.decode("utf-8", "replace")
        corpus.verify(words, key)
        corpus.grep(words)
        corpus.search_context([words], keys=[key])

    def unknown_key(content: bytes) -> None:
        corpus.quote(content.decode("utf-8", "replace"), "some words")

    return {
        **{name: manuscript(folder / f"fuzzed.{name}") for name in ("tex", "md", "typ")},
        "bib": library(folder / "fuzzed.bib", read_bibliography),
        "csl": library(folder / "fuzzed.json", read_csl_json),
        "query": query,
        "key": unknown_key,
        "jats": markup("xml", "<article><body>{}</body></article>"),
        "tei": markup("xml", "<TEI><text><body>{}</body></text></TEI>"),
        "html": markup("html", ""),
        "word": markup("word", "<w:document xmlns:w='w'><w:body>{}</w:body></w:document>"),
        "mcp": message(corpus, key),
    }


def manuscript(path: Path) -> Parser:
    """A call of the parser for manuscripts with this suffix."""

    def parse(content: bytes) -> None:
        assert encode(decode(content)) == content
        for one in read_manuscripts([path], Vocabulary(), {path: content}):
            for quotation in one.quotations:
                one.place(quotation.end)

    return parse


def library(path: Path, read: Callable[[Path], object]) -> Parser:
    """A call of the reader of a library, which is at `path`."""

    def parse(content: bytes) -> None:
        path.write_bytes(content)
        read(path)

    return parse


def markup(form: Format, around: str) -> Parser:
    """A call of the reader of articles of this form; `around` the marks makes them one, well-formed."""

    def parse(content: bytes) -> None:
        if around:
            text = around.format(content.decode("utf-8", "replace"))
            root = etree.fromstring(text.encode(), etree.XMLParser(recover=True, resolve_entities=False))
            content = etree.tostring(root) if root is not None else b""
        if form == "word":
            sink = BytesIO()
            with ZipFile(sink, "w") as archive:
                archive.writestr("word/document.xml", content)
                archive.writestr("word/footnotes.xml", content)
            content = sink.getvalue()
        with suppress(UnreadableError):
            for one in read_markup(content, form).paragraphs:
                assert one.text.strip() == one.text != "", one

    return parse


def message(corpus: lookup.Corpus, key: str) -> Parser:
    """All calls of agents, with arguments out of a line of theirs."""

    def parse(content: bytes) -> None:
        line = mended(content.decode("utf-8", "replace"))
        has_odd_id(line)
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            given = {"query": line, "key": key, "cursor": line[:9]}
        for tool in TOOLS:
            arguments = given if isinstance(given, dict) else {"query": given}
            said, *_ = ToolServer(lambda: corpus, 8000).call(tool.name, arguments).content
            assert "The server failed" not in str(said)

    return parse


def checked(parse: Parser) -> Parser:
    """`parse` that raises for what is wrong, and for nothing else."""

    def too_long(*_: object) -> None:
        raise TimeoutError(f"more than {_LONGEST} s of the processor")

    def check(content: bytes) -> None:
        signal.signal(signal.SIGVTALRM, too_long)
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST)
        try:
            with suppress(PageQuoteError):
                parse(content)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    return check


def texts(marks: str) -> st.SearchStrategy[bytes]:
    """Texts of these marks, in which marks follow each other by chance or again and again."""
    mark = st.sampled_from([*marks.split(" "), " ", "\n", "\n\n"])
    repeated = st.builds(lambda one, other, times: (one + other) * times, mark, mark, st.integers(1, 50))
    pieces = mark | repeated | st.text(max_size=5)
    return st.lists(pieces, max_size=_PIECES).map(
        lambda found: "".join(found).encode("utf-8", "surrogatepass")
    )


def by_hypothesis(parse: Parser, marks: str, seconds: float) -> tuple[int, str]:
    """Try texts for so long; how many, and what went wrong ('' if nothing)."""
    tried, until = 0, time.monotonic() + seconds
    check = checked(parse)
    for number in count(1):

        @seed(number)
        @settings(
            max_examples=100,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.generate, Phase.shrink],
        )
        @given(texts(marks))
        def one_round(content: bytes) -> None:
            nonlocal tried
            tried += 1
            check(content)

        try:
            one_round()
        except Exception as error:  # noqa: BLE001  # it is what was looked for
            return tried, f"{type(error).__name__}: {str(error)[:200]} {getattr(error, '__notes__', '')}"
        if time.monotonic() > until:
            break
    return tried, ""


def by_atheris(parse: Parser, seconds: float) -> None:
    """Run atheris for so long; it ends the process."""
    import atheris

    # Only code of this project: all functions that are loaded take minutes to instrument.
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and str(one.__module__).split(".")[0] in ("lookup", "pipeline"):
            atheris.instrument_func(one)
    atheris.Setup(
        [sys.argv[0], f"-max_total_time={seconds:.0f}", "-max_len=4096", "-timeout=10"], checked(parse)
    )
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for texts that a parser cannot take.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", choices=list(_MARKS))
    parser.add_argument("--seconds", type=float, default=600.0, help="for each parser")
    parser.add_argument(
        "--atheris", action="store_true", help="look for new code, not for the parser's marks"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, lookup.open(asked.corpus) as corpus:
        found = parsers(corpus, Path(folder))
        names = [asked.only] if asked.only else list(_MARKS)
        if asked.atheris:
            by_atheris(found[names[0]], asked.seconds)
        rows = []
        for name in names:
            tried, wrong = by_hypothesis(found[name], _MARKS[name], asked.seconds)
            rows.append([name, str(tried), wrong or "nothing"])
            print(*rows[-1], file=sys.stderr)
    print(markdown_table(["parser", "texts", "wrong"], rows))
    print(f"\n{asked.seconds:.0f} s each; {measured_on()}")
    sys.exit(any(row[2] != "nothing" for row in rows))


if __name__ == "__main__":
    main()
