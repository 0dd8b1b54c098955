"""A path that a text, an agent or a stranger names is opened without waiting, and only if it is a file."""

import os
from dataclasses import replace
from threading import Thread

import pytest

import lookup
from lookup.errors import PageQuoteError, QueryError, SourceError
from lookup.results.papers import Original
from lookup.storage.object_path import ObjectPath
from pagequote import verify_pdf
from pagequote.check.configuration import read_configuration
from pagequote.check.kept import read_lock
from pagequote.check.manuscript import content_of
from pagequote.one_pdf import open_pdf
from pipeline.files.original_file import pieces, read_original
from pipeline.libraries.read_library import read_library
from pipeline.models.sentence_transformers import read_settings
from retrieval.embedding.model import read_model
from tests.support.mcp_clients import over_stdio
from tests.support.pdfs import pdf as pdf_of
from tests.support.waiting import PATIENCE


def _queue(path):
    os.mkfifo(path)


def _large(path):
    with path.open("wb") as file:
        file.truncate(12 << 30)


NO_FILES = {
    "a queue that nobody writes to": (_queue, "no file that has bytes"),
    "a link to a device without end": (lambda path: path.symlink_to("/dev/zero"), "no file that has bytes"),
    "a folder": (lambda path: path.mkdir(), "no file that has bytes"),
    "12 GB of nothing": (_large, "the limit"),
    "a link to itself": (lambda path: path.symlink_to(path), "cannot be read"),
    "nothing": (lambda path: None, "cannot be read"),
}


@pytest.mark.parametrize(("make", "said"), NO_FILES.values(), ids=NO_FILES)
def test_what_is_no_file_of_a_pdf_gets_one_sentence_at_once(make, said, tmp_path):
    path, found = tmp_path / "a.pdf", []
    make(path)

    def ask():
        with pytest.raises(SourceError, match=said) as raised:
            verify_pdf(path, "words")
        found.append(str(raised.value))

    asking = Thread(target=ask, daemon=True)
    asking.start()
    asking.join(30)
    assert len(found) == 1
    assert "\n" not in found[0]


def test_an_agents_server_reads_no_pdf_outside_of_the_folders_that_it_may_read(tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "secret.pdf").write_bytes(b"%PDF")
    (tmp_path / "mine/link.pdf").symlink_to(tmp_path / "secret.pdf")
    for name in ("secret.pdf", "mine/link.pdf", "mine/../secret.pdf", "nothing.pdf"):
        with pytest.raises(SourceError, match="may not be read here"):
            open_pdf(tmp_path / name, [tmp_path / "mine"])
    with pytest.raises(SourceError, match="No such file"):
        open_pdf(tmp_path / "mine/none.pdf", [tmp_path / "mine"])


_REACHING = (
    "../corpus",
    "a/../../corpus",
    "/etc",
    "/",
    "..",
    "~/../..",
    "s3://bucket/corpus",
    "s3:/bucket/corpus",
    "link/corpus",
    "link",
    "./link/../../x",
)
CONFIGURATIONS = [
    *(f"[check]\n{name} = {one!r}\n" for one in _REACHING for name in ("corpus", "baseline", "lock")),
    "[[check]]",
    "check = 5",
    "quote = []",
    "[quote]\nlatex = 7",
    "[check]\nmin-verdict = []",
    "[check",
    "[check]\nmin-verdict = {}",
    "[check]\nmacros = 7",
    "[check.text]\na = []",
    "[check.macros]\na = 'x {'",
    "a = " + "[" * 100_000,
    "\0",
    "\ud800",
    "[check]\nunknown = 1",
]


@pytest.mark.parametrize("content", CONFIGURATIONS)
def test_a_configuration_of_a_stranger_is_refused_or_names_only_what_is_in_its_folder(tmp_path, content):
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    (folder / "pagequote.toml").write_bytes(content.encode(errors="surrogatepass"))
    with pytest.raises(QueryError):
        read_configuration(None, folder / "draft.md")


