"""The reading room as tests visit it: whatever it answers is looked at for what no answer may hold."""

import re
import subprocess
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

from starlette.testclient import TestClient

from lookup.corpus import Corpus
from lookup.results.papers import Original
from pagequote.calls.killable import Runner, run_inline
from pagequote.serving.access import TokenAuth
from pagequote.serving.clients import plain_refusals
from pagequote.web.app import reading_room
from pagequote.web.page_pictures import DrawInPixels
from tests.support.project import PAGEQUOTE
from tests.support.waiting import PATIENCE

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
PNG = b"\x89PNG made up by a test"

_OF_A_MACHINE = re.compile(r"(?:/home|/Users|/root|/tmp|/work|/usr|/var)/|site-packages|Traceback")


class _Tags(HTMLParser):
    """What of a page would run, or would have to be allowed by more than the policy allows."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self._within = ""
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._within = tag
        for name, value in attrs:
            if name == "style" or name.startswith("on") or (value or "").lower().startswith("javascript:"):
                self.inline.append(f"{tag} {name}={value}")
        if tag == "style":
            self.inline.append(tag)

    def handle_endtag(self, tag):
        self._within = ""

    def handle_data(self, data):
        if self._within == "script" and data.strip():
            self.inline.append(data)


def drawn(_: Original, __: int, *, pixels: int) -> bytes:
    """Stands in for whoever draws pages."""
    assert pixels
    return PNG


class Visitor:
    """A client of a reading room."""

    def __init__(
        self,
        corpus: Corpus,
        draw: DrawInPixels = drawn,
        keeper: TokenAuth | None = None,
        address: str = "http://127.0.0.1:8377",
        long: Runner = run_inline,
    ) -> None:
        self.app = reading_room(corpus, draw, keeper=keeper, long=long)
        served = plain_refusals(self.app, "/")  # as `run` does
        self._client = TestClient(served, address, raise_server_exceptions=False)

    def get(self, path, **query):
        """The answer, which is what every answer has to be."""
        given = {name: value for name, value in query.items() if value is not None}
        return self.looked_at(self._client.get(path, params=given or None, follow_redirects=False))

    def post(self, path, **options):
        """The same."""
        return self.looked_at(self._client.post(path, **options))

    def send(self, method, path, **options):
        """The same, whatever is sent."""
        return self.looked_at(self._client.request(method, path, **options))

    @staticmethod
    def looked_at(answer):
        """The answer, once it is known to hold no place of this machine and to let a browser do nothing."""
        assert answer.headers["content-security-policy"] == POLICY
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"]
        if answer.headers.get("content-type", "").startswith(("text/html", "text/plain", "application/json")):
            assert not _OF_A_MACHINE.search(answer.text), _OF_A_MACHINE.search(answer.text)
        saved = answer.headers.get("content-disposition", "").startswith("attachment")
        if "<!doctype html>" in answer.text and not saved:
            assert _Tags(answer.text).inline == []
        return answer


@contextmanager
def served(corpus_path, *options):
    """The address of a reading room that the command serves, and its process."""
    command = [PAGEQUOTE, "serve", "--port", "0", "--corpus", corpus_path, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(list(map(str, command)), stdout=pipe, stderr=pipe, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            assert line, process.communicate()[1]
            yield line.split()[-1], process
        finally:
            if process.poll() is None:
                process.terminate()
                process.communicate(timeout=PATIENCE)


def on_disk(folder: Path, **pdfs: bytes) -> Path:
    """A folder of PDFs by their keys."""
    folder.mkdir(parents=True, exist_ok=True)
    for key, data in pdfs.items():
        (folder / f"{key}.pdf").write_bytes(data)
    return folder
