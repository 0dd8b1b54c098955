"""What every command keeps to: help that teaches, JSON, standard input, colours, errors with a next step,
quiet ends, completion.
"""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import click
import pytest

from pagequote.cli.commands import _COMMANDS, pagequote
from pagequote.cli.next_steps import extra_of, installed_from, with_install_command
from pagequote.cli.viewers import viewing
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE, wait_until

L, O = "lindqvist2019", "okafor2021"  # noqa: E741
WORDS = "people prefer to work by day"


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
def test_what_is_asked_wrongly_gets_a_sentence(run, tmp_path, arguments, said):
    (tmp_path / "draft.md").write_text("A draft.")
    ran = run(*arguments)
    assert (ran.returncode, said in ran.stderr) == (2, True), ran.stderr


def test_a_link_to_itself_is_no_manuscript(run, tmp_path):
    (tmp_path / "loop.md").symlink_to("loop.md")
    ran = run("check", tmp_path / "loop.md")
    assert (ran.returncode, "cannot be read" in ran.stderr) == (2, True), ran.stderr


def test_no_line_is_a_command_for_a_runner(run, tmp_path):
    (tmp_path / "ok.md").write_text(f'He said "##[error]owned and ##vso[task] {WORDS}" [@{L}, p. 1].\n')
    for form in ("text", "json"):
        ran = run("check", tmp_path / "ok.md", "--format", form)
        assert "owned" in ran.stdout
        assert "##[" not in ran.stdout + ran.stderr
        assert "##vso[" not in ran.stdout + ran.stderr


@pytest.mark.parametrize("command", READING)
def test_json_is_valid_whether_something_is_found_or_not(command, run):
    found, nothing = READING[command]
    ran = run(*command.split(), *found, "--json")
    assert ran.returncode == 0, ran.stderr
    assert json.loads(ran.stdout)
    if nothing is not None:
        ran = run(*command.split(), *nothing, "--json")
        assert ran.returncode == (0 if command == "sql" else 1)
        json.loads(ran.stdout)


@pytest.mark.parametrize("command", [name for name, (found, _) in READING.items() if L in found])
def test_an_error_leaves_standard_output_empty_and_names_a_next_step(command, run):
    found, _ = READING[command]
    ran = run(*command.split(), *["nobody1900" if word == L else word for word in found], "--json")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "No paper has the key 'nobody1900'" in ran.stderr
    assert "Traceback" not in ran.stderr


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
    assert ran.stdout == run(*[WORDS if word == "-" else word for word in call], "--json").stdout
    assert ran.returncode == 0


BATCH = f"{L}\t{WORDS}\t1\n\n{O}\t{WORDS}\n"
LINES = f'{{"key": "{L}", "words": "{WORDS}", "page": 1}}\n{{"key": "{O}", "words": "{WORDS}"}}\r\n'


@pytest.mark.parametrize(
    "batch", [BATCH, LINES, BATCH.replace("\n", "\r\n")], ids=["tabs", "lines", "windows"]
)
def test_quotes_are_checked_in_batches(batch, run):
    ran = run("verify", "--batch", "-", "--json", given=batch)
    assert (ran.returncode, [one["verdict"] for one in json.loads(ran.stdout)]) == (
        1,
        ["verbatim", "not found"],
    )
    Path("quotes.txt").write_text(batch, encoding="utf-8")
    assert run("verify", "--batch", "quotes.txt", "--json").stdout == ran.stdout
    assert run("verify", "--batch", "quotes.txt").stdout.startswith(
        f"{L}, page 1 (printed 1650): verbatim\n{O}: not found"
    )
    ran = run("quote", "--batch", "quotes.txt", "--json")
    assert (ran.returncode, [len(one["matches"]) for one in json.loads(ran.stdout)]) == (1, [1, 0])
    assert ran.stderr.startswith(f"{O}, {WORDS!r}: Not printed in")


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
    assert (ran.returncode, ran.stdout, cause in ran.stderr) == (2, "", True)


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