def _within(seconds, ask):
    """Return what `ask` returns or raises, whoever it waits for."""
    found = []

    def run():
        try:
            found.append(ask())
        except PageQuoteError as error:
            found.append(error)

    asking = Thread(target=run, daemon=True)
    asking.start()
    asking.join(seconds)
    assert found, "it waits"
    return found[0]


@pytest.fixture
def pdf_beside_a_queue(tmp_path):
    """A PDF with a queue that nobody writes to where the publisher's XML would be."""
    pdf = tmp_path / "ok.pdf"
    pdf.write_bytes(pdf_of("A paper about one ant."))
    os.mkfifo(tmp_path / "ok.xml")
    return pdf


@pytest.mark.system
@pytest.mark.long
def test_an_agents_server_answers_after_ten_calls_for_a_pdf_beside_a_queue(pdf_beside_a_queue, corpus_path):
    with over_stdio(corpus_path) as agent:
        calls = [agent.start("get_quote", key=str(pdf_beside_a_queue), query="one ant") for _ in range(10)]
        listed = agent.start("list_papers")
        assert not listed.result(PATIENCE).is_error
        assert not any(call.result(PATIENCE).is_error for call in calls)


@pytest.mark.parametrize("name", ["a\0b.pdf", "a.pdf\0", "\0", "x/a\0b.xml"])
def test_a_path_with_a_null_character_gets_a_sentence(name, tmp_path):
    for within in ((), [tmp_path]):
        with pytest.raises(SourceError, match=r"no file's has|may not be read here|cannot be read"):
            open_pdf(f"{tmp_path}/{name}", within)


LIBRARIES = {
    "a .bib": ("library.bib", read_library),
    "CSL JSON": ("library.json", read_library),
    "a configuration": ("pagequote.toml", lambda path: read_configuration(path, path.parent / "draft.md")),
    "a lock": ("quotes.lock", read_lock),
    "a manuscript": ("draft.md", content_of),
    "a PDF with marks": ("marked.pdf", lambda path: next(pieces(Original("a", str(path), "")))),
    "a model": ("model/model.json", lambda path: read_model(path.parent)),
    "a model's settings": ("model/config.json", lambda path: read_settings(path.parent)),
    "a corpus": ("corpus/current/manifest.json", lambda path: lookup.open(path.parents[1])),
}


def test_a_release_on_a_disk_has_no_file_asked_for_elsewhere(corpus, monkeypatch):
    release = corpus._open.database.release
    assert not release.may_ask("s3://attackers-bucket/beacon.pdf")
    assert release.may_ask("papers/feng2022.pdf")
    monkeypatch.setenv("PAGEQUOTE_LIBRARY", "s3://mine/papers")
    assert release.may_ask("s3://mine/papers/feng2022.pdf")
    assert not release.may_ask("s3://mine/papers-of-others/feng2022.pdf")
    stored = replace(release, folder=ObjectPath("s3://shared/corpus/releases/r000001"))
    assert stored.may_ask("s3://shared/papers/feng2022.pdf")
    assert not stored.may_ask("s3://shared-by-others/feng2022.pdf")
    with pytest.raises(SourceError, match="its corpus is elsewhere"):
        read_original(Original("feng2022", "s3://attackers-bucket/beacon.pdf", "", reachable=False))


@pytest.mark.parametrize("make", [_queue, lambda path: path.symlink_to("/dev/zero")], ids=["queue", "device"])
@pytest.mark.parametrize(("name", "read"), LIBRARIES.values(), ids=LIBRARIES)
def test_what_is_no_file_is_not_waited_for_whatever_it_is_named_for(name, read, make, tmp_path):
    path = tmp_path / name
    path.parent.mkdir(parents=True, exist_ok=True)
    make(path)
    assert "\n" not in str(_within(30, lambda: read(path)))
