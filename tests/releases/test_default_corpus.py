"""The corpus of a call that names none: of the environment, here, or of a folder above."""

from pathlib import Path

import pytest

import lookup
from lookup.release.current import default_corpus, new_corpus
from tests.support.command import pagequote as command


@pytest.fixture
def place(tmp_path, monkeypatch, corpus_path):
    """A folder below one that has a corpus."""
    monkeypatch.delenv("PAGEQUOTE_CORPUS", raising=False)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "corpus").symlink_to(corpus_path)
    below = tmp_path / "papers" / "drafts"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    return tmp_path


def test_it_is_found_in_a_folder_above(place):
    assert default_corpus() == place / "data" / "corpus"
    with lookup.open() as corpus:
        assert corpus.verify("people prefer to work by day", "lindqvist2019").verdict == "verbatim"


def test_a_build_writes_here(place):
    assert new_corpus() == Path("data/corpus")


def test_the_nearest_and_the_named_one_come_first(place, monkeypatch):
    Path("data/corpus").mkdir(parents=True)
    assert default_corpus() == Path("data/corpus")
    monkeypatch.setenv("PAGEQUOTE_CORPUS", "elsewhere")
    assert default_corpus() == Path("elsewhere")


@pytest.mark.parametrize("border", ["repository", "home"])
def test_the_search_ends_at_a_repository_and_at_home(place, monkeypatch, border):
    if border == "home":
        monkeypatch.setenv("HOME", str(place / "papers"))
    else:
        (place / "papers" / ".git").mkdir()
    assert default_corpus() == Path("data/corpus")


@pytest.mark.long
def test_a_build_says_where_its_corpus_is_and_obeys_the_settings(place, samples, tmp_path):
    paper = samples / "okafor2021.pdf"
    here = tmp_path / "papers" / "drafts" / "data" / "corpus"
    assert f"A new corpus: {here} (--corpus names another place)" in command("build", paper).stderr
    assert "A new corpus" not in command("build", paper).stderr
    (tmp_path / "papers" / "pagequote.toml").write_text('corpus = "shelf"\n', encoding="utf-8")
    assert command("build", paper).returncode == 0
    with lookup.open(tmp_path / "papers" / "shelf") as corpus:
        assert [one.key for one in corpus.papers()] == ["okafor2021"]
