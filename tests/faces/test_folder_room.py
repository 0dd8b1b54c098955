"""`pagequote serve FOLDER`: the reading is offered, can be used at once, and ends with the server."""

import os
import signal
import subprocess
import threading
import urllib.request

import pytest
from starlette.testclient import TestClient

from lookup.corpus import Corpus
from pagequote.web import folder_room
from pagequote.web.app import reading_room
from pagequote.web.folder_room import FolderReading, FolderRoom, corpus_of_folder
from tests.support.pdfs import pdf
from tests.support.processes import with_word
from tests.support.project import PAGEQUOTE
from tests.support.rooms import drawn
from tests.support.waiting import PATIENCE, wait_until

pytestmark = pytest.mark.system

ADDRESS = "http://127.0.0.1:8377"


def paper(words):
    return pdf("Front", "Matter", f"{words} And so it goes on for a while.")


class Watched(FolderReading):
    """Reads when `go` is set, and keeps the sources of each build."""

    def __init__(self, root):
        super().__init__(root / "papers", root / "corpus")
        self.go, self.sources = threading.Event(), []
        self.go.set()

    def _build(self, sources):
        assert self.go.wait(PATIENCE)
        self.sources.append(sources)
        super()._build(sources)


@pytest.fixture
def reading(tmp_path):
    (tmp_path / "papers" / "below").mkdir(parents=True)
    (tmp_path / "papers" / "ant.pdf").write_bytes(paper("An ant carries a leaf."))
    (tmp_path / "papers" / "below" / "bee.PDF").write_bytes(paper("A bee carries nothing."))
    (tmp_path / "papers" / "notes.txt").write_text("no paper")
    return Watched(tmp_path)


@pytest.fixture
def visitor(reading):
    app = FolderRoom(reading, lambda: reading_room(Corpus(reading.corpus), drawn))
    with TestClient(app, ADDRESS, raise_server_exceptions=False) as client:
        yield client


def read_all(reading):
    wait_until(lambda: not reading.is_reading)


@pytest.mark.long
def test_the_reading_is_offered_and_the_room_opens_once_something_is_read(reading, visitor):
    offer = visitor.get("/papers")
    assert (offer.url.path, offer.status_code) == ("/", 200)
    assert "This folder has 2 PDFs, 1 MB" in offer.text
    assert f"<code>{reading.corpus}</code>" in offer.text
    assert "Content-Security-Policy" in offer.headers
    reading.go.clear()
    assert 'data-reading="/reading"' in visitor.post("/reading").text
    state = visitor.get("/reading").json()
    assert (state["is_reading"], state["can_be_opened"], state["total"]) == (True, False, 2)
    reading.go.set()
    read_all(reading)
    answer = visitor.get("/quote", params={"query": "An ant carries a leaf."})
    assert 'aria-label="Place 1: verbatim' in answer.text
    assert "Read them" not in visitor.get("/").text


@pytest.mark.long
def test_new_pdfs_are_read_at_the_next_visit_and_nothing_else_is_done(reading, visitor):
    visitor.post("/reading")
    read_all(reading)
    assert len(reading.sources) == 1
    visitor.get("/")
    read_all(reading)
    assert len(reading.sources) == 1
    (reading.folder / "cat.pdf").write_bytes(paper("A cat carries a mouse."))
    reading.go.clear()
    said = visitor.get("/").text + visitor.get("/papers").text
    assert "Reading the folder: 2 of 3 PDFs." in said
    reading.go.set()
    read_all(reading)
    assert "3 papers" in visitor.get("/papers").text


@pytest.mark.long
def test_the_first_of_many_pdfs_can_be_quoted_before_the_others_are_read(reading, monkeypatch):
    monkeypatch.setattr(folder_room, "_STEPS", (1,))
    for name in ("cat", "dog"):
        (reading.folder / f"{name}.pdf").write_bytes(paper(f"A {name} carries a mouse."))
    reading.begin()
    read_all(reading)
    assert [len(sources) for sources in reading.sources] == [1, 1]
    assert reading.sources == [[str(reading.folder / "ant.pdf")], [str(reading.folder)]]


def test_only_pages_of_the_server_begin_the_reading(reading, visitor):
    assert visitor.post("/reading", headers={"Origin": "http://elsewhere.example"}).status_code == 403
    assert visitor.get("/", headers={"Host": "elsewhere.example"}).status_code == 400
    assert not reading.is_reading


