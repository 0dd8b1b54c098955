"""What every command keeps to: help that teaches, JSON, standard input, colours, errors with a next step,
quiet ends, completion.
"""

import io
import json
import os
import pty
import re
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import click
import pytest

from lookup.errors import QueryError
from pagequote.cli.commands import _COMMANDS, _GROUPS, _SHOWN, pagequote
from pagequote.cli.next_steps import extra_of, installed_from, with_install_command
from pagequote.cli.viewers import check_display, in_shell, viewing
from tests.support.command import pagequote as in_process
from tests.support.needs import needs
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE, wait_until

L, O = "lindqvist2019", "okafor2021"  # noqa: E741
WORDS = "people prefer to work by day"
ESCAPE = "\x1b["


class Ran:
    """What a call of the command printed, and its exit status."""

    def __init__(self, done):
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def run(corpus_path, monkeypatch, tmp_path):
    """Calls the command in an empty folder, with the sample corpus as the default one."""
    monkeypatch.setenv("PAGEQUOTE_CORPUS", str(corpus_path))
    monkeypatch.chdir(tmp_path)
    return lambda *arguments, given="": Ran(in_process(*arguments, given=given))


def _commands():
    """Each command with its name, those of groups too."""
    context = click.Context(pagequote, info_name="pagequote")
    yield ("pagequote",), pagequote
    for name in _COMMANDS:
        command = pagequote.get_command(context, name)
        yield (name,), command
        if isinstance(command, click.Group):
            yield from (((name, sub), one) for sub, one in command.commands.items())


COMMANDS = dict(_commands())
PARENT = click.Context(pagequote, info_name="pagequote", **pagequote.context_settings)


def _examples(command):
    text = (command.help or "").partition("Examples:")[2]
    return [line.strip() for line in text.splitlines() if "pagequote " in line]


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_the_help_of_each_command_has_examples_that_parse(name, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"words")))
    (tmp_path / "Zotero").mkdir()
    (tmp_path / "papers").mkdir()
    (tmp_path / "Zotero/zotero.sqlite").touch()
    examples = _examples(COMMANDS[name])
    assert examples, f"pagequote {' '.join(name)} shows no examples"
    for example in examples:
        words = shlex.split(example, comments=True)
        words = words[words.index("pagequote") + 1 :]
        cut = next((place for place, word in enumerate(words) if word in ("|", ">", "&&", ";")), len(words))
        arguments = [os.path.expanduser(word) for word in words[:cut]]  # noqa: PTH111
        command: click.Command | None = pagequote
        path = "pagequote"
        while isinstance(command, click.Group) and arguments:
            path = arguments.pop(0)
            command = command.get_command(click.Context(command), path)
        assert command is not None, example
        try:
            command.make_context(path, arguments, parent=PARENT)
        except click.ClickException as error:
            pytest.fail(f"{example}: {error.format_message()}")


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_help_is_printed_for_h_too_and_says_what_a_command_is_for(name, run):
    arguments = [] if name == ("pagequote",) else list(name)
    ran = run(*arguments, "-h")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("Usage: ")
    assert ran.out == run(*arguments, "--help").out
    about, _, examples = ran.out.partition("\n  Examples:\n")
    assert "Exit status: 0" in about
    assert examples.startswith("    "), "it shows no example"
    assert "\n   " not in about.partition("\n\n")[2], "its text is set in"


READING = {
    "quote": ([L, WORDS], [L, "words that nobody wrote"]),
    "verify": ([L, WORDS], [L, "words that nobody wrote"]),
    "search --exact": (["salinity gradient"], ["words that nobody wrote"]),
    "search --keywords": (["--key", L, "salinity"], ["--key", L, "xylophonists"]),
    "search": (["salinity", "--mode", "lexical"], ["salinity", "--mode", "lexical", "--author", "Nobody"]),
    "papers": (["marsh"], ["xylophonists"]),
    "read --outline": ([L], None),
    "read --page 1": ([L], None),
    "read": ([L], None),
    "read --at 500": ([L], None),
    "sql": (["SELECT key FROM papers"], ["SELECT key FROM papers WHERE key = ''"]),
    "sql --schema": ([], None),
    "show --open --print": ([L], None),
    "releases": ([], None),
    "releases list": ([], None),
    "status": ([], None),
    "show --paragraphs": ([L], None),
    "show": ([L, WORDS], [L, "words that nobody wrote"]),
}
"""A call of each command that reads, and one that finds nothing, where there is such a thing."""


ASKED_WRONGLY = {
    "an empty query": (["sql", ""], "The query says nothing"),
    "an end of nothing": (["sql", ";"], "The query says nothing"),
    "a page 0": (["verify", L, WORDS, "--page", "0"], "no page 0"),
    "an offset below 0": (["search", "--meaning", "x", "--offset", "-1"], "not in the range x>=0"),
    "two ways": (["search", "carbon", "--exact", "--keywords"], "--exact and --keywords are two ways"),
    "a report of text": (["check", "draft.md", "--report", "x.txt"], "'x.txt' is neither"),
}


