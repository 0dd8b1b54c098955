"""The report of a release: right figures, as JSON and as a page that does nothing; and how the corpus is."""

import json
from html.parser import HTMLParser

import pytest

from pagequote.web.report_page import standalone
from pipeline.work import journal
from tests.support.builds import Library
from tests.support.pdfs import pdf

pytestmark = pytest.mark.usefixtures("reports")

EVIL = "<script>alert(1)</script>&\"'"


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path, "ant", "bee")
    (made.pdfs / "scan.pdf").write_bytes(pdf(""))
    (made.pdfs / "login.pdf").write_bytes(b"<html>please sign in")
    (made.pdfs / "empty.pdf").write_bytes(b"")
    return made


def report(library):
    return json.loads((library.corpus / "current" / "report.json").read_text())


def page(library):
    return standalone(report(library))


class Tags(HTMLParser):
    """The tags of a page, and whether they close as they open."""

    VOID = frozenset({"meta"})

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.attributes = [], set(), []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += attrs
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes += attrs

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_it_counts_what_the_release_holds_and_what_it_could_not_hold(library):
    (library.pdfs / "twin.pdf").write_bytes((library.pdfs / "ant.pdf").read_bytes())
    library.build()
    found = report(library)
    assert {name: found["rows"][name] for name in ("papers", "pages", "failures")} == {
        "papers": 4,
        "pages": 10,
        "failures": 2,
    }
    assert found["pages_by_source"] == {"empty": 1, "text": 9}
    assert found["pages_without_text"] == {
        "count": 1,
        "first": [{"key": "scan", "empty_pages": 1, "pages": 1, "status": "not covered"}],
    }
    assert [(one["stage"], one["reason"], one["count"]) for one in found["failures"]] == [
        ("extract", "not a PDF", 1),
        ("sources", "empty file", 1),
    ]
    assert all(one["what_to_do"] for one in found["failures"])
    assert found["same_bytes"] == {"count": 1, "first": [["ant", "twin"]]}
    assert found["versions"] == found["same_bytes"]
    assert found["changes"] is None
    assert found["stages"].keys() == {"extract", "embed", "publish"}
    assert {one["path"].rpartition("/")[2] for one in found["slowest"]} >= {
        "bee.pdf",
        "login.pdf",
        "scan.pdf",
    }


@pytest.mark.long
def test_it_tells_what_changed_and_how_the_corpus_grew_longer_than_releases_are_kept(library):
    library.build()
    for number_ in range(4):
        library.add(f"more{number_}", f"One more paper, {number_}.")
        library.build()
    library.add("ant", "A paper about another ant.")
    (library.pdfs / "bee.pdf").unlink()
    library.build()
    found = report(library)
    assert [point["papers"] for point in found["growth"]] == [3, 4, 5, 6, 7, 6]
    assert found["changes"]["gone"] == {"count": 1, "first": ["bee"]}
    assert found["changes"]["changed"] == {"count": 1, "first": ["ant"]}
    assert (found["changes"]["paragraphs_added"], found["changes"]["paragraphs_gone"]) == (1, 1)
    assert len(found["builds"]) == 5
    assert len(list((library.corpus / "releases").iterdir())) == 3


@pytest.mark.long
def test_the_page_is_whole_runs_nothing_and_fetches_nothing(library):
    library.build()
    library.add("cat", "A paper about one cat.")
    library.build()
    text = page(library)
    tags = Tags(text)
    assert tags.open == []
    assert not tags.seen & {"script", "link", "img", "iframe", "object", "form", "a"}
    assert not [name for name, _ in tags.attributes if name.startswith("on") or name in ("src", "href")]
    assert "default-src 'none'" in text
    assert "url(" not in text
    assert "@import" not in text
    assert "color-scheme: light dark" in text
    for words in (
        "not a PDF",
        "sign-in leaves one",
        "scan",
        "Slowest PDFs",
        "Seconds, by stage",
        "Growth",
        "Builds before",
    ):
        assert words in text


def test_what_comes_from_files_is_escaped(library):
    (library.pdfs / f"{EVIL.replace('/', '')}.pdf").write_bytes(b"no PDF")
    (library.pdfs / f"{EVIL.replace('/', '')} too.pdf").write_bytes(pdf(""))
    library.build()
    assert "alert" in page(library)
    assert "<script" not in page(library)
    assert Tags(page(library)).open == []


def test_status_says_how_it_is_and_writes_what_is_asked_for(library, tmp_path):
    library.build()
    said = library.run("status", "--html", str(tmp_path / "out.html"), "--growth", str(tmp_path / "out.json"))
    assert said.exit_code == 0, said.output
    assert "failed: 1 not a PDF. The file is a web page, as a sign-in leaves one. Fetch" in said.output
    assert "holds: 3 papers, 7 pages" in said.output
    assert "published in" in said.output
    assert (tmp_path / "out.html").read_text() == page(library)
    assert json.loads((tmp_path / "out.json").read_text())[0]["papers"] == 3
    found = json.loads(library.run("status", "--json").output)
    assert (found["well"], found["under_way"], found["last_build"]["outcome"]) == (True, None, "published")
    assert found["report"] == report(library)


def test_status_fails_when_the_last_build_did_and_says_which_was_the_last_good_one(library):
    library.build()
    journal.add(
        library.corpus,
        journal.JournalEntry("2026-11-22T02:15:00+00:00", "failed", 1.0, message="The disk is full."),
    )
    said = library.run("status")
    assert said.exit_code == 1
    assert "last build: 2026-11-22T02:15:00+00:00, failed in 1.0 s: The disk is full." in said.output
    assert "last good build: " in said.output
