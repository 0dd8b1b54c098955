"""One paper added now: what it says, that it stays through builds, and what stands in its way."""

import json
import os

import pytest

import lookup
from lookup.errors import BuildError, SourceError
from pipeline.builds.add_paper import add_paper, remove_paper
from pipeline.builds.garbage import collect_garbage
from pipeline.sources.added import added_entries
from pipeline.work.outcomes import Limits
from pipeline.work.state import read_state
from tests.support.builds import Library, built_once
from tests.support.command import pagequote
from tests.support.pdfs import pdf

MARSH = "The marsh gives back at night what it took by day."
REED = "Reeds pump air into the mud in which they stand."


class Shelf(Library):
    """A library whose corpus takes single papers, from a folder of downloads."""

    def __init__(self, root):
        super().__init__(root)
        self.downloads = root / "downloads"
        self.downloads.mkdir()

    def download(self, name, text):
        path = self.downloads / f"{name}.pdf"
        path.write_bytes(pdf("Front", "Matter", text))
        return path

    def put(self, file, key=None, *bibliographies):
        self.read.clear()
        return add_paper(file, key, bibliographies, self.work, self.corpus, Limits(), engine=self.engine)

    @property
    def papers(self):
        with lookup.open(self.corpus) as opened:
            return {paper.key: paper for paper in opened.papers()}

    def bib(self, *entries):
        path = self.root / "refs.bib"
        path.write_text("\n".join(entries), encoding="utf-8")
        return path


def _shelf(folder):
    """A shelf with one paper, of which nothing is built."""
    made = Shelf(folder / "library")
    made.add("okafor2021", "Most things are as they always were.")
    return made


first, shelf = built_once(_shelf)


def test_a_paper_is_in_the_release_beside_what_is_there_and_only_it_is_read(shelf):
    done = shelf.put(shelf.download("1-s2.0-main", MARSH), "feng2022")
    assert (done.key, done.outcome, done.published.new) == ("feng2022", "added", True)
    assert shelf.read == ["feng2022"]
    assert list(shelf.papers) == ["feng2022", "okafor2021"]
    with lookup.open(shelf.corpus) as opened:
        assert opened.quote("feng2022", MARSH).matches[0].verdict == "verbatim"


class Killed(BaseException):
    """As a signal that nothing catches, in place of one."""


def test_what_a_killed_one_left_unfinished_goes_with_the_next(shelf, monkeypatch):
    replace = os.replace

    def killed(path, target, **folders):
        if target.endswith(".pdf"):
            raise Killed
        return replace(path, target, **folders)

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", killed)
        patch.setattr("os.unlink", lambda *_, **__: None)  # nobody tidies up
        with pytest.raises(Killed):
            shelf.put(shelf.download("marsh", MARSH))
    assert list(shelf.work.rglob(".tmp-*"))
    shelf.put(shelf.download("reed", REED))
    assert not list(shelf.work.rglob(".tmp-*"))


def test_it_stays_through_builds_and_the_download_may_go(shelf):
    file = shelf.download("main", MARSH)
    shelf.put(file, "DBLP:conf/x/feng 2022")
    file.unlink()
    extraction, published = shelf.build()
    assert (shelf.read, published.new, extraction.changes) == ([], False, {"unchanged": 2, "gone": 0})
    shelf.add("new2023", "A paper that came by night.")
    shelf.build(force=True)
    assert list(shelf.papers) == ["DBLP:conf/x/feng 2022", "new2023", "okafor2021"]
    collect_garbage(shelf.corpus, shelf.work, 1)
    shelf.build()
    assert shelf.read == []
    assert "DBLP:conf/x/feng 2022" in shelf.papers


def test_a_library_says_what_it_is_and_that_is_not_lost_by_night(shelf):
    bib = shelf.bib(
        r"@article{feng2022, title = {{Marsh <nights> \& days}}, author = {Feng, Yijun and {\O}ster, "
        r"{\AA}sa},"
        " year = 2022, doi = {10.1000/X.5}, journal = {J. Reeds}, abstract = {All <i>of</i> it.}}"
    )
    shelf.put(shelf.download("feng2022", MARSH), None, bib)
    paper = shelf.papers["feng2022"]
    assert (paper.title, paper.authors) == ("Marsh <nights> & days", ("Feng, Yijun", "Øster, Åsa"))
    assert (paper.year, paper.doi, paper.venue) == (2022, "10.1000/x.5", "J. Reeds")
    extraction, published = shelf.build()
    assert (extraction.changes["metadata"], published.new) == (0, False)


def seconds_of(shelf, key):
    """The time that the reading of a paper took."""
    return next(row["seconds"] for row in read_state(shelf.work).sources if row["key"] == key)


