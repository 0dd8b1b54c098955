"""The examples of docs/guides/nightly.md are of the form that cron, systemd, DVC and GitHub read, and call
commands and options that exist.
"""

import configparser
import re
import shlex
import subprocess

import click
import pytest
from ruamel.yaml import YAML

from pagequote.cli.commands import pagequote
from pipeline.report.release_report import WHAT_TO_DO
from tests.support.needs import needs
from tests.support.project import ROOT
from tests.support.waiting import PATIENCE

PAGE = (ROOT / "docs/guides/nightly.md").read_text(encoding="utf-8")


def blocks(language):
    """The fenced blocks of a language by the name that their first line gives them."""
    found = re.findall(rf"^```{language}\n# ([^\n]*)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return dict(found)


UNITS = blocks("ini")
YAMLS = {name: YAML(typ="safe").load(text) for name, text in blocks("yaml").items()}
(CRONTAB,) = re.findall(r"^```crontab\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
WORKFLOW = YAMLS[".github/workflows/corpus.yml"]
STEPS = WORKFLOW["jobs"]["build"]["steps"]

CRON_FIELDS = ((0, 59), (0, 23), (1, 31), (1, 12), (0, 7))


def cron_times(line):
    """The five fields of a crontab's line as sets of numbers, and its command; raises ValueError where cron
    would not take it.
    """
    *fields, command = line.split(maxsplit=5)
    if len(fields) != 5 or "%" in command:
        raise ValueError(line)
    return [_cron_field(field, *bounds) for field, bounds in zip(fields, CRON_FIELDS, strict=True)], command


def _cron_field(field, low, high):
    values = set()
    for part in field.split(","):
        match = re.fullmatch(r"(\*|(\d+)(?:-(\d+))?)(?:/(\d+))?", part)
        if match is None:
            raise ValueError(field)
        first = low if match[1] == "*" else int(match[2])
        last = high if match[1] == "*" else int(match[3] or match[2])
        if not low <= first <= last <= high:
            raise ValueError(field)
        values |= set(range(first, last + 1, int(match[4] or 1)))
    return values


def called(text):
    """The calls of pagequote in shell text, as lists of arguments."""
    for part in re.split(r"[;|&\n{}]+|>>?", text):
        words = shlex.split(part)
        names = [number for number, word in enumerate(words) if word.rpartition("/")[2] == "pagequote"]
        if names and not {"install", "enable"} & set(words[: names[0]]):
            yield words[names[0] + 1 :]


def calls():
    yield from called(CRONTAB)
    for unit in UNITS.values():
        for line in re.findall(r"^ExecStart=(.*)$", unit, re.MULTILINE):
            yield from called(line)
    for step in STEPS:
        yield from called(step.get("run", ""))
    for stage in YAMLS["Of dvc.yaml"]["stages"].values():
        yield from called(stage["cmd"])


def check(arguments):
    """Raise click.UsageError where there is no such command, or it has no such option."""
    above = click.Context(pagequote, **pagequote.context_settings)
    command = pagequote.get_command(above, arguments[0])
    if command is None:
        raise click.UsageError(arguments[0])
    context = command.make_context(arguments[0], arguments[1:], parent=above)
    if isinstance(command, click.Group):
        _, inner, rest = command.resolve_command(context, arguments[1:])
        assert inner is not None
        inner.make_context(arguments[1], rest, parent=context)


def test_each_example_calls_pagequote():
    assert sorted(arguments[0] for arguments in calls()) == [
        "build",
        "build",
        "build",
        "releases",
        "status",
        "status",
        "status",
    ]


@pytest.mark.parametrize("arguments", list(calls()), ids=" ".join)
def test_the_commands_and_their_options_exist(arguments):
    check(list(arguments))


@pytest.mark.parametrize(
    "arguments", [["build", "papers", "--nightly"], ["make"], ["releases", "gc", "--keep", "few"]]
)
def test_the_check_of_commands_finds_what_is_wrong(arguments):
    with pytest.raises(click.UsageError):
        check(arguments)


@pytest.mark.system
def test_the_lines_of_the_crontab_are_cron_s():
    first, second = (cron_times(line) for line in CRONTAB.splitlines())
    assert first[0][:3] == [{15}, {2}, set(range(1, 32))]
    assert second[0][:2] == [{0}, {9}]
    for _, command in (first, second):
        subprocess.run(["bash", "-n", "-c", command], check=True, timeout=PATIENCE)


@pytest.mark.parametrize(
    "line", ["60 2 * * * a", "15 2 * * a", "15 2 * * * a %d", "x 2 * * * a", "5-1 2 * * * a"]
)
def test_the_check_of_crontabs_finds_what_is_wrong(line):
    with pytest.raises(ValueError, match=r".+"):
        cron_times(line)


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_has_the_form_of_one(name):
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.read_string(UNITS[name])
    sections = {"pagequote.service": {"Unit", "Service"}, "pagequote.timer": {"Unit", "Timer", "Install"}}
    assert set(parser.sections()) == sections[name]


@pytest.mark.system
@needs("systemd")
def test_systemd_takes_the_units(tmp_path):
    for name, text in UNITS.items():
        # Neither the program nor the user of the example is on this machine.
        there = text.replace("/srv/library/.venv/bin/pagequote", "/bin/true").replace("User=pagequote\n", "")
        (tmp_path / name).write_text(there.replace("/srv/library", "/"))
    command = ["systemd-analyze", "verify", "--man=no", *(str(tmp_path / name) for name in UNITS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    ours = [line for line in done.stderr.splitlines() if "pagequote" in line]
    assert ours == []
    assert done.returncode == 0, done.stderr
    (calendar,) = re.findall(r"^OnCalendar=(.*)$", UNITS["pagequote.timer"], re.MULTILINE)
    subprocess.run(
        ["systemd-analyze", "calendar", calendar], check=True, capture_output=True, timeout=PATIENCE
    )


def test_the_stage_of_dvc_is_the_one_in_dvc_yaml():
    parameters = YAML(typ="safe").load((ROOT / "params.yaml").read_text())
    text = (ROOT / "dvc.yaml").read_text().replace("${corpus}", parameters["corpus"])
    assert YAML(typ="safe").load(text)["stages"]["report"] == YAMLS["Of dvc.yaml"]["stages"]["report"]


@pytest.mark.system
def test_the_workflow_has_what_github_asks_of_one():
    assert {"name", "on", "jobs"} <= WORKFLOW.keys()
    cron_times(f"{WORKFLOW['on']['schedule'][0]['cron']} command")
    assert WORKFLOW["jobs"]["build"]["runs-on"] == "ubuntu-latest"
    for step in STEPS:
        assert len({"uses", "run"} & step.keys()) == 1
        assert step.keys() <= {"uses", "run", "with", "name"}
        if "uses" in step:
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
        else:
            subprocess.run(["bash", "-n", "-c", step["run"]], check=True, timeout=PATIENCE)


def test_each_reason_in_the_code_has_something_to_do():
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pipeline").rglob("*.py"))
    given = set(
        re.findall(
            r'(?:UnreadableError\(\s*|reason = |reason, detail = |Failed\(task\.source, )"([^"]+)"', code
        )
    )
    given |= set(re.findall(r'Rejected\([^"]*?, "([a-zA-Z ]+)", ', code))
    assert len(given) > 10
    assert given <= WHAT_TO_DO.keys()


def test_the_figures_that_dvc_compares_are_files_of_git():
    stages = YAML(typ="safe").load((ROOT / "dvc.yaml").read_text())["stages"].values()
    figures = [one for stage in stages for name in ("metrics", "plots") for one in stage.get(name, ())]
    assert figures
    ignored = (ROOT / ".gitignore").read_text().splitlines()
    for one in figures:
        ((path, options),) = one.items()
        assert options["cache"] is False
        assert f"/{path}" not in ignored
