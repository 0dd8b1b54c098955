"""The ways to PageQuote besides pip: the bundle and the entry for agents' clients, the action, the image, the
site.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from runpy import run_path

import pytest
from ruamel.yaml import YAML

from pagequote.cli.commands import pagequote
from pagequote.mcp.tools import TOOLS
from tests.support.command import pagequote as command
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.waiting import PATIENCE

WHOLE = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = WHOLE["project"]
ACTION = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))

(HOOK,) = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))


def parsed(arguments):
    """The values of a command line of ours, which must be one."""
    command = pagequote.get_command(
        pagequote.make_context("pagequote", [], resilient_parsing=True), arguments[0]
    )
    assert command is not None
    return command.make_context(arguments[0], list(arguments[1:])).params


def test_the_bundle_for_agents_starts_the_server_that_its_manifest_describes(tmp_path):
    made = run_path(str(ROOT / "tools" / "mcp_bundle.py"))
    one, other = tmp_path / "one.mcpb", tmp_path / "two" / "other.mcpb"
    made["write"](one)
    made["write"](other)
    assert one.read_bytes() == other.read_bytes()
    with zipfile.ZipFile(one) as bundle:
        held = set(bundle.namelist())
        manifest = json.loads(bundle.read("manifest.json"))
    server = manifest["server"]
    assert {server["entry_point"], "pyproject.toml", "pagequote/mcp/server.py"} <= held
    assert {*PROJECT["license-files"], PROJECT["readme"]} <= held
    assert manifest["version"] == PROJECT["version"]
    assert {tool["name"] for tool in manifest["tools"]} == {tool.name for tool in TOOLS}
    arguments = server["mcp_config"]["args"]
    extras = {arguments[at + 1] for at, word in enumerate(arguments) if word == "--extra"}
    assert extras <= set(PROJECT["optional-dependencies"])
    asked = parsed(arguments[arguments.index("pagequote") + 1 :])
    assert str(asked["corpus"]) == "${user_config.corpus}"
    assert set(manifest["user_config"]) == {"corpus"}


def test_the_entry_for_registries_names_this_version_and_a_command_that_exists():
    entry = json.loads((ROOT / "tools/server.json").read_text(encoding="utf-8"))
    (package,) = entry["packages"]
    assert {entry["version"], package["version"]} == {PROJECT["version"]}
    assert package["identifier"] == PROJECT["name"]
    assert len(entry["description"]) <= 100
    command, corpus = package["packageArguments"]
    assert str(parsed([command["value"], corpus["name"], "here"])["corpus"]) == "here"
    (needed,) = package["runtimeArguments"]
    assert needed["value"].endswith(f"=={PROJECT['version']}")


@pytest.mark.system
@pytest.mark.parametrize(
    ("text", "status"), [("people prefer to work by day", 0), ("people prefer to work by night", 1)]
)
def test_the_action_leaves_findings_and_the_status_to_fail_with(corpus_path, tmp_path, text, status):
    (tmp_path / "draft one.md").write_text("nothing quoted\n", encoding="utf-8")
    (tmp_path / "draft.md").write_text(
        f'It is said that "{text}" [@lindqvist2019, p. 1650].\n', encoding="utf-8"
    )
    done, results = run_action(tmp_path, corpus=str(corpus_path))
    assert done == status
    assert len(results) == status


def run_action(folder, **inputs):
    """Run the step that checks, in this folder, with these inputs; return its status, and what it found."""
    step = next(step for step in ACTION["runs"]["steps"] if step.get("id") == "check")
    given = {name: one.get("default", "*.md") for name, one in ACTION["inputs"].items()} | inputs
    named = {name: given[value[len("${{ inputs.") : -len(" }}")]] for name, value in step["env"].items()}
    output = folder / "output"
    output.unlink(missing_ok=True)
    path = f"{PAGEQUOTE.parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        env={**os.environ, **named, "PATH": path, "GITHUB_OUTPUT": str(output)},
    )
    assert done.returncode == 0, done.stderr
    (run,) = json.loads((folder / ACTION["outputs"]["sarif"]["value"]).read_text(encoding="utf-8"))["runs"]
    return int(output.read_text(encoding="utf-8").removeprefix("status=").strip()), run["results"]


@pytest.mark.long
@pytest.mark.system
def test_the_action_takes_a_lock_file_in_place_of_the_corpus(corpus_path, tmp_path):
    draft = tmp_path / "draft.md"
    draft.write_text('It is said that "people prefer to work by day" [@lindqvist2019, p. 1650].\n')
    subprocess.run([PAGEQUOTE, "pin", draft, "--corpus", corpus_path], check=True, timeout=PATIENCE)
    assert run_action(tmp_path, corpus="none", locked="true") == (0, [])
    assert run_action(tmp_path, corpus=str(corpus_path), report="report.html") == (0, [])
    assert "1 right" in (tmp_path / "report.html").read_text(encoding="utf-8")
    draft.write_text(draft.read_text().replace("by day", "by night"))
    assert run_action(tmp_path, corpus="none", locked="true")[0] == 1


def test_the_action_hands_no_input_to_the_shell_as_code():
    assert not [step["run"] for step in ACTION["runs"]["steps"] if "${{" in step.get("run", "")]


def test_the_image_gets_all_that_it_copies():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    kept = {line[1:] for line in ignored if line.startswith("!")}
    assert all((ROOT / name).exists() for name in kept)
    wheel = WHOLE["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["packages"], *wheel["sbom-files"], *PROJECT["license-files"]}
    assert needed | {PROJECT["readme"], "pyproject.toml"} <= kept


def test_a_user_without_a_home_builds_and_quotes_as_in_the_image(samples, tmp_path):
    """As Docker has it for a uid that it does not know: `/` for a home, and the cache of the image."""
    docker = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    assert re.search(r"(?m)^ENV PAGEQUOTE_CACHE=/tmp/", docker)
    shutil.copy(samples / "okafor2021.pdf", tmp_path)
    for call in (
        ("build", "okafor2021.pdf", "--corpus", "corpus", "--workers", "1"),
        ("quote", "A flooded sheet does betray itself", "--corpus", "corpus"),
    ):
        done = command(*call, cwd=tmp_path, HOME="/", PAGEQUOTE_CACHE=str(tmp_path / "cache"))
        assert done.returncode == 0, done.stderr
    assert "verbatim" in done.stdout
    assert {one.name for one in tmp_path.iterdir()} <= {"okafor2021.pdf", "corpus", "work", "cache"}


def test_the_action_and_the_hook_install_what_reads_drafts_as_the_package_has_it():
    (install,) = (step["run"] for step in ACTION["runs"]["steps"] if step.get("name") == "Install")
    asked = {*re.findall(r"'([^']+)'", install), *HOOK["additional_dependencies"]}
    assert asked <= set(PROJECT["optional-dependencies"]["serve"])


@pytest.mark.system
@pytest.mark.long
def test_the_hook_works_in_the_environment_that_pre_commit_makes_for_it(corpus_path, tmp_path):
    """pre-commit installs the project and what the hook adds into an environment of its own."""
    python = tmp_path / "hook/bin/python"
    subprocess.run([sys.executable, "-m", "venv", tmp_path / "hook"], check=True, timeout=PATIENCE)
    install = [python, "-m", "pip", "install", "--quiet", "--retries", "0", "--timeout", "30"]
    done = subprocess.run(
        [*install, ROOT, *HOOK["additional_dependencies"]], capture_output=True, text=True, check=False
    )
    if "No matching distribution found" in done.stderr:
        pytest.skip("no registry can be reached")
    assert (done.returncode, "does not provide the extra" in done.stderr) == (0, False), done.stderr
    assert HOOK["args"][-1] == "--", "a file's name is no option"
    entry = [python.with_name("pagequote"), *HOOK["entry"].split()[1:], *HOOK["args"]]
    drafts = {
        "a.tex": r"\enquote{people prefer to work by day} \cite[1650]{lindqvist2019}",
        "b.md": '"people prefer to work by day" [@lindqvist2019, p. 1650]',
        "c.typ": '"people prefer to work by day" @lindqvist2019[p. 1650]',
    }
    for name, text in drafts.items():
        (tmp_path / name).write_text(f"It is said that {text}.\n", encoding="utf-8")
        assert re.search(HOOK["files"], name)
    environment = {**os.environ, "PAGEQUOTE_CORPUS": str(corpus_path)}
    ran = subprocess.run(
        [*entry, *drafts], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "3 quotations" in ran.stdout + ran.stderr


@pytest.mark.system
@pytest.mark.long
def test_the_site_is_made_of_pages_whose_links_lead_somewhere(tmp_path):
    run_path(str(ROOT / "tools" / "site.py"))["copy_pages"](tmp_path / "pages")
    shutil.copy(ROOT / "tools/site.toml", tmp_path)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "-f", "site.toml"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len([*(tmp_path / "site").rglob("*.html")]) > 40
