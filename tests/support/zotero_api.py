"""A stub of Zotero's API, in a thread: a library of attachments, to which annotations are added as zotero.org
takes them.
"""

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

_FIELDS = {
    "itemType": r"annotation",
    "parentItem": r"[A-Z0-9]{8}",
    "annotationType": r"highlight",
    "annotationAuthorName": r".*",
    "annotationText": r"(?s).+",
    "annotationComment": r"(?s).*",
    "annotationColor": r"#[0-9a-f]{6}",
    "annotationPageLabel": r".+",
    "annotationSortIndex": r"\d{5}\|\d{6}\|\d{5}",
    "annotationPosition": r'\{"pageIndex": \d+, "rects": \[\[.+\]\]\}',
}
"""Fields of an annotation that highlights, with what Zotero takes for each."""

MOST = 50
"""Items that one request may write."""


class Library:
    """What the stub holds. `local` asks for what a Zotero on this machine asks; `key` is the one that may
    write.
    """

    def __init__(self, *, local: bool = False, key: str = "secret") -> None:
        self.local, self.key = local, key
        self.attachments: dict[str, str | None] = {}
        self.annotations: list[dict[str, Any]] = []
        self.tokens: list[str] = []

    @property
    def items(self) -> str:
        """The path of its items."""
        return "/api/users/0/items" if self.local else "/users/7/items"

    def read(self, path: str, query: dict[str, list[str]]) -> list[Any] | None:
        """Return all items that a request asks for; None for a path that is not there."""
        if path == self.items and query["itemType"] == ["attachment"]:
            return [{"key": key, "data": {"key": key, "md5": md5}} for key, md5 in self.attachments.items()]
        parent = re.fullmatch(rf"{self.items}/([A-Z0-9]{{8}})/children", path)
        if parent and parent[1] in self.attachments:
            return [{"key": "X", "data": one} for one in self.annotations if one["parentItem"] == parent[1]]
        return None

    def write(self, items: list[dict[str, Any]]) -> dict[str, Any]:
        """Add those of the items that are whole. Return what became of each."""
        answer: dict[str, Any] = {"successful": {}, "unchanged": {}, "failed": {}}
        for number, item in enumerate(items):
            bad = [name for name, form in _FIELDS.items() if not re.fullmatch(form, item.get(name, ""))]
            bad += [name for name in item if name not in {*_FIELDS, "tags"}]
            if bad or item["parentItem"] not in self.attachments:
                answer["failed"][str(number)] = {"code": 400, "message": f"Invalid {bad or 'parentItem'}"}
            else:
                self.annotations.append(item)
                answer["successful"][str(number)] = {"key": f"N{len(self.annotations):07d}", "data": item}
        return answer


class _Handler(BaseHTTPRequestHandler):
    library: Library

    def do_GET(self) -> None:
        asked = urlsplit(self.path)
        if asked.path == "/api/" and self.library.local:
            self._answer(200, b"nothing")
            return
        query = parse_qs(asked.query)
        found = self.library.read(asked.path, query)
        if found is None:
            self._answer(404, b"Not found")
            return
        start, limit = int(query["start"][0]), int(query["limit"][0])
        self._answer(
            200, json.dumps(found[start : start + limit]).encode(), {"Total-Results": str(len(found))}
        )

    def do_POST(self) -> None:
        library = self.library
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if library.local and self.headers["Zotero-Server-ID"] != "server":
            self._answer(428, b"Zotero-Server-ID is missing")
        elif library.local and self.path == "/api/local/authorize":
            self._answer(200, json.dumps({"key": library.key, "remember": False}).encode())
        elif self.headers["Zotero-API-Key"] != library.key:
            self._answer(403, b"Write access denied")
        elif self.path != library.items or len(body) > MOST:
            self._answer(413, b"Too many items")
        else:
            library.tokens.append(self.headers["Zotero-Write-Token"])
            self._answer(200, json.dumps(library.write(body)).encode())

    def _answer(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Zotero-Server-ID": "server", **(headers or {})}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def zotero_api(library: Library) -> Iterator[str]:
    """The address of the library's API, while it is served."""
    handler = type("Handler", (_Handler,), {"library": library})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{'/api' if library.local else ''}"
        finally:
            server.shutdown()
            thread.join()