@pytest.mark.long
def test_adding_it_again_says_that_it_is_there_and_with_a_library_mends_what_is_known(shelf):
    file = shelf.download("feng2022", MARSH)
    shelf.put(file)
    seconds = seconds_of(shelf, "feng2022")
    again = shelf.put(file)
    assert (again.outcome, again.published) == ("unchanged", None)
    mended = shelf.put(file, None, shelf.bib("@misc{feng2022, title = {Marsh nights}}"))
    assert (mended.outcome, shelf.read, shelf.papers["feng2022"].title) == ("updated", [], "Marsh nights")
    assert seconds_of(shelf, "feng2022") == seconds > 0
    assert len(list((shelf.work / "added").glob("*.pdf"))) == 1


def test_a_key_that_is_taken_is_refused(shelf):
    with pytest.raises(
        SourceError, match=r"'okafor2021' is the key of another file.*Choose another with --key"
    ):
        shelf.put(shelf.download("okafor2021", MARSH))
    shelf.put(shelf.download("feng2022", MARSH))
    with pytest.raises(SourceError, match="take it back first"):
        shelf.put(shelf.download("feng2022", REED))
    assert list(shelf.papers) == ["feng2022", "okafor2021"]


@pytest.mark.parametrize("key", ["", " ", "a\nb", "a\x00b"])
def test_what_is_no_key_is_refused(shelf, key):
    with pytest.raises(SourceError, match="is not a key"):
        shelf.put(shelf.download("feng2022", MARSH), key)


@pytest.mark.parametrize(
    ("content", "cause"),
    [(b"", "cannot be added"), (b"<html>", "is not added: not a PDF"), (None, "does not exist")],
)
def test_a_file_that_cannot_be_read_changes_nothing(shelf, content, cause):
    file = shelf.downloads / "feng2022.pdf"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(SourceError, match=cause):
        shelf.put(file)
    assert added_entries(shelf.work) == ()
    assert list(shelf.work.glob("added/*")) == []
    _, published = shelf.build()
    assert not published.new


def test_it_can_be_taken_back(shelf):
    shelf.put(shelf.download("main", MARSH), "feng2022")
    assert remove_paper("feng2022", shelf.work, shelf.corpus).outcome == "removed"
    assert list(shelf.papers) == ["okafor2021"]
    assert list((shelf.work / "added").glob("*.pdf")) == []
    assert shelf.build()[1].new is False
    with pytest.raises(SourceError, match="was not added"):
        remove_paper("okafor2021", shelf.work, shelf.corpus)


def test_a_work_folder_that_is_not_the_corpus_s_own_loses_no_papers(shelf, tmp_path):
    with pytest.raises(
        BuildError, match=r"does not hold what was read of 1 papers of the corpus \(okafor2021\)"
    ):
        add_paper(shelf.download("feng2022", MARSH), None, (), tmp_path / "other", shelf.corpus, Limits())
    for record in (shelf.work / "extracted").rglob("*.arrow"):
        record.unlink()
    with pytest.raises(BuildError, match="build first"):
        shelf.put(shelf.download("feng2022", MARSH))
    assert list(shelf.papers) == ["okafor2021"]


@pytest.mark.long
@pytest.mark.system
def test_the_command(shelf):
    def run(*arguments):
        return pagequote("add", *arguments, "--corpus", shelf.corpus, "--work", shelf.work)

    file = shelf.download("main", MARSH)
    added = run(file, "--key", "feng2022")
    assert (added.returncode, added.stdout.startswith("added feng2022: r0")) == (0, True), added.stderr
    again = run(file, "--key", "feng2022", "--json")
    assert json.loads(again.stdout) == {"key": "feng2022", "outcome": "unchanged", "release": None}
    taken = run(shelf.download("okafor2021", REED))
    assert (taken.returncode, taken.stdout) == (2, "")
    assert "Choose another with --key" in taken.stderr
    assert json.loads(run("--remove", "feng2022", "--json").stdout)["outcome"] == "removed"
    assert run().returncode == run(file, "--remove", "feng2022").returncode == 2


@pytest.mark.parametrize("then", ["build", "add", "remove"])
def test_a_disk_that_fills_while_a_paper_is_added_is_told_with_what_is_kept(shelf, monkeypatch, then):
    """Its key is taken from then on: the next build publishes it, and so does adding it again."""
    marsh = shelf.download("marsh", MARSH)

    def full(*_, **__):
        raise BuildError("The build stopped: no space left on device. Nothing was published.")

    with monkeypatch.context() as patched:
        patched.setattr("pipeline.builds.add_paper.publish_stage", full)
        with pytest.raises(BuildError, match=r"'marsh' is kept: .* `pagequote add --remove KEY`"):
            shelf.put(marsh, "marsh")
    assert "marsh" not in shelf.papers
    if then == "remove":
        assert remove_paper("marsh", shelf.work, shelf.corpus).outcome == "removed"
        assert not added_entries(shelf.work)
        return
    if then == "build":
        shelf.build()
    else:
        assert shelf.put(marsh, "marsh").outcome == "added"
    assert "marsh" in shelf.papers
    assert shelf.put(marsh, "marsh").outcome == "unchanged"