@pytest.mark.parametrize(("arguments", "said"), ASKED_WRONGLY.values(), ids=ASKED_WRONGLY)
def test_what_is_asked_wrongly_gets_a_sentence(run, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "draft.md").write_text("A draft.")
    ran = run(*arguments)
    assert (ran.status, said in ran.err) == (2, True), ran.err


def test_a_link_to_itself_is_no_manuscript(run, tmp_path):
    (tmp_path / "loop.md").symlink_to("loop.md")
    ran = run("check", tmp_path / "loop.md")
    assert (ran.status, "cannot be read" in ran.err) == (2, True), ran.err


def test_no_line_is_a_command_for_a_runner(run, tmp_path):
    (tmp_path / "ok.md").write_text(f'He said "##[error]owned and ##vso[task] {WORDS}" [@{L}, p. 1].\n')
    for form in ("text", "json"):
        ran = run("check", tmp_path / "ok.md", "--format", form)
        assert "owned" in ran.out
        assert "##[" not in ran.out + ran.err
        assert "##vso[" not in ran.out + ran.err


@pytest.mark.parametrize("command", READING)
def test_json_is_valid_whether_something_is_found_or_not(command, run):
    found, nothing = READING[command]
    ran = run(*command.split(), *found, "--json")
    assert ran.status == 0, ran.err
    assert ran.json
    if nothing is not None:
        ran = run(*command.split(), *nothing, "--json")
        assert (ran.status, type(ran.json)) == (0 if command == "sql" else 1, type(ran.json))


@pytest.mark.parametrize("command", [name for name, (found, _) in READING.items() if L in found])
def test_an_error_leaves_standard_output_empty_and_names_a_next_step(command, run):
    found, _ = READING[command]
    ran = run(*command.split(), *["nobody1900" if word == L else word for word in found], "--json")
    assert (ran.status, ran.out) == (2, "")
    assert "No paper has the key 'nobody1900'" in ran.err
    assert "Traceback" not in ran.err


def test_json_keeps_letters_as_they_are_and_is_what_format_json_is(run):
    ran = run("sql", "SELECT '“é”' AS \"ü\"", "--json")
    assert (ran.json, "“é”" in ran.out) == ([{"ü": "“é”"}], True)
    assert run("quote", L, WORDS, "--json").out == run("quote", L, WORDS, "--format", "json").out


def test_keys_of_json_are_those_of_the_python_results(run, corpus):
    assert run("papers", "--json").json == [paper.to_dict() for paper in corpus.papers()]
    assert run("read", L, "--outline", "--json").json == [section.to_dict() for section in corpus.outline(L)]
    assert run("read", L, "--page", "1", "--json").json == {
        "key": L,
        "page": 1,
        "page_label": "1650",
        "text": corpus.page(L, 1),
    }
    assert run("read", L, "--json").json == {"key": L, "text": corpus.document(L)}


def test_papers_and_outlines_are_lines_for_people(run):
    papers = run("papers", "lindqvist").out
    assert papers.startswith("lindqvist2019: Lindqvist et al., 2019, Night-time CO2 release")
    assert papers.endswith("(4 pages)\n")
    nothing = run("papers", "xylophonists")
    assert (nothing.status, nothing.out, nothing.err.count("\n")) == (1, "", 1)
    assert "1. Introduction  1 (1650)\n" in run("read", L, "--outline").out


@pytest.mark.parametrize(
    "call",
    [
        ["quote", L, "-"],
        ["verify", L, "-"],
        ["search", "--exact", "-"],
        ["search", "-", "--mode", "lexical"],
        ["show", L, "-"],
    ],
)
def test_a_dash_reads_words_from_standard_input(call, run):
    ran = run(*call, "--json", given=f"  {WORDS}\n")
    assert ran.out == run(*[WORDS if word == "-" else word for word in call], "--json").out
    assert ran.status == 0


def test_a_dash_reads_a_query_from_standard_input(run):
    assert run("sql", "-", "--json", given="\ufeffSELECT 1 AS one").json == [{"one": 1}]


def test_standard_input_that_is_no_text_is_refused(run):
    ran = run("quote", L, "-", given=b"\xff\xfe\x00")
    assert (ran.status, "not UTF-8" in ran.err) == (2, True)


def test_a_manuscript_is_read_from_standard_input(run):
    draft = (
        rf"\enquote{{{WORDS}}} \cite[1651]{{{L}}}. \enquote{{{WORDS}}} "
        rf"\parencites(see)[4]{{{O}}}[1650]{{{L}}}."
    )
    ran = run("check", "-", "--language", "latex", given=draft)
    assert (ran.status, ran.out.splitlines()[0]) == (
        1,
        f"stdin.tex:1:1: error: verbatim, {L}, given page 1651, but on page 1 (printed 1650)",
    )
    assert "2 quotations: 1 right, 1 wrong" in ran.err
    findings = run("check", "-", "--language", "latex", "--json", "--all", given=draft).json
    assert (
        run("check", "-", given=draft).status == run("check", "-", "--language", "latex", "--fix").status == 2
    )
    assert len(findings["findings"] if isinstance(findings, dict) else findings) == 2


