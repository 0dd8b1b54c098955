"""No text takes more than linear time: not a draft, a library or a query that was made to.

It is counted (tests/support/counting.py), in a process of its own, in which each pattern counts its steps.
"""

import fnmatch
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from lookup.compare.citation_marks import candidates
from lookup.errors import PageQuoteError
from lookup.quote import exact
from lookup.quote.query import parse
from lookup.results.answer import ShownPlace
from lookup.results.plain_text import places_html
from lookup.results.quote_answer import Match
from lookup.text.folding import fold_with_offsets
from lookup.text.sentences import sentence_spans
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_manuscript, read_manuscripts
from pagequote.quoted_form import QuotedForm
from pipeline.files.known_contents import KnownContents
from pipeline.formats import Format
from pipeline.libraries.bibtex import read_bibliography
from pipeline.libraries.csl_json import read_csl_json
from pipeline.libraries.zotero import extra_line, pinned_key
from pipeline.markup.reading import read_markup
from pipeline.pdf.opening import UnreadableError
from pipeline.sources.files import named_files
from pipeline.storage.object_sources import Objects
from retrieval.keywords.parse import keywords_of
from retrieval.snippets.extractor import extract_snippet
from tests.support.cases import cases
from tests.support.documents import W, zipped
from tests.support.project import ROOT

CASES = cases("faces/linear_time.toml")

ODF = 'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'

_UNITS = {"html": 264, "styles": 264, "snippet": 500}
"""How often a unit stands in the smallest of three texts, where 24 are too few: lxml takes 256 elements
within each other, a style is looked up through 250 others, and a snippet cuts sentences that are too long."""

_ENDLESS = 2_000
"""Characters of a text within which nothing ends: Python calls a thousand functions within each other."""

_LINEAR = 2.5
"""How many times what the smallest text needs more when it is doubled, the doubled one may need more when it
is doubled in turn: for each line of the code and each pattern. Linear code needs 2 times as much, quadratic
code 4 times.
"""


def ticks(count: int) -> str:
    """Runs of backticks, each longer than the one before: none closes another."""
    return "".join("`" * length + "a" for length in range(1, round(2 * count**0.5)))


def drafts(suffix: str) -> Callable[[str], object]:
    path = Path("draft").with_suffix(suffix)
    return lambda text: read_manuscript(path, Vocabulary(), text.encode())


def bib(folder: Path) -> Callable[[str], object]:
    def read(text: str) -> object:
        (folder / "a.bib").write_text(text)
        return read_bibliography(folder / "a.bib")

    return read


def csl(folder: Path) -> Callable[[str], object]:
    def read(text: str) -> object:
        names = ("id", "title", "DOI", "note", "file", "publisher")
        item = dict.fromkeys(names, text) | {"author": [{"literal": text}], "issued": {"raw": text}}
        (folder / "a.json").write_text(json.dumps([item]))
        return read_csl_json(folder / "a.json")

    return read


def bib_fields(folder: Path) -> Callable[[str], object]:
    read = bib(folder)
    return lambda text: read(f"@misc{{key, title = {{{text}}}, file = {{{text}}}, doi = {{{text}}}}}")


def markup(form: Format, around: str) -> Callable[[str], object]:
    """Read a source with markup, of whole lines."""
    return lambda text: read_markup(around.replace("{}", whole_lines(text)).encode(), form)


def document(suffix: str, member: str, around: str) -> Callable[[str], object]:
    """Read a file of a word processor as a manuscript, and a .docx as a source too; of whole lines."""

    def read(text: str) -> object:
        content = zipped({member: around.replace("{}", whole_lines(text))})
        path = Path("draft").with_suffix(suffix)
        found = list(read_manuscripts([path], Vocabulary(), {path: content}))
        return found if suffix == ".odt" else read_markup(content, "word")

    return read


def styles(text: str) -> object:
    """Read a .docx with these styles, a line each, and a paragraph in each of them."""
    made = whole_lines(text)
    used = "".join(
        f"<w:p><w:pPr><w:pStyle w:val='{number}'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
        for number in range(made.count("\n"))
    )
    members = {
        "word/document.xml": f"<w:document {W}><w:body>{used}</w:body></w:document>",
        "word/styles.xml": f"<w:styles {W}>{made}</w:styles>",
    }
    return read_markup(zipped(members), "word")


