"""Corpus and work folders from a stranger, with links in them: nothing outside of them changes."""

import json
import os
import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from lookup.errors import PageQuoteError
from lookup.storage.object_path import Stranger
from pipeline.builds.add_paper import remove_paper
from pipeline.builds.garbage import collect_garbage
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import LOCK, changed_in_place, locked, remove, rename, write_atomically
from pipeline.releases.history import rollback
from tests.support.builds import build
from tests.support.pdfs import pdf
from tests.support.project import ROOT

DEPTHS = {
    "the corpus": "corpus",
    "its releases": "corpus/releases",
    "its lock": "corpus/build.lock",
    "its journal": "corpus/builds.jsonl",
    "what it says of its files": "corpus/proven.json",
    "the work folder": "work",
    "its extractions": "work/extracted",
    "the extractions of this version": f"work/extracted/{EXTRACTOR}",
    "its vectors": "work/vectors",
    "its added papers": "work/added",
    "its sources": "work/sources.parquet",
    "its hashes": "work/contents.json",
    "the lock of the work folder": "work/build.lock",
}


def _tree(folder):
    return {
        str(path.relative_to(folder)): (path.lstat().st_mode, path.is_file() and path.read_bytes())
        for path in folder.rglob("*")
    }


def _published(home):
    (home / "papers").mkdir(parents=True)
    (home / "papers/feng.pdf").write_bytes(pdf("A paper that is read and published."))
    build([home / "papers"], home, corpus=home / "corpus", work=home / "work")
    return home


@pytest.fixture(scope="module")
def published(tmp_path_factory):
    return _published(tmp_path_factory.mktemp("hostile"))


def _copy(published, home):

    shutil.copytree(published, home, symlinks=True)
    outside = home.parent / "outside"
    for name in ("recipes", "reports", ".tmp-mine", f"{EXTRACTOR}/ab", "feng"):
        (outside / name).mkdir(parents=True)
        (outside / name / "mine.txt").write_text("mine")
    (outside / "mine.txt").write_text("mine")
    return outside


def _commands(home):
    corpus, work = home / "corpus", home / "work"
    return {
        "build": lambda: build([home / "papers"], home, corpus=corpus, work=work),
        "gc": lambda: collect_garbage(corpus, work, keep=1),
        "use": lambda: rollback(corpus, "current", hold=True),
        "remove": lambda: remove_paper("feng", work, corpus),
    }


@pytest.mark.parametrize("depth", DEPTHS)
def test_a_link_leads_no_writer_out_of_the_folder(published, tmp_path, depth):
    home = tmp_path / "clone"
    outside = _copy(published, home)
    link = home / DEPTHS[depth]
    target = outside / "mine.txt" if "." in link.name else outside
    before = _tree(outside)
    if link.is_dir():
        link.rename(link.with_name(f"{link.name}-was"))
    link.unlink(missing_ok=True)
    link.symlink_to(target)
    (home / "papers/late.pdf").write_bytes(pdf("Another paper, which came later."))
    for command in _commands(home).values():
        with suppress(PageQuoteError):
            command()
    assert _tree(outside) == before


def test_a_folder_that_no_release_is_called_stays(published, tmp_path):
    home = tmp_path / "clone"
    _copy(published, home)
    mine = home / "corpus/releases/recipes"
    mine.mkdir()
    build([home / "papers"], home, corpus=home / "corpus", work=home / "work", force=True)
    collect_garbage(home / "corpus", home / "work", keep=1)
    assert mine.is_dir()


@pytest.mark.parametrize("named", ["{outside}/mine.txt.pdf", "../../../outside/mine.txt.pdf"])
def test_an_added_paper_is_a_file_beside_its_library(published, tmp_path, named):
    home = tmp_path / "clone"
    outside = _copy(published, home)
    (outside / "mine.txt.pdf").write_bytes(pdf("A thesis of which there is one copy."))
    before = _tree(outside)
    (home / "work/added").mkdir()
    item = {"id": "y2020", "citation-key": "y2020", "type": "article", "file": named.format(outside=outside)}
    (home / "work/added/library.json").write_text(json.dumps([item]))
    extraction, _ = build([home / "papers"], home, corpus=home / "corpus", work=home / "work")
    assert extraction.failures == {"added": 1}
    with pytest.raises(PageQuoteError, match="was not added"):
        remove_paper("y2020", home / "work", home / "corpus")
    assert _tree(outside) == before


def test_a_lock_is_a_file_of_its_own(tmp_path):
    mine = tmp_path / "keys"
    mine.write_text("mine")
    (tmp_path / "corpus").mkdir()
    for make in (os.symlink, os.link):
        make(mine, tmp_path / "corpus" / LOCK)
        with pytest.raises(PageQuoteError, match="no file of its own"), locked(tmp_path / "corpus"):
            pass
        (tmp_path / "corpus" / LOCK).unlink()
    os.mkfifo(tmp_path / "corpus" / LOCK)
    with pytest.raises(PageQuoteError, match="no file of its own"), locked(tmp_path / "corpus"):
        pass
    assert mine.read_text() == "mine"


def test_a_relative_root_has_no_link_in_it(tmp_path, monkeypatch):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "data").symlink_to("elsewhere")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PageQuoteError, match="'data' is a link to 'elsewhere'"), locked(Path("data/corpus")):
        pass
    assert not [*(tmp_path / "elsewhere").iterdir()]


def test_what_is_below_a_link_is_neither_written_nor_moved_nor_removed(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").write_text("mine")
    (tmp_path / "work").mkdir()
    (tmp_path / "work/link").symlink_to(tmp_path / "mine")
    within = tmp_path / "work"
    for write in (
        lambda: write_atomically(within / "link/new", b"", within),
        lambda: remove(within / "link/file", within),
        lambda: rename(within / "link/file", within / "taken", within),
        lambda: remove(within / "../mine/file", within),
    ):
        with pytest.raises(PageQuoteError):
            write()
    assert _tree(tmp_path / "mine").keys() == {"file"}
    remove(within / "link", within)
    assert not (within / "link").is_symlink()
    assert (tmp_path / "mine/file").exists()


def test_a_file_with_two_names_is_not_changed_in_place(tmp_path):
    (tmp_path / "mine").write_text("mine")
    os.link(tmp_path / "mine", tmp_path / "taken")
    with pytest.raises(PageQuoteError, match="no file of its own"), changed_in_place(tmp_path / "taken"):
        pass


def test_the_page_on_security_and_the_code_say_the_same_of_strangers():
    page = (ROOT / "docs/security.md").read_text(encoding="utf-8")
    rows = page.partition("a stranger's | how far")[2].splitlines()[2 : 2 + len(Stranger)]
    told = [tuple(row.removeprefix("| ").split(" | ")[:2]) for row in rows]
    assert told == [(what, reach.value) for what, reach in (one.value for one in Stranger)]
