"""What can a parser not take? `python benchmarks/fuzz.py CORPUS [--only tex] [--seconds 600]`.

Each parser of what others write gets texts made of its own marks, by Hypothesis, which also finds the
shortest text that goes wrong. Wrong is any exception but an error of PageQuote, and a text
that takes more than a second. What was found becomes a fixture of the parser's tests.
"""

import argparse
import io
import json
import random
import re
import shutil
import signal
import sys
import tempfile
import time
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from pathlib import Path

from hostile_layouts import change, outside, prepare
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from tables import markdown_table, measured_on

import lookup
from lookup.errors import PageQuoteError
from pagequote.check.configuration import read_configuration
from pagequote.check.documents.comments import Comment, annotate
from pagequote.check.documents.document_text import archive as opened_document
from pagequote.check.kept import read_lock, verdict_alone
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import decode, encode, read_manuscript, read_manuscripts
from pagequote.mcp.stdio import has_odd_id, mended
from pagequote.mcp.tools import TOOLS, ToolServer
from pipeline.builds.garbage import collect_garbage
from pipeline.formats import FORMATS, Format
from pipeline.libraries.bibtex import read_bibliography
from pipeline.libraries.csl_json import read_csl_json
from pipeline.markup.reading import read_markup
from pipeline.pdf.opening import UnreadableError
from pipeline.releases.history import list_releases
from pipeline.report.corpus_status import status_of
from pipeline.sources.added import added_entries

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
    "jats": "<article> <front> <article-meta> <title-group> <article-title> <contrib-group> <contrib> <name> "
    "<surname> <pub-date> <year> <abstract> <body> <back> <sub-article> <sec> <title> <label> <p> <list> "
    "<list-item> <fig> <caption> <table-wrap> <tr> <td> <disp-quote> <fn> <code> <alternatives> <math> "
    "<msup> "
    "<ref-list> <ref> <mixed-citation> <element-citation> <sup> <break> <xref\u00a0ref-type='bibr'> "
    "<a\u00a0id='s'> "
    "</> <!--\u00a0--> <?a?> &amp; &micro; 1 , [ ] (",
    "html": "<html> <head> <meta\u00a0name='dc.title'\u00a0content='a'> <body> <article> <main> <div> "
    "<p> <h1> <h2> "
    "<h6> <table> <tr> <td> <ul> <li> <pre> <blockquote> <sup> <br> <hr> <b> <i> <form> <script> <style> "
    "<svg> <select> <textarea> <title> <iframe> <p\u00a0hidden> <p\u00a0style='display:none'> </> "
    "<!--\u00a0--> "
    "<![CDATA[ ]]> <? &amp; &#0; &#x110000; &micro < > \" ' 1 ( )",
    "org": "#+begin_quote #+end_quote #+begin:\u00a0a #+end: #+begin_src #+end_src :a: :end: #+caption: "
    "#+begin_export\u00a0latex #+attr_html:\u00a0:class\u00a0quote # * ** [cite:@a [cite/t:@a; ] cite:a "
    "citep:&a [[cite:a][p. ]] [fn:1] [fn::a [fn:1]\u00a0 /a/ =a= ~a~ +a+ {{{q(a)}}} @@html:<q>@@ \\ldquo "
    '\\rdquo \\enquote{ } | - :: : \n\n “ ” " ,, << >> 1',
    "rst": ":: .. ..\u00a0a:: ..\u00a0epigraph:: ..\u00a0class::\u00a0a ..\u00a0[1] ..\u00a0[#a] :a: #. "
    "..\u00a0|a|\u00a0replace:: :cite:`a` :cite:p:`{see}a{p. 1}` :a:`b` `a` `a`_ ``a`` `a <b>`_ [1]_ [#]_ "
    '[a]_ |a| | - * \n\n \n\n\u00a0\u00a0 \n\u00a0\u00a0\u00a0 -- === +---+ “ ” " <q> ::: {.a} 1',
    "docx": "<w:p> <w:pPr> <w:pStyle\u00a0w:val='H'> <w:numPr> <w:r> <w:rPr> "
    "<w:vertAlign\u00a0w:val='superscript'> "
    "<w:vanish> <w:t> <w:t>“a”</w:t> <w:tab/> <w:br\u00a0w:type='page'/> <w:tbl> <w:tr> <w:tc> <w:del> "
    "<w:ins> <w:sdt> "
    "<w:sdtContent> <w:tag\u00a0w:val='MENDELEY_CITATION_v3_e30='/> <w:instrText> "
    "<w:fldChar\u00a0w:fldCharType='begin'/> <w:fldChar\u00a0w:fldCharType='end'/> "
    "<w:fldChar\u00a0w:fldCharType='separate'/> <w:footnoteReference\u00a0w:id='1'/> "
    "<w:ind\u00a0w:left='720'/> "
    "<w:style\u00a0w:styleId='H'> <w:name\u00a0w:val='heading\u00a01'/> <w:outlineLvl\u00a0w:val='12'/> "
    '<w:txbxContent> </> ADDIN\u00a0ZOTERO_ITEM { } " “ ” (a,\u00a02020) &amp; 1',
    "odt": "<text:p> <text:h> <text:span\u00a0text:style-name='a'> <text:s\u00a0text:c='9'/> <text:tab/> "
    "<text:note> "
    "<text:note-body> <text:note-citation> <text:soft-page-break/> <text:tracked-changes> "
    "<text:reference-mark-start\u00a0text:name='a'/> <text:reference-mark-end\u00a0text:name='a'/> "
    "<text:bibliography-mark\u00a0text:identifier='a'> <style:style\u00a0style:name='a'> "
    "<style:paragraph-properties\u00a0fo:margin-left='1cm'/> <office:annotation> </> \" “ ” "
    "(a,\u00a02020) &amp; 1",
    "zip": "PK\u0003\u0004 PK\u0001\u0002 PK\u0005\u0006 PK\u0006\u0006 \u0000 \u0001 \u0008 \u000c \u000e ÿ "
    "word/document.xml META-INF/container.xml ../a <w:p> <html>",
    "epub": "<p> <h1> <table> <tr> <td> <sup> <aside\u00a0epub:type='footnote'> <section> <img> <a> "
    "<br> <script> <!-- <![CDATA[ ]]> &a; &#0; </> 1 (",
    "lock": '{ } [ ] , : " "key" "quote" "verdict":"verbatim" "page":1 "boxes":[] "printed": null true '
    '1e999 -1 NaN \\u0000 \\ud83d [[[[ {"a":',
    "toml": '[check] [quote] [[check]] [check.text] corpus baseline lock macros = " \' """ '
    "../a s3://a /etc a.b { } [ ] , 1 1e999 true inf nan 1979-05-27 # \\u0000 \\",
    "yaml": "- : ? | > ' \" # & * ! % @ ` { } [ ] , --- ... << &a *a !!str !!python/object:a quote: key: "
    "quote:\u00a0words 1 1e999 0x1 ~ null true 2020-01-01 \\u0000 \\ud83d - -\u00a0- {a:",
    "json": '{ } [ ] , : " "quote":"words" "key":"a" "page":1 "selector":{"exact":"a"} "target": null true '
    '1e999 NaN \\u0000 \\ud83d [[[[[[[[ {"a":{"a":{"a":',
    "csv": 'quote,key,page quote;key;page words,a,1 , ; \t " "" \r \r\n \0 1 = ﻿',
    "manifest": '{ } [ ] , : " "release":"r000001" "layout":1 "folding":1 "files":{} "rows":{} "papers":1 '
    '"model":"a@b" "search":{} "documents": "shards":2 "library":"/" "../a" "dimensions" null true -1 1e999 '
    "\\u0000 \\ud83d [[[[[[[[",
    "layout": "a b c d e f 1 2 3 4 5 6 7 8 9",
    "mcp": '{ } [ ] , : " "jsonrpc":"2.0" "id": "method": "params": "key" "query" "name" null true 1 -1 '
    '1e999 \\ud83d \\u0000 "tools/call"',
}
"""The marks of each parser, parted by spaces; a space within a mark is written as one without a break."""


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
        **{name: manuscript(folder / f"fuzzed.{name}") for name in ("tex", "md", "typ", "org", "rst")},
        "jats": markup("xml", "<article>{}"),
        "html": markup("html", "{}"),
        "docx": zipped(folder / "fuzzed.docx", "word/document.xml", f"<w:document {_W}><w:body>{{}}"),
        "odt": zipped(folder / "fuzzed.odt", "content.xml", f"<office:document-content {_ODF}>{{}}"),
        "epub": book(),
        "lock": library(folder / "fuzzed.lock", locked),
        "toml": library(folder / "pagequote.toml", lambda path: read_configuration(path, path)),
        **{name: records(folder / f"fuzzed.{name}") for name in ("yaml", "json", "csv")},
        "manifest": release_file(folder / "manifest"),
        "layout": layout(folder / "layout"),
        "zip": damaged_archive(folder / "fuzzed.docx"),
        "bib": library(folder / "fuzzed.bib", read_bibliography),
        "csl": library(folder / "fuzzed.json", read_csl_json),
        "query": query,
        "key": unknown_key,
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


