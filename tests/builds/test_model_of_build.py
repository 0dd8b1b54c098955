"""Vectors by default: a build without --model takes that of the vectors there are, or one here."""

import sys
from types import SimpleNamespace

import click
import pytest
from click.testing import CliRunner

import lookup
from pagequote.cli.build import _model as model_asked_for
from pagequote.cli.commands import pagequote
from pipeline.models import install
from pipeline.models.install import install_model
from tests.support.models import tiny_model
from tests.support.pdfs import pdf

pytestmark = pytest.mark.system


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with two papers, and an empty folder of models."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(tmp_path / "models"))
    (tmp_path / "papers").mkdir()
    for name in ("ant", "bee"):
        (tmp_path / "papers" / f"{name}.pdf").write_bytes(_paper(f"The {name} walks over the hill at night."))
    return tmp_path


def _paper(text):
    return pdf("Front", "Matter", text)


def _install(place, name="tiny"):
    return install_model(tiny_model(place / f"{name}-source"), place / "models" / name)


def _build(*options):
    done = CliRunner().invoke(pagequote, ["build", "papers", "--workers", "1", *options])
    assert done.exit_code == 0, done.output
    with lookup.open("data/corpus") as corpus:
        ((vectors,),) = corpus.sql("SELECT count(*) FROM vectors").fetchall()
        ((papers,),) = corpus.sql("SELECT count(DISTINCT key) FROM vectors").fetchall()
        return done.output, corpus.release.model, vectors, papers


@pytest.mark.long
def test_without_a_model_a_line_says_how_to_get_one(place):
    said, model, vectors, _ = _build()
    assert (model, vectors) == (None, 0)
    assert "no vectors, so no search by meaning. Run `pagequote model get` once" in said


@pytest.mark.parametrize("wanted", [True, False])
def test_on_a_terminal_a_build_without_a_model_asks_whether_to_get_one(place, wanted, monkeypatch):
    model = _install(place)
    asked: list[str] = []

    def answer(question, **_):
        asked.append(question)
        return wanted

    (place / "models").rename(place / "elsewhere")
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(sys, stream, SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr(click, "confirm", answer)
    monkeypatch.setattr(install, "get_model", lambda *_: model)
    assert model_asked_for(None, place / "work", ask=True).model == (model if wanted else None)
    assert len(asked) == 1
    assert "90 MB" in asked[0]


@pytest.mark.long
@pytest.mark.parametrize("shards", ["1", "2"])
def test_a_model_that_is_missing_tonight_keeps_the_vectors_and_says_so(place, shards):
    model = _install(place)
    _, _, vectors, _ = _build("--shards", shards)
    (place / "models" / "tiny").rename(place / "elsewhere")
    said, made_by, kept, papers = _build("--quiet")
    assert (made_by, kept, papers) == (model.id, vectors, 2)
    assert "is not on this machine: they stay, new papers get none" in said

    (place / "papers" / "cow.pdf").write_bytes(_paper("The cow sleeps beside the river in the rain."))
    said, made_by, kept, papers = _build("--quiet")
    assert (made_by, kept, papers) == (model.id, vectors, 2)
    assert "lacking" in said
    with lookup.open("data/corpus") as corpus:
        assert corpus.verify("The cow sleeps beside the river", "cow").verdict == "verbatim"

    (place / "elsewhere").rename(place / "models" / "tiny")
    _, made_by, now, papers = _build("--quiet")
    assert (made_by, papers) == (model.id, 3)
    assert now > vectors
