"""What the wheel holds, and what the set-up of the project promises."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from runpy import run_path

import pytest
from hatchling.builders.wheel import WheelBuilder

import lookup
import pagequote
from tests.support.needs import needs
from tests.support.project import PAGEQUOTE, ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_wheel_holds_the_code_its_marks_of_types_and_what_the_pages_are_made_of():
    held = {file.distribution_path for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    here = {
        path.relative_to(ROOT).as_posix()
        for folder in ("lookup", "objectstore", "pagequote", "pipeline", "retrieval")
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {
        "lookup/py.typed",
        "pagequote/py.typed",
        "pipeline/py.typed",
        "pagequote/web/templates/page.html",
    } <= here
    assert here == held


def test_the_package_can_be_imported_by_its_own_name():
    own = ["ground_pdf", "quote_pdf", "safe_sql", "verify_pdf"]
    assert dir(pagequote) == sorted([*lookup.__all__, *own])
    assert all(getattr(pagequote, name) is getattr(lookup, name) for name in lookup.__all__)
    with pytest.raises(AttributeError, match="turnips"):
        pagequote.turnips  # noqa: B018


@pytest.mark.long
@pytest.mark.system
def test_files_of_the_user_that_are_called_as_our_packages_do_not_break_the_command(tmp_path):
    for name in ("lookup.py", "pipeline.py", "click.py"):
        (tmp_path / name).write_text("raise SystemExit('this is the file of the user')")
    for command in ([sys.executable, "-m", "pagequote"], [PAGEQUOTE]):
        done = subprocess.run(
            [*command, "--version"], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert PROJECT["project"]["version"] in done.stdout


@pytest.mark.system
def test_a_file_of_the_user_that_hides_the_package_is_named(tmp_path):
    (tmp_path / "lookup.py").write_text("")
    (tmp_path / "program.py").write_text("import pagequote; pagequote.open")
    done = subprocess.run(
        [sys.executable, "program.py"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert f"{str(tmp_path / 'lookup.py')!r} is imported in place of PageQuote's package" in done.stderr


def wheel(root, folder):
    return Path(next(WheelBuilder(str(root)).build(directory=str(folder), versions=["standard"])))


def test_the_wheel_is_the_same_whoever_builds_it_where_and_when(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for name in ("lookup", "objectstore", "pagequote", "pipeline", "retrieval", "tools"):
        shutil.copytree(ROOT / name, elsewhere / name, copy_function=shutil.copyfile)
    for name in ("pyproject.toml", "README.md", "LICENSE", ".gitignore"):
        shutil.copyfile(ROOT / name, elsewhere / name)
    for path in elsewhere.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000))
        path.chmod(0o700 if path.is_dir() else 0o600)
    one, other = wheel(ROOT, tmp_path / "one"), wheel(elsewhere, tmp_path / "other")
    assert one.name == other.name
    assert one.read_bytes() == other.read_bytes()


@needs("Python 3.11 on Linux")
def test_the_bill_of_materials_and_the_page_of_licences_are_of_what_is_installed():
    made = run_path(str(ROOT / "tools" / "bill_of_materials.py"))
    said = "Run `make bill`."
    assert made["bill"]() == made["BILL"].read_text(encoding="utf-8"), said
    assert made["page"]() == made["PAGE"].read_text(encoding="utf-8"), said


def name(requirement):
    return re.split(r"[^\w.-]", requirement)[0]


_EXTRAS = re.compile(
    r"""pagequote\[([\w,]+)\]|(?:install|depend).*(?:PATH|CLONE|\.)\[([\w,]+)\]"""
    r"""|\bextras? `(\w+)`|--extra (\w+)"""
)
"""Names of extras: of `pagequote[a,b]`, of `install .[a,b]`, "the extra `a`" and `--extra a`."""


def test_each_extra_that_is_named_anywhere_exists():
    files = [*ROOT.glob("*"), *ROOT.glob(".*.yaml"), *(ROOT / ".ci").glob("*")]
    for folder in (
        "benchmarks",
        "data/samples",
        "docs",
        "lookup",
        "pagequote",
        "pipeline",
        "retrieval",
        "tools",
    ):
        files += (ROOT / folder).rglob("*")
    named = {
        (path.relative_to(ROOT).as_posix(), extra)
        for path in files
        if path.is_file()
        and path.suffix in {"", ".md", ".py", ".toml", ".yaml", ".yml", ".json", ".txt"}
        and not {"decisions", "node_modules"} & set(path.parts)  # what was, and what is others'
        for found in _EXTRAS.findall(path.read_text(encoding="utf-8"))
        for extra in "".join(found).split(",")
    }
    assert {("docs/guides/installing.md", "pipeline"), ("action.yml", "s3"), ("Makefile", "dev")} <= named
    known = {*PROJECT["project"]["optional-dependencies"]}
    assert [(path, extra) for path, extra in sorted(named) if extra not in known] == []