def records(path: Path) -> Parser:
    """A call of the reader of structured records, as they are and with fields that are named."""

    def parse(content: bytes) -> None:
        for fields in ({}, {"quote": "a", "key": "a.b"}):
            with suppress(PageQuoteError):
                read_manuscript(path, Vocabulary(fields=fields), content)

    return parse


_STATE = ("releases/*/manifest.json", "builds.jsonl", "proven.json", "held", "build.lock")
_WORK = ("vectors.json", "contents.json", "corpus.json", "added/library.json", "sources.parquet")


def _asked(home: Path) -> None:
    """Ask of a corpus and its work folder what readers ask, and what would be removed."""
    calls: list[Callable[[], object]] = [
        lambda: list_releases(home / "corpus"),
        lambda: collect_garbage(home / "corpus", home / "work", keep=1, dry=True),
        lambda: status_of(home / "corpus"),
        lambda: added_entries(home / "work"),
    ]
    for call in calls:
        with suppress(PageQuoteError):
            call()
    with suppress(PageQuoteError), lookup.open(home / "corpus") as corpus:
        corpus.verify("that is read", "feng2022")


def release_file(home: Path) -> Parser:
    """A call of what reads the files of a release and of a work folder, one of which has these bytes."""
    prepare(home)
    files = [path for pattern in _STATE for path in (home / "corpus").glob(pattern)]
    files += [home / "corpus" / name for name in _STATE[1:]] + [home / "work" / name for name in _WORK]
    _asked(home)  # loads what it needs: that is no time of a text

    def parse(content: bytes) -> None:
        path = files[zlib.crc32(content) % len(files)]
        kept = path.read_bytes() if path.exists() else None
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        try:
            _asked(home)
        finally:
            path.unlink()
            if kept is not None:
                path.write_bytes(kept)

    return parse


