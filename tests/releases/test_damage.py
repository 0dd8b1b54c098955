"""A damaged file of a release is told by every face, and an exit status of 1 means that nothing was found."""

import os
import shutil
from contextlib import suppress
from threading import Event, Thread

import pytest

import lookup
from lookup.errors import DamagedError, PageQuoteError
from lookup.release.checked_files import CHECKSUMS
from pipeline.models.install import install_model
from tests.support.builds import Library, damage
from tests.support.models import tiny_model

pytestmark = pytest.mark.usefixtures("reports")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    root = tmp_path_factory.mktemp("whole")
    library = Library(root, "ant", "bee", "cat")
    library.build(model=install_model(tiny_model(root / "source"), root / "models" / "tiny"))
    return root


@pytest.fixture
def corpus(whole, tmp_path, monkeypatch):
    """A copy that may be damaged, with its model."""
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(whole / "models"))
    shutil.copytree(whole, tmp_path / "site", symlinks=True)
    return tmp_path / "site" / "corpus"


def damaged(corpus, pattern, place=0.5, flip=255):
    (path,) = (corpus / "current").resolve().glob(pattern)
    damage(path, place, flip)


@pytest.mark.parametrize(
    "pattern", ["search/*.idx", "search/*.term", "search/*.fieldnorm", "search/*.store", "search/meta.json"]
)
def test_a_damaged_index_of_words_is_an_error(corpus, pattern):
    damaged(corpus, pattern)
    with lookup.open(corpus) as opened:
        with pytest.raises(DamagedError, match=r"search/.* is damaged.*Build the corpus again"):
            opened.search("paper", mode="lexical")
        assert opened.quote("ant", "A paper about one ant").matches


@pytest.mark.parametrize("name", ["vectors.npy", "scales.npy", "signs.npy"])
def test_damaged_vectors_are_an_error(corpus, name):
    damaged(corpus, name, 0.9)
    with lookup.open(corpus) as opened:
        with pytest.raises(DamagedError, match=rf"'{name}'.* is damaged"):
            opened.sentences("a paper", match_threshold=-1)
        assert opened.quote("ant", "A paper about one ant").matches


@pytest.mark.parametrize("name", ["vectors.npy", "search/meta.json"])
def test_a_missing_file_is_an_error(corpus, name):
    ((corpus / "current").resolve() / name).unlink()
    with lookup.open(corpus) as opened, pytest.raises(DamagedError, match="cannot be read"):
        opened.sentences("a paper") if name == "vectors.npy" else opened.search("paper", mode="lexical")


def test_an_index_that_names_a_paper_that_is_not_there_is_an_error(corpus):
    damaged(corpus, "search/*.fast", place=6, flip=1 << 6)
    ((corpus / "current").resolve() / CHECKSUMS).unlink()
    with lookup.open(corpus) as opened, pytest.raises(DamagedError, match="which it does not have"):
        opened.grep("paper")


@pytest.mark.parametrize(
    "pattern", ["corpus.duckdb", "manifest.json", "SHA256SUMS", "search/*.idx", "signs.npy"]
)
def test_a_queue_in_the_place_of_a_file_is_not_waited_for(corpus, pattern):
    (path,) = (corpus / "current").resolve().glob(pattern)
    path.unlink()
    os.mkfifo(path)
    answered = Event()

    def ask():
        with suppress(PageQuoteError), lookup.open(corpus) as opened:
            opened.search("paper", mode="lexical")
            opened.sentences("a paper", match_threshold=-1)
        answered.set()

    Thread(target=ask, daemon=True).start()
    assert answered.wait(60)
