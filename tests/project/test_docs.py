"""What README.md and docs/ show is what happens.

The pages are one story, told in one folder in the order of PAGES. A fenced block is taken by its language:

- `console`: each line that begins with "$ " is run (a backslash at its end goes on in the next line), and
  what follows is what it prints, on either stream. "..." stands for anything within a line, and alone on a
  line for any lines. A command succeeds unless `echo $?` follows it. A block is one shell, begun in the
  folder of the story.
- `pycon`: a session of Python, checked as a doctest with "..." for anything. `python`: a program that runs
  without an error; one that imports nothing goes on from the first of its page.
- `sql`: a query over the story's corpus that gives rows.
- `sh`, `crontab`: commands that no test runs, which the line before the block says,
  `<!-- not run: why -->`: no reader sees it. `ini`, `yaml`: files of systemd, GitHub and DVC with commands.
  The shell must take them, and each command and option of PageQuote in them be one.
- `json`, `toml`: what other programs read; it has to be well-formed, and tests/faces/test_mcp.py checks what
  agents read.
- `bibtex`, `text`: nothing to run.
"""

import doctest
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from runpy import run_path
from typing import Any, NamedTuple

import click
import pytest
from ruamel.yaml import YAML

import lookup
from lookup.storage.object_path import ObjectPath
from objectstore.objects import write_object
from pagequote.cli.commands import pagequote
from retrieval.embedding.model import Model
from tests.support.forked import forked_command
from tests.support.models import models_in
from tests.support.pdfs import pdf
from tests.support.project import ROOT
from tests.support.s3 import make_bucket
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.system