BATCH = f"{L}\t{WORDS}\t1\n\n{O}\t{WORDS}\n"
LINES = f'{{"key": "{L}", "words": "{WORDS}", "page": 1}}\n{{"key": "{O}", "words": "{WORDS}"}}\r\n'


@pytest.mark.parametrize(
    "batch", [BATCH, LINES, BATCH.replace("\n", "\r\n")], ids=["tabs", "lines", "windows"]
)
def test_quotes_are_checked_in_batches(batch, run):
    ran = run("verify", "--batch", "-", "--json", given=batch)
    assert (ran.status, [one["verdict"] for one in ran.json]) == (1, ["verbatim", "not found"])
    Path("quotes.txt").write_text(batch, encoding="utf-8")
    assert run("verify", "--batch", "quotes.txt", "--json").out == ran.out
    assert run("verify", "--batch", "quotes.txt").out.startswith(
        f"{L}, page 1 (printed 1650): verbatim\n{O}: not found"
    )
    ran = run("quote", "--batch", "quotes.txt", "--json")
    assert (ran.status, [len(one["matches"]) for one in ran.json]) == (1, [1, 0])
    assert ran.err.startswith(f"{O}, {WORDS!r}: Not printed in")


@pytest.mark.parametrize(
    ("batch", "cause"),
    [
        ("only words", "Line 1"),
        (f"{BATCH}a\n", "Line 4"),
        ('{"key": "a", "words": 5}', "text"),
        ('{"key": "a", "quote": "b"}', "it has quote"),
        ("{", "Line 1"),
        ("[]\t", "no letter or digit"),
    ],
)
def test_a_batch_that_cannot_be_read_names_the_line(batch, cause, run):
    ran = run("verify", "--batch", "-", given=batch)
    assert (ran.status, ran.out, cause in ran.err) == (2, "", True)


def test_a_batch_takes_the_place_of_key_and_words(run):
    assert run("verify", L, WORDS, "--batch", "-", given=BATCH).status == 2
    assert "Missing argument 'WORDS'" in run("quote", L).err
    assert "Missing argument 'KEY'" in run("quote").err
    assert "lindqvist2019, page 1" in run("quote", "people prefer to work by day").out
    nobody = run("quote", "a sentence that nobody has ever printed")
    assert (nobody.status, nobody.out) == (1, "")
    assert "No paper prints this" in nobody.err


def test_a_single_word_that_names_no_paper_is_looked_for(run):
    found = run("quote", "salinity")
    assert (found.status, found.out) == (0, run("search", "--exact", "salinity").out)
    assert run("quote", "salinity", "--json").out == run("search", "--exact", "salinity", "--json").out
    assert run("quote", "zyxwvut").status == 1


def test_what_is_only_related_is_printed_in_no_form_that_cites(run):
    invented = "a sentence of salinity that nobody has ever printed"
    for form in ("latex", "typst", "markdown", "citation"):
        ran = run("quote", L, invented, "--format", form)
        assert (ran.status, ran.out) == (1, ""), form


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"CLICOLOR_FORCE": "1"}, True),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        ({"FORCE_COLOR": "1", "NO_COLOR": ""}, True),
    ],
)
def test_what_is_no_terminal_has_colours_only_where_they_are_forced(environment, coloured, run, monkeypatch):
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    for call in (
        ["quote", L, WORDS],
        ["verify", L, WORDS],
        ["search", "--keywords", "salinity"],
        ["papers"],
        ["read", L, "--outline"],
    ):
        assert (ESCAPE in run(*call).out) is coloured
    assert ESCAPE not in run("quote", L, WORDS, "--json").out


def test_colours_mark_the_verdict_and_the_words(run, monkeypatch):
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = run("quote", L, WORDS).out
    assert f"{click.style('verbatim', fg='green', bold=True)}\n" in out
    assert click.style(WORDS, bold=True, underline=True) in out


@pytest.mark.system
@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "dumb"}, False), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_a_terminal_has_colours(environment, coloured, corpus_path):
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE")
    }
    ours, theirs = pty.openpty()
    command = [PAGEQUOTE, "verify", L, WORDS, "--corpus", corpus_path]
    subprocess.run(command, stdout=theirs, stdin=theirs, env=kept | environment, check=True, timeout=PATIENCE)
    os.close(theirs)
    assert (ESCAPE.encode() in os.read(ours, 10_000)) is coloured
    os.close(ours)