def layout(home: Path) -> Parser:
    """The same of folders in which links, queues and others take the place of files, drawn by the bytes."""
    prepare(home / "whole")
    outside(home / "outside")
    _asked(home / "whole")

    def parse(content: bytes) -> None:
        shutil.rmtree(home / "trial", ignore_errors=True)
        shutil.copytree(home / "whole", home / "trial", symlinks=True)
        change(home / "trial", home / "outside", random.Random(content))
        _asked(home / "trial")

    return parse


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_ODF = " ".join(
    f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{space}:1.0"'
    for name, space in (
        ("office", "office"),
        ("text", "text"),
        ("style", "style"),
        ("fo", "xsl-fo-compatible"),
    )
)
_TAG = re.compile(r"<(/?)([\w:-]*)[^<>]*?(/?)>")


def well_formed(text: str) -> str:
    """The text with its elements closed, each where `</>` or the end of the text stands."""
    pieces, around, done = [], [], 0
    for tag in _TAG.finditer(text):
        pieces.append(text[done : tag.start()])
        done = tag.end()
        if not tag[1]:
            pieces.append(tag[0])
            around += [] if tag[3] or not tag[2] else [tag[2]]
        elif around:
            pieces.append(f"</{around.pop()}>")
    return "".join([*pieces, text[done:], *(f"</{name}>" for name in reversed(around))])


def locked(path: Path) -> None:
    """A call of the reader of lock files, with bytes, and with these as a field of a pin."""
    content = path.read_bytes()
    with suppress(PageQuoteError):
        read_lock(path)
    try:
        given = json.loads(content)
    except (ValueError, RecursionError):
        given = content.decode("utf-8", "replace")
    for name in (*_PIN, "boxes"):
        path.write_text(json.dumps({"version": 1, "pins": [{**_PIN, "boxes": [], name: given}]}))
        with suppress(PageQuoteError):
            for pin in read_lock(path).values():
                verdict_alone(pin.quote, pin.printed)


