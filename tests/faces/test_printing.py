r"""What is printed cannot act: names and texts that came from elsewhere, through every command that prints
them."""

import json
import re
from pathlib import Path

import pytest

import lookup
from lookup.results.quote_answer import Match
from lookup.text.printable import json_text
from pagequote.quoted_form import QuotedForm
from tests.support.cases import cases
from tests.support.command import pagequote
from tests.support.pdfs import pdf

CASES = cases("faces/printing.toml")

pytestmark = pytest.mark.usefixtures("reports")

ACTS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]")
"""None of these may come out."""

NAMES = {
    "a title of the terminal": "a\x1b]0;owned\x07b",
    "colours": "a\x1b[31mred",
    "an eight-bit sequence": "a\x9b31mred",
    "words turned round": "a\u202efdp.exe",
    "an isolate": "a\u2066b\u2069",
    "a command to a CI server": "a\n::error::owned",
    "a carriage return": "good\rbad",
    "a deletion": "a\x7f\x08b",
    "LaTeX": r"x}\write18{id}%k",
    "markup": "<img src=x onerror=alert(1)>",
}
WORDS = "The harbour is closed at night"


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """The folder of a corpus with a paper, a failure and an entry of a library for each hostile name; what
    its build said; and the keys of the papers by their names.
    """
    root, entries = tmp_path_factory.mktemp("hostile"), []
    (root / "pdfs").mkdir()
    for number, name in enumerate(NAMES.values()):
        (root / "pdfs" / f"{name}.pdf").write_bytes(pdf(f"{WORDS}.\nNobody sails then, says {number}."))
        (root / "pdfs" / f"{name}2.pdf").write_bytes(b"no PDF")
        (root / "pdfs" / f"told{number}.pdf").write_bytes(pdf(f"The tide is late today, says {number}."))
        said = f" title = {{Of {name}}},\n author = {{{name}, Ann}},\n" if "}" not in name else ""
        entries.append(f"@misc{{told{number},\n{said} file = {{pdfs/told{number}.pdf}}\n}}\n")
    (root / "told.bib").write_text("".join(entries))
    said = pagequote("build", "pdfs", "--bib", "told.bib", "--corpus", "corpus", cwd=root)
    assert said.returncode == 0, said.stderr
    with lookup.open(root / "corpus") as corpus:
        keys = {Path(path).stem: key for path, key in corpus.sql("SELECT path, key FROM papers").fetchall()}
    assert set(NAMES.values()) <= keys.keys()
    return root, said, keys


def _harmless(done):
    for text in (done.stdout.replace("\r\n", "\n"), done.stderr):
        assert not ACTS.search(text)
        assert not re.search(r"(?m)^\s*::error::", text)


CALLS = [
    ("papers",),
    ("papers", "--json"),
    ("quote", "KEY", WORDS),
    ("quote", "KEY", WORDS, "--json"),
    ("quote", "KEY", "something that nobody prints"),
    ("verify", "KEY", WORDS),
    ("search", "--exact", WORDS),
    ("search", "--exact", WORDS, "--json"),
    ("search", "--keywords", "harbour"),
    ("read", "KEY", "--page", "1"),
    ("read", "KEY"),
    ("read", "KEY", "--outline"),
    ("show", "KEY", "--open", "--print"),
    ("show", "KEY", WORDS),
    ("status",),
    ("status", "--json"),
    ("sql", "FROM failures"),
    (
        "sql",
        "SELECT key, reason, detail FROM failures",
        "--format",
        "csv",
    ),  # a path is in quotation marks there
    ("sql", "FROM failures", "--format", "json"),
    ("sql", "SELECT chr(27) || ']0;x' || chr(7), chr(8238)"),
    ("build", "pdfs", "--bib", "told.bib", "--plan", "--force"),
    ("build", "pdfs", "--bib", "told.bib", "--quiet", "--force"),
    ("releases",),
    ("read", "no\x1b]0;such\x07key", "--page", "1"),
    ("page", "no\x1b]0;such\x07key", "1"),
    ("papers", "--no\x1b[31msuch"),
]


@pytest.mark.parametrize("call", [call for call in CALLS if "KEY" not in call], ids=" ".join)
def test_nothing_that_a_command_prints_can_act(hostile, call):
    _harmless(pagequote(*call, "--corpus", "corpus", cwd=hostile[0]))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("call", [call for call in CALLS if "KEY" in call], ids=" ".join)
def test_nothing_that_a_command_prints_of_a_paper_can_act(hostile, call, name):
    root, _, keys = hostile
    key = keys[NAMES[name]]
    if key.startswith("-") or ("<" in key and call[0] == "show"):
        pytest.skip("not a file name here")
    _harmless(pagequote(*[key if one == "KEY" else one for one in call], "--corpus", "corpus", cwd=root))


@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github"])
def test_no_format_of_a_check_can_act(hostile, form):
    root, _, keys = hostile
    manuscript = root / "a\x1b]0;owned\x07\n::error::b.md"
    manuscript.write_text(
        "".join(
            f'"{WORDS} and at \x1b]0;noon\u202e" [@{{{keys[name]}}}]. '
            '"The tide is late today" [@told0, p. 9].\n\n'
            for name in NAMES.values()
        )
    )
    _harmless(pagequote("check", manuscript.name, "--format", form, "--corpus", "corpus", cwd=root))


@pytest.mark.parametrize(
    ("key", "latex", "markdown"),
    CASES["a key in a manuscript is only a key"],
)
def test_a_key_in_a_manuscript_is_only_a_key(key, latex, markdown):
    match = Match(key, 3, None, 0, None, None, "body", 1.0, 1, "verbatim", "ice", "ice", (0, 3), (), 0)
    assert QuotedForm(match).latex() == latex
    assert QuotedForm(match).markdown() == markdown


@pytest.mark.parametrize("text", NAMES.values(), ids=NAMES)
def test_json_keeps_what_acts_and_escapes_it(text):
    assert json.loads(json_text([text])) == [text]
    assert not ACTS.search(json_text([text]))
