"""What README.md and docs/ show is what happens.

The pages are one story, told in one folder in the order of PAGES. A fenced block is taken by its language:

- `console`: each line that begins with "$ " is run (a backslash at its end goes on in the next line), and
  what follows is what it prints, on either stream. "..." stands for anything within a line, and alone on a
  line for any lines. A command succeeds unless `echo $?` follows it. A block is one shell, begun in the
  folder of the story.
- `pycon`: a session of Python, checked as a doctest with "..." for anything. `python`: a program that runs
  without an error; one that imports nothing goes on from the first of its page.
- `sql`: a query over the story's corpus that gives rows.
- `sh`: commands that no test runs, which the line before the block says, `<!-- not run: why -->`: no reader
  sees it. Their syntax is checked. `crontab`: the same for lines of a crontab.
- `yaml`, `ini`: what other programs read; tests/project/test_nightly_docs.py checks it.
- `json`, `toml`: what other programs read; it has to be well-formed, and tests/faces/test_mcp.py checks what
  agents read.
- `bibtex`, `text`: nothing to run.
"""

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from runpy import run_path

import pytest
from ruamel.yaml import YAML

import lookup
from lookup.embedding.model import Model
from lookup.storage.object_path import ObjectPath
from lookup.storage.objects import write_object
from pagequote.cli.sql import as_markdown
from tests.support.forked import forked_command
from tests.support.pdfs import pdf_of
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
LANGUAGES = {
    "console",
    "pycon",
    "python",
    "sql",
    "sh",
    "crontab",
    "yaml",
    "ini",
    "json",
    "toml",
    "bibtex",
    "text",
}
MEANING = "docs/guides/meaning.md"
"""Needs the default model; told after the other pages."""


_EMPTY_PAGE = pdf_of(
    [
        b"<</Type /Catalog /Pages 2 0 R>>",
        b"<</Type /Pages /Kids [3 0 R] /Count 1>>",
        b"<</Type /Page /Parent 2 0 R /MediaBox [0 0 595 842]>>",
    ]
)


@dataclass(frozen=True)
class Block:
    """A fenced block: its page, the line of its first line, its language, its text, and why it is not run."""

    page: str
    line: int
    language: str
    text: str
    not_run: str


@dataclass(frozen=True)
class Command:
    """A command of a console block, where it stands, and what the page says that it prints."""

    page: str
    line: int
    command: str
    expected: str


@dataclass(frozen=True)
class Outcome:
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
    (folder / "inbox/archive1931.pdf").write_bytes(_EMPTY_PAGE)
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
) -> dict[Command, Outcome]:
    """The commands of the page that needs a model, run where the story ended."""
    (library / "data/models").symlink_to(default_model.folder.parent)
    found = dict(outcomes)
    for block in BLOCKS:
        if block.language == "console" and block.page == MEANING:
            found |= _run(_commands(block), library, path)
    return found


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
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in ("PAGEQUOTE_CORPUS", "PAGEQUOTE_MODELS")
    }
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
    lines = [line.rstrip() for line in text.splitlines()]
    return "".join(f"{line}\n" for line in "\n".join(lines).strip("\n").splitlines())


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


@_in("sql")
def test_a_recipe_gives_rows(block: Block, library: Path, outcomes: dict[Command, Outcome]) -> None:
    with lookup.open(library / "data/corpus") as corpus:
        assert corpus.sql(block.text).fetchall() != []