PAGES = tuple(
    dict.fromkeys(
        [
            "README.md",
            "docs/tutorial.md",
            "docs/guides/quoting.md",
            "docs/guides/searching.md",
            "docs/guides/python.md",
            "docs/guides/building.md",
            "docs/guides/sql.md",
            *sorted(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")),
        ]
    )
)
FOLDERS = ("lookup", "pipeline", "pagequote", "benchmarks", "tools", "data", "docs")
OTHERS = (
    *("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"),
    *(f"{folder}/README.md" for folder in FOLDERS if folder != "docs"),
)
"""Pages without the story: no command of theirs is run."""
MEANING = "docs/guides/meaning.md"
"""Needs the default model; told after the other pages."""


class Block(NamedTuple):
    """A fenced block: its page, the line of its first line, its language, its text, and why it is not run."""

    page: str
    line: int
    language: str
    text: str
    not_run: str


class Command(NamedTuple):
    """A command of a console block, where it stands, and what the page says that it prints."""

    page: str
    line: int
    command: str
    expected: str


class Outcome(NamedTuple):
    """What a command printed, and its exit status."""

    printed: str
    status: int


def _blocks(page: str) -> Iterator[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    for match in re.finditer(
        r"^(?:<!-- not run: ([^\n]+) -->\n)?```([^\n]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL
    ):
        yield Block(page, text.count("\n", 0, match.start(3)) + 1, match[2], match[3], match[1] or "")


def _commands(block: Block) -> list[Command]:
    commands: list[Command] = []
    for match in re.finditer(
        r"^\$ ((?:[^\n]*\\\n)*[^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", block.text, re.MULTILINE
    ):
        line = block.line + block.text.count("\n", 0, match.start())
        commands.append(Command(block.page, line, match[1], match[2]))
    return commands


BLOCKS = [block for page in PAGES for block in _blocks(page)]
COMMANDS = [command for block in BLOCKS if block.language == "console" for command in _commands(block)]
UNCHECKED_STATUS = {before for before, after in pairwise(COMMANDS) if after.command == "echo $?"}


def _named(one: Block | Command) -> str:
    return f"{one.page}:{one.line}"


def _in(*languages: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(
        "block", [block for block in BLOCKS if block.language in languages], ids=_named
    )


@pytest.fixture(scope="module")
def library(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the story: the sample PDFs lie where `make samples` puts them, and two files without text
    in an inbox.
    """
    folder = tmp_path_factory.mktemp("story")
    shutil.copytree(samples, folder / "data/samples/pdfs")
    (folder / "inbox").mkdir()
    (folder / "inbox/smith2020.pdf").write_text(
        "<html><title>Please sign in</title></html>", encoding="utf-8"
    )
    (folder / "inbox/archive1931.pdf").write_bytes(pdf(""))
    return folder


@pytest.fixture(scope="module")
def storage(s3: Mapping[str, str], samples: Path) -> Iterator[None]:
    """The bucket of the story, with the sample papers, in the environment of whoever tells it."""
    with pytest.MonkeyPatch.context() as environment:
        for name, value in s3.items():
            environment.setenv(name, value)
        make_bucket("library", s3)
        for file in samples.iterdir():
            write_object(ObjectPath("s3://library/papers") / file.name, file)
        yield


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the story finds its programs, the command first."""
    with forked_command(tmp_path_factory.mktemp("bin")) as folder:
        yield os.pathsep.join([str(folder), str(Path(sys.executable).parent), os.environ["PATH"]])


@pytest.fixture(scope="module")
def outcomes(library: Path, storage: None, path: str) -> dict[Command, Outcome]:
    """All commands of the story, run in its order."""
    found: dict[Command, Outcome] = {}
    for block in BLOCKS:
        if block.language == "console" and block.page != MEANING:
            found |= _run(_commands(block), library, path)
    return found


@pytest.fixture(scope="module")
def outcomes_by_meaning(
    library: Path, outcomes: dict[Command, Outcome], default_model: Model, path: str
) -> Iterator[dict[Command, Outcome]]:
    """The commands of the page that needs a model, run where the story ended."""
    found = dict(outcomes)
    with models_in(default_model.folder.parent):
        for block in BLOCKS:
            if block.language == "console" and block.page == MEANING:
                found |= _run(_commands(block), library, path)
        yield found


def _told(page: str, request: pytest.FixtureRequest) -> dict[Command, Outcome]:
    """What the commands printed, once those that `page` needs have run."""
    found: dict[Command, Outcome] = request.getfixturevalue(
        "outcomes_by_meaning" if page == MEANING else "outcomes"
    )
    return found


def _run(commands: list[Command], folder: Path, path: str) -> dict[Command, Outcome]:
    """Run the commands in one shell, which leaves what each prints, and its status, in files."""
    record = folder / ".outcome"
    record.mkdir(exist_ok=True)
    script = ["status=0"]
    for number, command in enumerate(commands):
        printed = f"{record}/{number}"
        # `$?` is handed on, so that a page may show `echo $?`.
        script += [f"(exit $status)\n{{ {command.command}\n}} >'{printed}' 2>&1", "status=$?"]
        script += [f"echo $status >'{printed}.status'"]
    kept = {name: value for name, value in os.environ.items() if name != "PAGEQUOTE_CORPUS"}
    subprocess.run(
        ["bash", "-c", "\n".join(script)],
        cwd=folder,
        env=kept | {"PATH": path, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        check=False,
        timeout=5 * PATIENCE,
    )
    return {
        command: Outcome(
            (record / str(number)).read_text(encoding="utf-8"), int((record / f"{number}.status").read_text())
        )
        for number, command in enumerate(commands)
    }


def _agrees(expected: str, printed: str) -> bool:
    """Whether `printed` is what `expected` says, "..." standing for anything; spaces at the ends of lines do
    not count.
    """
    pattern = ""
    for line in _tidy(expected).splitlines():
        if line.strip() == "...":
            pattern += r"(?:.*\n)*"
        else:
            pattern += ".*".join(re.escape(part) for part in line.split("...")) + r"\n"
    return re.fullmatch(pattern, _tidy(printed)) is not None


def _tidy(text: str) -> str:
    """Return a text without spaces at the ends of lines, and of a stage's progress its last line: a slow
    machine prints more.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    tidied = "".join(f"{line}\n" for line in "\n".join(lines).strip("\n").splitlines())
    return re.sub(r"(?m)^(extract: |embed: ).*\n(?=\1)", "", tidied)


@pytest.mark.long
@pytest.mark.parametrize("command", COMMANDS, ids=_named)
def test_a_command_prints_what_its_page_says(command: Command, request: pytest.FixtureRequest) -> None:
    told = _told(command.page, request)
    outcome = told[command]
    before = [said.printed for other, said in told.items() if other.line <= command.line]
    missing = re.search(r"(?m)^bash: line \d+: (?!pagequote)(\S+): command not found$", "".join(before))
    if missing:
        pytest.skip(f"{missing[1]} is not installed, which a command of the page calls")
    assert _agrees(command.expected, outcome.printed), (
        f"{_named(command)}: $ {command.command}\n{outcome.printed}"
    )
    if command not in UNCHECKED_STATUS:
        assert outcome.status == 0, f"{_named(command)} ended with exit status {outcome.status}"


@pytest.mark.long
@_in("sql")
def test_a_recipe_gives_rows(block: Block, library: Path, outcomes: dict[Command, Outcome]) -> None:
    with lookup.open(library / "data/corpus") as corpus:
        assert corpus.sql(block.text).fetchall() != []


@pytest.mark.long
@_in("pycon", "python")
def test_a_program_does_what_its_page_says(
    block: Block, library: Path, path: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    _told(block.page, request)
    monkeypatch.chdir(library)
    monkeypatch.delenv("PAGEQUOTE_CORPUS", raising=False)
    monkeypatch.setenv("PATH", path)
    if block.language == "python":
        first = next(one for one in BLOCKS if (one.page, one.language) == (block.page, "python"))
        program = block.text if re.search(r"(?m)^(?:import|from) ", block.text) else first.text + block.text
        exec(compile(program, block.page, "exec"), {"__name__": "__main__"})
        return
    session = doctest.DocTestParser().get_doctest(block.text, {}, _named(block), block.page, block.line - 1)
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(session, out=report.append)
    assert session.examples != []
    assert report == [], "".join(report)


@_in("sh", "crontab", "ini", "yaml")
def test_what_no_test_runs_says_so_and_calls_commands_that_exist(block: Block) -> None:
    assert block.not_run or block.language in {"ini", "yaml"}
    shell = "\n".join(_shell(block))
    subprocess.run(["bash", "-n", "-c", shell], check=True, timeout=PATIENCE)
    for call in _calls(shell):
        try:
            _parse(call)
        except click.BadParameter as error:  # a folder of the reader's
            if not error.message.endswith("does not exist."):
                raise


def _shell(block: Block) -> list[str]:
    """Return the commands that a block holds for a shell, for cron, or for systemd, GitHub or DVC."""
    if block.language == "sh":
        return [block.text]
    if block.language == "ini":
        return re.findall(r"(?m)^ExecStart=(.*)$", block.text)
    if block.language == "yaml":
        return list(_started(YAML(typ="safe").load(block.text)))
    lines = [re.fullmatch(r"(?:[\d*,/-]+ ){5}([^%]+)", line) for line in block.text.splitlines()]
    assert all(lines), "cron reads five fields and a command, and % as a line's end"
    return [line[1] for line in lines if line]


def _started(node: Any) -> Iterator[str]:
    """Yield the values of `run` and `cmd` below a node of YAML."""
    for name, value in node.items() if isinstance(node, dict) else enumerate(node):
        if name in {"run", "cmd"}:
            yield value
        elif isinstance(value, dict | list):
            yield from _started(value)


def _calls(shell: str) -> Iterator[list[str]]:
    """Yield the arguments of each call of pagequote."""
    for part in re.split(r"[;|&\n{}]+|(?<=\s)-- ", re.sub(r"\\\n|#.*|>.*", " ", shell)):
        words = shlex.split(part, posix=True) if part.count("'") % 2 == 0 else []
        if words and words[0].rpartition("/")[2] == "pagequote":
            yield words[1:]


def _parse(arguments: list[str]) -> None:
    """Raise click.UsageError where there is no such command, or it has no such option."""
    above = click.Context(pagequote, **pagequote.context_settings)
    if arguments[0].startswith("--"):
        assert arguments[0] in {"--completion", "--version"}
        return
    command = pagequote.get_command(above, arguments[0])
    if command is None:
        raise click.UsageError(f"no command {arguments[0]}")
    context = command.make_context(arguments[0], arguments[1:], parent=above)
    if isinstance(command, click.Group):
        _, inner, rest = command.resolve_command(context, arguments[1:])
        assert inner is not None
        inner.make_context(arguments[1], rest, parent=context)


@_in("json", "toml")
def test_what_other_programs_read_is_well_formed(block: Block) -> None:
    assert json.loads(block.text) if block.language == "json" else tomllib.loads(block.text)


@pytest.mark.parametrize("call", ["-B demo", "-B -e demo", "clean VENV=/somebody/elses"])
def test_make_makes_and_clears_no_environment_but_its_own(call: str) -> None:
    given = {**os.environ, "VENV": "/somebody/elses"}
    said = subprocess.check_output(["make", "-n", *call.split()], cwd=ROOT, text=True, env=given)
    assert "/somebody/elses" not in said
    assert ".venv" in said


@pytest.mark.parametrize("arguments", [["demo"], ["check"], ["test"], ["demo", "PDFS=papers"]], ids=" ".join)
def test_the_makefile_has_the_commands_of_the_readme(arguments: list[str]) -> None:
    pages = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    assert f"make {' '.join(arguments)}" in pages
    subprocess.run(
        ["make", "--dry-run", *arguments], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE
    )


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_relative_links_lead_somewhere(page: str) -> None:
    for target in re.findall(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)", _prose(page)):
        if re.match(r"\w+:", target):
            continue
        path, _, anchor = target.partition("#")
        file = (ROOT / page).parent / path if path else ROOT / page
        assert file.exists(), f"{page}: {target}"
        if anchor:
            assert anchor in _anchors(file), f"{page}: {target}"


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_files_and_folders_that_pages_name_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w./])(?:lookup|pipeline|tests|benchmarks|docs)/[\w./-]*\w", text)
    assert [name for name in named if not (ROOT / name).exists()] == []
    tests = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert set(re.findall(r"\btest_\w+\.py\b", text)) <= tests


REFERENCE = run_path(str(ROOT / "tools/reference.py"))


@pytest.mark.parametrize("name", REFERENCE["PAGES"])
def test_the_reference_is_generated_from_the_code(name: str) -> None:
    written = (ROOT / "docs/reference" / name).read_text(encoding="utf-8")
    assert written == REFERENCE["PAGES"][name](), "Run `make reference`."


def _prose(page: str) -> str:
    return re.sub(
        r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def _anchors(file: Path) -> set[str]:
    """The anchors that GitHub gives the file's headings."""
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