@pytest.mark.system
def test_a_pipe_that_nobody_reads_ends_the_command_quietly(corpus_path):
    command = [PAGEQUOTE, "sql", "FROM paragraphs", "--format", "json", "--corpus", corpus_path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def _reads_a_pipe(pid):
    return "pipe" in Path(f"/proc/{pid}/wchan").read_text()


@pytest.mark.system
def test_ctrl_c_ends_a_command_that_waits_for_words_quietly(corpus_path):
    command = [PAGEQUOTE, "quote", L, "-", "--corpus", corpus_path]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        wait_until(lambda: _reads_a_pipe(process.pid))
        process.send_signal(signal.SIGINT)
        assert process.stdout
        assert process.stderr
        assert (process.stdout.read(), process.stderr.read().strip()) == (b"", b"")
    assert process.returncode == 130


@pytest.mark.long
@pytest.mark.system
def test_ctrl_c_while_a_command_loads_ends_it_quietly(corpus_path):
    modules = "pagequote.cli.commands click lookup.errors pagequote.cli.quote lookup.corpus duckdb"
    for module in modules.split():
        command = [sys.executable, "-c", INTERRUPTED, module, "quote", L, WORDS, "--corpus", corpus_path]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (ran.returncode, ran.stdout, ran.stderr.strip()) == (130, "", ""), module


INTERRUPTED = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
module = sys.argv.pop(1)
sys.meta_path.insert(0, Interrupt())
from pagequote.cli import main
ours = ("lookup", "pipeline", "pagequote")
assert {name for name in sys.modules if name.startswith(ours)} == {"pagequote", "pagequote.cli"}
main()
"""
"""The command, which gets SIGINT when it loads a module; before `main` runs it has loaded nothing that takes
time.
"""


@pytest.mark.parametrize(
    ("call", "cause"),
    [
        (["qoute", L], "Did you mean 'quote'?"),
        (["quote", L, WORDS, "--pgae", "1"], "Did you mean"),
        (["quote", L, WORDS, "--format", "yaml"], "is not one of"),
        (["search", WORDS, "--year", "last"], "is not a year or range"),
        (["quote", L, WORDS, "1650"], "Put one pair around all words, or none"),
        (["read", L, "--page", "2", "--at", "3"], "exclude each other"),
        (["read", L, "--page", "../2"], "is no page"),
        (["search", "--exact", WORDS, "--author", "marsh"], "--author does not go with --exact"),
        (["search", WORDS, "--threshold", "0.3"], "--threshold does not go with a search by topic"),
        (
            ["search", "--keywords", WORDS, "--mode", "semantic"],
            "--mode semantic does not go with --keywords",
        ),
        (["search", "--like", L], "--like takes KEY:PARAGRAPH"),
        (["search"], "Missing argument 'WORDS...'"),
        (["quote", L, WORDS, "--context", "sentence", "--paragraphs", "3"], "does not go with --context"),
    ],
)
def test_usage_errors_say_where_help_is(call, cause, run):
    ran = run(*call)
    assert (ran.status, ran.out) == (2, "")
    assert cause in ran.err
    assert re.search(r"Try 'pagequote.* --help' for help", ran.err)


def test_words_need_no_quotation_marks(run):
    for command in (["quote", L], ["verify", L], ["search", "--exact"], ["search"]):
        loose, quoted = run(*command, *WORDS.split()), run(*command, WORDS)
        assert (loose.status, loose.out, loose.err) == (quoted.status, quoted.out, quoted.err), command


def test_a_page_is_read_by_its_number_or_as_printed_wherever_it_is_given(run):
    second = run("read", L, "--page", "2").out
    assert run("read", L, "--page", "1651").out == second != run("read", L).out
    assert run("show", L, "--page", "1651", "--open", "--print", "--json").json["page"] == 2
    assert "pages are counted from 1" in run("read", L, "--page", "0").err
    missing = run("read", L, "--page", "xi")
    assert (missing.status, missing.err.endswith("there is no page xi.\n")) == (2, True)
    assert "Not on page xi, but on page 1" in run("verify", L, WORDS, "--page", "xi").out
    elsewhere = run("quote", L, WORDS, "--page", "1651")
    assert "Not on page 1651 (the PDF's page 2), but on the PDF's page 1:" in elsewhere.out + elsewhere.err


def test_one_place_is_no_places(run):
    assert "Shown: the first 1 place. " in run("search", "--exact", "-n", "1", "the").err


def test_no_more_papers_are_shown_than_asked_for(run):
    everything = run("papers").out.splitlines()
    assert len(everything) > 2
    assert run("papers", "-n", "2").out.splitlines() == everything[:2]


def test_the_first_screen(run):
    assert run("--help").out == FIRST_SCREEN
    assert len(_SHOWN) <= 22
    assert sum(len(commands) for group, commands in _GROUPS.items() if group != "More") == 12
    assert run("build", "--help").out.count("\n") <= 50
    assert "--deadline" in run("build", "--help-all").out


FIRST_SCREEN = """\
Usage: pagequote [OPTIONS] COMMAND [ARGS]...

  Verbatim, page-located quotes from a library of PDFs.

  `pagequote COMMAND --help` explains a command and shows examples. Answers go
  to standard output, as JSON with --json; hints and errors go to standard
  error.

  Exit status: 0 found or done, 1 nothing found, 2 an error.

  Examples:
    pagequote build papers/
    pagequote quote "electrochemically switchable states"
    pagequote verify paper.pdf "electrochemically switchable states"

Options:
  --version                     Show the version and exit.
  --completion [bash|zsh|fish]  Print the script that completes commands,
                                options and keys in this shell.
  -h, --help                    Show this message and exit.

Start here:
  build      Turn PDFs into a corpus.
  quote      Find where papers print these words.
  check      Check every quotation of a manuscript against its source.
  search     Find what papers say about something.
  serve      Open the reading room: the corpus in a browser.

Then:
  verify     Check whether a paper prints a quote, and where.
  show       Draw or open the page that prints a quote.
  read       Print a paper, a page of it, or its headings.
  papers     List the papers, also as BibTeX.
  highlight  Mark quotes in PDFs, or list what readers have marked.
  add        Add one paper now.
  status     Show the state of the corpus and its builds.

More:
  ground     Find where a paper prints values.
  pin        Pin the quotations of a manuscript to their PDFs.
  compare    Tell what two versions of a paper print alike.
  filter     Judge quotations while Pandoc or Quarto renders.
  model      Get the model that makes vectors.
  releases   List the releases; return to one, compare two, remove old ones.
  sql        Run SQL over the corpus, or describe its tables.
  mcp        Serve the corpus to agents.
  lsp        Serve an editor: quotations checked while they are written.
"""


@pytest.mark.parametrize("name", COMMANDS, ids=" ".join)
def test_each_help_says_how_it_ends(name, run):
    assert "Exit status: " in run(*(name if name != ("pagequote",) else ()), "--help").out


def test_a_path_that_is_not_there_says_so(run):
    Path("papers").mkdir()
    for command in (["quote", "papers/nope.pdf", WORDS], ["read", "papers/nope.pdf"]):
        ran = run(*command)
        assert (ran.status, ran.out, ran.err) == (2, "", "pagequote: There is no file 'papers/nope.pdf'.\n")
    assert "pagequote build" in run("verify", "./papers", WORDS).err


def test_without_vectors_one_line_says_how_to_get_them(run):
    assert "Run `pagequote model get --if-missing && pagequote build SOURCES`." in run("search", "night").err


def test_a_file_that_is_not_there_is_no_key(run, monkeypatch, tmp_path):
    assert run("quote", f"{L}.pdf", WORDS).status == 0, "the name of the file of a paper"
    unknown = run("quote", "nope.pdf", WORDS)
    assert unknown.status == 2
    assert unknown.err.startswith("pagequote: There is no file 'nope.pdf'. No paper has the key")
    monkeypatch.delenv("PAGEQUOTE_CORPUS")
    monkeypatch.chdir(tmp_path)
    without_corpus = run("quote", "nope.pdf", WORDS).err
    assert without_corpus.startswith("pagequote: There is no file 'nope.pdf'. No corpus was found")


def test_the_corpus_is_the_named_one_or_of_the_environment_or_configured_or_found_above(
    corpus_path, run, monkeypatch, tmp_path
):
    monkeypatch.delenv("PAGEQUOTE_CORPUS")
    (tmp_path / ".git").mkdir()
    here = tmp_path / "papers" / "drafts"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    nowhere = run("quote", L, WORDS)
    assert (nowhere.status, nowhere.out) == (2, "")
    for looked in ("$PAGEQUOTE_CORPUS", "pagequote.toml", "data/corpus", "--corpus", "pagequote build"):
        assert looked in nowhere.err
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corpus").symlink_to(corpus_path)
    assert run("quote", L, WORDS).status == 0
    (tmp_path / "papers/pagequote.toml").write_text('corpus = "mine"')
    for command in (["quote", L, WORDS], ["status"], ["releases"], ["search", "--exact", "day"]):
        assert "papers/mine" in run(*command).err, command
    (tmp_path / "papers/pagequote.toml").unlink()
    monkeypatch.setenv("PAGEQUOTE_CORPUS", str(tmp_path / "elsewhere"))
    assert "elsewhere" in run("quote", L, WORDS).err
    assert run("quote", L, WORDS, "--corpus", tmp_path / "data/corpus").status == 0


def test_a_first_build_that_fails_leaves_nothing(run, monkeypatch, tmp_path):
    monkeypatch.delenv("PAGEQUOTE_CORPUS")
    for name, content in ((None, b""), ("x.pdf", b"no pdf")):
        if name:
            Path(name).write_bytes(content)
        assert run("build", ".", "--workers", "1").status == 2
        assert [path.name for path in tmp_path.iterdir()] == ([name] if name else [])


def test_a_quote_is_shown_in_its_sentence_unless_more_is_asked_for(run):
    sentence, paragraph = (run("quote", L, WORDS, *more).out for more in ([], ["--context", "paragraph"]))
    assert sentence.splitlines()[2].endswith(f"and {WORDS}.")
    assert len(paragraph) > len(sentence)
    assert paragraph.splitlines()[2] in run("quote", L, WORDS, "--paragraphs", "2").out


def test_the_next_step_is_a_command(run):
    for key, words, command in (
        ("lindqvist2019", "carbon dioxide from turnips at night", "`pagequote read lindqvist2019 --page "),
        ("nobody1999", "turnips", "`pagequote papers`"),
    ):
        assert command in run("quote", key, words).err


def test_where_there_is_no_corpus_the_next_step_is_to_build_one(run, tmp_path):
    for command, (found, _) in READING.items():
        if command != "sql --schema":
            ran = run(*command.split(), *found, "--corpus", tmp_path / "none")
            assert (ran.status, ran.out, "pagequote build" in ran.err) == (2, "", True), command


def _extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {
        extra: {re.split(r"[^\w.-]", one)[0].lower() for one in wanted}
        for extra, wanted in project["optional-dependencies"].items()
    }
    code = "".join(
        path.read_text(encoding="utf-8")
        for folder in ("lookup", "pipeline")
        for path in (ROOT / folder).rglob("*.py")
    )
    imported = set(re.findall(r"^\s*(?:from|import) (\w+)", code, re.MULTILINE))
    for module, distributions in packages_distributions().items():
        for distribution in distributions:
            having = {extra for extra, names in named.items() if distribution.lower() in names} - _ALL
            if having and module in imported | _BY_NAME:
                yield module, tuple(sorted(having))


_ALL = {"all", "dev"}
_BY_NAME = {"mcp", "starlette", "uvicorn", "jinja2", "onnx", "tree_sitter", "tree_sitter_rust"}
"""Modules that are imported by a name that is put together, or by other packages on our behalf."""


@pytest.mark.parametrize(("module", "having"), sorted(set(_extras())), ids=str)
def test_a_module_that_is_missing_names_an_extra_that_brings_it(module, having):
    within = {extra: {extra, "pipeline"} for extra in ("serve", "explore")}  # `pipeline` brings all of both
    assert extra_of(module) in set().union(*(within.get(one, {one}) for one in having))
    assert all(extra_of(module, likely) == likely for likely in having)


def test_at_most_six_extras_are_for_people_and_a_desk_needs_one_of_them():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert list(extras["optional-dependencies"]) == [
        "pipeline",
        "serve",
        "mcp",
        "s3",
        "explore",
        "all",
        "dev",
    ]
    assert {"tantivy", "tokenizers", "onnxruntime", "obstore", "mcp", "uvicorn"} <= dict(_extras()).keys() | {
        re.split(r"[^\w.-]", one)[0] for one in requires("pagequote") or ()
    }
    assert (extra_of("ray"), extra_of("somebody_else_s")) == ("", "")


@pytest.mark.parametrize(
    ("installed_by", "hint"),
    [
        ("pipx_metadata.json", "pipx install --force "),
        ("uv-receipt.toml", "uv tool install "),
        ("an environment that is active", "pip install "),
        ("", "{python} -m pip install "),
    ],
)
def test_hints_of_what_to_install_fit_how_the_command_was_installed(
    installed_by, hint, monkeypatch, tmp_path
):
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    (tmp_path / (installed_by or "nothing")).touch()
    if installed_by.endswith("active"):
        monkeypatch.setenv("VIRTUAL_ENV", str(tmp_path))
    said = with_install_command("Agents: pip install 'pagequote[mcp]'")
    replaced = installed_by.endswith((".json", ".toml"))  # what is there stays
    named = installed_from("[all]" if replaced else "[mcp]")
    assert said == f"Agents: {hint.format(python=sys.executable)}{named}"


@pytest.mark.parametrize(
    ("url", "more", "named"),
    [
        (None, {}, "'pagequote[mcp]'"),  # from an index
        (
            "file://{here}/a%20b/pagequote-0.1.0-py3-none-any.whl",
            {"archive_info": {}},
            "'{here}/a b/pagequote-0.1.0-py3-none-any.whl[mcp]'",
        ),
        ("file://{here}/a%20b", {"dir_info": {}}, "'{here}/a b[mcp]'"),
        ("file://{here}/a%20b", {"dir_info": {"editable": True}}, "--editable '{here}/a b[mcp]'"),
        ("file://{here}/gone", {"dir_info": {}}, "'pagequote[mcp]'"),
        ("https://example.org/pagequote.whl", {}, "'pagequote[mcp]'"),
    ],
)
def test_a_hint_names_the_folder_or_wheel_that_was_installed(url, more, named, tmp_path, monkeypatch):
    (tmp_path / "a b").mkdir()
    (tmp_path / "a b/pagequote-0.1.0-py3-none-any.whl").touch()
    recorded = None if url is None else json.dumps({"url": url.format(here=tmp_path), **more})
    read_text = lambda self, name: recorded  # noqa: E731
    monkeypatch.setattr("importlib.metadata.PathDistribution.read_text", read_text)
    assert installed_from("[mcp]") == named.format(here=tmp_path)


@pytest.mark.system
@pytest.mark.parametrize(
    ("module", "call", "extra"),
    [
        ("pymupdf", ["show", L], "pipeline"),
        ("pylatexenc", ["check", "a.tex"], "pipeline"),
        ("duckdb", ["quote", L, WORDS], None),
    ],
)
def test_the_command_says_what_to_install(module, call, extra, corpus_path, tmp_path):
    (tmp_path / "a.tex").write_text(rf"\enquote{{{WORDS}}} \cite{{{L}}}")
    program = f"import sys; sys.modules[{module!r}] = None; from pagequote.cli import main; main()"
    command = [sys.executable, "-c", program, *call, "--corpus", corpus_path]
    environment = {name: value for name, value in os.environ.items() if name != "VIRTUAL_ENV"}
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False, env=environment)
    if extra is None:
        assert "ModuleNotFoundError" in ran.stderr  # no extra brings it: the installation is broken
    else:
        assert (ran.returncode, ran.stdout) == (2, "")
        assert ran.stderr == (
            f"pagequote: this command needs {module!r}, which is not installed: {sys.executable} -m pip "
            f"install {installed_from(f'[{extra}]')}\n"
        )


@pytest.fixture(scope="module")
def completion_script(tmp_path_factory):
    script = tmp_path_factory.mktemp("completion") / "pagequote"
    script.write_bytes(
        subprocess.run([PAGEQUOTE, "--completion", "bash"], capture_output=True, check=True).stdout
    )
    return script


@pytest.fixture
def complete(completion_script, corpus_path):
    """What bash offers for a line that is typed so far."""

    def offers(line):
        words = line.split(" ")
        program = (
            f"source {completion_script}; COMP_WORDS=({' '.join(map(shlex.quote, words))}); "
            f"COMP_CWORD={len(words) - 1}; "
            'COMPREPLY=(); _pagequote_completion pagequote; printf "%s\\n" "${COMPREPLY[@]}"'
        )
        environment = os.environ | {
            "PATH": f"{PAGEQUOTE.parent}:{os.environ['PATH']}",
            "PAGEQUOTE_CORPUS": str(corpus_path),
        }
        ran = subprocess.run(
            ["bash", "--norc", "-c", program],
            capture_output=True,
            text=True,
            env=environment,
            check=True,
            timeout=PATIENCE,
        )
        return ran.stdout.split()

    return offers


@pytest.mark.long
@pytest.mark.system
def test_bash_completes_commands_options_values_and_keys(complete):
    assert complete("pagequote qu") == ["quote"]
    assert complete("pagequote quote --co") == ["--context", "--context-chars", "--corpus"]
    assert complete("pagequote quote --format la") == ["latex"]
    assert complete("pagequote quote ") == ["haldorsen2020", "ilmarinen2023", L, O]
    assert complete("pagequote search words --key oka") == [O]
    assert complete("pagequote quote --corpus /nowhere/at/all lin") == []


@pytest.mark.system
def test_bash_completes_file_names_at_a_prompt(completion_script, tmp_path):
    (tmp_path / "a-draft-of-marshes.tex").touch()
    environment = os.environ | {
        "PATH": f"{PAGEQUOTE.parent}:{os.environ['PATH']}",
        "TERM": "dumb",
        "PS1": "$ ",
    }
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        cwd=tmp_path,
        env=environment,
        start_new_session=True,
    ) as bash:
        os.write(ours, f"source {completion_script}\npagequote check a-dr\t".encode())
        seen = bytearray()

        def completed():
            if select.select([ours], [], [], 0)[0]:
                seen.extend(os.read(ours, 10_000))
            return b"check a-draft-of-marshes.tex" in seen

        try:
            wait_until(completed)
        finally:
            bash.kill()
    os.close(ours)
    os.close(theirs)


@pytest.mark.parametrize(
    ("shell", "first"), [("zsh", "#compdef pagequote"), ("fish", "function _pagequote_completion;")]
)
def test_scripts_for_other_shells_are_printed(shell, first, run):
    ran = run("--completion", shell)
    assert (ran.status, ran.out.splitlines()[0]) == (0, first)


@pytest.mark.system
@pytest.mark.parametrize("shell", [pytest.param(one, marks=needs(one)) for one in ("zsh", "fish")])
def test_scripts_for_other_shells_are_well_formed(shell, run):
    script = run("--completion", shell).out
    subprocess.run([shell, "-n"], input=script, text=True, check=True, timeout=PATIENCE)


PDF = Path("/library/a paper.pdf")


@pytest.mark.parametrize(
    ("named", "command"),
    [
        ("evince", ["evince", "--page-index=6", str(PDF)]),
        ("/opt/okular", ["/opt/okular", "--page", "6", str(PDF)]),
        ("zathura --fork", ["zathura", "--fork", "--page=6", str(PDF)]),
        ("sumatra.sh {page} '{path}' -x", ["sumatra.sh", "6", str(PDF), "-x"]),
        ("firefox", ["firefox", "file:///library/a%20paper.pdf#page=6"]),
        ("something", ["something", str(PDF)]),
    ],
)
def test_the_viewer_that_is_named_is_told_the_page(named, command, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_VIEWER", named)
    assert viewing(PDF, 6) == command


@pytest.mark.parametrize(
    ("platform", "installed", "command"),
    [
        ("linux", {"okular", "evince", "xdg-open"}, ["/bin/evince", "--page-index=6", str(PDF)]),
        ("linux", {"zathura", "xdg-open"}, ["/bin/zathura", "--page=6", str(PDF)]),
        ("linux", {"xdg-open"}, ["/bin/xdg-open", str(PDF)]),
        ("linux", {"gio"}, ["/bin/gio", "open", str(PDF)]),
        ("darwin", {"evince"}, ["open", str(PDF)]),
    ],
)
def test_the_first_viewer_that_is_installed_is_taken(platform, installed, command, monkeypatch):
    monkeypatch.delenv("PAGEQUOTE_VIEWER", raising=False)
    assert viewing(PDF, 6, platform, lambda name: f"/bin/{name}" if name in installed else None) == command


@pytest.mark.system
@pytest.mark.parametrize("installed", ["evince", "firefox", "mupdf", "xdg-open", "gio"])
def test_the_command_of_a_viewer_is_one_line_that_bash_reads(installed, monkeypatch):
    monkeypatch.delenv("PAGEQUOTE_VIEWER", raising=False)
    named = "/library/it's a\n::error::\x1b[2Jpa\u202eper.pdf"
    command = viewing(Path(named), 6, "linux", lambda name: f"/bin/{name}" if name == installed else None)
    shown = " ".join(map(in_shell, command))
    assert shown.isprintable()
    told = subprocess.run(["bash", "-c", f"printf '%s\\0' {shown}"], capture_output=True, check=True)
    assert told.stdout.decode().split("\0")[:-1] == command


def test_without_a_viewer_the_next_step_is_to_name_one(monkeypatch):
    monkeypatch.delenv("PAGEQUOTE_VIEWER", raising=False)
    with pytest.raises(QueryError, match="PAGEQUOTE_VIEWER"):
        viewing(PDF, 6, "linux", lambda _: None)
    monkeypatch.setenv("PAGEQUOTE_VIEWER", "evince '")
    with pytest.raises(QueryError, match="is not a command"):
        viewing(PDF, 6)


def test_where_no_viewer_is_installed_the_path_is_printed(run, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("PAGEQUOTE_VIEWER", raising=False)
    assert run("show", "--open", L, "--print").out.strip().endswith(f"{L}.pdf")
    assert "No PDF viewer is installed" in run("show", "--open", L).err
    monkeypatch.setenv("PAGEQUOTE_VIEWER", "evince '")
    assert "is not a command" in run("show", "--open", L, "--print").err


def test_where_there_is_no_display_it_is_said(monkeypatch):
    for name in ("PAGEQUOTE_VIEWER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(QueryError, match="There is no display here"):
        check_display("linux")
    check_display("darwin")
    monkeypatch.setenv("DISPLAY", ":0")
    check_display("linux")


def test_the_pdf_is_opened_at_its_page(run, samples, tmp_path, monkeypatch):
    viewer, seen = tmp_path / "viewer", tmp_path / "seen"
    viewer.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" end > {seen}\n')  # what a shell has itself
    viewer.chmod(0o755)
    monkeypatch.setenv("PAGEQUOTE_VIEWER", f"{viewer} -P {{page}} {{path}}")
    ran = run("show", "--open", L, "--page", "3")
    assert (ran.status, ran.out, ran.err) == (0, "", "")
    wait_until(lambda: seen.exists() and seen.read_text().endswith("end\n"))
    assert seen.read_text().splitlines()[:-1] == ["-P", "3", str(samples / f"{L}.pdf")]
    printed = run("show", "--open", L, "--page", "3", "--print").out
    assert shlex.split(printed) == [str(viewer), "-P", "3", str(samples / f"{L}.pdf")]
    assert "has pages 1 to 4" in run("show", "--open", L, "--page", "9").err
    monkeypatch.setenv("PAGEQUOTE_VIEWER", str(tmp_path / "none"))
    assert (run("show", "--open", L).status, "cannot be run" in run("show", "--open", L).err) == (2, True)


def test_a_pdf_that_is_another_now_is_opened_with_a_warning_and_one_that_is_gone_is_not(
    run, samples, tmp_path
):
    library, corpus = tmp_path / "library", tmp_path / "corpus"
    library.mkdir()
    shutil.copy(samples / f"{L}.pdf", library)
    assert run("build", library, "--corpus", corpus).status == 0
    call = ["show", "--open", L, "--print", "--json", "--corpus", corpus]
    assert run(*call).json["unchanged"] is True
    shutil.copy(samples / f"{O}.pdf", library / f"{L}.pdf")
    ran = run(*call)
    assert (ran.status, ran.json["unchanged"], "has changed since the build" in ran.err) == (
        0,
        False,
        True,
    )
    (library / f"{L}.pdf").unlink()
    ran = run(*call)
    assert (ran.status, ran.out, "Put it back there" in ran.err) == (2, "", True)


@pytest.mark.parametrize("command", [[], ["releases", "--help"]])
def test_help_goes_to_standard_output(command):
    said = in_process(*command)
    assert "Usage: pagequote" in said.stdout
    assert not said.stderr