@_in("pycon", "python")
def test_a_program_does_what_its_page_says(
    block: Block, library: Path, path: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    _told(block.page, request)
    monkeypatch.chdir(library)
    for name in ("PAGEQUOTE_CORPUS", "PAGEQUOTE_MODELS"):
        monkeypatch.delenv(name, raising=False)
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


@_in("json", "toml")
def test_what_other_programs_read_is_well_formed(block: Block) -> None:
    assert json.loads(block.text) if block.language == "json" else tomllib.loads(block.text)


@_in("sh")
def test_commands_that_no_test_runs_say_so_and_are_well_formed(block: Block) -> None:
    assert block.not_run
    subprocess.run(["bash", "-n", "-c", block.text], check=True, timeout=PATIENCE)


@_in("crontab")
def test_lines_of_a_crontab_say_that_no_test_runs_them_and_are_well_formed(block: Block) -> None:
    assert block.not_run
    for line in block.text.splitlines():
        match = re.fullmatch(r"(?:[\d*,/-]+ ){5}(?P<command>[^%]+)", line)  # cron reads "%" as a line's end
        assert match is not None, line
        subprocess.run(["bash", "-n", "-c", match["command"]], check=True, timeout=PATIENCE)


@pytest.mark.system
@pytest.mark.parametrize("given", [{}, {"VENV": "/somebody/elses"}])
def test_make_makes_and_clears_no_environment_but_its_own(given: dict[str, str]) -> None:
    """`make -e` and `make VENV=...` included: the environment is cleared when it is made."""
    for call in (
        ["make", "-n", "-B", "demo"],
        ["make", "-n", "-B", "-e", "demo"],
        ["make", "-n", "clean", *(f"{k}={v}" for k, v in given.items())],
    ):
        said = subprocess.run(
            call,
            cwd=ROOT,
            check=True,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            env={**os.environ, **given},
        ).stdout
        assert "/somebody/elses" not in said
        assert ".venv" in said


@pytest.mark.parametrize("arguments", [["demo"], ["check"], ["test"], ["demo", "PDFS=papers"]], ids=" ".join)
def test_the_makefile_has_the_commands_of_the_readme(arguments: list[str]) -> None:
    pages = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "CONTRIBUTING.md"))
    assert f"make {' '.join(arguments)}" in pages
    subprocess.run(
        ["make", "--dry-run", *arguments], cwd=ROOT, check=True, capture_output=True, timeout=PATIENCE
    )


def test_the_changelog_has_a_line_for_each_entry() -> None:
    entries = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("## [")[2].splitlines()[3:]
    assert [line for line in entries if line and not re.match(r"- |##|The first release", line)] == []
    assert max(map(len, entries)) <= 160


@pytest.mark.parametrize("page", PAGES)
def test_every_block_has_a_language_that_is_checked(page: str) -> None:
    assert {block.language for block in _blocks(page)} <= LANGUAGES
    fences = re.findall(r"^\s*```", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(list(_blocks(page)))


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
def test_no_page_names_a_place_on_somebody_s_machine(page: str) -> None:
    assert (
        re.findall(r"(?:/home|/Users|/root|/tmp|/work)/\S+", (ROOT / page).read_text(encoding="utf-8")) == []
    )


@pytest.mark.parametrize(("index", "pattern"), [("docs", "*/[!0-9R]*.md"), ("docs/decisions", "[0-9]*.md")])
def test_each_page_is_listed(index: str, pattern: str) -> None:
    folder = ROOT / index
    listed = re.findall(r"\]\(([^)#]+)\)", (folder / "README.md").read_text(encoding="utf-8"))
    assert {page.relative_to(folder).as_posix() for page in folder.glob(pattern)} <= set(listed)


DECISIONS = sorted((ROOT / "docs/decisions").glob("0*.md"))


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.stem)
def test_a_decision_has_its_date_and_few_words(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    title, date, *rest = text.split("\n\n")
    assert title.startswith(f"# {int(path.stem[:4])}. ")
    assert re.fullmatch(r"\d{4}-\d\d-\d\d, accepted\.", date)
    assert rest
    assert len(re.sub(r"\]\([^)]*\)", "]", text).split()) <= 250


def test_decisions_are_those_that_hold_and_what_names_one_leads_to_it() -> None:
    """At most 40; in comments of the code and in pages they are named by their numbers, too."""
    assert len(DECISIONS) <= 40
    files = [
        path for folder in FOLDERS for suffix in ("py", "md") for path in (ROOT / folder).rglob(f"*.{suffix}")
    ]
    naming = r"(?:decisions/0|[Dd]ecision |\(00)(\d+)\b"
    named = {int(one) for path in files for one in re.findall(naming, path.read_text(encoding="utf-8"))}
    assert named <= {int(path.stem[:4]) for path in DECISIONS}


@pytest.mark.parametrize("page", [*PAGES, *OTHERS])
def test_files_and_folders_that_pages_name_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"(?<![\w./])(?:lookup|pipeline|tests|benchmarks|docs)/[\w./-]*\w", text)
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_the_page_of_the_architecture_names_each_folder_and_files_that_exist() -> None:
    page = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    packages = [ROOT / name for name in ("lookup", "pipeline", "pagequote", "tests")]
    files = {path.name for package in packages for path in package.rglob("*.py")}
    assert set(re.findall(r"\b\w+\.py\b", page)) <= files
    for folder in (path.parent for package in packages[:3] for path in package.glob("*/__init__.py")):
        assert folder.relative_to(ROOT).as_posix() in page