_PIN = {
    "key": "a",
    "quote": "some words",
    "page_given": None,
    "verdict": "verbatim",
    "sha256": "0" * 64,
    "page": 1,
    "page_label": None,
    "printed": "some words",
    "date": "2026-01-01",
}


def book() -> Parser:
    """A call of the reader of books, with bytes as a page."""

    def parse(content: bytes) -> None:
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr("META-INF/container.xml", '<container><rootfile full-path="a.opf"/></container>')
            archive.writestr(
                "a.opf",
                '<package><manifest><item id="a" href="a.html" media-type="text/html"/></manifest>'
                '<spine><itemref idref="a"/></spine></package>',
            )
            archive.writestr("a.html", content)
        with suppress(UnreadableError):
            read_markup(made.getvalue(), "epub")

    return parse


def markup(form: Format, around: str) -> Parser:
    """A call of the reader of sources with markup of this format."""

    def parse(content: bytes) -> None:
        text = content.decode("utf-8", "replace")
        for source in (text, well_formed(around.replace("{}", text))):
            with suppress(UnreadableError):
                read_markup(source.encode(), form)

    return parse


def zipped(path: Path, member: str, around: str) -> Parser:
    """A call of the readers of a word processor's files, as manuscripts and as sources."""
    read = manuscript(path)

    def parse(content: bytes) -> None:
        text = well_formed(around.replace("{}", content.decode("utf-8", "replace")))
        made = io.BytesIO()
        with zipfile.ZipFile(made, "w") as archive:
            archive.writestr(member, text)
            archive.writestr("word/styles.xml", text)
        with suppress(UnreadableError):
            read_markup(made.getvalue(), FORMATS[path.suffix])
        read(made.getvalue())
        if path.suffix == ".docx":
            comments = [Comment(at, at + 1, "a") for at in range(0, len(text), 97)]
            with opened_document(made.getvalue(), path.name) as document:
                annotate(document, comments, io.BytesIO(), "2026-11-26T03:00:00Z")

    return parse


def damaged_archive(path: Path) -> Parser:
    """A call of the readers of archives, with bytes put over those of a good archive, by their hash."""
    read = manuscript(path)

    def parse(content: bytes) -> None:
        chance = random.Random(content)
        made = io.BytesIO()
        kind = chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
        with zipfile.ZipFile(made, "w", kind) as archive:
            for member in ("word/document.xml", "META-INF/container.xml"):
                archive.writestr(member, f"<w:document {_W}>{'<w:p>words of it</w:p>' * 9}</w:document>")
        whole = made.getvalue()
        at = chance.randrange(len(whole))
        damaged = whole[:at] + content + whole[at + len(content) :]
        for form in ("word", "epub"):
            with suppress(UnreadableError):
                read_markup(damaged, form)
        read(damaged)

    return parse


def library(path: Path, read: Callable[[Path], object]) -> Parser:
    """A call of the reader of a library, which is at `path`."""

    def parse(content: bytes) -> None:
        path.write_bytes(content)
        read(path)

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
        signal.setitimer(signal.ITIMER_VIRTUAL, _LONGEST, 0.1)  # again: a callback may swallow the first
        try:
            with suppress(PageQuoteError):
                parse(content)
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    return check


def texts(marks: str) -> st.SearchStrategy[bytes]:
    """Texts of these marks, in which marks follow each other by chance or again and again."""
    mark = st.sampled_from([*(one.replace("\u00a0", " ") for one in marks.split(" ")), " ", "\n", "\n\n"])
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
            if time.monotonic() < until:
                tried += 1
                check(content)

        try:
            one_round()
        except Exception as error:  # noqa: BLE001  # it is what was looked for
            return tried, f"{type(error).__name__}: {str(error)[:200]} {getattr(error, '__notes__', '')}"
        if time.monotonic() > until:
            break
    return tried, ""


def main() -> None:
    parser = argparse.ArgumentParser(description="Look for texts that a parser cannot take.")
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--only", choices=list(_MARKS))
    parser.add_argument("--seconds", type=float, default=600.0, help="for each parser")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, lookup.open(asked.corpus) as corpus:
        found = parsers(corpus, Path(folder))
        names = [asked.only] if asked.only else list(_MARKS)
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