def chain(count: int) -> str:
    """Styles of which each is based on the one before."""
    return "".join(
        f"<w:style w:styleId='{number + 1}'><w:name w:val='a'/><w:basedOn w:val='{number}'/></w:style>\n"
        for number in range(count)
    )


def globs(folder: Path) -> Callable[[str], object]:
    """Look for files by a pattern, in folders within each other."""
    top = folder / "globs"
    for below in ("", "a", "a/b", "a/b/a" * 20):
        (top / below).mkdir(parents=True, exist_ok=True)
        (top / below / f"{'a' * 200}.pdf").touch()

    def read(text: str) -> object:
        fnmatch._compile_pattern.cache_clear()  # type: ignore[attr-defined]
        return named_files(f"{top}/{text}", set(), Objects(KnownContents(top, fresh=True)))

    return read


def match_of(words: str) -> Match:
    return Match(
        "key", 1, "1", 0, None, None, "body", 1.0, 1, "verbatim", words, words, (0, len(words)), (), 0
    )


def template(text: str) -> object:
    return QuotedForm(match_of("some words")).latex(text), QuotedForm(match_of(text)).link("a", text)


def notebook(text: str) -> object:
    """Show words, and rows of a query, as a notebook does."""
    place = ShownPlace(head=text, text=text, spans=tuple((at, at + 1) for at in range(0, len(text) - 1, 2)))
    return places_html([place], [text])


def whole_lines(text: str) -> str:
    """Return the text up to its last line end: elements whose units end a line are closed."""
    return text[: text.rfind("\n") + 1] or text


def extra(text: str) -> object:
    return pinned_key(text), extra_line(text, "DOI")


def marks(text: str) -> object:
    return exact._placed(text, candidates(text))


READERS: dict[str, Callable[[Path], Callable[[str], object]]] = {
    "markdown": lambda _: drafts(".md"),
    "latex": lambda _: drafts(".tex"),
    "typst": lambda _: drafts(".typ"),
    "org": lambda _: drafts(".org"),
    "rest": lambda _: drafts(".rst"),
    "bib": bib,
    "fields of a bib": bib_fields,
    "csl": csl,
    "extra": lambda _: extra,
    "query": lambda _: parse,
    "citation marks": lambda _: marks,
    "keywords": lambda _: keywords_of,
    "sentences": lambda _: sentence_spans,
    "folding": lambda _: fold_with_offsets,
    "jats": lambda _: markup("xml", "<article><body><sec><p>{}</p></sec></body></article>"),
    "html": lambda _: markup("html", "<article>{}</article>"),
    "docx": lambda _: document(
        ".docx",
        "word/document.xml",
        f"<w:document {W}><w:body><w:p><w:r><w:t>{{}}</w:t></w:r></w:p></w:body></w:document>",
    ),
    "odt": lambda _: document(".odt", "content.xml", f"<a {ODF}><text:p>{{}}</text:p></a>"),
    "snippet": lambda _: lambda text: extract_snippet(text, "words to find"),
    "styles": lambda _: styles,
    "templates": lambda _: template,
    "globs": globs,
    "notebooks": lambda _: notebook,
    "json": lambda _: drafts(".json"),
    "csv": lambda _: drafts(".csv"),
}

EVERYWHERE = ("a", "a ", " ", "\n", ".", '"', "“", "[", "]", "{", "(", "\\", "“a” ")
TROUBLE: dict[str, tuple[str, ...]] = CASES["trouble"]
"""What each reader's patterns look for, begun again and again and never ended."""


