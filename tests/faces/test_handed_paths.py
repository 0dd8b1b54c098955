"""A path that a text, an agent or a stranger names is opened without waiting, and only if it is a file."""

import os
from threading import Thread

import pytest

from lookup.errors import QueryError, SourceError
from pagequote import verify_pdf
from pagequote.check.configuration import read_configuration
from pagequote.one_pdf import open_pdf


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
    "../corpus", "a/../../corpus", "/etc", "/", "..", "~/../..", "s3://bucket/corpus", "s3:/bucket/corpus",
    "link/corpus", "link", "./link/../../x",
)  # fmt: skip
CONFIGURATIONS = [
    *(f"[check]\n{name} = {one!r}\n" for one in _REACHING for name in ("corpus", "baseline", "lock")),
    "[[check]]", "check = 5", "quote = []", "[quote]\nlatex = 7", "[check]\nmin-verdict = []", "[check",
    "[check]\nmin-verdict = {}", "[check]\nmacros = 7", "[check.text]\na = []", "[check.macros]\na = 'x {'",
    "a = " + "[" * 100_000, "\0", "\ud800", "[check]\nunknown = 1",
]  # fmt: skip


@pytest.mark.parametrize("content", CONFIGURATIONS)
def test_a_configuration_of_a_stranger_is_refused_or_names_only_what_is_in_its_folder(tmp_path, content):
    folder = tmp_path / "sent"
    folder.mkdir()
    (folder / "link").symlink_to(tmp_path)
    (folder / "pagequote.toml").write_bytes(content.encode(errors="surrogatepass"))
    with pytest.raises(QueryError):
        read_configuration(None, folder / "draft.md")
