"""What keeps a night from publishing what nobody meant."""

import errno
import json
import os
import shutil

import pytest

from lookup.errors import BuildError
from lookup.release.current import LAYOUT
from lookup.text.folding import FOLDING
from pipeline.builds import survey
from pipeline.builds.plan import plan_build
from pipeline.builds.survey import BuildSettings
from pipeline.releases.history import rollback
from pipeline.report.corpus_status import status_of
from tests.support.builds import Library, build, built_once

pytestmark = pytest.mark.usefixtures("reports")


first, library = built_once(lambda folder: Library(folder / "library", "ant", "bee", "cat", "dog", "eel"))


def test_a_file_system_without_locks_is_told_with_what_to_do(library, monkeypatch):
    def refused(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("fcntl.flock", refused)
    with pytest.raises(BuildError, match=r"No locks available.*Put the corpus on a file system with locks"):
        library.build()


def test_a_library_that_shrank_is_refused_with_what_is_missing_and_how_to_go_on(library, monkeypatch):
    monkeypatch.setattr(survey, "FEW", 0)
    for name in ("ant", "bee"):
        (library.pdfs / f"{name}.pdf").unlink()
    with pytest.raises(BuildError, match=r"2 of the 5 papers .*10 %: ant, bee .*ant\.pdf.*--max-gone 100%"):
        library.build()
    assert (library.corpus / "current" / "papers.parquet").stat()
    assert library.build(max_gone=0.4)[1].rows["papers"] == 3


def test_a_few_papers_may_go_and_renamed_ones_are_not_gone(library, monkeypatch):
    (library.pdfs / "ant.pdf").unlink()
    assert library.build()[1].rows["papers"] == 4
    monkeypatch.setattr(survey, "FEW", 0)
    for name in ("bee", "cat", "dog"):
        (library.pdfs / f"{name}.pdf").rename(library.pdfs / f"{name}fish.pdf")
    assert library.build()[1].rows["papers"] == 4


def test_a_work_folder_is_that_of_one_corpus(library, tmp_path):
    other = tmp_path / "other"
    with pytest.raises(BuildError, match=r"is that of another corpus, '.*corpus'.*--work FOLDER"):
        build([library.pdfs], tmp_path, corpus=other, work=library.work)
    moved = library.corpus.rename(tmp_path / "moved")
    # Once: the papers are elsewhere from where it stands now.
    news = [build([library.pdfs], tmp_path, corpus=moved, work=library.work)[1].new for _ in range(2)]
    assert news == [True, False]
    shutil.rmtree(moved)
    assert build([library.pdfs], tmp_path, corpus=other, work=library.work)[1].new


def figures(path):
    """The samples of a file for Prometheus, each of which has its help and its type before it."""
    lines = path.read_text().splitlines()
    kinds = [line.split()[2] for line in lines if line.startswith("# TYPE ")]
    assert kinds == [line.split()[2] for line in lines if line.startswith("# HELP ")]
    samples = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert {name.partition("{")[0] for name in samples} == set(kinds)
    return {name: float(value) for name, value in samples.items()}


def test_a_build_leaves_its_figures_for_prometheus_however_it_ends(library, tmp_path, monkeypatch):
    path = tmp_path / "textfile" / "pagequote.prom"
    options = "--work", str(library.work), "--ocr", "off", "--prometheus", str(path)
    assert library.run("build", str(library.pdfs), *options).exit_code == 0
    good = figures(path)
    assert good['pagequote_rows{table="papers"}'] == 5
    assert good["pagequote_build_success"] == 1
    shutil.rmtree(library.pdfs)
    library.pdfs.mkdir()
    library.add("fly", "The only paper that is left.")
    assert library.run("build", str(library.pdfs), *options, "--max-gone", "0%").exit_code != 0
    failed = figures(path)
    assert failed["pagequote_build_success"] == 0
    assert failed["pagequote_good_build_time_seconds"] == good["pagequote_good_build_time_seconds"]


def _manifest_with(release, **changed):
    path = release / "manifest.json"
    manifest = json.loads(path.read_bytes())
    path.unlink()  # releases share files
    path.write_text(json.dumps(manifest | changed))


@pytest.mark.parametrize(
    "changed", [{"folding": FOLDING + 1}, {"layout": LAYOUT + 1}, {"extractor": "999.1.1"}]
)
def test_an_older_version_never_replaces_what_a_newer_one_published(library, changed):
    before = (library.corpus / "current").resolve()
    _manifest_with(before, **changed)
    library.add("fox", "A paper about one fox.")
    name = next(iter(changed))
    with pytest.raises(BuildError, match=rf"by a newer pagequote \({name} .*Install that version.*--force"):
        library.build()
    done = library.run("publish", "--work", str(library.work))
    assert isinstance(done.exception, BuildError)
    assert (library.corpus / "current").resolve() == before
    assert library.read == []
    assert library.build(force=True)[1].rows["papers"] == 6


def _settings(library, **given):
    return BuildSettings([library.pdfs], [], library.work, **given)


def test_a_release_that_is_held_stays_until_somebody_says_otherwise(library):
    library.add("fox", "A paper about one fox.")
    newest = library.build()[1].release.name
    held = rollback(library.corpus, hold=True).name
    library.add("gnu", "A paper about one gnu.")
    for force in (False, True):
        assert plan_build(_settings(library, force=force), library.corpus, None).publishes is False
        published = library.build(force=force)[1]
        assert (published.release.name, published.state) == (held, "held")
    found = status_of(library.corpus)
    assert (found.release.name, found.to_dict()["held"]) == (held, True)
    assert f"held: builds publish nothing until `pagequote releases use {newest}`" in found.lines()
    assert found.to_dict()["metrics"]["build_success"] == 1
    rollback(library.corpus, newest)
    assert library.build()[1].rows["papers"] == 7
    assert not status_of(library.corpus).held
