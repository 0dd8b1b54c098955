"""The stages of dvc.yaml build a corpus, and only what changed runs again."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.forked import forked_command
from tests.support.models import tiny_model, tiny_sparse_model
from tests.support.needs import needs
from tests.support.project import ROOT
from tests.support.waiting import PATIENCE


@pytest.fixture(scope="module")
def forked(tmp_path_factory):
    """A folder with the command."""
    with forked_command(tmp_path_factory.mktemp("bin")) as folder:
        yield folder


@pytest.mark.system
@needs("dvc")
def test_dvc_repro_builds_and_the_second_time_does_nothing(tmp_path, forked):
    for name in ("dvc.yaml", "params.yaml", ".dvcignore", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path / name)
    for name in ("lookup", "pipeline", "data/samples", ".dvc"):
        shutil.copytree(
            ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "pdfs", "tmp", "cache")
        )
    environment = {
        **os.environ,
        "PATH": f"{forked}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "DVC_NO_ANALYTICS": "1",
    }

    def run(*command):
        done = subprocess.run(
            command,
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    # A model of the test's own: the one that is meant has to be downloaded.
    tiny_model(tmp_path / "my-models" / "tiny")
    tiny_sparse_model(tmp_path / "my-models" / "words")
    params = (tmp_path / "params.yaml").read_text()
    params = params.replace("name: all-MiniLM-L6-v2", "name: tiny").replace(
        'source: ""', "source: my-models/tiny"
    )
    params = params.replace("name: splade-tiny", "name: words").replace(
        "source: splade-tiny", "source: my-models/words"
    )
    (tmp_path / "params.yaml").write_text(params)
    run("git", "init", "--quiet")
    run("dvc", "repro")
    current = (tmp_path / "data" / "corpus" / "current").readlink()
    assert "Running stage" not in run("dvc", "repro")
    assert (tmp_path / "data" / "corpus" / "current").readlink() == current
    figures = json.loads((tmp_path / "data" / "metrics.json").read_text())
    assert figures["rows"]["papers"] == 4
    assert figures["rows"]["vectors"] > 100
    assert "metrics.json" in run("dvc", "metrics", "show")
    manifest = json.loads((tmp_path / "data" / "corpus" / "current" / "manifest.json").read_text())
    assert manifest["search"]["terms"].startswith("words@"), "not that of the machine"
    assert f"weighted words of {manifest['search']['terms']}" in run("pagequote", "status")