def grown(reader: str, folder: Path) -> dict[str, list[tuple[str, list[int]]]]:
    """Return what more than doubles for each troublemaker: the line or the pattern, and its three counts."""
    from tests.support.counting import counted

    read = READERS[reader](folder)
    found = {}
    for name, text in troublemakers(reader).items():
        units = _UNITS.get(reader, 24)
        tried(read, text(units))  # loads what is loaded once
        counts = [counted(lambda: tried(read, text(units * times))) for times in (1, 2, 4)]  # noqa: B023
        for count in counts:  # `fnmatch` makes a pattern of each glob
            made = [place for place in count if place[1] == "pattern" and str(place[0]).startswith("(?s:")]
            count["globs", "pattern"] = sum(count.pop(place) for place in made)
        places = {place: [count[place] for count in counts] for place in counts[-1]}
        found[name] = [
            (str(place), [one, two, four])
            for place, (one, two, four) in places.items()
            if four - two > _LINEAR * (two - one) + units
        ]
    return {name: places for name, places in found.items() if places}


def troublemakers(reader: str) -> dict[str, Callable[[int], str]]:
    """Return what makes texts of so many units."""
    made: dict[str, Callable[[int], str]] = {unit: unit.__mul__ for unit in (*EVERYWHERE, *TROUBLE[reader])}
    more = {"markdown": {"runs of backticks": ticks}, "typst": {"runs of backticks": ticks}}
    return made | (more | {"styles": {"a chain of styles": chain}}).get(reader, {})


def tried(read: Callable[[str], object], text: str) -> None:
    """Have an answer, or an error that says what is wrong."""
    with suppress(PageQuoteError, UnreadableError):
        read(text)


_COUNT = """
import json, sys
from pathlib import Path
from tests.support.counting import count_steps_of_patterns
count_steps_of_patterns()
sys.setrecursionlimit(100_000)
from tests.faces.test_linear_time import READERS, grown
print(json.dumps({reader: grown(reader, Path(sys.argv[1])) for reader in READERS}))
"""


@pytest.fixture(scope="module")
def counts(tmp_path_factory):
    call = [sys.executable, "-c", _COUNT, tmp_path_factory.mktemp("linear")]
    return json.loads(subprocess.run(call, cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout)


@pytest.mark.long
@pytest.mark.parametrize("reader", READERS)
def test_what_begins_again_and_again_takes_linear_time(counts, reader):
    assert counts[reader] == {}


@pytest.mark.parametrize("reader", READERS)
def test_what_nothing_ends_is_answered_or_refused(tmp_path, reader):
    for text in troublemakers(reader).values():
        tried(READERS[reader](tmp_path), text(_ENDLESS // len(text(1))))


def doubled(first: str, definition: str, last: str, levels: int) -> str:
    """A text whose definitions each stand for the last one, twice: "@" is their name, "%" the last one's."""
    names = [chr(97 + level) for level in range(levels)]
    lines = [definition.replace("@", name).replace("%", before) for before, name in pairwise(names)]
    return "\n".join([first.replace("@", names[0]), *lines, last.replace("@", names[-1])])


MULTIPLYING: dict[str, tuple[str, str]] = {
    "strings of a bib": (
        "bib",
        doubled("$string{@ = {words}}", "$string{@ = % # %}", "$misc{k, title = @}", 24).replace("$", "@"),
    ),
    "a string that many entries name": (
        "bib",
        f"@string{{a = {{{'word ' * 10_000}}}}}\n"
        + "".join(f"@misc{{k{number}, title = a # a # a}}\n" for number in range(400)),
    ),
    "macros": (
        "latex",
        doubled(r"\newcommand{\@}{words}", r"\newcommand{\@}{\%\%}", r"“\@”", 20),
    ),
    "an argument": ("latex", rf"\newcommand{{\a}}[1]{{{'#1' * 50}}} “\a{{{'words ' * 10_000}}}”"),
    "aliases": ("yaml", doubled("- &@ {quote: words}", "- &@ [*%, *%]", "- *@", 24)),
    "an alias of itself": ("yaml", "&a [*a, *a, {quote: words}]"),
    "a variable": ("typst", f"#let a = [{'word ' * 30_000}]\n" + "“#a”" * 60),
}


@pytest.mark.parametrize(("reader", "text"), MULTIPLYING.values(), ids=MULTIPLYING)
def test_text_that_stands_for_more_text_takes_no_more_than_its_own_length(tmp_path, reader, text):
    read = drafts(".yaml") if reader == "yaml" else READERS[reader](tmp_path)
    tried(read, "a word")
    tracemalloc.start()
    tried(read, text)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 40 * len(text) + (16 << 20)