@pytest.mark.parametrize(
    ("call", "cause"),
    [
        (["qoute", L], "Did you mean 'quote'?"),
        (["quote", L, WORDS, "--pgae", "1"], "Did you mean"),
        (["quote", L, WORDS, "--format", "yaml"], "is not one of"),
        (["quote", L, WORDS, "1650"], "Put one pair around all words, or none"),
        (["read", L, "--page", "2", "--at", "3"], "exclude each other"),
        (["read", L, "--page", "../2"], "is no page"),
        (["search", "--exact", WORDS, "--author", "marsh"], "--author does not go with --exact"),
        (["search", WORDS, "--threshold", "0.3"], "--threshold does not go with a search by topic"),
        (
            ["search", "--keywords", WORDS, "--mode", "semantic"],
            "--mode semantic does not go with --keywords",
        ),
        (["search"], "Missing argument 'WORDS...'"),
        (["quote", L, WORDS, "--context", "sentence", "--paragraphs", "3"], "does not go with --context"),
    ],
)
def test_usage_errors_say_where_help_is(call, cause, run):
    ran = run(*call)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert cause in ran.stderr
    assert re.search(r"Try 'pagequote.* --help' for help", ran.stderr)


def test_a_page_is_read_by_its_number_or_as_printed_wherever_it_is_given(run):
    second = run("read", L, "--page", "2").stdout
    assert run("read", L, "--page", "1651").stdout == second != run("read", L).stdout
    assert json.loads(run("show", L, "--page", "1651", "--open", "--print", "--json").stdout)["page"] == 2
    assert "pages are counted from 1" in run("read", L, "--page", "0").stderr
    missing = run("read", L, "--page", "xi")
    assert (missing.returncode, missing.stderr.endswith("there is no page xi.\n")) == (2, True)
    assert "Not on page xi, but on page 1" in run("verify", L, WORDS, "--page", "xi").stdout
    elsewhere = run("quote", L, WORDS, "--page", "1651")
    assert (
        "Not on page 1651 (the PDF's page 2), but on the PDF's page 1:" in elsewhere.stdout + elsewhere.stderr
    )


def test_the_corpus_is_the_named_one_or_of_the_environment_or_configured_or_found_above(
    corpus_path, run, monkeypatch, tmp_path
):
    monkeypatch.delenv("PAGEQUOTE_CORPUS")
    (tmp_path / ".git").mkdir()
    here = tmp_path / "papers" / "drafts"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    nowhere = run("quote", L, WORDS)
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    for looked in ("$PAGEQUOTE_CORPUS", "pagequote.toml", "data/corpus", "--corpus", "pagequote build"):
        assert looked in nowhere.stderr
    (tmp_path / "data").mkdir()
    (tmp_path / "data/corpus").symlink_to(corpus_path)
    assert run("quote", L, WORDS).returncode == 0
    (tmp_path / "papers/pagequote.toml").write_text('corpus = "mine"')
    for command in (["quote", L, WORDS], ["status"], ["releases"], ["search", "--exact", "day"]):
        assert "papers/mine" in run(*command).stderr, command
    (tmp_path / "papers/pagequote.toml").unlink()
    monkeypatch.setenv("PAGEQUOTE_CORPUS", str(tmp_path / "elsewhere"))
    assert "elsewhere" in run("quote", L, WORDS).stderr
    assert run("quote", L, WORDS, "--corpus", tmp_path / "data/corpus").returncode == 0


def test_a_first_build_that_fails_leaves_nothing(run, monkeypatch, tmp_path):
    monkeypatch.delenv("PAGEQUOTE_CORPUS")
    for name, content in ((None, b""), ("x.pdf", b"no pdf")):
        if name:
            Path(name).write_bytes(content)
        assert run("build", ".", "--workers", "1").returncode == 2
        assert [path.name for path in tmp_path.iterdir()] == ([name] if name else [])


def test_the_next_step_is_a_command(run):
    for key, words, command in (
        ("lindqvist2019", "carbon dioxide from turnips at night", "`pagequote read lindqvist2019 --page "),
        ("nobody1999", "turnips", "`pagequote papers`"),
    ):
        assert command in run("quote", key, words).stderr


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
_BY_NAME = {"mcp", "starlette", "uvicorn", "jinja2", "onnx"}
"""Modules that are imported by a name that is put together, or by other packages on our behalf."""


@pytest.mark.parametrize(("module", "having"), sorted(set(_extras())), ids=str)
def test_a_module_that_is_missing_names_an_extra_that_brings_it(module, having):
    within = {extra: {extra, "pipeline"} for extra in ("serve", "explore")}  # `pipeline` brings all of both
    assert extra_of(module) in set().union(*(within.get(one, {one}) for one in having))
    assert all(extra_of(module, likely) == likely for likely in having)


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
