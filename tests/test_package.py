"""What the wheel holds, and what the set-up of the project promises."""

import re
import tomllib

from hatchling.builders.wheel import WheelBuilder

from tests.support.project import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_wheel_holds_the_code_its_marks_of_types_and_what_the_pages_are_made_of():
    held = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    here = {
        path.relative_to(ROOT).as_posix()
        for folder in ("lookup", "pipeline")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {"lookup/py.typed", "pipeline/py.typed", "lookup/web/templates/page.html"} <= here
    assert here == held


def test_the_demo_installs_what_builds_a_corpus_in_the_versions_of_the_full_environment():
    demo, full = locked("requirements-demo.txt"), locked("requirements-dev.txt")
    assert demo < full
    extras = PROJECT["project"]["optional-dependencies"]
    needed = PROJECT["project"]["dependencies"] + extras["pipeline"] + PROJECT["dependency-groups"]["demo"]
    assert {name(one) for one in needed} <= {name(one) for one in demo}
    assert not {"ray", "dvc", "pytest", "mypy"} & {name(one) for one in demo}


def locked(file):
    """The packages that a lock file names, with their versions."""
    return set(re.findall(r"^[\w.-]+==[\w.]+", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE))


def name(requirement):
    return re.split(r"[^\w.-]", requirement)[0]


def test_each_hook_of_a_commit_runs_a_tool_of_the_environment():
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    assert set(re.findall(r"entry: \.venv/bin/([\w-]+)", hooks)) <= {
        name(one) for one in PROJECT["project"]["optional-dependencies"]["dev"]
    }