@pytest.mark.long
def test_a_folder_without_a_pdf_says_so_and_a_failed_build_says_why(tmp_path):
    (tmp_path / "papers").mkdir()
    reading = FolderReading(tmp_path / "papers", tmp_path / "corpus")
    app = FolderRoom(reading, lambda: reading_room(Corpus(reading.corpus), drawn))
    with TestClient(app, ADDRESS) as client:
        assert "This folder has no PDF" in client.get("/").text
        (tmp_path / "papers" / "fake.pdf").write_bytes(b"<html>sign in</html>")
        client.post("/reading")
        read_all(reading)
        assert "The reading ended:" in client.get("/").text


def test_the_corpus_of_a_folder_is_among_the_users_data_and_no_two_folders_share_one(tmp_path, monkeypatch):
    monkeypatch.setenv(folder_room.DATA_VARIABLE, str(tmp_path / "data"))
    places = {corpus_of_folder(tmp_path / name) for name in ("a/papers", "b/papers", "papers")}
    assert len(places) == 3
    assert all(place.is_relative_to(tmp_path / "data" / "pagequote") for place in places)
    assert corpus_of_folder(tmp_path / "a" / ".." / "papers") == corpus_of_folder(tmp_path / "papers")


@pytest.mark.long
def test_the_command_reads_the_folder_it_stands_in_and_leaves_no_process(tmp_path):
    papers = tmp_path / "papers"
    papers.mkdir()
    (papers / "ant.pdf").write_bytes(paper("An ant carries a leaf."))
    environment = {name: value for name, value in os.environ.items() if name != "PAGEQUOTE_CORPUS"}
    environment[folder_room.DATA_VARIABLE] = str(tmp_path / "data")
    process = subprocess.Popen(
        [PAGEQUOTE, "serve", "--port", "0"],
        cwd=papers,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        assert str(papers.resolve()) in said
        address = said.split()[-1]
        urllib.request.urlopen(urllib.request.Request(f"{address}reading", method="POST"))
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE)
        assert (process.returncode, "is kept in" in errors) == (0, True), errors
    finally:
        process.kill()
        process.wait()
    assert with_word(str(tmp_path)) == []


@pytest.mark.long
def test_a_pdf_that_is_dropped_is_in_the_folder_and_read(reading, visitor):
    sent = visitor.put("/reading/A%20cat%3F.pdf", content=paper("A cat carries a mouse."))
    assert (sent.status_code, sent.json()) == (201, {"name": "A_cat_.pdf"})
    read_all(reading)
    answer = visitor.get("/quote", params={"query": "A cat carries a mouse."})
    assert 'aria-label="Place 1: verbatim' in answer.text
    assert 'data-adds="/reading"' in visitor.get("/").text
    read_all(reading)


@pytest.mark.parametrize(
    ("name", "sent", "status", "said"),
    [
        ("again.pdf", None, 201, "'ant.pdf'"),
        ("ant.pdf", paper("Another ant."), 201, "'ant-2.pdf'"),
        ("..%5Cup.pdf", paper("Up."), 201, "'_up.pdf'"),
        (".hidden.pdf", paper("Seen."), 201, "'hidden.pdf'"),
        ("aux.pdf", paper("A name that Windows keeps."), 201, "aux_.pdf"),
        ("notes.pdf", b"no paper", 400, "'notes.pdf' is no PDF"),
    ],
)
def test_what_is_dropped_has_a_name_of_its_own_and_is_a_pdf(reading, monkeypatch, name, sent, status, said):
    monkeypatch.setattr(reading, "begin", lambda: None)
    before = {path: path.read_bytes() for path in reading.folder.rglob("*.*")}
    with TestClient(FolderRoom(reading, lambda: pytest.fail("no room")), ADDRESS) as client:
        answer = client.put(f"/reading/{name}", content=sent or (reading.folder / "ant.pdf").read_bytes())
    assert answer.status_code == status
    assert said in str(answer.json())
    assert {path: path.read_bytes() for path in before} == before


def test_a_page_of_another_site_puts_nothing_into_the_folder(reading):
    with TestClient(FolderRoom(reading, lambda: pytest.fail("no room")), ADDRESS) as client:
        from_elsewhere = {"origin": "https://example.org"}
        sent = client.put("/reading/cat.pdf", content=paper("A cat."), headers=from_elsewhere)
    assert sent.status_code == 403
    assert not (reading.folder / "cat.pdf").exists()