@pytest.mark.parametrize("folder", FOLDERS)
def test_each_top_folder_says_what_it_is_and_what_may_come_in(folder: str) -> None:
    page = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    assert "**May come in:**" in page
    assert ("**May import:**" in page) == any((ROOT / folder).glob("*.py"))
    for package in (ROOT / folder).glob("*/__init__.py"):
        assert f"`{package.parent.name}`" in page


def test_the_citation_has_the_version_licence_and_title_of_the_package() -> None:
    citation = YAML(typ="safe").load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert [citation["version"], citation["license"], citation["abstract"], citation["keywords"]] == [
        project["version"],
        project["license"],
        project["description"],
        project["keywords"],
    ]


def test_the_schema_page_is_generated_from_the_schema() -> None:
    assert (ROOT / "docs/reference/schema.md").read_text(encoding="utf-8") == as_markdown()


REFERENCE = run_path(str(ROOT / "tools/reference.py"))


@pytest.mark.parametrize("name", REFERENCE["PAGES"])
def test_the_reference_is_generated_from_the_code(name: str) -> None:
    written = (ROOT / "docs/reference" / name).read_text(encoding="utf-8")
    assert written == REFERENCE["PAGES"][name](), "Run `make reference`."


def test_the_settings_are_all_that_the_code_reads() -> None:
    code = "".join(
        path.read_text(encoding="utf-8")
        for package in ("lookup", "pipeline", "pagequote")
        for path in (ROOT / package).rglob("*.py")
    )
    assert set(re.findall(r'"(PAGEQUOTE_[A-Z]+|ZOTERO_[A-Z_]+)"', code)) <= set(REFERENCE["ENVIRONMENT"])


def test_each_page_of_the_docs_is_in_the_navigation_of_the_site() -> None:
    site = (ROOT / "tools/site.toml").read_text(encoding="utf-8")
    pages = {page.relative_to(ROOT).as_posix() for page in (ROOT / "docs").rglob("*.md")}
    left_out = {page for page in pages if page.startswith("docs/decisions/0")} | {"docs/README.md"}
    assert {page for page in pages - left_out if page not in site} == set()


@pytest.mark.parametrize(
    ("expected", "printed", "agrees"),
    [
        ("found 3 rows\n", "found 3 rows\n", True),
        ("found ... rows\n", "found 3 rows\n", True),
        ("found ... rows\n", "found 3\nrows\n", False),
        ("first\n...\nlast\n", "first\nlast\n", True),
        ("first\n...\nlast\n", "first\na\n\nb\nlast\n", True),
        ("first\n...\n", "second\n", False),
        ("a.b\n", "a-b\n", False),
        ("", "something\n", False),
        ("", "", True),
    ],
)
def test_the_comparison_of_outputs_itself(expected: str, printed: str, *, agrees: bool) -> None:
    assert _agrees(expected, printed) is agrees


def _prose(page: str) -> str:
    return re.sub(
        r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL
    )


def _anchors(file: Path) -> set[str]:
    """The anchors that GitHub gives the file's headings."""
    headings = re.findall(r"^#+ (.+)$", file.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
