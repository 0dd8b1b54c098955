"""Folders that list what is new late, or their files in any order, as on a network, lose nothing."""

import errno
import glob
import os
import random
import shutil

import pytest

import lookup
from lookup.release.current import current_release
from pipeline.releases.history import collect
from tests.builds.test_same_bytes import tables
from tests.support.builds import Library


class _Listed(list[os.DirEntry[str]]):
    """What `os.scandir` returns."""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


def _listing(monkeypatch, change):
    """Have each folder list its entries as `change` makes them of their names."""
    scan, names = os.scandir, os.listdir

    def scandir(path="."):
        with scan(path) as entries:
            found = {one.name: one for one in entries}
        return _Listed(found[name] for name in change([*found]))

    monkeypatch.setattr(os, "scandir", scandir)
    monkeypatch.setattr(os, "listdir", lambda path=".": change(names(path)))
    if hasattr(glob, "_StringGlobber"):  # Python 3.13 keeps it
        monkeypatch.setattr(glob._StringGlobber, "scandir", staticmethod(scandir))


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path)
    for name in ("ant", "bee", "cow"):
        made.add(name, f"The {name} sleeps by day and works by night.")
    made.build()
    return made


ORDERS = {
    "backwards": lambda names: sorted(names, reverse=True),
    "by chance": lambda names: random.Random(7).sample(names, len(names)),
}


@pytest.mark.long
@pytest.mark.parametrize("order", ORDERS)
def test_the_order_in_which_a_folder_lists_its_files_changes_no_byte(samples, tmp_path, monkeypatch, order):
    bibliography = samples / "samples.bib"
    right = tables(tmp_path / "right", [samples], bibliography, None, of=UNTIMED)
    _listing(monkeypatch, ORDERS[order])
    assert tables(tmp_path / "other", [samples], bibliography, None, of=UNTIMED) == right


UNTIMED = ("papers", "pages", "paragraphs", "sentences")


@pytest.mark.long
def test_a_release_that_is_not_listed_yet_keeps_its_number_and_its_files(library, monkeypatch):
    library.add("ant", "The ant works by day now.")
    second = library.build()[1].release.name
    with monkeypatch.context() as late:
        _listing(late, lambda names: [name for name in names if name != second])
        library.add("ant", "The ant works at noon alone.")
        third = library.build()[1].release.name
    assert (second[:7], third[:7]) == ("r000002", "r000003")
    assert (library.corpus / "releases" / second / "corpus.duckdb").exists()
    assert current_release(library.corpus).name == third
    with lookup.open(library.corpus) as corpus:
        assert corpus.verify("works at noon alone", "ant").verdict == "verbatim"


@pytest.mark.long
@pytest.mark.parametrize("why", [errno.ENOTEMPTY, errno.EBUSY])
def test_a_release_whose_folder_is_not_empty_yet_goes_with_a_later_build(library, monkeypatch, why):
    remove, releases = shutil.rmtree, library.corpus / "releases"
    kept: list[str] = []

    def rmtree(path, *given, **options):
        if not kept and ".tmp-r0" in str(path):
            kept.append(str(path))
            raise OSError(why, os.strerror(why), str(path))
        remove(path, *given, **options)

    monkeypatch.setattr(shutil, "rmtree", rmtree)
    for number in range(6):
        library.add("ant", f"The ant works by day now, number {number}.")
        library.build()
        if number == 1:
            collect(library.corpus, 1)
            assert [*releases.glob(".tmp-*")]
    assert not [*releases.glob(".tmp-*")]
