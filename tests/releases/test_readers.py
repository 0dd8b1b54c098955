"""Readers see whole releases and no error, whatever is published and removed under them."""

import json
import shutil
import subprocess
import sys
from itertools import cycle

import pytest

import lookup
from lookup.release.current import current_release
from pipeline.models.install import install_model
from tests.support.builds import Library
from tests.support.models import tiny_model
from tests.support.project import ROOT
from tests.support.readers import ENOUGH, PAPERS, STATES, sentence
from tests.support.waiting import PATIENCE, wait_until

pytestmark = [pytest.mark.system, pytest.mark.long]


@pytest.fixture
def library(tmp_path):
    return Library(tmp_path)


def publish(library, state):
    for key in PAPERS:
        library.add(key, sentence(state))
    return library.build()[1]


def test_readers_in_several_processes_see_only_whole_releases(library):
    states = cycle(STATES)
    publish(library, next(states))
    stop = library.root / "stop"
    command = [sys.executable, "-m", "tests.support.readers", str(library.corpus), "4", str(stop)]
    readers = [subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [next(iter(reader.stdout or ())) for reader in readers] == ["reading\n"] * 2
    for _ in range(4):  # more than are kept: what the readers opened first is gone in the end
        assert publish(library, next(states)).new
    wait_until(
        lambda: len([*library.root.glob("stop-enough-*")]) == 2 or not publish(library, next(states)).new
    )
    stop.touch()
    said = [json.loads(reader.communicate(timeout=PATIENCE)[0]) for reader in readers]
    assert [one["wrong"] for one in said] == [[], []]
    assert all(len(one["releases"]) > 1 and one["reads"] > ENOUGH for one in said)


def test_a_reader_goes_over_to_the_newest_release_when_told(library):
    publish(library, "amber")
    with lookup.open(library.corpus) as corpus:
        publish(library, "beryl")
        assert corpus.quote("left", sentence("amber")).matches[0].verdict == "verbatim"
        with lookup.open(library.corpus) as another:
            assert another.quote("left", sentence("beryl")).matches[0].verdict == "verbatim"
        assert corpus.refresh()
        assert not corpus.refresh()
        assert corpus.quote("left", sentence("beryl")).matches[0].verdict == "verbatim"


def test_a_release_that_is_removed_while_it_is_open_is_read_on(library, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(tmp_path / "models"))
    model = install_model(tiny_model(tmp_path / "source"), tmp_path / "models" / "tiny")
    for key in PAPERS:
        library.add(key, sentence("amber"))
    library.build(model=model)
    with lookup.open(library.corpus) as corpus:
        shutil.rmtree(corpus.release.folder)
        assert corpus.quote("left", sentence("amber")).matches[0].verdict == "verbatim"
        assert corpus.document("right")
        assert corpus.sentences("All is as it was", match_threshold=-1.0)  # its vectors too, first needed now


@pytest.mark.parametrize("lost", ["the folder", "the database"])
def test_a_release_that_is_replaced_and_removed_while_it_is_being_opened_gives_way_to_the_next(
    library, monkeypatch, lost
):
    publish(library, "amber")
    first = current_release(library.corpus)
    pending = [first]
    where = "lookup.release.current.json.loads" if lost == "the folder" else "lookup.corpus.current_release"
    real = json.loads if lost == "the folder" else current_release

    def overtaken(*arguments):
        if lost == "the database":
            found = real(*arguments)
        if pending:
            pending.pop()
            monkeypatch.setattr(where, real)
            publish(library, "beryl")
            shutil.rmtree(first.folder)
            if lost == "the folder":
                raise FileNotFoundError(first.folder)
        return found if lost == "the database" else real(*arguments)

    monkeypatch.setattr(where, overtaken)
    with lookup.open(library.corpus) as corpus:
        assert corpus.release.name > first.name
        assert corpus.quote("left", sentence("beryl")).matches
